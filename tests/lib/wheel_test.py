#!/usr/bin/env python3
"""The wheels that `make wheel` leaves in build/wheel, in a fresh environment whose PATH has nothing else: the command, the Python
module, the driver from OpenCL C and from IL, each place where loaders look, and the compiler beside clang-22. [--build FOLDER]

With --pypi, by hand: pyopencl is installed from PyPI and finds the platform with no variable set, and auditwheel agrees with the tag.
Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import argparse
import ctypes.util
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCE = '''kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }
'''
LAUNCH = ['--global', '4', '--arg', 'f32[4]=range']
CLIENT = '''import numpy, pyopencl, heddle
device, = next(p for p in pyopencl.get_platforms() if p.name == 'Heddle').get_devices()
context = pyopencl.Context([device])
queue = pyopencl.CommandQueue(context)
source = open('twice.cl').read()
for program in source, heddle.compile(source):
    x = numpy.arange(1000, dtype=numpy.float32)
    memory = pyopencl.Buffer(context, pyopencl.mem_flags.COPY_HOST_PTR, hostbuf=x)
    pyopencl.Program(context, program).build().twice(queue, x.shape, None, memory)
    got = numpy.empty_like(x)
    pyopencl.enqueue_copy(queue, got, memory)
    assert (got == 2 * x).all()
print('fine')
'''
# Sources of several kinds; and how they are compiled.
SAME = ('src/codegen/tests/shared.cl', 'src/codegen/tests/gather_index.cl', 'tests/kernels/fft.cl')
OPTIONS = ([], ['-g', '-cl-std=CL3.0'], ['-cl-opt-disable'])
counts = [0, 0, 0]


def check(holds, why):
    counts[0 if holds else 1] += 1
    if not holds:
        print('failed:', why)


class Environment:
    """A virtual environment that has one wheel."""
    def __init__(self, folder, wheel):
        self.folder, self.python = folder, os.path.join(folder, 'bin/python')
        subprocess.run([sys.executable, '-m', 'venv', '--without-pip', folder], check=True)
        self.install('--no-deps', '--no-index', wheel)

    def install(self, *what):
        p = subprocess.run([sys.executable, '-m', 'pip', '--python', self.python, '--disable-pip-version-check', 'install', '-q', *what],
                           capture_output=True, text=True)
        check(p.returncode == 0, f'{what} is installed: {p.stderr}')

    def run(self, *words, **env):
        """Exit code and all output; the PATH has what the environment has."""
        here = {'PATH': self.folder + '/bin', 'HOME': self.folder, 'HEDDLE_CACHE': '0', **env}
        p = subprocess.run([shutil.which(words[0], path=here['PATH']) or words[0], *words[1:]], env=here, cwd=self.folder, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
        return p.returncode, p.stdout


def found(build, kind):
    wheels = glob.glob(os.path.join(build, 'wheel', kind + '-[0-9]*.whl'))
    return wheels[0] if wheels else None


def check_tools(folder, wheel):
    e = Environment(folder, wheel)
    check('without LLVM' in e.run('heddle', '--version')[1], 'the small wheel has no LLVM')
    module = os.path.join(folder, 'k.spv')
    code, out = e.run('heddle', 'as', os.path.join(ROOT, 'src/ops/arith/tests/extended32.spvasm'), '-o', module)
    check(code == 0 and e.run('heddle', 'val', module) == (0, ''), f'it assembles and validates: {out}')
    with open(os.path.join(ROOT, '.pre-commit-hooks.yaml')) as f:
        hook = re.search(r'entry: (.+)', f.read())[1].split()
    check(e.run(*hook, module)[0] == 0, 'the hook runs')
    code, out = e.run('heddle', 'exec', 'python', '-V')
    check(code == 3 and 'libheddle-cl.so, is not installed' in out, f'it has no driver: {out}')
    check(e.run('python', '-m', 'heddle')[0] == 1, 'it has no Python module')


def check_command(e):
    with open(e.folder + '/twice.cl', 'w') as f:
        f.write(SOURCE)
    check('LLVM 22' in e.run('heddle', '--version')[1], 'the command has LLVM')
    for command in (['heddle'], ['python', '-m', 'heddle']):
        code, out = e.run(*command, 'run', 'twice.cl', *LAUNCH, '--engine', 'compiled')
        check(code == 0 and '= 0, 2, 4, 6' in out, f'{command} runs a source: {out}')
    code, out = e.run('heddle', 'check', 'twice.cl', '--global', '5', '--arg', 'f32[4]=range')
    check(code == 1 and 'twice.cl:1:' in out, f'check finds what is wrong: {out}')
    code, out = e.run('heddle', 'compile', 'twice.cl', '-S')
    check(code == 0 and out == '', f'compile: {out}')


def check_module(e):
    code, out = e.run('python', os.path.join(ROOT, 'tests/lib/python_test.py'), '--installed', HEDDLE_CACHE='1')
    said = re.search(r'(\d+) passed, 0 failed', out)
    check(code == 0 and said and int(said[1]) >= 15, f'the Python module: {out[-1500:]}')


def check_driver(e, build):
    """Programs on the driver, through ocl-icd in the places from which loaders of pip's packages find it."""
    loader = ctypes.util.find_library('OpenCL')
    path = next((p for p in glob.glob('/usr/lib/*/' + (loader or '')) if loader), None)
    packages = glob.glob(e.folder + '/lib/python*/site-packages')[0]
    code, driver = e.run('python', '-m', 'heddle', '--icd')
    check(code == 0 and os.path.isfile(driver.strip()), driver)
    code, out = e.run('heddle', 'exec', 'python', '-c', 'import os; print(os.environ["OCL_ICD_FILENAMES"])')
    check(code == 0 and os.path.realpath(out.strip()) == os.path.realpath(driver.strip()), f'exec names the driver: {out}')
    if path is None or not os.path.exists(build + '/kernels'):
        counts[2] += 1
        return
    program = os.path.join(build, 'kernels')
    for name, folder, vendors in (('the path that --icd prints', None, driver.strip()),
                                  ("pyopencl's folder", packages + '/pyopencl/.libs', None),
                                  ("the environment's folder", e.folder + '/lib', e.folder + '/etc/OpenCL/vendors')):
        if folder:
            shutil.copy(path, folder)
        env = {'OCL_ICD_VENDORS': vendors or folder, **({'LD_LIBRARY_PATH': folder} if folder else {})}
        code, out = e.run(program, 'fft', '--device-name', 'Heddle', '--source', '--cl-dir', ROOT + '/tests/kernels', **env)
        check(code == 0, f'from source, {name}: {out}')
        module = e.folder + '/fft.spv'
        code, out = e.run('heddle', 'compile', ROOT + '/tests/kernels/fft.cl', '-o', module)
        code, out = e.run(program, 'fft', '--device-name', 'Heddle', '--il', module, **env)
        check(code == 0, f'from IL, {name}: {out}')
        if folder:
            os.remove(os.path.join(folder, os.path.basename(path)))


def check_compiler(e):
    """The small compiler writes the bytes that clang-22 writes, and says the same of what is wrong."""
    theirs = shutil.which('clang-22')
    if theirs is None:
        counts[2] += 1
        return
    wrong = e.folder + '/wrong.cl'
    with open(wrong, 'w') as f:
        f.write('kernel void k(global int *x) { int }\n')
    for source in [os.path.join(ROOT, path) for path in SAME] + [wrong]:
        for options in OPTIONS:
            made = []
            for env in {}, {'HEDDLE_CLANG': theirs}:
                code, out = e.run('heddle', 'compile', source, *options, '-o', e.folder + '/made.spv', **env)
                with open(e.folder + '/made.spv', 'rb') as f:
                    made.append((code, out, f.read()))
            check(made[0][0] == (source == wrong), f'{source} {options} is compiled: {made[0][:2]}')
            check(made[0] == made[1], f'{source} {options}: {made[0][:2]}, not {made[1][:2]}')


def check_pypi(e, folder, wheels):
    e.install('pyopencl')
    code, out = e.run('python', '-c', CLIENT)
    check(code == 0 and out.endswith('fine\n'), f'pyopencl: {out}')
    auditor = os.path.join(folder, 'auditor')
    subprocess.run([sys.executable, '-m', 'venv', auditor], check=True)
    subprocess.run([auditor + '/bin/pip', 'install', '-q', 'auditwheel'], check=True)
    for wheel in wheels:
        out = subprocess.run([auditor + '/bin/auditwheel', 'show', wheel], capture_output=True, text=True).stdout
        tag = re.search(r'manylinux_\d+_\d+_\w+', os.path.basename(wheel))[0]
        check(f'platform tag:"{tag}"' in re.sub(r'\s', '', out).replace('platformtag', 'platform tag'), out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default=os.path.join(ROOT, 'build'))
    parser.add_argument('--pypi', action='store_true')
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    wheels = [found(build, 'heddle_tools'), found(build, 'heddle')]
    has_pip = subprocess.run([sys.executable, '-m', 'pip', '--version'], capture_output=True).returncode == 0
    if None in wheels or not has_pip:
        print('no wheels, or no pip')
        print('0 passed, 0 failed, 1 skipped')
        return 0
    with tempfile.TemporaryDirectory() as folder:
        check_tools(folder + '/tools', wheels[0])
        e = Environment(folder + '/whole', wheels[1])
        check_command(e)
        check_module(e)
        check_driver(e, build)
        check_compiler(e)
        if options.pypi:
            check_pypi(e, folder, wheels)
    print('%d passed, %d failed, %d skipped' % tuple(counts))
    return 1 if counts[1] else 0


if __name__ == '__main__':
    sys.exit(main())
