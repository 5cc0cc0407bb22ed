#!/usr/bin/env python3
"""The wheels for AArch64 under qemu-user, by hand: tools/aarch64.sh FOLDER wheel makes them. --folder FOLDER

The command of both; the driver's compiler, the code generator, and the Python module where FOLDER/root has that machine's Python.
Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import argparse, glob, os, re, subprocess, sys, tempfile, zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCE = 'kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }\n'
LAUNCH = ['--global', '4', '--arg', 'f32[4]=range']
MODULE = '''import array, heddle
x = array.array('f', range(5))
heddle.Program(heddle.compile(open('twice.cl').read())).run('twice', [x], global_size=5)
assert list(x) == [0, 2, 4, 6, 8], x
print('fine')
'''
# What programs may ask for: all else is in them, or comes along.
NEEDS = re.compile(r'(libc|libm|libdl|libpthread|ld-linux-aarch64)\.so\.\d+$|libcjson\.so\.1$')
counts = [0, 0, 0]


def check(holds, why):
    counts[0 if holds else 1] += 1
    if not holds:
        print('failed:', why)


class Environment:
    """A wheel's files where pip puts them."""
    def __init__(self, wheel, folder, root):
        self.folder, self.root = folder, root
        with zipfile.ZipFile(wheel) as z:
            for entry in z.infolist():
                place = re.sub(r'^[^/]+\.data/data/', '', entry.filename)
                path = os.path.join(folder, place if place != entry.filename else 'lib/python3/site-packages/' + place)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, 'wb') as f:
                    f.write(z.read(entry))
                os.chmod(path, entry.external_attr >> 16 & 0o777)
        with open(folder + '/twice.cl', 'w') as f:
            f.write(SOURCE)
        # The compiler runs as a process of its own, which needs the emulator, too.
        with open(folder + '/clang', 'w') as f:
            f.write(f'#!/bin/sh\nexec qemu-aarch64 -L "{root}" "{folder}/lib/heddle/clang-heddle" "$@"\n')
        os.chmod(folder + '/clang', 0o755)

    def run(self, program, *words):
        env = {'PATH': os.environ['PATH'], 'HOME': self.folder, 'HEDDLE_CACHE': '0', 'HEDDLE_CLANG': self.folder + '/clang',
               'PYTHONPATH': self.folder + '/lib/python3/site-packages'}
        p = subprocess.run(['qemu-aarch64', '-L', self.root, program, *words], env=env, cwd=self.folder, text=True, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, timeout=600)
        return p.returncode, p.stdout

    def heddle(self, *words):
        return self.run(self.folder + '/bin/heddle', *words)


def check_files(e):
    for path in glob.glob(e.folder + '/bin/*') + glob.glob(e.folder + '/lib/heddle/*'):
        said = subprocess.run(['readelf', '-hd', path], capture_output=True, text=True).stdout if os.path.isfile(path) else ''
        if 'Machine:' in said:
            needs = re.findall(r'\(NEEDED\).*\[(.*)\]', said)
            check('AArch64' in said and all(NEEDS.match(name) for name in needs), f'{path}: {needs}')


def check_tools(e):
    check('without LLVM' in e.heddle('--version')[1], 'the small wheel has no LLVM')
    code, out = e.heddle('as', os.path.join(ROOT, 'src/ops/arith/tests/extended32.spvasm'), '-o', 'k.spv')
    check(code == 0 and e.heddle('val', 'k.spv') == (0, '') and 'OpUMulExtended' in e.heddle('dis', 'k.spv')[1], f'as, val, dis: {out}')
    code, out = e.heddle('check', os.path.join(ROOT, 'tests/debug/script.spvasm'), '--global', '5', '--arg', 'u32[4]')
    check(code == 1 and 'check.out-of-bounds' in out, f'check: {out}')


def check_whole(e):
    check('LLVM 22' in e.heddle('--version')[1], 'the command has LLVM')
    code, out = e.heddle('run', 'twice.cl', *LAUNCH, '--engine', 'compiled')
    check(code == 0 and '= 0, 2, 4, 6' in out, f'a source runs: {out}')
    code, out = e.heddle('check', 'twice.cl', '--global', '5', '--arg', 'f32[4]=range')
    check(code == 1 and 'twice.cl:1:' in out, f'check finds what is wrong: {out}')
    python = glob.glob(e.root + '/usr/bin/python3.[0-9]*')
    if not python:
        counts[2] += 1
        return
    code, out = e.run(python[0], '-c', MODULE)
    check((code, out) == (0, 'fine\n'), f'the Python module: {out}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--folder', required=True)
    folder = os.path.abspath(parser.parse_args().folder)
    for name, test in ('heddle_tools', check_tools), ('heddle', check_whole):
        wheel, = glob.glob(f'{folder}/wheels/wheel/{name}-[0-9]*_aarch64.whl')
        with tempfile.TemporaryDirectory() as place:
            e = Environment(wheel, place, folder + '/root')
            check_files(e)
            test(e)
    print('%d passed, %d failed, %d skipped' % tuple(counts))
    return 1 if counts[1] else 0


if __name__ == '__main__':
    sys.exit(main())
