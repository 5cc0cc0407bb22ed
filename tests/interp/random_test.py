#!/usr/bin/env python3
"""Random kernels through both engines: every width, linearised and dispatched, with regions and with fibers, must agree
bit for bit. Every third kernel has many barriers, every second one operations of all lanes.

  tests/interp/random_test.py [--build build] [--count N] [--seed S] [--widths 1,4] [--keep DIR]

Seeds from S on; the default seeds are always the same. A kernel on which engines differ is written to DIR
(default: BUILD/random), with the command lines. Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, concurrent.futures, os, subprocess, sys

from random_module import Module

ENGINES = [['--engine', 'interpreted'], ['--engine', 'compiled'], ['--engine', 'compiled', '--dispatch'],
           ['--engine', 'compiled', '--fibers'], ['--engine', 'compiled', '--dispatch', '--fibers']]


def command(heddle, path, module, seed, width, engine):
    return [heddle, 'run', path, 'k', '--global', str(module.global_size), '--local', str(module.local_size),
            '--threads', '1', '--width', width, '--arg', 'u32[%d]=random:%d' % (module.global_size + 64, seed),
            '--arg', 'u64[%d]=zeros' % module.global_size, '--arg', 'u32[1]=0', *engine]


def outcome(words):
    try:
        p = subprocess.run(words, capture_output=True, timeout=60, stdin=subprocess.DEVNULL, text=True)
    except subprocess.TimeoutExpired:
        return 'timed out'
    if p.returncode != 0:
        return 'exit status %d: %s' % (p.returncode, p.stderr.strip()[:400])
    return '\n'.join(line for line in p.stdout.splitlines() if line.startswith('arg '))


def judge(heddle, folder, widths, seed):
    """None, or what is wrong with a seed."""
    subgroups = seed % 2 == 1
    path = os.path.join(folder, 'random_%d.spvasm' % seed)
    module = Module(seed, subgroups, seed % 3 == 0)
    with open(path, 'w') as out:
        out.write(module.text())
    problems, first = [], None
    for width in widths:
        runs = [(engine, outcome(command(heddle, path, module, seed, width, engine))) for engine in ENGINES]
        if first is None or subgroups:
            first = runs[0][1]
        for engine, result in runs:
            if result != first or not result.startswith('arg '):
                shown = ' '.join(command(heddle, path, module, seed, width, engine))
                problems.append('%s\n      %s' % (shown, difference(first, result)))
        if problems and not first.startswith('arg '):
            break
    if not problems:
        os.remove(path)
        return None
    return '\n    '.join(problems[:2])


def difference(want, got):
    if not want.startswith('arg ') or not got.startswith('arg '):
        return 'expected %s\n      got      %s' % (want[:300], got[:300])
    for a, b in zip(want.splitlines(), got.splitlines()):
        x, y = a.split(), b.split()
        for at, (p, q) in enumerate(zip(x, y)):
            if p != q:
                return '%s element %d: expected %s, got %s' % (' '.join(x[:2]), at - 4, p, q)
    return 'outputs differ in length'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default='build')
    parser.add_argument('--count', type=int, default=40)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', '-j', type=int, default=os.cpu_count())
    parser.add_argument('--widths', default='1,4,8,16')
    parser.add_argument('--keep')
    o = parser.parse_args()
    folder = o.keep or os.path.join(o.build, 'random')
    os.makedirs(folder, exist_ok=True)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        seeds = range(o.seed, o.seed + o.count)
        for seed, problem in zip(seeds, pool.map(lambda s: judge(o.build + '/heddle', folder, o.widths.split(','), s), seeds)):
            if problem:
                failed += 1
                print('FAILED seed %d:\n    %s' % (seed, problem))
    print('%d passed, %d failed, 0 skipped' % (o.count - failed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
