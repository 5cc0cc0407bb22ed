#!/usr/bin/env python3
"""examples/ run as their READMEs say: host, pyopencl, Dask, MPI. [--build FOLDER]

PYTHON names an interpreter that has pyopencl, Dask and mpi4py; what is missing there is skipped, and said so. Ends with a line of
counts.
SPDX-License-Identifier: MIT
"""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tool'))
import harness

EXAMPLES = os.path.join(harness.ROOT, 'examples')
PYTHON = os.environ.get('PYTHON', sys.executable)


def run(t, *words, **more):
    env = dict(os.environ, OCL_ICD_VENDORS=os.path.join(os.path.dirname(t.heddle), 'heddle.icd'), PYTHON=PYTHON, **more)
    p = subprocess.run(words, env=env, capture_output=True, text=True, timeout=600, cwd=EXAMPLES)
    return p.returncode, p.stdout, p.stderr


def has(*modules):
    return subprocess.run([PYTHON, '-c', 'import ' + ', '.join(modules)], capture_output=True).returncode == 0


def skip(t, what):
    print('skipped:', what)
    t.skipped += 1


def rates(text, what):
    return [(int(n), float(rate)) for n, rate in re.findall(r'^(\d+) %ss?: ([\d.]+) million' % what, text, re.M)]


def check_dask(t):
    code, out, err = run(t, PYTHON, 'dask/nbody.py')
    found = rates(out, 'worker')
    t.check(code == 0 and [n for n, _ in found] == [1, 2, 4, 2] and all(rate > 0 for _, rate in found), f'Dask: {code} {out} {err[-2000:]}')
    t.check('another one has taken its place' in out and 'all results are the same' in out, f'a killed worker: {out}')


def check_mpi(t):
    code, out, err = run(t, 'mpi/run.sh', '--size', '512', '--steps', '20')
    found = rates(out, 'rank')
    t.check(code == 0 and [n for n, _ in found] == [1, 2, 4] and len(set(re.findall(r'sum (.*)', out))) == 1, f'MPI: {code} {out} {err[-2000:]}')
    t.check(run(t, 'mpi/run.sh', '--size', '64', '--steps', '3', '--expect', '1')[0] != 0, 'a wrong sum is told')


def check_observer(t):
    cache = t.path('cache.so')
    built = subprocess.run(['cc', '-shared', '-fPIC', '-Wall', '-Werror', '-I', '../include', 'observer/cache.c', '-o', cache], cwd=EXAMPLES,
                           capture_output=True, text=True)
    t.check(built.returncode == 0, f'observer/cache.c: {built.stderr}')
    told = run(t, t.heddle, 'check', 'readme/saxpy.cl', '--global', '1024', '--arg', 'f32[1024]', '--arg', 'f32[1024]', '--arg', 'f32=2',
               '--no-print', '--observer', cache)
    # Two arrays of 4 KiB, each of whose lines of 64 bytes belongs to one work-group, which has it in its cache after the first access.
    t.check(told[0] == 0 and re.search(r'^ +\d+ +3072 +128$', told[1], re.M), f'observer: {told}')


def main():
    with harness.Tool() as t:
        program = t.path('saxpy')
        wanted = '1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5'
        built = subprocess.run(['cc', 'host/saxpy.c', '-o', program, '-lOpenCL', '-Wall', '-Werror'], cwd=EXAMPLES, capture_output=True, text=True)
        t.check(built.returncode == 0, f'host/saxpy.c: {built.stderr}')
        check_observer(t)
        t.check(run(t, program, 'readme/saxpy.cl') == (0, wanted + '\n', ''), f'host: {run(t, program, "readme/saxpy.cl")}')
        t.check(run(t, program, t.path('bad.cl', 'kernel void saxpy('))[0] == 1, 'host: a source that is wrong')
        if has('pyopencl', 'numpy'):
            code, out, err = run(t, PYTHON, 'pyopencl/saxpy.py')
            t.check(code == 0 and [float(x) for x in out.split('[')[1].strip(' ]\n').split()] == [float(x) for x in wanted.split(',')], f'pyopencl: {out} {err}')
        else:
            skip(t, 'pyopencl is missing')
        if has('pyopencl', 'numpy', 'dask.distributed'):
            check_dask(t)
        else:
            skip(t, 'Dask is missing')
            t.check('skipped' in run(t, PYTHON, 'dask/nbody.py')[1], 'Dask: it says so')
        if shutil.which('mpirun') and has('pyopencl', 'numpy', 'mpi4py'):
            check_mpi(t)
        else:
            skip(t, 'MPI is missing')
            t.check('skipped' in run(t, 'mpi/run.sh')[1], 'MPI: it says so')
        return t.end()


if __name__ == '__main__':
    sys.exit(main())
