#!/usr/bin/env python3
"""Random kernels in checked runs: nothing is wrong with them but divisions by zero, which Heddle defines, so nothing else may be
told; of OpenCL C as clang-22 compiles it at -O0 and -O2 neither.

  tests/fuzz/checked_test.py [--build build] [--count N] [--seed S] [--keep DIR]

Each run takes new seeds, and prints the first; --seed makes it again. Kernels with a false report are kept in DIR (default:
BUILD/random). Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, os, re, subprocess, sys, tempfile

from engine import Engine
from first_seed import first_seed
from kernels_test import module
from random_module import Module

TOLD = re.compile(r'\[(check\.[a-z-]+|interp\.[a-z-]+)\]')
ALLOWED = {'check.division', 'check.conversion'}


def forms(seed, folder, engine):
    """(name, launch, bytes) of each form of a kernel; no bytes where the compiler died of it."""
    m = module(seed)
    if isinstance(m, Module):
        text = m.text()
        yield 'random_%d.spvasm' % seed, m.launch(), text.encode()
        return
    for level in ('-O0', '-O2'):
        yield 'random_%d%s.spv' % (seed, level), m.launch(), m.compiled(level, folder, engine)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default='build')
    parser.add_argument('--count', type=int, default=48)
    parser.add_argument('--seed', type=int, help='the first; default: a new one')
    parser.add_argument('--keep')
    o = parser.parse_args()
    keep = o.keep or os.path.join(o.build, 'random')
    first = o.seed if o.seed is not None else first_seed()
    print('seeds from %d' % first, flush=True)
    passed = failed = skipped = 0
    engine = Engine(o.build)
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + o.count):
            for name, launch, content in forms(seed, folder, engine):
                path = os.path.join(folder, name)
                if content is None:
                    skipped += 1
                    continue
                with open(path, 'wb') as f:
                    f.write(content)
                p = subprocess.run([o.build + '/heddle', 'check', path, 'k', '--no-print', *launch.arguments().split()],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace', timeout=300)
                fine = p.returncode in (0, 1) and set(TOLD.findall(p.stdout)) <= ALLOWED
                fine = fine and (p.returncode == 0 or 'check.division' in p.stdout)
                passed, failed = passed + fine, failed + (not fine)
                if not fine:
                    os.makedirs(keep, exist_ok=True)
                    with open(os.path.join(keep, 'checked_' + name), 'wb') as f:
                        f.write(content)
                    print('FAILED seed %d: %s (status %d)\n%s' % (seed, os.path.join(keep, 'checked_' + name), p.returncode, p.stdout[:1500]))
    print('%d passed, %d failed, %d skipped' % (passed, failed, skipped))
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
