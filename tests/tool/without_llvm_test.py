#!/usr/bin/env python3
"""The command as `make LLVM=no` makes it: what needs no code generation works, and `run` uses the interpreter. [--build FOLDER]

Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import os
import re
import subprocess
import sys

import harness

KERNEL = '''OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "add" %id
OpDecorate %id BuiltIn GlobalInvocationId
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%v3 = OpTypeVector %u64 3
%input = OpTypePointer Input %v3
%ptr = OpTypePointer CrossWorkgroup %u32
%fn = OpTypeFunction %void %ptr
%seven = OpConstant %u32 7
%id = OpVariable %input Input
%k = OpFunction %void None %fn
%p = OpFunctionParameter %ptr
%entry = OpLabel
%ids = OpLoad %v3 %id Aligned 32
%x = OpCompositeExtract %u64 %ids 0
%at = OpInBoundsPtrAccessChain %ptr %p %x
%old = OpLoad %u32 %at Aligned 4
%new = OpIAdd %u32 %old %seven
OpStore %at %new Aligned 4
OpReturn
OpFunctionEnd
'''
LAUNCH = ['--global', '4', '--arg', 'u32[4]=range']
# What the C library consists of, and cJSON.
NEEDS = re.compile(r'(libc|libm|libdl|libpthread|libcjson|ld-linux-\w+|libasan|libubsan|libtsan)(-[\w-]+)?\.so')
# Families whose tests run in the interpreter, and the validator's.
FOLDERS = ('src/ops/compare/tests', 'src/ops/atomic/tests', 'src/ops/arith/tests', 'src/ops/constant/tests', 'src/ops/composite/tests')


def check_needs(t):
    needs = re.findall(r'\(NEEDED\).*\[(.*)\]', subprocess.run(['readelf', '-d', t.heddle], capture_output=True, text=True).stdout)
    t.check(needs and all(NEEDS.match(name) for name in needs), f'libc and cJSON are all that it needs: {needs}')
    code, out, _ = t.run('--version')
    t.check(code == 0 and 'without LLVM' in out, out)


def check_commands(t):
    text, module = t.path('k.spvasm', KERNEL), t.path('k.spv')
    t.check(t.run('as', text, '-o', module)[0] == 0, 'as')
    t.check(t.run('val', '--env', 'opencl3.0', module)[0] == 0, 'val')
    t.check('OpIAdd' in t.run('dis', module)[1], 'dis')
    t.check('kernel add' in t.run('info', module)[1], 'info')
    code, out, err = t.run('run', module, *LAUNCH)
    t.check(code == 0 and '= 7, 8, 9, 10' in out and err == '', f'run: {out}{err}')
    code, out, err = t.run('run', module, *LAUNCH, '--engine', 'compiled')
    t.check(code == 3 and 'make LLVM=no' in err and out == '', f'compiled code is not to be had: {code} {out}{err}')
    code, out, err = t.run('run', module, '--dump', 'ir,asm')
    t.check(code == 3 and 'make LLVM=no' in err and 'add' in out, f'stages without LLVM are shown: {code} {out}{err}')
    code, out, _ = t.run('check', module, '--global', '5', '--arg', 'u32[4]=range')
    t.check(code == 1 and 'check.' in out + _, f'check finds what is wrong: {out}{_}')
    code, out, err = t.run('debug', module, *LAUNCH, '--command', 'break add', '--command', 'run', '--batch')
    t.check(code == 0 and 'add' in out, f'debug: {out}{err}')


def check_files(t):
    """Tests that are files, in the engine that there is."""
    p = subprocess.run([sys.executable, 'tools/check.py', '--heddle', t.heddle, '--engine', 'interpreted', '--width', '8', *FOLDERS],
                       capture_output=True, text=True, cwd=harness.ROOT)
    passed = re.search(r'(\d+) passed, 0 failed', p.stdout)
    t.check(passed and int(passed[1]) > 100, p.stdout[-1500:] + p.stderr)


with harness.Tool() as t:
    t.heddle = os.path.join(os.path.dirname(t.heddle), 'without-llvm', 'heddle')
    check_needs(t)
    check_commands(t)
    check_files(t)
sys.exit(t.end())
