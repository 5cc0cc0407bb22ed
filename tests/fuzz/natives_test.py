#!/usr/bin/env python3
"""Random values of every type and vector size, judged by clang for this machine: kernels in what OpenCL C and clang's C have in common
(random_natives.py), whose built-in functions natives.h has for the machine. clang compiles them without optimisation, and where Heddle
does not agree, with it as well; Heddle as in flow_test.py, whose options this has, at one width.

  tests/fuzz/natives_test.py [--build build] [--kinds natives,reals] [--count N] [--seed S] [--forms few|one|all] [--icd PATH] [--jobs N]
    [--keep DIR]

natives has integers alone, reals floats as well. Kernels with another result are written to DIR (default: BUILD/natives). Ends with
`N passed, N failed, N skipped`; skipped: the two compilations disagree, or clang crashes over the kernel.
SPDX-License-Identifier: MIT
"""
import os, shutil, sys

from flow_test import Family, run_family
from random_natives import FLAGS, HEAD, KINDS

CLANG = os.environ.get('HEDDLE_CLANG', 'clang-22')
LEVELS = ['-cl-std=CL3.0', '-cl-std=CL3.0 -cl-opt-disable']
JUDGES = [[CLANG, level] + FLAGS for level in ('-O0', '-O1')]
NATIVES = Family(KINDS, HEAD, LEVELS, JUDGES, lambda choice, widths: [choice.choice(widths)], dict.fromkeys(KINDS, 'crashed: that is a defect'))

if __name__ == '__main__':
    if shutil.which(CLANG) is None:
        print('0 passed, 0 failed, 1 skipped')
        sys.exit(0)
    sys.exit(run_family(os.path.abspath(__file__), NATIVES, list(KINDS), 35))
