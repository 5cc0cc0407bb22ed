#!/usr/bin/env python3
"""heddle lower: what it writes is valid for the target, lacks what was rewritten, and computes the
same: the run tests of the families, before and after, by both engines. [--build FOLDER] [-v]

Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import argparse
import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
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
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default=os.path.join(ROOT, 'build'))
    parser.add_argument('-v', action='store_true')
    options = parser.parse_args()
    heddle = os.path.join(os.path.abspath(options.build), 'heddle')
    counts = [0, 0, 0]

    def heddle_says(*args):
        p = subprocess.run([heddle, *args], capture_output=True, text=True, timeout=120)
        return p.returncode, p.stdout, p.stderr

    def check(holds, why):
        counts[not holds] += 1
        if not holds:
            print('failed:', why)

    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, 'out.spv')
        paths = [p for family in FAMILIES
                 for p in sorted(glob.glob(f'{ROOT}/src/ops/{family}/tests/*.spvasm'))]
        for path in paths:
            with open(path) as f:
                text = f.read()
            runs = re.findall(r'^; RUN: heddle run (.*)', text, re.M)
            code = '\n'.join(line for line in text.splitlines() if not line.startswith(';'))
            if not runs or not GONE.search(code):
                continue
            name = os.path.relpath(path, ROOT)
            code, _, said = heddle_says('lower', '--env', 'opencl3.0', '--ext', EXTENSIONS, path,
                                        '-o', out)
            if code == 1 and HARD.search(said):
                counts[2] += 1
                if options.v:
                    print('no older form:', name, said.splitlines()[0])
                continue
            check(code == 0, f'{name}: {said}')
            if code:
                continue
            text = heddle_says('dis', out)[1]
            check(not GONE.search(text), f'{name}: {GONE.search(text)} is left')
            for line in runs:
                args = [a for a in shlex.split(line)]
                before = heddle_says('run', *[path if a == '%s' else a for a in args])
                for engine in ('compiled', 'interpreted'):
                    after = heddle_says('run', *[out if a == '%s' else a for a in args],
                                        '--engine', engine)
                    check(before[:2] == after[:2], f'{name}, {engine}: {args}\n'
                          f'{before[1]}{after[1]}{after[2]}')
            if options.v:
                print(name, len(runs), 'runs')
        wrong = os.path.join(folder, 'wrong.spvasm')
        with open(wrong, 'w') as f:
            f.write('OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n'
                    'OpCapability VariableLengthArrayINTEL\n'
                    'OpExtension "SPV_INTEL_variable_length_array"\n'
                    'OpMemoryModel Physical64 OpenCL\n')
        check(heddle_says('lower', wrong, '-o', out)[0] == 1, 'what is left is reported')
        check(heddle_says('lower', '--env', 'universal1.3', wrong)[0] == 2, 'not an environment')
    print(f'{counts[0]} passed, {counts[1]} failed, {counts[2]} skipped')
    return 1 if counts[1] else 0


if __name__ == '__main__':
    sys.exit(main())
