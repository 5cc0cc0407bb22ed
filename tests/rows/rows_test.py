#!/usr/bin/env python3
"""Operations of sub-groups and work-groups, of bits, dot products, atomics, and what a work-item does alone: each opcode, type,
sub-group size and engine, by all work-items, behind a branch and in a loop that they leave one after the other, with a partly filled sub-group.

  tests/rows/rows_test.py [--build build] [--only WORD] [--all]

Every engine runs at every width with --all; otherwise the dispatcher and the interpreter take turns with the types.
Ends with `N passed, N failed, N skipped`; a pass is one operation of one type in one engine at one width.
SPDX-License-Identifier: MIT
"""
import argparse, concurrent.futures, os, sys

import rows
from families import FAMILIES

WIDTHS = [1, 4, 8, 16]
CASES = 60          # of one module


def jobs(only, everything):
    for f, (family, types, make) in enumerate(FAMILIES):
        for n, t in enumerate(types):
            if only and only not in '%s %s' % (family, t):
                continue
            for w, width in enumerate(WIDTHS):
                engines = rows.ENGINES if everything else \
                    [rows.ENGINES[0]] + [rows.ENGINES[1 + (f + n + w) % 2]]
                yield family, t, width, make, [e for e in engines if width > 1 or '--dispatch' not in e]


def judge(heddle, folder, job):
    family, t, width, make, engines = job
    m = rows.Module(width, t)
    make(m)
    whole, passed, failures = m.cases, 0, []
    for first in range(0, len(whole), CASES):
        m = rows.Module(width, t)
        make(m)
        m.cases = whole[first:first + CASES]
        ok, bad = try_module(heddle, os.path.join(folder, '%s_%s_%d_%d.spvasm' % (family, t, width, first)), m,
                             '%s %s at %d lanes' % (family, t, width), engines)
        passed += ok
        failures += bad
    return passed, failures


def try_module(heddle, path, m, what, engines):
    with open(path, 'w') as f:
        f.write(m.spvasm())
    passed, failures = 0, []
    for engine in engines:
        wrong = m.run(heddle, path, engine)
        passed += max(0, len(m.cases) - len(wrong))
        failures += ['%s, %s: %s' % (what, ' '.join(engine), why) for why in wrong]
    if not failures:
        os.unlink(path)
        if m.version:
            os.unlink(path[:-3])
    return passed, failures


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--build', default='build')
    p.add_argument('--only', default='')
    p.add_argument('--all', action='store_true')
    a = p.parse_args()
    folder = os.path.join(a.build, 'rows')
    os.makedirs(folder, exist_ok=True)
    heddle, passed, failed = os.path.join(a.build, 'heddle'), 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for ok, failures in pool.map(lambda job: judge(heddle, folder, job), list(jobs(a.only, a.all))):
            passed += ok
            failed += len(failures)
            for line in failures:
                print('FAILED', line)
    print('%d passed, %d failed, 0 skipped' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
