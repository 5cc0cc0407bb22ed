#!/usr/bin/env python3
"""llvm-spirv 19 counts bytes from a variable whose parts are larger: 16 leads to the third pair, 24 to the fourth. A build
mends that for modules of that tool, whose number is in the generator word. [--build FOLDER]

Ends with a line of counts. Spec: OpPtrAccessChain, OpSpecConstantOp.
SPDX-License-Identifier: MIT
"""
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tool'))
import harness  # noqa: E402

MODULE = '''
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability Int8
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k" %id
OpDecorate %id BuiltIn GlobalInvocationId
%void = OpTypeVoid
%u8 = OpTypeInt 8 0
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%v3 = OpTypeVector %u64 3
%pin = OpTypePointer Input %v3
%n0 = OpConstant %u64 0
%n1 = OpConstant %u64 1
%n2 = OpConstant %u64 2
%n4 = OpConstant %u64 4
%n16 = OpConstant %u64 16
%n24 = OpConstant %u64 24
%a = OpConstant %u32 1
%b = OpConstant %u32 3
%c = OpConstant %u32 5
%d = OpConstant %u32 7
%pair = OpTypeStruct %u32 %u32
%pairs = OpTypeArray %pair %n4
%ppairs = OpTypePointer UniformConstant %pairs
%pbyte = OpTypePointer UniformConstant %u8
%pint = OpTypePointer UniformConstant %u32
%two = OpTypeArray %pbyte %n2
%ptwo = OpTypePointer UniformConstant %two
%ppbyte = OpTypePointer UniformConstant %pbyte
%pout = OpTypePointer CrossWorkgroup %u32
%ca = OpConstantComposite %pair %a %a
%cb = OpConstantComposite %pair %b %b
%cc = OpConstantComposite %pair %c %c
%cd = OpConstantComposite %pair %d %d
%all = OpConstantComposite %pairs %ca %cb %cc %cd
%table = OpVariable %ppairs UniformConstant %all
%third = OpSpecConstantOp %pbyte PtrAccessChain %table %n16
%fourth = OpSpecConstantOp %pbyte PtrAccessChain %table %n24
%both = OpConstantComposite %two %fourth %third
%to = OpVariable %ptwo UniformConstant %both
%id = OpVariable %pin Input
%fn = OpTypeFunction %void %pout
%k = OpFunction %void None %fn
%out = OpFunctionParameter %pout
%l = OpLabel
%v = OpLoad %v3 %id
%i = OpCompositeExtract %u64 %v 0
%odd = OpBitwiseAnd %u64 %i %n1
%slot = OpInBoundsPtrAccessChain %ppbyte %to %n0 %odd
%at = OpLoad %pbyte %slot Aligned 8
%ints = OpBitcast %pint %at
%r = OpLoad %u32 %ints Aligned 4
%o = OpInBoundsPtrAccessChain %pout %out %i
OpStore %o %r Aligned 4
OpReturn
OpFunctionEnd
'''


def main():
    with harness.Tool() as t:
        plain, module = t.path('plain.spv'), t.path('k.spv')
        code, out, err = t.run('as', t.path('k.spvasm', MODULE), '-o', plain)
        t.check(code == 0, f'assembles: {out} {err}')
        for generator, good in ((6 << 16 | 14, True), (8 << 16, False)):
            with open(plain, 'rb') as f:
                words = bytearray(f.read())
            words[8:12] = struct.pack('<I', generator)
            with open(module, 'wb') as f:
                f.write(words)
            code, out, err = t.run('run', module, '--global', '4', '--arg', 'u32[4]')
            if good:
                t.check(code == 0 and 'u32[4] = 7, 5, 7, 5' in out, f'what bytes lead to: {code} {out} {err}')
                t.check(err.count('repair.byte-offset') == 1, f'told: {err}')
            else:
                t.check(code == 1 and 'chain.result-type' in err and 'repair.byte-offset' not in err, f'of another tool: {code} {err}')
        return t.end()


if __name__ == '__main__':
    sys.exit(main())
