#!/usr/bin/env python3
"""What a trace costs: the time of launches with and without HEDDLE_TRACE, in turns.

  bench/trace.py [--build build] [--turns 9]

Prints for several amounts of work per launch the medians and the ratio of the medians.
SPDX-License-Identifier: MIT
"""
import argparse, os, statistics, subprocess, sys, tempfile

HOST = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'trace_host.py')


def measure(build, launches, work, trace):
    env = dict(os.environ, OCL_ICD_VENDORS=os.path.abspath(build + '/heddle.icd'))
    env.pop('HEDDLE_TRACE', None)
    if trace:
        env['HEDDLE_TRACE'] = trace
    p = subprocess.run([sys.executable, HOST, str(launches), str(work)], env=env, capture_output=True, text=True, check=True)
    return tuple(float(word) for word in p.stdout.split())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', default='build')
    parser.add_argument('--turns', type=int, default=9)
    o = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for launches, work in ((2000, 8), (1000, 100), (300, 1000)):
            off, on = [], []
            for _ in range(o.turns):
                off.append(measure(o.build, launches, work, None))
                on.append(measure(o.build, launches, work, folder + '/trace.json'))
            for i, what in enumerate(('on the wall', 'of processors')):
                a, b = (statistics.median(x[i] for x in side) for side in (off, on))
                print('launches of %8.1f us %-13s with a trace %8.1f us, ratio %.4f' % (a, what + ':', b, b / a), flush=True)


if __name__ == '__main__':
    main()
