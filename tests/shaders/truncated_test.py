#!/usr/bin/env python3
"""RoundingModeRTZ of floats of 16, 32 and 64 bits: what shaders compute of special and random numbers, compiled for several widths and
interpreted, is the exact result (in fractions, computed here) rounded towards zero, bit for bit.

  tests/shaders/truncated_test.py [--build build] [--seed N] [--count N]
SPDX-License-Identifier: MIT
"""
import argparse, os, random, struct, subprocess, sys, tempfile
from fractions import Fraction

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FORMS = {16: (10, 5, 'H'), 32: (23, 8, 'I'), 64: (52, 11, 'Q')}  # bits of fraction and exponent, code of struct
ENGINES = [['--width', '1'], ['--width', '4'], ['--width', '8', '--dispatch'], ['--width', '16'], ['--engine', 'interpreted']]
NAN = 'nan'


class Form:
    """Floats of a width, as their bits."""

    def __init__(self, width):
        self.width = width
        self.fraction, self.exponent, self.code = FORMS[width]
        self.sign = 1 << (width - 1)
        self.infinite = ((1 << self.exponent) - 1) << self.fraction
        self.bias = (1 << (self.exponent - 1)) - 1

    def number(self, bits):
        """Its value; NAN, or the bits of an infinity."""
        size = bits & ~self.sign
        if size > self.infinite: return NAN
        if size == self.infinite: return bits
        exponent, part = size >> self.fraction, size & ((1 << self.fraction) - 1)
        if exponent: part |= 1 << self.fraction
        value = Fraction(part) * Fraction(2) ** (max(exponent, 1) - self.bias - self.fraction)
        return -value if bits & self.sign else value

    def cut(self, x, negative_zero=False):
        """The bits of a fraction, rounded towards zero."""
        sign = self.sign if x < 0 or (x == 0 and negative_zero) else 0
        x = abs(x)
        if x == 0: return sign
        exponent = x.numerator.bit_length() - x.denominator.bit_length()
        exponent -= x < Fraction(2) ** exponent
        if exponent > self.bias: return sign | (self.infinite - 1)
        exponent = max(exponent, 1 - self.bias)
        part = int(x / Fraction(2) ** (exponent - self.fraction))
        return sign | ((exponent + self.bias - 1) << self.fraction) + part

    def pool(self, chosen):
        """Bits of a number: at the edges of the format, or any."""
        edge = [0, 1, 2, 3, (1 << self.fraction) - 1, 1 << self.fraction, (1 << self.fraction) + 1, self.infinite - 1, self.infinite - 2, self.infinite,
                self.infinite | 1 << (self.fraction - 1), self.bias << self.fraction, (self.bias << self.fraction) - 1, (self.bias << self.fraction) + 1]
        how = chosen.randrange(8)
        if how < 2: return chosen.choice(edge) | chosen.choice((0, self.sign))
        if how == 2: return chosen.getrandbits(self.width)
        if how == 3: return chosen.getrandbits(self.fraction) | chosen.choice((0, self.sign))  # below all normal ones
        near = self.bias + chosen.choice((chosen.randrange(-3, 4), chosen.randrange(-self.bias // 2, self.bias // 2)))
        fraction = chosen.getrandbits(self.fraction) if how < 6 else (1 << self.fraction) - 1 - chosen.getrandbits(2) if how == 6 else chosen.getrandbits(2)
        return max(near, 0) << self.fraction | fraction | chosen.choice((0, self.sign))


def added(form, x, y):
    a, b = form.number(x), form.number(y)
    if NAN in (a, b): return NAN
    for v, w in ((a, b), (b, a)):
        if isinstance(v, int): return NAN if isinstance(w, int) and v != w else v
    return form.cut(a + b, x & y & form.sign)


def multiplied(form, x, y):
    a, b, sign = form.number(x), form.number(y), (x ^ y) & form.sign
    if NAN in (a, b): return NAN
    if isinstance(a, int) or isinstance(b, int): return NAN if 0 in (a, b) else sign | form.infinite
    return form.cut(a * b, sign)


def divided(form, x, y):
    a, b, sign = form.number(x), form.number(y), (x ^ y) & form.sign
    if NAN in (a, b): return NAN
    if isinstance(a, int): return NAN if isinstance(b, int) else sign | form.infinite
    if isinstance(b, int): return sign
    if b == 0: return NAN if a == 0 else sign | form.infinite
    return form.cut(a / b, sign)


def fused(form, x, y, z):
    a, b, c, sign = form.number(x), form.number(y), form.number(z), (x ^ y) & form.sign
    if NAN in (a, b, c): return NAN
    if isinstance(a, int) or isinstance(b, int):
        if 0 in (a, b): return NAN
        product = sign | form.infinite
        return NAN if isinstance(c, int) and c != product else product
    if isinstance(c, int): return c
    return form.cut(a * b + c, sign & z and a * b == 0 and c == 0)


def modulo(form, x, y):
    a, b = form.number(x), form.number(y)
    if NAN in (a, b) or isinstance(a, int) or isinstance(b, int) or b == 0: return None
    return form.cut(abs(a - b * (a // b)) * (-1 if b < 0 else 1), y & form.sign)


def fract(form, x):
    a = form.number(x)
    if a is NAN or isinstance(a, int): return None
    return form.cut(a - a // 1)


def scaled(form, x, by):
    a = form.number(x)
    if a is NAN: return NAN
    if isinstance(a, int): return a
    return form.cut(a * Fraction(2) ** by, x & form.sign)


def exponent(y):
    return (y & 0xfff) - 0x800


def dot(form, x, y, z):
    """x * y + z * x, each operation rounded."""
    sides = multiplied(form, x, y), multiplied(form, z, x)
    return NAN if NAN in sides else added(form, *sides)


# Name: instructions that compute %r of %x, %y, %z, and what %r is.
CASES = {
    'FAdd': ('%r = OpFAdd %t %x %y', lambda f, x, y, z: added(f, x, y)),
    'FSub': ('%r = OpFSub %t %x %y', lambda f, x, y, z: added(f, x, y ^ f.sign) if f.number(y) is not NAN else NAN),
    'FMul': ('%r = OpFMul %t %x %y', lambda f, x, y, z: multiplied(f, x, y)),
    'FDiv': ('%r = OpFDiv %t %x %y', lambda f, x, y, z: divided(f, x, y)),
    'FMod': ('%r = OpFMod %t %x %y', lambda f, x, y, z: modulo(f, x, y)),
    'FmaKHR': ('%r = OpFmaKHR %t %x %y %z', fused),
    'Fma': ('%r = OpExtInst %t %glsl Fma %x %y %z', fused),
    'Fract': ('%r = OpExtInst %t %glsl Fract %x', lambda f, x, y, z: fract(f, x)),
    'Ldexp': ('%r = OpExtInst %t %glsl Ldexp %x %e', lambda f, x, y, z: scaled(f, x, exponent(y))),
    'apart': ('%m = OpFMul %t %x %y\n%r = OpFAdd %t %m %z', lambda f, x, y, z: NAN if multiplied(f, x, y) is NAN else added(f, multiplied(f, x, y), z)),
    'Dot': ('%u = OpCompositeConstruct %t2 %x %z\n%v = OpCompositeConstruct %t2 %y %x\n%r = OpDot %t %u %v', dot),
    'VectorTimesScalar': ('%u = OpCompositeConstruct %t2 %z %x\n%v = OpVectorTimesScalar %t2 %u %y\n%r = OpCompositeExtract %t %v 1',
                          lambda f, x, y, z: multiplied(f, x, y)),
    'MatrixTimesVector': ('%u = OpCompositeConstruct %t2 %x %z\n%v = OpCompositeConstruct %t2 %y %x\n%m = OpCompositeConstruct %t22 %u %u\n'
                          '%w = OpVectorTimesMatrix %t2 %v %m\n%r = OpCompositeExtract %t %w 1', dot),
    'OuterProduct': ('%u = OpCompositeConstruct %t2 %z %x\n%v = OpCompositeConstruct %t2 %z %y\n%m = OpOuterProduct %t22 %u %v\n'
                     '%r = OpCompositeExtract %t %m 1 1', lambda f, x, y, z: multiplied(f, x, y)),
    'AtomicFAdd': ('OpStore %to %x\n%old = OpAtomicFAddEXT %t %to %one %zero %y\n%r = OpLoad %t %to', lambda f, x, y, z: added(f, x, y)),
    'Cross': ('%u = OpCompositeConstruct %t3 %x %z %z\n%v = OpCompositeConstruct %t3 %x %y %z\n%c = OpExtInst %t3 %glsl Cross %u %v\n'
              '%r = OpCompositeExtract %t %c 2', lambda f, x, y, z: crossed(f, x, y, z)),
    'SToF': ('%r = OpConvertSToF %t %signed', lambda f, x, y, z, w: f.cut(Fraction(w - (1 << 64) if w >> 63 else w))),
    'UToF': ('%r = OpConvertUToF %t %whole', lambda f, x, y, z, w: f.cut(Fraction(w))),
    'FConvert': ('%r = OpFConvert %t %double', lambda f, x, y, z, w: converted(f, w)),
}


def crossed(form, x, y, z):
    """x * y - z * x, each operation rounded."""
    sides = multiplied(form, x, y), multiplied(form, z, x)
    return NAN if NAN in sides else added(form, sides[0], sides[1] ^ form.sign)


def converted(form, w):
    a = Form(64).number(w)
    if a is NAN: return NAN
    return (form.sign if w >> 63 else 0) | form.infinite if isinstance(a, int) else form.cut(a, w >> 63)


def shader(width, names):
    """Each invocation i computes case n from element i of the inputs, into element n * count + i of the output."""
    body = []
    for n, name in enumerate(names):
        text = CASES[name][0]
        for own in ('r', 'm', 'u', 'v', 'w', 'c', 'old', 'to'):
            text = ' '.join(f'%{own}_{n}' if word == '%' + own else word for word in text.replace('\n', ' \n ').split(' '))
        body.append(f'%at_{n} = OpIMul %uint %count %k{n}\n%to_at_{n} = OpIAdd %uint %at_{n} %i\n'
                    f'%to_{n} = OpAccessChain %p_t %out %zero %to_at_{n}\n{text}\nOpStore %to_{n} %r_{n}')
    bytes_ = width // 8
    return f'''OpCapability Shader
OpCapability Float16
OpCapability Float64
OpCapability Int64
OpCapability StorageBuffer16BitAccess
OpCapability RoundingModeRTZ
OpCapability FMAKHR
OpCapability AtomicFloat{width}AddEXT
OpExtension "SPV_KHR_float_controls"
OpExtension "SPV_KHR_fma"
OpExtension "SPV_EXT_shader_atomic_float_add"
{'OpExtension "SPV_EXT_shader_atomic_float16_add"' if width == 16 else ''}
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id %sizes %in %out %wide
OpExecutionMode %main LocalSize 32 1 1
OpExecutionMode %main RoundingModeRTZ {width}
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %sizes BuiltIn NumWorkgroups
OpDecorate %floats ArrayStride {bytes_}
OpDecorate %wholes ArrayStride 8
OpDecorate %Floats Block
OpMemberDecorate %Floats 0 Offset 0
OpDecorate %Wholes Block
OpMemberDecorate %Wholes 0 Offset 0
OpDecorate %in DescriptorSet 0
OpDecorate %in Binding 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 1
OpDecorate %wide DescriptorSet 0
OpDecorate %wide Binding 2
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%ulong = OpTypeInt 64 0
%long = OpTypeInt 64 1
%t = OpTypeFloat {width}
{'%f64 = OpTypeFloat 64' if width != 64 else ''}
%t2 = OpTypeVector %t 2
%t3 = OpTypeVector %t 3
%t22 = OpTypeMatrix %t2 2
%uint3 = OpTypeVector %uint 3
%floats = OpTypeRuntimeArray %t
%wholes = OpTypeRuntimeArray %ulong
%Floats = OpTypeStruct %floats
%Wholes = OpTypeStruct %wholes
%p_Floats = OpTypePointer StorageBuffer %Floats
%p_Wholes = OpTypePointer StorageBuffer %Wholes
%p_t = OpTypePointer StorageBuffer %t
%p_ulong = OpTypePointer StorageBuffer %ulong
%p_uint3 = OpTypePointer Input %uint3
%id = OpVariable %p_uint3 Input
%sizes = OpVariable %p_uint3 Input
%in = OpVariable %p_Floats StorageBuffer
%out = OpVariable %p_Floats StorageBuffer
%wide = OpVariable %p_Wholes StorageBuffer
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%two = OpConstant %uint 2
%c32 = OpConstant %uint 32
''' + ''.join(f'%k{n} = OpConstant %uint {n}\n' for n in range(len(names))) + f'''%main = OpFunction %void None %fn
%label = OpLabel
%ids = OpLoad %uint3 %id
%i = OpCompositeExtract %uint %ids 0
%groups = OpLoad %uint3 %sizes
%group = OpCompositeExtract %uint %groups 0
%count = OpIMul %uint %group %c32
%count2 = OpIMul %uint %count %two
%i1 = OpIAdd %uint %count %i
%i2 = OpIAdd %uint %count2 %i
%px = OpAccessChain %p_t %in %zero %i
%x = OpLoad %t %px
%py = OpAccessChain %p_t %in %zero %i1
%y = OpLoad %t %py
%pz = OpAccessChain %p_t %in %zero %i2
%z = OpLoad %t %pz
%pw = OpAccessChain %p_ulong %wide %zero %i
%whole = OpLoad %ulong %pw
%pe = OpAccessChain %p_ulong %wide %zero %i1
%le = OpLoad %ulong %pe
%e = OpSConvert %int %le
%signed = OpBitcast %long %whole
%double = OpBitcast {'%f64' if width != 64 else '%t'} %whole
''' + '\n'.join(body) + '''
OpReturn
OpFunctionEnd
'''


class Test:
    def __init__(self, build, folder):
        self.build, self.folder, self.passed, self.failed = build, folder, 0, 0

    def say(self, fine, text):
        self.passed += fine
        self.failed += not fine
        if not fine:
            print('FAILED', text)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, form, groups, engine):
        """The output's numbers, as bits."""
        p = subprocess.run([os.path.join(self.build, 'heddle'), 'run', self.path('shader.spvasm'), '--env', 'universal1.6', '--groups', str(groups),
                            '--bind', f'0.0=f{form.width}[{groups * 96}]=@' + self.path('in'), '--bind', f'0.1=f{form.width}[{groups * 32 * len(CASES)}]=zeros',
                            '--bind', f'0.2=u64[{groups * 64}]=@' + self.path('wide'), '--no-print', '--out', '0.1=' + self.path('out'), *engine],
                           capture_output=True, text=True)
        if p.returncode != 0:
            self.say(False, f'{form.width} bits, {" ".join(engine)}: {p.stderr}')
            return None
        with open(self.path('out'), 'rb') as f:
            data = f.read()
        return struct.unpack(f'<{len(data) * 8 // form.width}{form.code}', data)

    def width(self, width, groups, chosen):
        form, count, names = Form(width), groups * 32, list(CASES)
        numbers = [form.pool(chosen) for _ in range(3 * count)]
        for i in range(count):  # sums that cancel, or nearly
            if chosen.randrange(6) == 0:
                numbers[count + i] = (numbers[i] ^ form.sign) + chosen.choice((0, 0, 1, 2)) & (1 << width) - 1
        wide = [Form(64).pool(chosen) if chosen.randrange(2) else chosen.getrandbits(64) >> chosen.randrange(64) for _ in range(count)]
        with open(self.path('shader.spvasm'), 'w') as f:
            f.write(shader(width, names))
        with open(self.path('in'), 'wb') as f:
            f.write(struct.pack(f'<{3 * count}{form.code}', *numbers))
        with open(self.path('wide'), 'wb') as f:
            f.write(struct.pack(f'<{2 * count}Q', *wide, *(exponent(numbers[count + i]) & (1 << 64) - 1 for i in range(count))))
        wanted = {name: [self.value(form, name, [numbers[k * count + i] for k in range(3)], wide[i]) for i in range(count)] for name in names}
        for engine in ENGINES:
            got = self.run(form, groups, engine)
            for n, name in enumerate(names if got else []):
                wrong = [(i, w, got[n * count + i]) for i, w in enumerate(wanted[name]) if w is not None and
                         not (form.number(got[n * count + i]) is NAN if w is NAN else got[n * count + i] == w)]
                shown = ', '.join('%s of %s is %#x, not %s' % (name, ' '.join('%#x' % numbers[k * count + i] for k in range(3)), g, w if w is NAN else hex(w))
                                  for i, w, g in wrong[:4])
                self.say(not wrong, f'{width} bits, {" ".join(engine)}: {len(wrong)} of {count} wrong: {shown}')

    @staticmethod
    def value(form, name, xyz, wide):
        compute = CASES[name][1]
        return compute(form, *xyz, wide) if name in ('SToF', 'UToF', 'FConvert') else compute(form, *xyz)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument('--build', default=os.path.join(ROOT, 'build'))
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--count', type=int, default=1024)
    options = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        test = Test(os.path.abspath(options.build), folder)
        for width in FORMS:
            test.width(width, (options.count + 31) // 32, random.Random(options.seed * 100 + width))
    print('%d passed, %d failed, 0 skipped' % (test.passed, test.failed))
    return 1 if test.failed else 0


if __name__ == '__main__':
    sys.exit(main())
