#!/usr/bin/env python3
"""Time operations of dpnp, a NumPy of SYCL kernels that Intel's compiler made, on several drivers.

    PYTHON bench/sycl.py [--cases a,b] [--rounds N] heddle=build/libheddle-cl.so intel=PATH/libintelocl.so

PYTHON: of an environment with PyPI's dpnp and dpctl, whose own ICD loader is used. Each driver has a process of its own
in each round; they take turns. Times are microseconds of wall-clock time from the call until its queue is empty, the
least of all rounds; the last column is the best peer's time divided by the first driver's.

SPDX-License-Identifier: MIT
"""
import argparse
import os
import subprocess
import sys
import time

LEAST_S = 0.15  # of calls of a case in a round


def cases(dp, np):
    """name: a function that enqueues the operation."""
    random, n = np.random.default_rng(1), 1_000_000
    x, y = (dp.array(random.random(n, dtype=np.float32)) for _ in range(2))
    few, some = x[:1000].copy(), x[:20000].copy()
    d = dp.array(random.random(n))
    i = dp.array(random.integers(-n, n, n).astype(np.int32))
    at = dp.array(random.integers(0, n, n))
    m, tall = (dp.array(random.random(s, dtype=np.float32)) for s in ((512, 512), (2000, 500)))
    small = m[:128, :128].astype(dp.int32)
    z = dp.array((random.random(65536) + 1j * random.random(65536)).astype(np.complex64))
    above = x > 0.5
    return {
        'add_small': lambda: few + few, 'add': lambda: x + y, 'compare': lambda: x < y, 'convert': lambda: x.astype(dp.float64),
        'exp': lambda: dp.exp(x), 'sin_double': lambda: dp.sin(d), 'pow': lambda: x ** y, 'logaddexp': lambda: dp.logaddexp(x, y),
        'floor_divide': lambda: i // 7, 'complex_multiply': lambda: z * z, 'where': lambda: dp.where(above, x, y),
        'strided': lambda: x[::3] + y[::3], 'roll': lambda: dp.roll(x, 7), 'repeat': lambda: dp.repeat(some, 20),
        'transpose': lambda: m.T.copy(), 'take': lambda: x[at], 'mask': lambda: x[above], 'nonzero': lambda: dp.nonzero(above),
        'sum': lambda: x.sum(), 'sum_rows': lambda: tall.sum(axis=1), 'sum_columns': lambda: tall.sum(axis=0),
        'max_double': lambda: d.max(), 'argmax': lambda: x.argmax(), 'variance': lambda: x.var(), 'cumsum': lambda: dp.cumsum(x),
        'histogram': lambda: dp.histogram(x, 64), 'searchsorted': lambda: dp.searchsorted(some, x), 'median': lambda: dp.median(some),
        'sort': lambda: dp.sort(x), 'argsort': lambda: dp.argsort(x), 'unique': lambda: dp.unique(i),
        'matmul_int': lambda: small @ small,
    }


def measure(names):
    """In a process whose environment names the driver: NAME MICROSECONDS lines."""
    import dpnp as dp
    import numpy as np
    known = cases(dp, np)
    queue = dp.empty(1).sycl_queue
    for name in names or known:
        known[name]()  # compiles
        queue.wait()
        least, end = float('inf'), time.perf_counter() + LEAST_S
        while time.perf_counter() < end:
            start = time.perf_counter()
            known[name]()
            queue.wait()
            least = min(least, time.perf_counter() - start)
        print(name, least * 1e6, flush=True)


def environment(driver):
    libraries = os.path.join(sys.prefix, 'lib')
    return dict(os.environ, LD_LIBRARY_PATH=libraries + ':' + os.environ.get('LD_LIBRARY_PATH', ''),
                ONEAPI_DEVICE_SELECTOR='opencl:*', OCL_ICD_VENDORS='/nonexistent', OCL_ICD_FILENAMES=os.path.abspath(driver))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--cases', default='')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--measure', action='store_true', help=argparse.SUPPRESS)
    parser.add_argument('drivers', nargs='*', metavar='NAME=DRIVER')
    options = parser.parse_args()
    only = [c for c in options.cases.split(',') if c]
    if options.measure:
        return measure(only)
    if not options.drivers:
        parser.error('no driver')
    drivers = dict(d.split('=', 1) for d in options.drivers)
    least = {}
    for _ in range(options.rounds):
        for name, driver in drivers.items():
            p = subprocess.run([sys.executable, os.path.abspath(__file__), '--measure', '--cases', options.cases],
                               env=environment(driver), stdout=subprocess.PIPE, text=True)
            if p.returncode != 0:
                sys.exit('%s failed with status %d' % (name, p.returncode))
            for case, us in (line.split() for line in p.stdout.splitlines()):
                at = least.setdefault(case, {})
                at[name] = min(at.get(name, float('inf')), float(us))
    first, peers = next(iter(drivers)), list(drivers)[1:]
    print('%-18s' % 'us' + ''.join('%12s' % d for d in drivers) + '   ratio' * bool(peers))
    product = 1.0
    for case, at in least.items():
        ratio = min((at[p] for p in peers), default=at[first]) / at[first]
        product *= ratio
        print('%-18s' % case + ''.join('%12.1f' % at[d] for d in drivers) + ('%8.2f' % ratio if peers else ''))
    if peers:
        print('geometric mean of %d: %.2f' % (len(least), product ** (1 / len(least))))


if __name__ == '__main__':
    main()
