#!/usr/bin/env python3
"""Run real OpenCL programs, unmodified, on the driver of a built tree.

  tests/clients/clients_test.py [--build build] [--full] [--timeout SECONDS] [NAME …]

A client is a script beside this one, NAME.sh or NAME.py. It runs the program, checks its results and ends with status 0
(right), 77 (its package is not installed; the last line says which) or another (wrong). --full: also those that take
longer, and more of each (CLIENTS_FULL=1 in the scripts' environment). Python clients run with $CLIENTS_PYTHON when set,
the interpreter of an environment where their packages are.
SPDX-License-Identifier: MIT
"""
import argparse, glob, os, subprocess, sys, tempfile, time

SKIPPED = 77
LONG = {'clpeak', 'viennacl'}   # with --full only


def command_of(script):
    return ['sh', script] if script.endswith('.sh') else [os.environ.get('CLIENTS_PYTHON', sys.executable), script]


def run(script, env, timeout):
    """'passed', 'failed' or 'skipped', and what the client said."""
    with tempfile.TemporaryDirectory(prefix='heddle-client-') as folder:
        try:
            p = subprocess.run(command_of(script), cwd=folder, env=env, timeout=timeout, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except subprocess.TimeoutExpired as e:
            return 'failed', (e.stdout or b'').decode('utf-8', 'replace') + '\nno end after %d s' % timeout
    text = p.stdout.decode('utf-8', 'replace')
    if p.returncode == SKIPPED:
        return 'skipped', text
    return ('passed' if p.returncode == 0 else 'failed'), text + '\nstatus %d' % p.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', default='build')
    parser.add_argument('--full', action='store_true')
    parser.add_argument('--timeout', type=float)
    parser.add_argument('only', nargs='*')
    options = parser.parse_args()
    driver = os.path.abspath(os.path.join(options.build, 'libheddle-cl.so'))
    here = os.path.dirname(os.path.abspath(__file__))
    counts = dict(passed=0, failed=0, skipped=0)
    # ocl-icd takes the first name, Khronos' loader the second.
    env = dict(os.environ, OCL_ICD_VENDORS=driver, OCL_ICD_FILENAMES=driver, CLIENTS_FULL='1' if options.full else '')
    env.setdefault('HEDDLE_CACHE_DIR', os.path.abspath(os.path.join(options.build, 'test-cache')))
    for script in sorted(glob.glob(here + '/*.sh') + glob.glob(here + '/*.py')):
        name = os.path.basename(script).rsplit('.', 1)[0]
        if name == 'clients_test' or (options.only and name not in options.only):
            continue
        if name in LONG and not options.full and not options.only:
            continue
        start = time.time()
        verdict, text = run(script, env, options.timeout or (3600 if options.full else 240))
        lines = text.strip().splitlines()
        counts[verdict] += 1
        print('%-12s %-8s %5.1f s%s' % (name, verdict, time.time() - start,
                                       ('  ' + lines[-1]) if verdict == 'skipped' and lines else ''), flush=True)
        if verdict == 'failed':
            print('    ' + '\n    '.join(lines[-30:]), flush=True)
    print('%d passed, %d failed, %d skipped' % tuple(counts.values()))
    return 1 if counts['failed'] else 0


if __name__ == '__main__':
    sys.exit(main())
