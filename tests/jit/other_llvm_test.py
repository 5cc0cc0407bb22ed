#!/usr/bin/env python3
"""Does the code generator keep to its own LLVM where the process has others? [--build FOLDER]

Shared libraries of LLVM, of the same version and of others where they are installed, are preloaded: their symbols come first.
Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, glob, os, subprocess, sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KERNEL = os.path.join(ROOT, 'src/ops/arith/tests/extended32.spvasm')
FOLDERS = ('/usr/lib/llvm-*/lib/libLLVM.so.*', '/usr/lib/*-linux-gnu/libLLVM-*.so.1', '/usr/lib/*-linux-gnu/libLLVM.so.*')

parser = argparse.ArgumentParser()
parser.add_argument('--build', default=os.path.join(ROOT, 'build'))
heddle = os.path.join(os.path.abspath(parser.parse_args().build), 'heddle')
counts = [0, 0, 0]


def check(is_good, what):
    counts[not is_good] += 1
    if not is_good:
        print('failed:', what)


def libraries():
    """Each file once, by the path that it has without links."""
    found = sorted({os.path.realpath(path) for pattern in FOLDERS for path in glob.glob(pattern)})
    return [path for path in found if os.path.isfile(path)]


def run(**env):
    words = [heddle, 'run', KERNEL, '--dump', 'asm']
    return subprocess.run(words, capture_output=True, text=True, env={**os.environ, 'HEDDLE_CACHE': '0', **env}, timeout=120)


if any(s in heddle for s in ('asan', 'tsan')):
    counts[2] += 1  # the sanitizer wants to be loaded first
else:
    alone = run()
    check(alone.returncode == 0 and '.kernel' in alone.stdout, alone.stderr)
    others = libraries()
    counts[2] += not others
    for library in others:
        beside = run(LD_PRELOAD=library)
        check(beside.returncode == 0, f'{library}: {beside.returncode} {beside.stderr[-800:]}')
        check(beside.stdout == alone.stdout, f'{library}: other code comes out')
print('%d passed, %d failed, %d skipped' % tuple(counts))
sys.exit(counts[1] != 0)
