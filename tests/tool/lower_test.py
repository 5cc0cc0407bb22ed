#!/usr/bin/env python3
"""heddle lower: what it writes is valid for the target, lacks what was rewritten, and computes the
same: the run tests of the families, before and after, by both engines. [--build FOLDER] [-v]

Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import glob
import os
import re
import shlex
import sys

import harness

FAMILIES = ('untyped', 'usm', 'dot', 'bit', 'atomic', 'arith', 'annotation', 'memory', 'debug', 'control', 'group',
            'subgroup')
# A target with the number formats, and none of what is rewritten.
EXTENSIONS = 'cl_khr_fp16,cl_khr_fp64,cl_khr_int64_base_atomics,cl_khr_int64_extended_atomics,' \
             'cl_khr_subgroups,cl_khr_subgroup_shuffle,cl_khr_subgroup_shuffle_relative,' \
             'cl_khr_subgroup_ballot,cl_khr_subgroup_non_uniform_vote,' \
             'cl_khr_subgroup_non_uniform_arithmetic,cl_khr_subgroup_clustered_reduce,' \
             'cl_khr_subgroup_extended_types'
GONE = re.compile(r'Untyped|OpAtomicF(Min|Max|Add)EXT|(DeviceOnly|HostOnly)INTEL|OpExpectKHR|'
                  r'OpAssumeTrueKHR|NoSignedWrap|NoUnsignedWrap|OpBit(Reverse|Field)|Op[SU]+Dot|'
                  r'LinkOnceODR|RotateKHR|OpGroup(IMul|FMul|Bitwise\w+|Logical\w+)KHR')
# Run lines that need something that has no older form.
HARD = re.compile(r'half|AtomicFloat16|VariableLengthArray|OpUntypedArrayLength|AsyncCopy')


def main():
    with harness.Tool() as t:
        check, run = t.check, t.run
        out = t.path('out.spv')
        paths = [p for family in FAMILIES
                 for p in sorted(glob.glob(f'{harness.ROOT}/src/ops/{family}/tests/*.spvasm'))]
        for path in paths:
            with open(path) as f:
                text = f.read()
            runs = re.findall(r'^; RUN: heddle run (.*)', text, re.M)
            code = '\n'.join(line for line in text.splitlines() if not line.startswith(';'))
            if not runs or not GONE.search(code):
                continue
            name = os.path.relpath(path, harness.ROOT)
            code, _, said = run('lower', '--env', 'opencl3.0', '--ext', EXTENSIONS, path,
                                        '-o', out)
            if code == 1 and HARD.search(said):
                t.skipped += 1
                if t.verbose:
                    print('no older form:', name, said.splitlines()[0])
                continue
            check(code == 0, f'{name}: {said}')
            if code:
                continue
            text = run('dis', out)[1]
            check(not GONE.search(text), f'{name}: {GONE.search(text)} is left')
            for line in runs:
                args = [a for a in shlex.split(line)]
                before = run('run', *[path if a == '%s' else a for a in args])
                for engine in ('compiled', 'interpreted'):
                    after = run('run', *[out if a == '%s' else a for a in args],
                                        '--engine', engine)
                    check(before[:2] == after[:2], f'{name}, {engine}: {args}\n'
                          f'{before[1]}{after[1]}{after[2]}')
            if t.verbose:
                print(name, len(runs), 'runs')
        wrong = t.path('wrong.spvasm', 'OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n'
                       'OpCapability VariableLengthArrayINTEL\n'
                       'OpExtension "SPV_INTEL_variable_length_array"\n'
                       'OpMemoryModel Physical64 OpenCL\n')
        check(run('lower', wrong, '-o', out)[0] == 1, 'what is left is reported')
        check(run('lower', '--env', 'universal1.3', wrong)[0] == 2, 'not an environment')
    return t.end()


if __name__ == '__main__':
    sys.exit(main())
