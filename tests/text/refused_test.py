#!/usr/bin/env python3
"""Each finding of the assembler and the disassembler: a text or words that it is about, and a twin without it.

  tests/text/refused_test.py [--build FOLDER]

SPDX-License-Identifier: MIT
"""
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tool'))
import harness  # noqa: E402

CONSTANTS = '%i = OpTypeInt 32 0\n%h = OpTypeFloat 16\n%v = OpTypeVector %i 2\n%c = OpConstant %i 1\n'
SETS = '%s = OpExtInstImport "OpenCL.std"\n%n = OpExtInstImport "NonSemantic.Mine"\n%f = OpTypeFloat 32\n%o = OpConstant %f 1\n'

# rule, what stands before both, a text that is refused, one like it that is not
TEXTS = [
    ('as.syntax', '', 'Kernel OpCapability', 'OpCapability Kernel'),
    ('as.syntax', '', '%v OpTypeVoid', '%v = OpTypeVoid'),
    ('as.syntax', '', '%v', '%v = OpTypeVoid'),
    ('as.syntax', '', '%v =', '%v = OpTypeVoid'),
    ('as.opcode', '', '%v = TypeVoid', '%v = OpTypeVoid'),
    ('as.opcode', '', 'OpCapabilities Kernel', 'OpCapability Kernel'),
    ('as.enumerant', '', 'OpCapability Kernels', 'OpCapability Kernel'),
    ('as.operands', '', 'OpMemoryModel Physical64', 'OpMemoryModel Physical64 OpenCL'),
    ('as.operands', '', 'OpMemoryModel Physical64\nOpNop', 'OpMemoryModel Physical64 OpenCL\nOpNop'),
    ('as.result', '', 'OpTypeVoid', '%v = OpTypeVoid'),
    ('as.result', '', '%k = OpCapability Kernel', 'OpCapability Kernel'),
    ('as.id', '', 'OpName main "main"', 'OpName %main "main"'),
    ('as.id', '', 'OpName %ma-in "main"', 'OpName %ma_in "main"'),
    ('as.string', '', 'OpExtension SPV_KHR_a', 'OpExtension "SPV_KHR_a"'),
    ('as.string', '', 'OpExtension "SPV_KHR_a', 'OpExtension "SPV_KHR_a"'),
    ('as.string', '', '%%t = OpString "%s"' % ('a' * 262144), '%%t = OpString "%s"' % ('a' * 262100)),
    ('as.immediate', '', 'OpCapability !6x', 'OpCapability !6'),
    ('as.immediate', '', '!0x20011 !6 =', '!0x20011 !6'),
    ('as.type', CONSTANTS, '%i = OpTypeInt 64 0', '%j = OpTypeInt 64 0'),
    ('as.type', '', '%b = OpTypeFloat 32 BFloat16KHR', '%b = OpTypeFloat 16 BFloat16KHR'),
    ('as.id', CONSTANTS, '%p = OpTypePointer Function %i\n%q = OpVariable %p Function\n%r" = OpUndef %i\nOpNop\nOpNop\nOpNop',
     '%p = OpTypePointer Function %i\n%q = OpVariable %p Function\n%r = OpUndef %i\nOpNop\nOpNop\nOpNop'),
    ('as.enumerant', CONSTANTS, 'OpDecorate %i BuiltIn\x01WorkDim\nOpNop\nOpNop\nOpNop',
     'OpDecorate %i BuiltIn WorkDim\nOpNop\nOpNop\nOpNop'),
    ('as.enumerant', CONSTANTS, 'OpStore %c %c\n%d = op\nOpNop\nOpNop\nOpNop',
     'OpStore %c %c\n%d = OpUndef %i\nOpNop\nOpNop\nOpNop'),
    ('as.enumerant', CONSTANTS, '%f = OpFunction %i Inline|Pur %c\nOpNop\nOpNop\nOpNop',
     '%f = OpFunction %i Inline|Pure %c\nOpNop\nOpNop\nOpNop'),
    ('as.constant-type', CONSTANTS, '%d = OpConstant %v 1', '%d = OpConstant %i 1'),
    ('as.number', CONSTANTS, '%d = OpConstant %i -1', '%d = OpConstant %i 1'),
    ('as.number', CONSTANTS, '%d = OpConstant %i 4294967296', '%d = OpConstant %i 4294967295'),
    ('as.number', CONSTANTS, '%d = OpConstant %h one', '%d = OpConstant %h 1'),
    ('as.switch', CONSTANTS, 'OpSwitch %later %x 1 %y\n%later = OpIAdd %i %c %c',
     '%later = OpIAdd %i %c %c\nOpSwitch %later %x 1 %y'),
    ('as.spec-op', CONSTANTS, '%d = OpSpecConstantOp %i Add %c %c', '%d = OpSpecConstantOp %i IAdd %c %c'),
    ('as.spec-op', CONSTANTS, '%d = OpSpecConstantOp %i Load %c', '%d = OpSpecConstantOp %i SNegate %c'),
    ('as.spec-op', CONSTANTS, '%d = OpSpecConstantOp %i OpIAdd %c %c', '%d = OpSpecConstantOp %i IAdd %c %c'),
    ('as.spec-op', CONSTANTS, '%d = OpSpecConstantOp %i\tOpLoad %c', '%d = OpSpecConstantOp %i\tSNegate %c'),
    ('as.operands', CONSTANTS, '%d = OpSpecConstantOp %i ; SNegate %c\n OpNop', '%d = OpSpecConstantOp %i SNegate %c ; %i\n OpNop'),
    ('as.import', '', '%m = OpExtInstImport "OpenCL"', '%m = OpExtInstImport "OpenCL.std"'),
    ('as.import', SETS, '%s = OpExtInstImport "GLSL.std.450"', '%g = OpExtInstImport "GLSL.std.450"'),
    ('as.import', SETS, '%d = OpExtInst %f %o cos %o', '%d = OpExtInst %f %s cos %o'),
    ('as.extended-instruction', SETS, '%d = OpExtInst %f %s cosine %o', '%d = OpExtInst %f %s cos %o'),
    ('as.extended-instruction', SETS, '%d = OpExtInst %f %n cos %o', '%d = OpExtInst %f %n 14 %o'),
    ('as.unknown', '', 'OpUnknown 65535 1', 'OpUnknown(65535, 1)'),
    ('as.unknown', '', 'OpUnknown(65535, 3) 1', 'OpUnknown(65535, 3) 1 2'),
    ('as.unknown', '', 'OpUnknown(65535, 0)', 'OpUnknown(65535, 1)'),
    ('as.length', '', '%s = OpTypeStruct' + ' %i' * 65534, '%s = OpTypeStruct' + ' %i' * 65533),
]

MAGIC, VOID, BOOL = 0x07230203, 2 << 16 | 19, 2 << 16 | 20
HEADER = [MAGIC, 0x10000, 0, 3, 0]

# rule, words that are refused, words like them that are not
WORDS = [
    ('dis.header', HEADER[:4], HEADER),
    ('dis.magic', [MAGIC + 1] + HEADER[1:], HEADER),
    ('dis.length', HEADER + [19], HEADER + [VOID, 1]),
    ('dis.length', HEADER + [VOID], HEADER + [VOID, 1]),
    ('dis.malformed', HEADER + [3 << 16 | 19, 1, 1], HEADER + [VOID, 1]),
    ('dis.malformed', HEADER + [2 << 16 | 17, 0xffff], HEADER + [2 << 16 | 17, 6]),
    ('dis.redefined', HEADER + [VOID, 1, BOOL, 1], HEADER + [VOID, 1, BOOL, 2]),
]


def words_file(t, words):
    path = t.path('words.spv')
    with open(path, 'wb') as f:
        f.write(struct.pack('<%dI' % len(words), *words))
    return path


def judge(t, rule, about, refused, fine):
    status, _, said = refused
    t.check(status == 1 and f'[{rule}]' in said, f'{rule}: {about}: {status} {said}')
    t.check(fine[0] == 0, f'the twin of {rule}: {about}: {fine}')


def main():
    with harness.Tool() as t:
        for rule, before, wrong, right in TEXTS:
            judge(t, rule, wrong[:80], *(t.run('as', '-o', t.path('out.spv'), '-', stdin=before + text)
                                         for text in (wrong, right)))
        for opcode in ('Add', 'OpIAdd'):
            said = t.run('as', '-o', t.path('out.spv'), '-', stdin=f'{CONSTANTS}%d = OpSpecConstantOp %i {opcode} %c %c')[2]
            t.check(f"'{opcode}' is not an opcode" in said and "hint: opcodes stand here without 'Op', as IAdd" in said, f'{opcode}: {said}')
        for rule, wrong, right in WORDS:
            judge(t, rule, wrong[5:], *(t.run('dis', words_file(t, words)) for words in (wrong, right)))
    return t.end()


if __name__ == '__main__':
    sys.exit(main())
