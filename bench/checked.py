#!/usr/bin/env python3
"""Checked runs beside Oclgrind's: the same kernels, one thread, all checks on.

  bench/checked.py [--heddle build/heddle] [--rounds N] [CASE …]

Programs run in turn; what counts is the median of their processor time, less that of an empty kernel (which is what
reading and compiling take). Prints a line for each case: milliseconds of Oclgrind plain, of Oclgrind with all checks
(--uninitialized --data-races), of `heddle check --optimised` (Oclgrind runs what clang has optimised) and the two
ratios; then of `heddle check` as it is, which looks at what the optimiser would take out, and its two ratios. A memory line says how much `heddle check` takes
for each byte that vector_add touches, from what two sizes of it take at most; with --cores another says how much faster
than on one thread a large matrix product ends on all of them, on the wall: for a machine that does nothing else.
SPDX-License-Identifier: MIT
"""
import argparse, os, statistics, subprocess, sys, tempfile, time

CL = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'checked.cl')
# name: global, local, arguments as (elements, of what, initial value), or a number
CASES = {
    'empty': ('1', '1', [(1, 'f32', 0)]),
    'vector_add': ('65536', '256', [(65536, 'f32', 1), (65536, 'f32', 2), (65536, 'f32', 0)]),
    'matmul_naive': ('128,128', '16,16', [(16384, 'f32', 1), (16384, 'f32', 2), (16384, 'f32', 0), 128]),
    'matmul_tiled': ('128,128', '16,16', [(16384, 'f32', 1), (16384, 'f32', 2), (16384, 'f32', 0), 128]),
    'tree_reduction': ('65536', '256', [(65536, 'f32', 1), (256, 'f32', 0)]),
    'histogram': ('65536', '256', [(65536, 'u32', 77), (256, 'u32', 0)]),
}


def simulation(name):
    """Oclgrind's description of a launch."""
    size, local, args = CASES[name]
    three = lambda s: ' '.join((s.split(',') + ['1', '1'])[:3])
    lines = [CL, name, three(size), three(local)]
    for a in args:
        if isinstance(a, int):
            lines.append('<size=4 int>\n%d' % a)
        else:
            lines.append('<size=%d fill=%d %s>' % (a[0] * 4, a[2], 'float' if a[1] == 'f32' else 'uint'))
    return '\n'.join(lines) + '\n'


def check_command(heddle, name, times=1, threads=1, optimised=True):
    size, local, args = CASES[name]
    if name == 'matmul_naive' and times > 1:
        n = 128 * times
        size, args = '%d,%d' % (n, n), [(n * n, *a[1:]) for a in args[:3]] + [n]
    elif times > 1:
        size, args = str(int(size) * times), [(a[0] * times, *a[1:]) for a in args]
    words = [heddle, 'check', CL, name, '--global', size, '--local', local, '--threads', str(threads), '--no-print']
    words += ['--optimised'] * optimised
    for a in args:
        words += ['--arg', 'i32=%d' % a if isinstance(a, int) else '%s[%d]=fill:%d' % (a[1], a[0], a[2])]
    return words


def cost(words):
    """Milliseconds of processor time, KiB of memory at most."""
    p = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = p.stderr.read()
    _, status, used = os.wait4(p.pid, 0)
    p.returncode = status
    if status != 0:
        sys.exit('%s failed:\n%s' % (' '.join(words), errors.decode()[:1000]))
    return (used.ru_utime + used.ru_stime) * 1e3, used.ru_maxrss


def cores(o):
    """How much faster all threads are than one."""
    count, walls = len(os.sched_getaffinity(0)), {}
    for _ in range(o.rounds):
        for threads in (1, count):
            start = time.perf_counter()
            cost(check_command(o.heddle, 'matmul_naive', 3, threads))
            walls.setdefault(threads, []).append(time.perf_counter() - start)
    one, all_ = statistics.median(walls[1]), statistics.median(walls[count])
    print('cores: %d threads take %.2f s, one takes %.2f s: %.2f times as fast' % (count, all_, one, one / all_))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--heddle', default='build/heddle')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--cores', action='store_true')
    parser.add_argument('cases', nargs='*')
    o = parser.parse_args()
    names = ['empty'] + [n for n in o.cases or CASES if n != 'empty']
    times = {}
    for optimised in (True, False): # the first run compiles, the others find it in the cache
        cost(check_command(o.heddle, 'empty', optimised=optimised))
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            open(os.path.join(folder, name), 'w').write(simulation(name))
        for name in names:
            sim = os.path.join(folder, name)
            ways = {'plain': ['oclgrind-kernel', '--num-threads', '1', sim],
                    'full': ['oclgrind-kernel', '--num-threads', '1', '--uninitialized', '--data-races', sim],
                    'heddle': check_command(o.heddle, name),
                    'as is': check_command(o.heddle, name, optimised=False)}
            for _ in range(o.rounds):
                for way, words in ways.items():
                    times.setdefault((name, way), []).append(cost(words)[0])
    median = lambda name, way: statistics.median(times[name, way])
    print('%-16s %12s %12s %10s %8s %8s %10s %8s %8s' % ('case', 'oclgrind', 'all checks', 'heddle', 'plain/', 'checks/',
                                                         'as it is', 'plain/', 'checks/'))
    for name in names[1:]:
        ms = {way: max(median(name, way) - median('empty', way), 0.01) for way in ('plain', 'full', 'heddle', 'as is')}
        print('%-16s %9.1f ms %9.1f ms' % (name, ms['plain'], ms['full']) + ''.join(
            ' %7.1f ms %7.1fx %7.1fx' % (ms[way], ms['plain'] / ms[way], ms['full'] / ms[way]) for way in ('heddle', 'as is')))
    if 'vector_add' in names:
        small, large = (cost(check_command(o.heddle, 'vector_add', n))[1] * 1024 for n in (64, 256))
        touched = sum(a[0] * 4 for a in CASES['vector_add'][2]) * (256 - 64)
        print('memory: %.1f bytes of shadow for each byte that vector_add touches' % ((large - small) / touched - 1))
    if o.cores:
        cores(o)


if __name__ == '__main__':
    main()
