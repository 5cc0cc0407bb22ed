#!/usr/bin/env python3
"""Compute shaders that people run (ggml's, ncnn's, Kompute's …): each module validates, compiles and ends with small bindings of zeros.

  tests/clients/corpora/modules.py --tests FOLDER [--env vulkan1.3] [--check] [--heddle build/heddle] [NAME …]

FOLDER holds .spv modules, however they were made. --check: by a checked run, too, whose findings are printed; with bindings this small
some are out of bounds, which the host would prevent.
SPDX-License-Identifier: MIT
"""
import argparse, glob, os, re, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from corpus import LAST, Verdict, arguments, call, described, heddle, refusal, run_all  # noqa: E402

BYTES = 1 << 16     # of each run-time array, at most


def case_of(options, path):
    def case(folder):
        status, said = call([options.heddle, 'val', '--env', options.env, path], folder)
        if status < 0 or status > 3:
            raise Verdict('crash', 'val: status %d: %s' % (status, said[-200:]))
        if status != 0:
            raise Verdict('invalid', refusal(said))
        status, said, bindings, push = described(options.heddle, path, folder)
        if status != 0:
            raise Verdict('refused', 'info: ' + refusal(said))
        binds = {}
        for (number, binding), (kind, count, fixed, element) in bindings.items():
            if 'buffer' not in kind or 'texel' in kind:
                raise Verdict('refused', '[images] ' + kind)
            data = bytes(fixed + (BYTES // element * element if element else 0))
            for i in range(count):
                binds['%d.%d' % (number, binding) + ('[%d]' % i if count > 1 else '')] = data
        heddle(options.heddle, path, folder, (1, 1, 1), binds, bytes(push), (), options.extra, 300)
        if options.check:
            status, said = call([LAST.words[0], 'check', *LAST.words[2:]], folder, 300)
            found = sorted(set(re.findall(r'\[(check\.[a-z-]+)\]', said)))
            if status < 0 or status > 3:
                raise Verdict('crash', 'check: status %d: %s' % (status, said[-200:]))
            if found:
                raise Verdict('findings', ', '.join(found) + ': ' + re.sub(r'^.*?error: ', '', said.strip().splitlines()[0])[:160])
    return case


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tests', required=True)
    parser.add_argument('--env', default='vulkan1.3')
    parser.add_argument('--check', action='store_true')
    parser.add_argument('--extra', action='append', default=[], help='a word more for heddle run')
    options = arguments(parser)
    files = sorted(glob.glob(os.path.join(options.tests, '**/*.spv'), recursive=True))
    cases = [(os.path.relpath(p, options.tests), case_of(options, p)) for p in files
             if not options.only or any(o in p for o in options.only)]
    return run_all(cases, options, 'modules of ' + options.tests)


if __name__ == '__main__':
    sys.exit(main())
