#!/usr/bin/env python3
"""The assembly language, item by item, by heddle as and heddle dis: language_test.py [--build FOLDER].

Where SPIRV-Tools is installed (Debian's package spirv-tools) the same texts go through spirv-as and spirv-dis, and must
give the same words and the same text; docs/assembly.md lists where the two differ. Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import os
import re
import shutil
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tool'))
import harness  # noqa: E402

SAMPLE = r'''; a comment
               OpCapability Kernel ; behind an instruction
   OpCapability Addresses
OpCapability Int64
OpCapability Int8
OpCapability Float16
OpCapability Float64
%ext = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %main "main"
OpName %main "ma in"
OpName %q "a.b"
OpName %p "a b"
OpName %s "str\"uct\\ é"
OpMemberName %s 0 ""
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%i64 = OpTypeInt 64 1
%i16 = OpTypeInt 16 1
%f16 = OpTypeFloat 16
%f32 = OpTypeFloat 32
%f64 = OpTypeFloat 64
%s = OpTypeStruct %u32 %f32
%ptr = OpTypePointer CrossWorkgroup %s
%v4 = OpTypeVector %f32 4
%a = OpConstant %u32 0xDEADBEEF
%b = OpConstant %i64 -0x10
%c = OpConstant %f16 0x1.8p-3
%d = OpConstant %f32 -1.25e-3
%e = OpConstant %f64 0x1.921fb54442d18p+1
%g = OpConstant %i16 -300
%h = OpConstant %f32 1
%i = OpConstant %u64 18446744073709551615
%fn = OpTypeFunction %void %ptr %u64
%main = OpFunction %void None %fn
%p = OpFunctionParameter %ptr
%q = OpFunctionParameter %u64
%l = OpLabel
OpSwitch %q %y 4294967296 %x 7 %x
%x = OpLabel
OpBranch %y
%y = OpLabel
OpReturn OpFunctionEnd
'''
# Type, literal, words behind the result.
LITERALS = (
    ('OpTypeInt 32 0', '0xDEADBEEF', [0xdeadbeef]), ('OpTypeInt 32 0', '+7', [7]), ('OpTypeInt 32 1', '-1', [0xffffffff]),
    ('OpTypeInt 32 0', '017', [15]), ('OpTypeInt 8 0', '255', [255]), ('OpTypeInt 8 1', '-128', [0xffffff80]),
    ('OpTypeInt 16 1', '-300', [0xfffffed4]), ('OpTypeInt 16 1', '0xffff', [0xffffffff]),
    ('OpTypeInt 64 0', '18446744073709551615', [0xffffffff, 0xffffffff]), ('OpTypeInt 64 1', '-0x10', [0xfffffff0, 0xffffffff]),
    ('OpTypeFloat 16', '0x1.8p-3', [0x3200]), ('OpTypeFloat 16', '-0x1p-24', [0x8001]), ('OpTypeFloat 16', '0x1p+16', [0x7c00]),
    ('OpTypeFloat 16', '-2.5', [0xc100]), ('OpTypeFloat 32', '-1.25e-3', [0xbaa3d70a]), ('OpTypeFloat 32', '1', [0x3f800000]),
    ('OpTypeFloat 32', '0x1.8p+128', [0x7fc00000]), ('OpTypeFloat 32', '0x1p-149', [1]), ('OpTypeFloat 32', '-.5', [0xbf000000]),
    ('OpTypeFloat 64', '0x1.921fb54442d18p+1', [0x54442d18, 0x400921fb]), ('OpTypeFloat 64', '1e300', [0x3c00759c, 0x7e37e43c][::-1] and
                                                                           list(struct.unpack('<2I', struct.pack('<d', 1e300)))),
    ('OpTypeFloat 64', '0x1p-1074', [1, 0]), ('OpTypeFloat 32', '!0x7f800001', [0x7f800001]), ('OpTypeInt 64 0', '!1 !2', [1, 2]),
)
# An instruction with OpString's text, and its bytes.
STRINGS = (('""', b''), ('"abc"', b'abc'), ('"abcd"', b'abcd'), (r'"a \"b\" \\ c"', rb'a "b" \ c'), ('"; no comment"', b'; no comment'),
           ('"a\nb"', b'a\nb'), ('"é"', 'é'.encode()), (r'"\n"', b'n'), ('"%1 = OpNop"', b'%1 = OpNop'))


# Float types: bits of exponent and fraction, bias; what is behind the numbers: infinities and NaN with the highest exponent,
# a NaN with the highest number of all, nothing.
FLOATS = (('16', 5, 10, 15, 'infinity'), ('16 BFloat16KHR', 8, 7, 127, 'infinity'), ('8 Float8E4M3EXT', 4, 3, 7, 'nan'),
          ('8 Float8E5M2EXT', 5, 2, 15, 'infinity'), ('6 Float6E2M3EXT', 2, 3, 1, ''), ('6 Float6E3M2EXT', 3, 2, 3, ''),
          ('4 Float4E2M1EXT', 2, 1, 1, ''))


def small_floats(t, assemble, dis):
    """All numbers of each type in decimal and in hexadecimal, what lies between two, and what is too large."""
    def value_of(bits, exponent_bits, fraction_bits, bias):
        exponent, fraction = bits >> fraction_bits, bits & ((1 << fraction_bits) - 1)
        if exponent == 0:
            return fraction * 2.0 ** (1 - bias - fraction_bits)
        return (fraction + (1 << fraction_bits)) * 2.0 ** (exponent - bias - fraction_bits)

    for kind, exponent_bits, fraction_bits, bias, behind in FLOATS:
        count = 1 << (exponent_bits + fraction_bits)
        count -= 1 << fraction_bits if behind == 'infinity' else behind == 'nan'
        sign = 1 << (exponent_bits + fraction_bits)
        values = [value_of(bits, exponent_bits, fraction_bits, bias) for bits in range(count)]
        some = range(0, count, 1 if count < 300 else 37)
        some = sorted({*some, count - 2, count - 1})
        for style in (lambda x: f'{x:.17g}', float.hex):
            text = f'%1 = OpTypeFloat {kind}\n' + ''.join(f'%a{i} = OpConstant %1 {style(values[i])}\n%b{i} = OpConstant %1 -{style(values[i])}\n' for i in some)
            made = assemble(text, peer=False)
            got = [w[3] for w in insts(made)[1:]] if made else []
            t.check(got == [w for i in some for w in (i, i | sign)], f'numbers of {kind}: {got[:4]} … {got[-4:]}')
            t.check(made and assemble(dis(made, peer=False), peer=False) == made, f'numbers of {kind} come back')
        step = values[-1] - values[-2]
        for literal, want in ((f'{values[-1] + step / 2:.9g}', count - 1), (f'{values[1] / 2:.9g}', 0), (f'-{values[-1] + step / 2:.9g}', (count - 1) | sign),
                              (f'{values[-1] + step:.9g}', None), (f'-{values[-1] + step:.9g}', None), (f'{values[-1] * 2:.9g}', None), ('1e39', None),
                              (float.hex(values[-1] * 4), (count if behind == 'infinity' else None))):
            if 'e+38' in literal and literal.startswith('6'):
                continue  # no number of 32 bits either
            made = assemble(f'%1 = OpTypeFloat {kind}\n%2 = OpConstant %1 {literal}\n', peer=False)
            t.check((insts(made)[1][3] if made else None) == want, f'{literal} of {kind}: {made and insts(made)[1]}, not {want}')
        for bits in range(count, sign):  # infinities and NaN come back
            made = assemble(f'%1 = OpTypeFloat {kind}\n%2 = OpConstant %1 !{bits}\n', peer=False)
            t.check(assemble(dis(made, peer=False), peer=False) == made, f'{bits:#x} of {kind} comes back')
    for literal, want in (('1.984375', 127), ('1.99', 127), ('2', None), ('-2', 0x80), ('-2.01', 0x80), ('-2.1', None), ('0.5', 32)):
        made = assemble(f'%1 = OpTypeFloat 8 MXInt8EXT\n%2 = OpConstant %1 {literal}\n', peer=False)
        t.check((insts(made)[1][3] if made else None) == want, f'{literal} of MXInt8EXT: {made and insts(made)[1]}')


def hash_of(name):
    """An order that is the same each time."""
    return sum((k + 1) * 7919 * ord(c) for k, c in enumerate(name)) * 2654435761 % 2**32


def words_of(data):
    return list(struct.unpack(f'<{len(data) // 4}I', data))


def main():
    with harness.Tool() as t:
        peers = shutil.which('spirv-as') and shutil.which('spirv-dis')
        if not peers:
            t.skipped += 1

        def call(*args, text=None):
            p = subprocess.run(args, capture_output=True, input=text.encode() if isinstance(text, str) else text)
            return p.returncode, p.stdout, p.stderr.decode('utf-8', 'replace')

        def assemble(text, *options, peer=True):
            """The module's words, which SPIRV-Tools agrees to; None when the text is wrong."""
            code, out, said = call(t.heddle, 'as', *options, '-o', '-', text=text)
            if peers and peer:
                other = call('spirv-as', *options, '-o', '-', '-', text=text)
                t.check((other[0] == 0) == (code == 0) and (code or other[1] == out), f'as spirv-as: {text}: {said}{other[2]}')
            return words_of(out) if code == 0 else None

        def dis(module, *options, peer=True):
            code, out, said = call(t.heddle, 'dis', *options, text=struct.pack(f'<{len(module)}I', *module))
            t.check(code == 0, f'dis {options}: {said}')
            if peers and peer:
                other = call('spirv-dis', *options, text=struct.pack(f'<{len(module)}I', *module))
                t.check(other[1] == out, f'as spirv-dis {options}: {out.decode()}')
            return out.decode()

        # The whole, with all options that the installed peer has.
        module = assemble(SAMPLE)
        for options in ([], ['--raw-id'], ['--no-indent'], ['--no-header'], ['--color'], ['--color', '--raw-id', '--no-indent']):
            dis(module, *options)
        # Ids by name: OpName with what no name can have replaced, numbered where two are alike; types and constants.
        text = dis(module)
        for line in ('%a_b_0 = OpFunctionParameter %_ptr_CrossWorkgroup_str_uct____', '%a_b = OpFunctionParameter %ulong',
                     '%uint_3735928559 = OpConstant %uint 3735928559', '%long_n16 = OpConstant %long -16',
                     '%half_0x1_8pn3 = OpConstant %half 0x1.8p-3', '%v4float = OpTypeVector %float 4', 'OpEntryPoint Kernel %ma_in "main"'):
            t.check(line in text, f'friendly: {line}')
        raw = dis(module, '--raw-id', '--no-indent', '--no-header')
        t.check(not re.search('%[^0-9]', raw) and '%1 = OpExtInstImport' in raw, 'raw ids')
        t.check(raw.startswith('OpCapability Kernel\n'), 'no header, no indentation')
        t.check(text.startswith('; SPIR-V\n; Version: 1.6\n; Generator: Khronos SPIR-V Tools Assembler; 0\n; Bound: '), 'header')
        # Numeric ids, kept and not.
        text = '%10 = OpTypeVoid\n%b = OpTypeBool\n%2 = OpTypeFunction %10\n%c = OpTypeInt 32 0\n%0x20 = OpTypeInt 32 1\n'
        t.check([w[1] for w in insts(assemble(text, '--preserve-numeric-ids', peer=False))] == [10, 1, 2, 3, 32], 'ids are preserved')
        t.check([w[1] for w in insts(assemble(text))] == [1, 2, 3, 4, 5], 'ids are numbered')
        t.check(assemble(text, '--preserve-numeric-ids', peer=False)[3] == 33, 'bound of preserved ids')
        # Names of all kinds are numbered in the order in which they come, and found again.
        shapes = ['a{}', 'uint_{}', 'x{:07}', '{}', '0{}', 'n{}_of', '_{}_{}', '{:x}', 'long_name_of_a_function_{}', 'p7{}', 'z{}00', '{}_{:03}']
        names = sorted({s.format(n, n % 7) for s in shapes for n in list(range(0, 900, 3)) + [10**7, 123456789, 2**32, 99999999, 2**40 + 1]},
                       key=lambda n: hash_of(n))
        names += [f'seq_{n}' for n in range(3000)] + [f'from_{n}' for n in range(100000, 103000)] + [f'gaps_{n * n}' for n in range(500)]
        text = ''.join(f'%{n} = OpTypeVoid\n' if k % 3 else f'OpName %{n} ""\n%{n} = OpTypeVoid\n' for k, n in enumerate(names))
        text += ''.join(f'OpName %{n} "" ;\n' for n in reversed(names))
        made = insts(assemble(text))
        t.check([w[1] for w in made if w[0] & 0xffff == 19] == list(range(1, len(names) + 1)), 'names of all kinds are numbered')
        t.check([w[1] for w in made[-len(names):]] == list(range(len(names), 0, -1)), 'names of all kinds are found again')
        # Literals.
        for kind, literal, want in LITERALS:
            made = assemble(f'%1 = {kind}\n%2 = OpConstant %1 {literal}\n')
            t.check(made and insts(made)[1][3:] == want, f'{kind} {literal}: {made and insts(made)[1][3:]}')
            if made and kind != 'OpTypeFloat 64' or '!' not in literal:
                again = assemble(dis(made, peer=False))
                t.check(again == made, f'{kind} {literal} comes back')
        for kind, literal in (('OpTypeInt 8 0', '256'), ('OpTypeInt 32 0', '-1'), ('OpTypeInt 32 0', '1.5'), ('OpTypeFloat 32', 'abc'),
                              ('OpTypeInt 64 0', '18446744073709551616'), ('OpTypeInt 16 1', '-32769')):
            t.check(assemble(f'%1 = {kind}\n%2 = OpConstant %1 {literal}\n') is None, f'{kind} {literal} is refused')
        small_floats(t, assemble, dis)
        # The selector's type is that of a switch's literals.
        for bits, want in ((64, [4294967296 & 0xffffffff, 1]), (32, None)):
            made = assemble(f'%u = OpTypeInt {bits} 0\n%s = OpConstant %u 1\nOpSwitch %s %d 4294967296 %c\n')
            t.check((made and insts(made)[2][3:5]) == want, f'a switch over {bits} bits')
        # Strings.
        for literal, want in STRINGS:
            made = assemble(f'%1 = OpString {literal}\n')
            padded = want + b'\0' * (4 - len(want) % 4)
            t.check(made and insts(made)[0][2:] == words_of(padded), f'string {literal}')
            t.check(made and assemble(dis(made)) == made, f'string {literal} comes back')
        # Words as they are: what follows in the instruction is numbers, strings and ids without a look at the grammar.
        for text, want in (('OpCapability !6', [6]), ('OpExecutionMode %1 !17 3 4 5', [1, 17, 3, 4, 5]),
                           ('OpName %1 !0x64636261 "x" %1 !7', [1, 0x64636261, 0x78, 1, 7]), ('OpString %1', None)):
            made = assemble(text + '\n')
            t.check((insts(made)[0][1:] if made else None) == want, f'{text}: {made and insts(made)}')
        t.check(assemble('OpNop !0xffffffff\n')[5:] == [0x10000, 0xffffffff], 'a word on its own')
        made = assemble('%2 = OpConstant !1 %2 42\n')
        t.check(made and insts(made)[0][1] == 1, 'a type by number')
        # What the grammar does not have.
        text = 'OpUnknown(65000, 3) 42 99\n'
        made = assemble(text, peer=False)
        t.check(insts(made) == [[65000 | 3 << 16, 42, 99]], 'OpUnknown to words')
        t.check(text.strip() in dis(made, '--unknown', peer=False), 'and back')
        t.check(call(t.heddle, 'dis', text=struct.pack(f'<{len(made)}I', *made))[0] == 1, 'and not without being asked')
        # White space, comments, ends of lines, instructions that share one.
        want = assemble('%1 = OpTypeVoid\n%2 = OpTypeFunction %1\n')
        for text in ('%1 = OpTypeVoid %2 = OpTypeFunction %1', '%1;x = OpNothing\n = OpTypeVoid\n%2 = OpTypeFunction %1; and so on, for long\n',
                     '%1\t=\r\n  OpTypeVoid ; x %9\n%2 =\n\nOpTypeFunction\n%1',
                     ';"\n%1 = OpTypeVoid;"\n;\n%2 = OpTypeFunction %1;'):
            t.check(assemble(text) == want, f'white space: {text!r}')
        for text in ('OpNo\\;\\;p and some more words\n', '%1\\;x = OpNothing at all, really\n', '%1\\;x = OpTypeVoid and more of it\n'):
            t.check(assemble(text) is None, f'a semicolon behind a backslash: {text!r}')
        # Errors name the line and column of the token.
        for text, place in (('OpNop\n  OpNonsense\n', '2:3'), ('OpCapability Kernl\n', '1:14'), ('%1 OpTypeVoid\n', '1:4'),
                            ('OpMemoryModel Physical64\n', '2:1'), ('%1 = OpTypeInt 32 x\n', '1:19'), ('OpStore %a %b Volatile|Foo\n', '1:15'),
                            ('%1 = OpString "open\n', '1:15')):
            said = call(t.heddle, 'as', '-o', '-', text=text)[2]
            t.check(f'<stdin>:{place}: error:' in said, f'{text!r}: {said}')
        # Offsets, headings, colours, order.
        text = dis(module, '--offsets', '--no-indent', '--raw-id', '--no-header', peer=False)
        at, want = 20, []
        for w in insts(module):
            want.append(at)
            at += 4 * len(w)
        t.check([int(x, 16) for x in re.findall(r'; (0x[0-9a-f]{8})', text)] == want, 'offsets')
        colours = dis(module, '--color', '--no-header')
        t.check(re.sub('\x1b\\[[0-9;]*m', '', colours) == dis(module, '--no-header'), 'colours change nothing else')
        for part in ('\x1b[34m%void\x1b[0m = OpTypeVoid', 'OpTypeVector \x1b[33m%float\x1b[0m \x1b[31m4', '"\x1b[32mmain\x1b[0m"'):
            t.check(part in re.sub('(\x1b\\[3\\dm) +', '\\1', colours), f'results, ids, numbers and strings have their colours: {part!r}')
        headings = dis(module, '--comment', peer=False)
        for heading in ('; Debug Information', '; Types, variables and constants', '; Function ma_in'):
            t.check(heading in headings, f'heading {heading}')
        for options in (['--nested-indent'], ['--reorder-blocks'], ['--nested-indent', '--reorder-blocks', '--comment', '--offsets']):
            shown = dis(module, *options, peer=False)
            t.check(assemble(shown, peer=False) is not None, f'what {options} shows assembles')
        # Either endianness, and a module from text.
        swapped = struct.pack(f'>{len(module)}I', *module)
        t.check(call(t.heddle, 'dis', text=swapped)[1] == call(t.heddle, 'dis', text=struct.pack(f'<{len(module)}I', *module))[1],
                'the other endianness')
        # Versions.
        for name, version in (('spv1.0', 0x10000), ('spv1.6', 0x10600), ('opencl2.2', 0x10200), ('vulkan1.1', 0x10300), ('opencl1.2embedded', 0x10000)):
            t.check(assemble('OpNop\n', '--target-env', name)[1] == version, f'--target-env {name}')
    return t.end()


def insts(words):
    """Words of each instruction."""
    out, at = [], 5
    while at < len(words):
        out.append(words[at:at + (words[at] >> 16)])
        at += words[at] >> 16
    return out


if __name__ == '__main__':
    sys.exit(main())
