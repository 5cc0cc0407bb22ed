#!/usr/bin/env python3
"""What compilers make of the kernels in tests/kernels, as text and back: emitted.py [--build FOLDER].

Every module below <build>/spv (tools/kernels-spv.sh makes them, by each producer at each level), and below folders that
are named, disassembles, with raw and with friendly names, and assembles to the same words. Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import argparse
import pathlib
import sys

from corpus_test import ROOT, Server, round_trip


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default=str(ROOT / 'build'))
    parser.add_argument('folders', nargs='*', help='more folders of modules')
    options = parser.parse_args()
    build = pathlib.Path(options.build)
    server = Server(str(build / 'tests/text/text_serve'))
    passed = failed = 0
    for folder in [build / 'spv'] + [pathlib.Path(f) for f in options.folders]:
        for path in sorted(folder.rglob('*.spv')):
            problem = round_trip(server, path.read_bytes())
            passed += problem is None
            failed += problem is not None
            if problem:
                print(f'failed: {path}: {problem}')
    print(f'{passed} passed, {failed} failed, {int(passed + failed == 0)} skipped')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
