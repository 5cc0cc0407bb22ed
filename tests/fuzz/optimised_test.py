#!/usr/bin/env python3
"""Equivalent variants of compute shaders, made by SPIRV-Tools' optimiser: they must leave what the shader leaves.

  tests/fuzz/optimised_test.py [--build build] [--count N] [--seed S] [--random N] [--jobs N] [--only NAME,…] [--keep DIR]

The shaders are those of spirv_fuzz.py. Variant S + n is what one to four passes of Debian's spirv-opt make of one, chosen by the number as the
width and the way to run are. Each run takes new seeds, and prints the first. Ends with `N passed, N failed, N skipped`;
skipped: spirv-opt or spirv-val does not know a capability or refuses what spirv-opt made, or there is no spirv-opt.
SPDX-License-Identifier: MIT
"""
import os, random, shutil, subprocess, sys

from first_seed import first_seed
from variants import options, run_all, verdict

# Passes that keep what a module means. loop-invariant-code-motion of 2023.1 does not, on memory (findings/spirv-opt-hoists-loads.sh),
# and the merging of blocks, which -O and -Os have as well, moves operations of sub-groups behind loops
# (findings/spirv-opt-moves-subgroups.sh): OWN are the shaders that see it.
PASSES = """ccp cfg-cleanup combine-access-chains compact-ids convert-local-access-chains copy-propagate-arrays eliminate-dead-branches
    eliminate-dead-code-aggressive eliminate-dead-const eliminate-dead-functions eliminate-dead-inserts eliminate-dead-variables
    eliminate-insert-extract eliminate-local-multi-store eliminate-local-single-block eliminate-local-single-store flatten-decorations
    inline-entry-points-exhaustive local-redundancy-elimination merge-blocks merge-return private-to-local reduce-load-size=0
    redundancy-elimination remove-duplicates scalar-replacement=0 simplify-instructions unify-const vector-dce wrap-opkill""".split()
LATER = """if-conversion loop-fission=3 loop-peeling loop-unroll loop-unroll-partial=3 loop-unswitch
    strength-reduction""".split()
WHOLE = ['-O', '-Os']
OWN = ['rounds']


def passes(number):
    choice = random.Random(number)
    some = ['--' + name for name in choice.sample(PASSES, choice.randint(1, 3))]
    if choice.random() < 0.4:
        some += ['--eliminate-local-multi-store', '--ssa-rewrite', '--' + choice.choice(LATER)]
    return some + ([choice.choice(WHOLE)] if choice.random() < 0.2 else [])


def judge(o, shader, number, folder):
    if shader.name in OWN and {'--merge-blocks', *WHOLE} & set(passes(number)):
        return '', 'blocks are not merged'
    path = os.path.join(folder, '%s_%d.spv' % (shader.name, number))
    p = subprocess.run(['spirv-opt', *passes(number), shader.path, '-o', path], capture_output=True, text=True, errors='replace', timeout=200)
    if p.returncode != 0:
        return '', ((p.stderr or p.stdout).strip().splitlines() or ['spirv-opt: status %d' % p.returncode])[-1][:120]
    command, told = verdict(o, shader, number, path)
    return command, '%s: %s' % (' '.join(passes(number)), told) if command else told


if __name__ == '__main__':
    O = options(__doc__, count=120, random=12, seed=first_seed(10**9))
    if shutil.which('spirv-opt') is None:
        print('0 passed, 0 failed, 1 skipped')
        sys.exit(0)
    sys.exit(run_all(O, judge))
