#!/usr/bin/env python3
"""`heddle exec`: what a program gets, sees and ends with, also in checked runs. [--build FOLDER]

Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import json
import os
import sys

import harness

HOST = [sys.executable, os.path.join(harness.ROOT, 'tests/checked/driver_test.py'), '--host']
SHOW = ['sh', '-c', 'echo "$HEDDLE_CHECK.$HEDDLE_CHECK_EXIT.$HEDDLE_SUBGROUP.$HEDDLE_THREADS.$HEDDLE_GPU.$HEDDLE_CHECK_SEED.$HEDDLE_TRACE"']
NO_LOADER = 77


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


def check_variables(t):
    for name in [name for name in os.environ if name.startswith('HEDDLE_') and name != 'HEDDLE_CACHE_DIR']:
        del os.environ[name]
    for words, out in (([], '......'), (['--check'], '1.1.....'), (['--width', '8', '--threads=3', '--gpu'], '..8.3.1..'),
                       (['--schedule', '5'], '1.1....5.'), (['--trace', '/x'], '....../x'), (['--trace', 'x'], '......' + os.path.join(os.getcwd(), 'x'))):
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


def main():
    with harness.Tool() as t:
        check_words(t)
        check_variables(t)
        check_host(t)
        return t.end()


if __name__ == '__main__':
    sys.exit(main())
