#!/usr/bin/env python3
"""Does another build of Heddle, of the same size and with the same time, leave alone what this one kept on disk?

Builds are told apart by the linker's build id: copies of the command and of the code generator's library have a bit of it
changed. Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, os, shutil, subprocess, sys, tempfile

parser = argparse.ArgumentParser()
parser.add_argument('--build', default='build')
build = parser.parse_args().build
KERNEL = 'kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }'
counts = [0, 0]


def check(is_good, what):
    counts[not is_good] += 1
    if not is_good:
        print('failed:', what)


def build_id(path):
    """Where a file has its build id, behind the note's head and its name."""
    with open(path, 'rb') as f:
        return f.read(4096).find(b'\x03\0\0\0GNU\0') + 8


def make_other(path):
    status = os.stat(path)
    at = build_id(path)
    shutil.copyfile(path, path + '.new')
    with open(path + '.new', 'r+b') as f:
        f.seek(at)
        byte = f.read(1)[0]
        f.seek(at)
        f.write(bytes([byte ^ 1]))
    shutil.copymode(path, path + '.new')
    os.utime(path + '.new', ns=(status.st_atime_ns, status.st_mtime_ns))
    os.rename(path + '.new', path)


def entries(folder):
    module, cache = folder + '/twice.spv', folder + '/cache'
    done = subprocess.run([folder + '/heddle', 'run', module, '--global', '8', '--arg', 'i32[8]=fill:21'], text=True,
                          capture_output=True, env=dict(os.environ, HEDDLE_CACHE='1', HEDDLE_CACHE_DIR=cache))
    check(done.returncode == 0 and '42' in done.stdout, done.stdout + done.stderr)
    return sum(name.endswith('.entry') for name in os.listdir(cache))


with tempfile.TemporaryDirectory() as folder:
    for name in ('heddle', 'libheddle-llvm.so'):
        shutil.copy2(os.path.join(build, name), folder)
    with open(folder + '/twice.cl', 'w', encoding='utf-8') as f:
        f.write(KERNEL)
    made = subprocess.run(['clang-22', '-target', 'spirv64', '-O1', '-c', folder + '/twice.cl', '-o', folder + '/twice.spv'])
    check(made.returncode == 0, 'clang-22')
    first = entries(folder)
    check(first > 0, 'an entry is kept')
    check(entries(folder) == first, 'the same build finds it')
    for name in ('libheddle-llvm.so', 'heddle'):
        check(build_id(folder + '/' + name) > 8, name + ' has a build id')
        make_other(folder + '/' + name)
        other = entries(folder)
        check(other > first, 'another build of %s makes its own' % name)
        check(entries(folder) == other, 'and finds that again')
        first = other
print('%d passed, %d failed, 0 skipped' % tuple(counts))
sys.exit(counts[1] != 0)
