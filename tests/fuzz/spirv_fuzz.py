#!/usr/bin/env python3
"""Equivalent variants of compute shaders, made by SPIRV-Tools' spirv-fuzz: they must leave what the shader leaves.

  tests/fuzz/spirv_fuzz.py SPIRV-FUZZ [--build build] [--count N] [--seed S] [--random N] [--jobs N] [--only NAME,…] [--keep DIR]

SPIRV-FUZZ is the program (it is built outside: cmake -DSPIRV_BUILD_FUZZER=ON). The shaders are the modules of tests/shaders that
`heddle lower` makes SPIR-V 1.3 of, which is what it takes, with what their `RUN: heddle run` lines bind, and N random ones (random_shader.py, where glslc
is there). Variant S + n is of shader n; the number also chooses the width, and whether it runs compiled, by the dispatcher or interpreted. It
is compared with the shader, compiled, at that width; floats that a shader's line compares with a tolerance may differ by as much. Variants
that differ are kept in DIR (default: BUILD/fuzzed). Ends with `N passed, N failed, N skipped`; skipped: spirv-fuzz made no module of it, or one
that spirv-val refuses, too.
SPDX-License-Identifier: MIT
"""
import os, re, subprocess, sys

from variants import SECONDS, options, run_all, verdict

# Rules by which a variant may be refused: what spirv-fuzz makes that is not SPIR-V, though spirv-val may not see it (composites that atomics
# read, directions and indexes that are no constants), and calls that nest deeper than Heddle's limits.
EXPLAINED = ['atomic.result', 'memory.load-runtime', 'subgroup.direction', 'subgroup.id-constant', 'ir.inline', 'interp.depth']

# Shaders whose results depend on what spirv-fuzz does not keep: blocks are merged across the exit of a loop that invocations leave in
# different iterations (findings/spirv-opt-moves-subgroups.sh); a sum is fused with the product that the module names as its operand.
OWN = {'rounds': 'blocks are merged', 'contracted': 'sums are fused by their form'}


def judge(o, shader, number, folder):
    """None: the same; '': no variant; else what differs."""
    if shader.name in OWN:
        return '', OWN[shader.name]
    path = os.path.join(folder, '%s_%d' % (shader.name, number))
    try:
        p = subprocess.run([o.program, shader.path, '-o', path + '.spv', '--donors=' + o.donors, '--seed=%d' % number], capture_output=True, text=True,
                           errors='replace', timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return '', 'spirv-fuzz takes too long'
    for end in ('.transformations', '.transformations_json'):
        if os.path.exists(path + end):
            os.remove(path + end)
    if p.returncode != 0 or not os.path.exists(path + '.spv'):
        lines = (p.stderr or p.stdout).strip().splitlines() or ['spirv-fuzz: status %d' % p.returncode]
        return '', re.sub(r"'?\d+\[[^\]]*\]'?|\d+", '…', lines[-1])[:120]
    return verdict(o, shader, number, path + '.spv', EXPLAINED)


def main():
    o = options(__doc__, count=200, random=40, program='SPIRV-FUZZ')

    def begin(shaders, folder):
        o.donors = os.path.join(folder, 'donors.txt')
        with open(o.donors, 'w') as f:
            f.writelines(s.path + '\n' for s in shaders[::5])

    return run_all(o, judge, begin)


if __name__ == '__main__':
    sys.exit(main())
