#!/usr/bin/env python3
"""Run every test suite against a built tree and end with one line of counts.

  tools/test.py [--build build] [--quick] [--sanitizers] [SUITE …]

A suite is a command that ends with `N passed, N failed, N skipped`; its counts are added up. A suite that does not come to
that line counts as one failure. --quick: only what needs neither a driver nor long runs. Suites: see below.
SPDX-License-Identifier: MIT
"""
import argparse, glob, os, re, subprocess, sys, time

COUNTS = re.compile(r'(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$')


def suites(build, quick):
    """(name, command, environment), in the order in which they run."""
    tests = lambda room: sorted(glob.glob('%s/tests/%s/*_test' % (build, room)))
    yield 'lint', ['tools/lint.py'], {}
    for room in sorted(os.listdir('tests')):
        if room in ('kernels', 'api', 'fuzz'):
            continue
        for program in tests(room):
            yield '%s/%s' % (room, os.path.basename(program)), [program], {}
    for script in sorted(glob.glob('tests/*/*_test.py')):
        yield script[6:], [sys.executable, script, '--build', build], {}
    yield 'files', ['tools/check.py', '--heddle', build + '/heddle'], {}
    if quick:
        return
    driver = {'OCL_ICD_VENDORS': os.path.abspath(build + '/heddle.icd')}
    for program in tests('api'):
        yield 'api/' + os.path.basename(program), [program], driver
    yield 'kernels', ['tools/kernels-test.sh', build + '/kernels', build + '/spv', '--device-name', 'Heddle'], driver


def run(name, command, extra, log):
    start = time.time()
    try:
        p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                           env=dict(os.environ, **extra), timeout=1200)
        output, status = p.stdout.decode('utf-8', 'replace'), p.returncode
    except subprocess.TimeoutExpired as e:
        output, status = (e.stdout or b'').decode('utf-8', 'replace') + '\ntimed out', 1
    except OSError as e:
        output, status = str(e), 1
    with open(os.path.join(log, re.sub(r'\W+', '_', name) + '.log'), 'w') as f:
        f.write(output)
    lines = output.strip().splitlines()
    m = COUNTS.search(lines[-1]) if lines else None
    counts = [int(x or 0) for x in m.groups()] if m else [0, 1, 0]
    if m and status != 0 and counts[1] == 0:
        counts[1] = 1
    print('%-34s %5d passed %4d failed %4d skipped  %6.1f s' % (name, *counts, time.time() - start), flush=True)
    if counts[1]:
        shown = [l for l in lines if re.search(r'fail|error|FAIL|mismatch|SUMMARY', l)][:40] or lines[-25:]
        print('    ' + '\n    '.join(l[:240] for l in shown), flush=True)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', default='build')
    parser.add_argument('--quick', action='store_true')
    parser.add_argument('only', nargs='*')
    options = parser.parse_args()
    log = os.path.join(options.build, 'test-logs')
    os.makedirs(log, exist_ok=True)
    os.environ['HEDDLE_CACHE_DIR'] = os.path.abspath(os.path.join(options.build, 'test-cache'))
    if not options.quick and not (options.only and 'kernels' not in options.only):
        subprocess.run(['tools/kernels-spv.sh', options.build + '/spv'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    total = [0, 0, 0]
    for name, command, extra in suites(options.build, options.quick):
        if options.only and not any(name.startswith(o) for o in options.only):
            continue
        total = [a + b for a, b in zip(total, run(name, command, extra, log))]
    print('%d passed, %d failed, %d skipped' % tuple(total))
    return 1 if total[1] else 0


if __name__ == '__main__':
    sys.exit(main())
