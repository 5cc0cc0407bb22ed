#!/usr/bin/env python3
"""How fast heddle as and heddle dis are: text.py [--heddle build/heddle] [--functions 40000].

Makes a text of many functions, and prints megabytes of binary module per second of processor time
and the peak of memory relative to the module.

SPDX-License-Identifier: MIT
"""
import argparse
import os
import subprocess
import tempfile

HEAD = '''OpCapability Addresses
OpCapability Linkage
OpCapability Kernel
%1 = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%ptr = OpTypePointer CrossWorkgroup %float
%void = OpTypeVoid
%fn = OpTypeFunction %void %ptr %uint
%c1 = OpConstant %float 1.5
'''
BODY = '''%f{n} = OpFunction %void None %fn
%p{n} = OpFunctionParameter %ptr
%n{n} = OpFunctionParameter %uint
%l{n} = OpLabel
%a{n} = OpInBoundsPtrAccessChain %ptr %p{n} %n{n}
%v{n} = OpLoad %float %a{n} Aligned 4
%m{n} = OpFMul %float %v{n} %c1
%s{n} = OpExtInst %float %1 sqrt %m{n}
OpStore %a{n} %s{n} Aligned 4
OpReturn
OpFunctionEnd
'''


def measure(command):
    pid = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(pid.pid, 0)
    if status:
        raise SystemExit(f'{command}: status {status}')
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--heddle', default='build/heddle')
    parser.add_argument('--functions', type=int, default=150000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        named, module = f'{folder}/named.spvasm', f'{folder}/module.spv'
        numbered = f'{folder}/numbered.spvasm'
        with open(named, 'w') as f:
            f.write(HEAD)
            for n in range(options.functions):
                f.write(BODY.format(n=n))
        subprocess.run([options.heddle, 'as', named, '-o', module], check=True)
        subprocess.run([options.heddle, 'dis', '--raw-id', module, '-o', numbered], check=True)
        size = os.path.getsize(module)
        for what, command in (('as, named ids', ['as', named, '-o', '/dev/null']),
                              ('as, numbers', ['as', numbered, '-o', '/dev/null']),
                              ('dis', ['dis', module]),
                              ('dis --raw-id', ['dis', '--raw-id', module])):
            seconds, peak = min(measure([options.heddle] + command) for _ in range(3))
            print(f'{what:14} {size / 1e6 / seconds:7.1f} MB/s   memory {peak / size:4.1f} x module')


if __name__ == '__main__':
    main()
