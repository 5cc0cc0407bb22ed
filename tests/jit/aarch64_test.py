#!/usr/bin/env python3
"""Does Heddle built for AArch64 run kernels right, under qemu-user?

Needs aarch64-linux-gnu-gcc and qemu-aarch64, and Debian's archive for the libraries of that machine; skipped without. Ends
with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, os, shutil, subprocess, sys

parser = argparse.ArgumentParser()
parser.add_argument('--build', default='build')
folder = os.path.abspath(parser.parse_args().build + '/aarch64')
FILES = ['src/ops/barrier/tests/apart.spvasm', 'src/ops/control/tests/irreducible.spvasm', 'src/ops/control/tests/two_exits.spvasm']

if not all(map(shutil.which, ('aarch64-linux-gnu-gcc', 'qemu-aarch64'))):
    print('0 passed, 0 failed, 1 skipped')
    raise SystemExit
# Twelve runs; -O1 takes half as long again to build.
made = subprocess.run(['tools/aarch64.sh', folder], capture_output=True, text=True, env=dict(os.environ, OPT='-O0'))
if made.returncode != 0:
    print(made.stdout[-2000:], made.stderr[-2000:])
    fetched = os.path.exists(folder + '/root/usr/lib/aarch64-linux-gnu/libLLVM.so.22.1')
    print('0 passed, %d failed, %d skipped' % (fetched, not fetched))
    sys.exit(fetched)
sys.exit(subprocess.run(['tools/check.py', '--heddle', folder + '/heddle.sh', '--width', '4', *FILES]).returncode)
