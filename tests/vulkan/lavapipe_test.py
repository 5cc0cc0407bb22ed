#!/usr/bin/env python3
"""Every shader of tests/shaders that lavapipe runs leaves the same there as in Heddle. [--build FOLDER] [-v] [NAME …]

The modules' own `RUN: heddle run` lines say what is bound. Lavapipe is a peer, no oracle: where the two differ, the tables below
say why, and what lavapipe leaves instead. Ends with a line of counts; what cannot be run is skipped.
SPDX-License-Identifier: MIT
"""
import argparse
import glob
import os
import re
import shlex
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import peer  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Module: what lavapipe 22.3 cannot do, though it says it could; it is not asked.
CANNOT = {
    'glsl_exponents': 'exponents of ldexp with other widths than 32 bits',
    'sampled_defects': 'samplers that are not bound',
}

# Module: why, and at which places of which bindings, lavapipe 22.3 leaves another value, which is given.
DIFFERS = {
    'glsl_exact': ('unpackHalf2x16 makes 0 of the high half', {('0.1', 73): 0}),
    'glsl_cancel': ('differences of products are rounded twice',
                    {('0.1', 0): 0, ('0.1', 1): 'inf', ('0.1', 2): '-inf', ('0.1', 3): '-inf', ('0.1', 4): 'inf'}),
    'contracted': ('sums are not fused with products', {('0.0', at): 0 for at in (0, 1, 2, 3, 4, 7, 8)}),
    'gathered_corner': ('the fourth texel at the corner of a cube is one of the three, not their mean',
                        {('0.4', 2): -60, ('0.4', 7): -35, ('0.4', 8): -45, ('0.4', 13): -30,
                         ('0.5', 2): 4294967000, ('0.5', 7): 4294967055, ('0.5', 8): 4294967033, ('0.5', 13): 4294967066}),
    'rounds': ('invocations that leave a loop in one round are not told from those that left before',
               {('0.1', 1): 702, ('0.1', 3): 703, ('0.1', 4): 702, ('0.1', 6): 703}),
}

# Module: why results are further apart than the module's own --tolerance, and by how much.
NEAR = {
    'glsl_mathematics': ('asin and acos are polynomials with errors of 1e-4', 2e-4),
}

VALUED = ('--print', '--out', '--expect', '--image', '--tolerance', '--engine', '--width', '--threads', '--repeat')


def arguments_of(line, path):
    """What both are given, and the tolerance: all bindings are printed whole, whatever the line prints."""
    words, rest, tolerance = iter(shlex.split(line)), [], 0
    for word in words:
        if word == '%s':
            rest.append(path)
        elif word in VALUED:
            value = next(words)
            if word == '--tolerance':
                tolerance = float(value)
        elif word not in ('--no-print', '--time', '--json'):
            rest.append(word)
    bound = [rest[i + 1].split('=', 1) for i, word in enumerate(rest) if word == '--bind']
    for name, spec in bound:
        rest += ['--print', name] if spec != 'null' and not spec.startswith('sampler') else []
    return rest, tolerance


def runs_of(path):
    with open(path, encoding='utf-8') as f:
        lines = f.readlines()
        if any(re.match(r';\s*EXIT:', line) for line in lines):
            return   # it is refused
        for line in lines:
            m = re.match(r';\s*RUN:\s*heddle run (.*--groups.*)', line)
            if m:
                yield m.group(1)


class Test:
    def __init__(self, build, verbose):
        self.peer, self.verbose = peer.Peer(build), verbose
        self.passed = self.failed = self.skipped = 0

    def say(self, fine, name, text):
        self.passed += fine
        self.failed += not fine
        if not fine or self.verbose:
            print(f'{name}: {text}')

    def compare(self, name, line, path):
        arguments, tolerance = arguments_of(line, path)
        try:
            theirs = self.peer.on_lavapipe(arguments)
        except peer.Lacking as e:
            self.skipped += 1
            print(f'{name}: skipped, {e}')
            return
        ours = self.peer.on_heddle([*arguments, '--width', str(theirs['width'])])
        why, places = DIFFERS.get(name, ('', {}))
        tolerance = NEAR[name][1] if name in NEAR else tolerance
        found = [d for d in peer.differences(ours, theirs, tolerance) if places.get(d[:2]) != d[3] or d[:2] not in places]
        self.say(not found, name, f'{len(found)} values differ (place, Heddle, lavapipe): {found[:6]}' if found else f'the same {why and "but: " + why}')

    def file(self, path):
        name = os.path.basename(path).rsplit('.', 1)[0]
        for line in runs_of(path):
            if name in CANNOT:
                self.skipped += 1
                print(f'{name}: skipped, {CANNOT[name]}')
                continue
            try:
                self.compare(name, line, path)
            except RuntimeError as e:
                self.say(False, name, str(e))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--build', default=os.path.join(ROOT, 'build'))
    parser.add_argument('-v', dest='verbose', action='store_true')
    parser.add_argument('names', nargs='*')
    options = parser.parse_args()
    files = [f for f in sorted(glob.glob(os.path.join(ROOT, 'tests/shaders/*.spvasm')))
             if not options.names or os.path.basename(f).rsplit('.', 1)[0] in options.names]
    try:
        test = Test(options.build, options.verbose)
        for path in files:
            test.file(path)
        counts = test.passed, test.failed, test.skipped
    except peer.Lacking as e:
        print(f'skipped: needs {e}')
        counts = 0, 0, len(files)
    print('%d passed, %d failed, %d skipped' % counts)
    return 1 if counts[1] else 0


if __name__ == '__main__':
    sys.exit(main())
