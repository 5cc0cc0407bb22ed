#!/usr/bin/env python3
"""Which kernels two builds compile to different code: what a change touches, before anything is timed.

    python3 bench/same_code.py [--stage lanes] [--width N] [--jobs N] OLD/heddle build/heddle FILE…

FILE is a module or OpenCL C with any number of kernels, or a folder of them. Modules compile much faster:

    python3 bench/kinds.py --split build/kinds
    PRODUCERS=clang22-O2 tools/kernels-spv.sh build/kinds-spv build/kinds/*.cl tests/kernels/*.cl
    python3 bench/same_code.py OLD/heddle build/heddle build/kinds-spv/clang22-O2

The stage is one of `heddle run --dump`. A kernel that neither build compiles is not counted, one that one of them does
not compile differs. The last line has the numbers; the exit status is 1 if code differs. What differs can be timed with
bench/kinds.py --cases and bench/run.py --cases.

SPDX-License-Identifier: MIT
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys


def files_of(paths):
    """Files, and those in folders."""
    for path in map(pathlib.Path, paths):
        if path.is_dir():
            yield from sorted(p for p in path.iterdir() if p.suffix in ('.spv', '.spvasm', '.cl'))
        else:
            yield path


def kernels_of(heddle, file):
    """Names of the kernels of a file; none if it does not compile."""
    told = subprocess.run([heddle, 'info', '--json', file], capture_output=True, text=True)
    return [k['name'] for k in json.loads(told.stdout)['kernels']] if told.returncode == 0 else []


def code_of(heddle, file, kernel, options):
    """The code as text; None if the kernel is refused."""
    command = [heddle, 'run', file, kernel, '--quiet', '--dump', options.stage]
    if options.width:
        command += ['--width', options.width]
    made = subprocess.run(command, capture_output=True)
    return made.stdout if made.returncode == 0 else None


def compare(options, file):
    """(kernel, 'same', 'differs' or 'refused') for each kernel of a file."""
    found = []
    for kernel in kernels_of(options.new, file):
        old, new = (code_of(heddle, file, kernel, options) for heddle in (options.old, options.new))
        found.append((kernel, 'differs' if old != new else 'refused' if new is None else 'same'))
    return file, found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--stage', default='lanes', choices=('ir', 'lanes', 'llvm', 'asm'))
    parser.add_argument('--width', help='lanes of a sub-group; what each build chooses by default')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('old')
    parser.add_argument('new')
    parser.add_argument('files', nargs='+', metavar='FILE')
    options = parser.parse_args()
    count = {'same': 0, 'differs': 0, 'refused': 0}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for file, found in pool.map(lambda f: compare(options, f), files_of(options.files)):
            for kernel, verdict in found:
                count[verdict] += 1
                if verdict == 'differs':
                    print(f'{file} {kernel}', flush=True)
    print('%d kernels: %d the same, %d differ; %d do not compile' %
          (count['same'] + count['differs'], count['same'], count['differs'], count['refused']))
    if count['same'] + count['differs'] == 0:
        print('no kernel was compared', file=sys.stderr)
        return 2
    return 1 if count['differs'] else 0


if __name__ == '__main__':
    sys.exit(main())
