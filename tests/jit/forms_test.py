#!/usr/bin/env python3
"""Does the estimate (src/jit/cost.c) choose the forms that the tables say, kernel by kernel? The tables have the measured times, too.

  tests/jit/forms_test.py [--build build] [--write]

A change that is meant is measured again, by the command in tests/jit/forms.txt; --write notes the new forms there. Ends with
`N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, concurrent.futures, glob, os, re, shutil, subprocess, sys, tempfile

TABLES = {'znver4': 'tests/jit/forms.txt', 'sapphirerapids': 'tests/jit/forms-xeon.txt',
          'znver3': 'tests/jit/forms-avx2.txt'}


def sources():
    """Each case is a program of its own: its name, how it is launched, its source."""
    for path in glob.glob('bench/kinds/*.cl'):
        for case in open(path).read().split('// case ')[1:]:
            name, _, text = case.split('\n', 2)
            yield name.strip(), text


def chosen(heddle, cpu, folder, name, text):
    path = os.path.join(folder, f'{cpu}-{name}.cl')
    with open(path, 'w') as out:
        out.write(text)
    p = subprocess.run([heddle, 'run', path, name, '--dump', 'lanes'], capture_output=True, text=True, timeout=300,
                       env=dict(os.environ, HEDDLE_CPU=cpu, HEDDLE_CACHE='0'))
    lanes = re.findall(r'^kernel .* width (\d+)', p.stdout, re.M)
    return int(lanes[0]) if lanes else p.stderr.strip()[:200] or 'no code'


def check(o, cpu, table, texts):
    """How many kernels of a table have the form that it says, and how many another one."""
    lines = open(table).read().splitlines()
    rows, failed = [line.split() for line in lines if line and line[0] != '#'], 0
    heddle = os.path.abspath(o.build + '/heddle')
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda r: chosen(heddle, cpu, folder, r[0], texts[r[0]]), rows))
    for (name, lanes, times), got in zip(rows, found):
        if got != int(lanes):
            failed += 1
            print('FAILED %s on %s: lanes are %s, the table says %s; then the other form took %s times its time' %
                  (name, cpu, got, lanes, times))
    if o.write:
        kept = [line for line in lines if line.startswith('#')]
        kept += ['%-20s %3s %6s' % (name, got, times) for (name, _, times), got in zip(rows, found)]
        with open(table, 'w') as out:
            out.write('\n'.join(kept) + '\n')
    return len(rows) - failed, failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default='build')
    parser.add_argument('--write', action='store_true')
    o = parser.parse_args()
    if shutil.which('clang-22') is None or os.uname().machine != 'x86_64':
        print('0 passed, 0 failed, 1 skipped')
        return 0
    texts, passed, failed = dict(sources()), 0, 0
    for cpu, table in TABLES.items():
        right, wrong = check(o, cpu, table, texts)
        passed, failed = passed + right, failed + wrong
    print('%d passed, %d failed, 0 skipped' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
