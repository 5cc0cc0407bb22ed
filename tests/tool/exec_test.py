#!/usr/bin/env python3
"""`heddle exec`: what a program gets, sees and ends with, also in checked runs. [--build FOLDER]

Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import json
import os
import subprocess
import sys

import harness

HOST = [sys.executable, os.path.join(harness.ROOT, 'tests/checked/driver_test.py'), '--host']
SHOW = ['sh', '-c', 'echo "$HEDDLE_CHECK.$HEDDLE_CHECK_EXIT.$HEDDLE_SUBGROUP.$HEDDLE_THREADS.$HEDDLE_GPU.$HEDDLE_CHECK_SEED.$HEDDLE_TRACE"']
NO_LOADER = 77
# Makes a context of the first kind of device that there is.
FINDS = [sys.executable, '-c', '''
import ctypes, sys
try:
    cl = ctypes.CDLL("libOpenCL.so.1")
except OSError:
    sys.exit(%d)
platform, device, code = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int()
cl.clGetPlatformIDs(1, ctypes.byref(platform), None)
cl.clCreateContext.restype = ctypes.c_void_p
for kind in sys.argv[1].split(","):
    if cl.clGetDeviceIDs(platform, ctypes.c_uint64({"cpu": 2, "gpu": 4}[kind]), 1, ctypes.byref(device), None) == 0:
        sys.exit(cl.clCreateContext(None, 1, ctypes.byref(device), None, None, ctypes.byref(code)) is None)
sys.exit(1)
''' % NO_LOADER]


def check_words(t):
    for words, code in ((['true'], 0), (['sh', '-c', 'exit 7'], 7), (['--', 'sh', '-c', 'exit 7'], 7), (['--threads', '2', 'sh', '-c', 'exit 9'], 9)):
        t.check(t.run('exec', *words) == (code, '', ''), f'exec {words}: {t.run("exec", *words)}')
    more = ['--help', '--check', '--', '-x', '']
    code, out, _ = t.run('exec', sys.executable, '-c', 'import sys; print(sys.argv[1:])', *more)
    t.check(code == 0 and out == f'{more}\n', f'words behind the program are its own: {out}')
    for words, code, said in (
            ([], 2, 'the program is missing'), (['--check'], 2, 'the program is missing'), (['--width', '5', 'true'], 2, '--width does not take 5'),
            (['--threads', 'x', 'true'], 2, '--threads does not take x'), (['--chek', 'true'], 2, 'did you mean --check?'),
            ([t.path('nowhere')], 3, 'No such file'), ([t.path('k.cl', 'kernel void k() {}')], 3, 'heddle run runs a kernel'), ([t.folder], 3, 'denied')):
        got, out, err = t.run('exec', *words)
        t.check(got == code and said in err and out == '', f'exec {words}: {got}, {err}')
    os.chmod(t.path('program', '#!/bin/sh\n'), 0o755)
    for name, said in (('program', '; did you mean ./program?\n'), ('nowhere', 'directory\n')):
        done = subprocess.run([t.heddle, 'exec', name], cwd=t.folder, capture_output=True, text=True)
        t.check(done.returncode == 3 and done.stderr.endswith(said), f'exec {name}: {done}')


def check_variables(t):
    for name in [name for name in os.environ if name.startswith('HEDDLE_') and name != 'HEDDLE_CACHE_DIR']:
        del os.environ[name]
    for words, out in (([], '....2..'), (['--check'], '1.1...2..'), (['--width', '8', '--threads=3', '--gpu'], '..8.3.1..'),
                       (['--schedule', '5'], '1.1...2.5.'), (['--trace', '/x'], '....2../x'), (['--trace', 'x'], '....2..' + os.path.join(os.getcwd(), 'x'))):
        got = t.run('exec', *words, *SHOW)
        t.check(got == (0, out + '\n', ''), f'exec {words}: {got}')


def check_host(t):
    """The same program with and without defects, checked and not; only Heddle is there."""
    report = t.path('report.json')
    if t.run('exec', *HOST, 'fine', '1', '16')[0] == NO_LOADER:
        t.skipped += 1
        return
    for words, kernel, code, said in (
            ([], 'fine', 0, ''), ([], 'bad', 0, ''), (['--check'], 'fine', 0, ''), (['--check'], 'bad', 1, 'check.out-of-bounds'),
            (['--report', report], 'bad', 1, None)):
        got, out, err = t.run('exec', *words, *HOST, kernel, '1', '16')
        t.check(got == code and 'host done' in out, f'exec {words} {kernel}: {got}, {out}{err}')
        t.check(said is None or said in err, f'exec {words} {kernel}: {err}')
    with open(report) as f:
        t.check('check.out-of-bounds' in json.dumps(json.load(f)), 'the report')


def check_gpu(t):
    """A program that asks for GPUs alone is told of --gpu, one that takes a processor then is not."""
    for words, kinds, told, code in (([], 'gpu', True, 1), ([], 'gpu,cpu', False, 0), (['--gpu'], 'gpu', False, 0), ([], 'cpu', False, 0)):
        got, _, err = t.run('exec', *words, *FINDS, kinds)
        if got == NO_LOADER:
            t.skipped += 1
            return
        t.check(got == code and ('--gpu' in err) == told, f'exec {words} {kinds}: {got}, {err}')


def main():
    with harness.Tool() as t:
        check_words(t)
        check_variables(t)
        check_host(t)
        check_gpu(t)
        return t.end()


if __name__ == '__main__':
    sys.exit(main())
