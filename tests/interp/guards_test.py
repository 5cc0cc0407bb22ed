#!/usr/bin/env python3
"""What stops the interpreter, finding by finding: a kernel that does it and a twin that runs.

  tests/interp/guards_test.py [--build FOLDER]

Most are guards: the validator refuses these kernels, so they run with --no-validate here. The rest are the
interpreter's limits. None may crash.
SPDX-License-Identifier: MIT
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tool'))
import harness  # noqa: E402

HEAD = """OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability Int64
OpCapability Int8
OpCapability LiteralSampler
OpCapability ImageBasic
OpCapability Pipes
OpCapability NamedBarrier
OpCapability VariableLengthArrayINTEL
OpCapability UntypedPointersKHR
OpExtension "SPV_INTEL_variable_length_array"
OpExtension "SPV_KHR_untyped_pointers"
%std = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%bool = OpTypeBool
%u8 = OpTypeInt 8 0
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%f32 = OpTypeFloat 32
%v2 = OpTypeVector %u32 2
%v4 = OpTypeVector %u32 4
%pair = OpTypeStruct %u32 %u32
%fn = OpTypeFunction %void
%one = OpTypeFunction %void %u32
%c0 = OpConstant %u32 0
%c1 = OpConstant %u32 1
%c2 = OpConstant %u32 2
%c4 = OpConstant %u32 4
%l1 = OpConstant %u64 1
%big = OpConstant %u64 1200000000
%half = OpConstant %u64 600000000
%huge = OpConstant %u64 17000000000
%f1 = OpConstant %f32 1
%yes = OpConstantTrue %bool
%v2c = OpConstantComposite %v2 %c1 %c2
%v4c = OpConstantComposite %v4 %c1 %c2 %c1 %c2
%image = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
%pipe = OpTypePipe ReadOnly
%barrier = OpTypeNamedBarrier
%p_u32 = OpTypePointer Function %u32
%p_u8 = OpTypePointer Function %u8
%p_v4 = OpTypePointer Function %v4
%p_pair = OpTypePointer Function %pair
%p_void = OpTypePointer Function %void
%a_big = OpTypeArray %u8 %big
%a_half = OpTypeArray %u8 %half
%p_half = OpTypePointer Function %a_half
%p_to_big = OpTypePointer CrossWorkgroup %a_big
%p_to_half = OpTypePointer CrossWorkgroup %a_half
%big_null = OpConstantNull %a_big
%to_big = OpConstantNull %p_to_big
%to_half = OpConstantNull %p_to_half
%p_any = OpTypeUntypedPointerKHR Function
%no_image = OpConstantNull %image
%u96 = OpTypeInt 96 0
%v96 = OpTypeVector %u96 2
%wide = OpConstant %u96 !1 !0 !0
%wides = OpConstantNull %v96
%no_pipe = OpConstantNull %pipe
%n_text = OpConstant %u32 40000
%text = OpTypeArray %u8 %n_text
%texts = OpTypeArray %text %c2
%p_text = OpTypePointer UniformConstant %text
%p_texts = OpTypePointer UniformConstant %texts
%p_char = OpTypePointer UniformConstant %u8
%no_char = OpConstantNull %u8
%no_text = OpConstantNull %text
%char = OpConstant %u8 42
%chars = OpConstantComposite %text""" + ' %char' * 40000 + """
%all_chars = OpConstantComposite %texts %chars %chars
%short_variable = OpVariable %p_text UniformConstant %no_text
%long_variable = OpVariable %p_texts UniformConstant %all_chars
%short_format = OpSpecConstantOp %p_char InBoundsAccessChain %short_variable %c0
%long_format = OpSpecConstantOp %p_char InBoundsAccessChain %long_variable %c0 %c0
"""
SUB = """%sub = OpFunction %void None %one
%x = OpFunctionParameter %u32
%sl = OpLabel
OpReturn
OpFunctionEnd
"""
KERNEL = '%k = OpFunction %void None %fn\n%entry = OpLabel\n'
END = 'OpReturn\nOpFunctionEnd\n'


def chain(depth):
    """`depth` functions, each of which calls the one before."""
    call = '%%r%d = OpFunctionCall %%void %%g%d\n'
    return ''.join('%%g%d = OpFunction %%void None %%fn\n%%gl%d = OpLabel\n%sOpReturn\nOpFunctionEnd\n' %
                   (i, i, call % (i, i - 1) if i > 0 else '') for i in range(depth))


def called(depth):
    return chain(depth) + KERNEL + '%%r = OpFunctionCall %%void %%g%d\n' % (depth - 1) + END


# rule, what is wrong, like it and right: the kernel's instructions, or all functions
CASES = [
    ('interp.block', KERNEL + '%r = OpIAdd %u32 %c1 %c1\nOpFunctionEnd\n', KERNEL + '%r = OpIAdd %u32 %c1 %c1\n' + END),
    ('interp.call', SUB + KERNEL + '%r = OpFunctionCall %void %sub\n' + END,
     SUB + KERNEL + '%r = OpFunctionCall %void %sub %c1\n' + END),
    ('interp.components', '%r = OpIAdd %v2 %v4c %v4c', '%r = OpIAdd %v4 %v4c %v4c'),
    ('interp.components', '%r = OpShiftLeftLogical %v4 %v4c %v2c', '%r = OpShiftLeftLogical %v2 %v2c %v2c'),
    ('interp.components', '%r = OpUConvert %u8 %v4c', '%r = OpUConvert %u8 %c1'),
    ('interp.constants', '%r = OpCopyObject %a_big %big_null', '%r = OpCopyObject %v4 %v4c'),
    ('interp.constituents', '%r = OpCompositeConstruct %v2 %v4c', '%r = OpCompositeConstruct %v2 %c1 %c2'),
    ('interp.deadlock', '%n = OpNamedBarrierInitialize %barrier %c2\nOpMemoryNamedBarrier %n %c2 %c0',
     '%n = OpNamedBarrierInitialize %barrier %c1\nOpMemoryNamedBarrier %n %c2 %c0'),
    ('interp.named-barrier', '%n = OpNamedBarrierInitialize %barrier %c0',
     '%n = OpNamedBarrierInitialize %barrier %c1'),
    ('interp.depth', called(300), called(200)),
    ('interp.image', '%r = OpImageRead %v4 %no_image %v2c', '%r = OpCopyObject %image %no_image'),
    ('interp.pipe', '%r = OpGetNumPipePackets %u32 %no_pipe %c4 %c4', '%r = OpCopyObject %pipe %no_pipe'),
    ('interp.index', '%r = OpCompositeExtract %u32 %v4c 4', '%r = OpCompositeExtract %u32 %v4c 3'),
    ('interp.index', '%v = OpVariable %p_v4 Function\n%r = OpAccessChain %p_u32 %v %f1',
     '%v = OpVariable %p_v4 Function\n%r = OpAccessChain %p_u32 %v %c1'),
    ('interp.index', '%v = OpVariable %p_pair Function\n%r = OpAccessChain %p_u32 %v %c2',
     '%v = OpVariable %p_pair Function\n%r = OpAccessChain %p_u32 %v %c1'),
    ('interp.memory', '%v = OpVariable %p_half Function', '%v = OpVariable %p_v4 Function'),
    ('interp.phi', 'OpBranch %n\n%n = OpLabel\n%r = OpPhi %u32 %c1 %n', 'OpBranch %n\n%n = OpLabel\n%r = OpPhi %u32 %c1 %entry'),
    ('interp.pointer', '%r = OpPtrAccessChain %p_u32 %c1 %l1', '%v = OpVariable %p_u32 Function\n%r = OpPtrAccessChain %p_u32 %v %l1'),
    ('interp.string', '%r = OpExtInst %u32 %std printf %long_format', '%r = OpExtInst %u32 %std printf %short_format'),
    ('interp.switch', 'OpSwitch %yes %n\n%n = OpLabel', 'OpSwitch %c1 %n\n%n = OpLabel'),
    ('interp.type', '%r = OpBitcast %u64 %c1', '%r = OpBitcast %f32 %c1'),
    ('interp.type', '%r = OpIAddCarry %v2 %c1 %c1', '%r = OpIAddCarry %pair %c1 %c1'),
    ('interp.value', '%r = OpIAdd %u96 %wide %wide', '%r = OpIAdd %u32 %c1 %c1'),
    ('interp.value', '%r = OpIAdd %v96 %wides %wides', '%r = OpIAdd %v2 %v2c %v2c'),
    ('interp.value', '%r = OpIAdd %u32 %sub %c1', '%r = OpIAdd %u32 %c1 %c1'),
    ('interp.value', '%r = OpLoad %a_big %to_big', '%v = OpVariable %p_v4 Function\n%r = OpLoad %v4 %v'),
    ('interp.values', '%r = OpLoad %a_half %to_half\n%s = OpLoad %a_half %to_half',
     '%v = OpVariable %p_v4 Function\n%r = OpLoad %v4 %v\n%s = OpLoad %v4 %v'),
    ('interp.values', '%r = OpLoad %a_half %to_half ; by 32', '%v = OpVariable %p_v4 Function\n%r = OpLoad %v4 %v ; by 32'),
    ('interp.variable', '%v = OpUntypedVariableKHR %p_any Function', '%v = OpUntypedVariableKHR %p_any Function %u32'),
    ('interp.vla', '%m = OpSaveMemoryINTEL %p_u8\n%r = OpVariableLengthArrayINTEL %p_u8 %huge\nOpRestoreMemoryINTEL %m',
     '%m = OpSaveMemoryINTEL %p_u8\n%r = OpVariableLengthArrayINTEL %p_u8 %l1\nOpRestoreMemoryINTEL %m'),
]


def run(t, body):
    text = HEAD + (body if 'OpFunctionEnd' in body else KERNEL + body + '\n' + END)
    items = '32' if 'p_half' in body or 'by 32' in body else '1'
    return t.run('run', t.path('guard.spvasm', text), 'k', '--no-validate', '--engine', 'interpreted', '--global', items,
                 '--local', items)


SHADER = """OpCapability Shader
OpCapability VariablePointers
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %k "k" %buf %bufs
OpExecutionMode %k LocalSize 1 1 1
OpDecorate %B Block
OpMemberDecorate %B 0 Offset 0
OpMemberDecorate %B 1 Offset 4
OpDecorate %words ArrayStride 4
OpDecorate %buf Binding 0
OpDecorate %bufs Binding 1
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%fn = OpTypeFunction %void
%words = OpTypeRuntimeArray %u32
%B = OpTypeStruct %u32 %words
%c0 = OpConstant %u32 0
%c2 = OpConstant %u32 2
%two = OpTypeArray %B %c2
%p_B = OpTypePointer StorageBuffer %B
%p_two = OpTypePointer StorageBuffer %two
%none = OpConstantNull %p_two
%buf = OpVariable %p_B StorageBuffer
%bufs = OpVariable %p_two StorageBuffer
"""
SHADER_CASES = [
    ('interp.descriptor', '%r = OpAccessChain %p_B %none %c0', '%r = OpAccessChain %p_B %bufs %c0'),
    ('interp.length', '%r = OpArrayLength %u32 %buf 0', '%r = OpArrayLength %u32 %buf 1'),
]


def run_shader(t, body):
    return t.run('run', t.path('guard.spvasm', SHADER + KERNEL + body + '\n' + END), 'k', '--no-validate', '--engine',
                 'interpreted', '--groups', '1', '--bind', '0.0=u32[4]=range')


def main():
    with harness.Tool() as t:
        for rule, wrong, right in CASES:
            status, said, errors = run(t, wrong)
            t.check(status in (1, 3) and f'[{rule}]' in errors, f'{rule}: {wrong[-120:]}: {status} {errors}')
            status, said, errors = run(t, right)
            t.check(status == 0 and '[' not in errors, f'the twin of {rule}: {right[-120:]}: {status} {errors}')
        for rule, wrong, right in SHADER_CASES:
            status, said, errors = run_shader(t, wrong)
            t.check(status in (1, 3) and f'[{rule}]' in errors, f'{rule}: {wrong}: {status} {errors}')
            status, said, errors = run_shader(t, right)
            t.check(status == 0 and '[' not in errors, f'the twin of {rule}: {right}: {status} {errors}')
    return t.end()


if __name__ == '__main__':
    sys.exit(main())
