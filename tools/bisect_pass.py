#!/usr/bin/env python3
"""Find the pass over lane IR that makes a command fail.

  tools/bisect_pass.py [--seconds N] COMMAND …

The command has to succeed (exit status 0) without optimisation, HEDDLE_PASS_LIMIT=0, and to fail with all passes. It is run
about ten times, without the disk cache. What is printed is the last run of a pass that it still succeeds without: its number,
which HEDDLE_PASS_LIMIT means, its name and the function. Of several kernels each counts from 1; all that have a pass of that
number are named. --seconds: a command that runs longer fails (default 60).

For an image that looks wrong, a command that compares: tools/bisect_pass.py sh -c 'my_program out.png && cmp out.png good.png'

Exit status: 0 a pass was found; 1 none, because the command fails without passes, or succeeds with all; 2 wrong usage.
SPDX-License-Identifier: MIT
"""
import argparse, json, os, subprocess, sys, tempfile


def runs_of(path):
    """(number, pass, function) of each run of a pass in a trace."""
    try:
        with open(path) as f:
            found = json.load(f)
    except (OSError, ValueError):
        return []
    return [(e['args']['number'], e['name'], e['args'].get('function', '?')) for e in found
            if e.get('cat') == 'pass' and 'number' in e.get('args', {})]


class Command:
    def __init__(self, words, seconds, trace):
        self.words, self.seconds, self.trace = words, seconds, trace

    def succeeds(self, limit):
        env = dict(os.environ, HEDDLE_CACHE='0', HEDDLE_TRACE=self.trace)
        env.pop('HEDDLE_PASS_LIMIT', None)
        if limit is not None:
            env['HEDDLE_PASS_LIMIT'] = str(limit)
        try:
            return subprocess.run(self.words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                                  timeout=self.seconds).returncode == 0
        except subprocess.TimeoutExpired:
            return False


def bisect(command):
    if command.succeeds(None):
        return 'the command succeeds with all passes: there is nothing to find'
    last = max((number for number, _, _ in runs_of(command.trace)), default=0)
    if not command.succeeds(0):
        return 'the command fails without passes, too: none of those that HEDDLE_PASS_LIMIT leaves out is the cause'
    if last == 0:  # it crashed before it could write a trace
        last = 1
        while command.succeeds(last) and last < 1 << 20:
            last *= 2
    good, bad = 0, last
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if command.succeeds(middle) else (good, middle)
        print('HEDDLE_PASS_LIMIT=%d: %s' % (middle, 'succeeds' if good == middle else 'fails'), file=sys.stderr)
    command.succeeds(bad)
    guilty = [(name, function) for number, name, function in runs_of(command.trace) if number == bad]
    if not guilty:  # it crashes in the pass itself: the trace of the run before says how far it came
        guilty = [('the pass after those of HEDDLE_PASS_LIMIT=%d' % good, '?')]
    for name, function in sorted(set(guilty)):
        print('pass %d: %s of %s (HEDDLE_PASS_LIMIT=%d succeeds, %d fails)' % (bad, name, function, good, bad))
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--seconds', type=float, default=60)
    parser.add_argument('command', nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if not options.command:
        parser.error('no command was given')
    with tempfile.TemporaryDirectory() as folder:
        wrong = bisect(Command(options.command, options.seconds, os.path.join(folder, 'trace.json')))
    if wrong:
        print('bisect_pass.py: ' + wrong, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
