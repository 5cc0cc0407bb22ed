#!/usr/bin/env python3
"""Every half through what kernels do with halfs, as scalars and vectors, where all lanes are and behind a branch: compiled
for every width, the bits are the interpreter's.

  tests/fuzz/halfs_test.py [--build build] [--all] [--only NAME]

Widths take turns with modules, for scalars and vectors of three; with --all each module is compiled for all widths, for vectors
of every size. HEDDLE_CPU=x86-64-v3 makes it for a processor without arithmetic of halfs. Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, itertools, sys

from engine import Engine, difference
from random_module import Launch
from random_values import BOOL, INTS, Values, f, i

COUNT = 1 << 16
SIZES, WIDTHS = [1, 2, 3, 4, 8, 16], [1, 4, 8, 16, 32]
ROUNDINGS = ['', 'RTE', 'RTZ', 'RTP', 'RTN']


class Case:
    """What one instruction gives: name, and how it is written of x, y, z (of type h): (type, id)."""

    def __init__(self, name, write, sizes=SIZES):
        self.name, self.write, self.sizes = name, write, sizes


def plain_cases():
    cases = []
    def add(name, write, sizes=SIZES):
        cases.append(Case(name, write, sizes))
    def op(name, count, to=None):
        add(name, lambda m, h, v: (to(h) if to else h, m.op(m.type(to(h) if to else h), name, *v[:count])))
    def std(name, count):
        add(name, lambda m, h, v: (h, m.std(h, name, *v[:count])))
    for name in ['fabs', 'floor', 'ceil', 'trunc', 'rint', 'round', 'sqrt', 'sign', 'logb']:
        std(name, 1)
    for name in ['fmod', 'remainder', 'nextafter', 'fdim', 'copysign', 'step']:
        std(name, 2)
    for name in ['fmin', 'fmax', 'maxmag', 'minmag']:  # either of two zeros
        add(name, lambda m, h, v, name=name: (h, m.op(m.type(h), 'OpFAdd', m.std(h, name, *v[:2]), m.same(h, '0'))))
    add('fclamp', lambda m, h, v: (h, m.std(h, 'fclamp', v[0], m.same(h, '-2.5'), m.same(h, '3'))))
    std('fma', 3)
    op('OpFNegate', 1)
    for name in ['OpFAdd', 'OpFSub', 'OpFMul', 'OpFDiv', 'OpFRem', 'OpFMod']:
        op(name, 2)
    for name in ['OpIsNan', 'OpIsInf', 'OpIsFinite', 'OpIsNormal', 'OpSignBitSet']:
        op(name, 1, lambda h: ('b', 1, h[2]))
    for name in ['Equal', 'NotEqual', 'LessThan', 'GreaterThan', 'LessThanEqual', 'GreaterThanEqual']:
        op('OpFOrd' + name, 2, lambda h: ('b', 1, h[2]))
        op('OpFUnord' + name, 2, lambda h: ('b', 1, h[2]))
    op('OpOrdered', 2, lambda h: ('b', 1, h[2]))
    op('OpUnordered', 2, lambda h: ('b', 1, h[2]))
    add('ilogb', lambda m, h, v: (i(32, h[2]), m.std(i(32, h[2]), 'ilogb', v[0])))
    add('ldexp', lambda m, h, v: (h, m.std(h, 'ldexp', v[0], m.exponents(h))))
    add('chain', lambda m, h, v: (h, m.op(m.type(h), 'OpFSub', m.op(m.type(h), 'OpFMul', m.op(m.type(h), 'OpFAdd', *v[:2]), v[2]), v[0])))
    add('bits', lambda m, h, v: (i(16, h[2]), m.op(m.type(i(16, h[2])), 'OpBitcast', v[0])))
    return cases


def conversion_cases():
    cases = []
    def add(name, write, sizes=(1, 3, 16)):
        cases.append(Case(name, write, sizes))
    def converted(m, to, name, x, rounding, saturated=False):
        v = m.op(m.type(to), name, x)
        if rounding:
            m.decorations.append('OpDecorate %s FPRoundingMode %s' % (v, rounding))
        if saturated:
            m.decorations.append('OpDecorate %s SaturatedConversion' % v)
        return to, v
    for rounding in ROUNDINGS:
        for bits in INTS:
            for letter in 'SU':
                for saturated in (False, True):
                    add('ConvertFTo%s%d %s%s' % (letter, bits, rounding, ' sat' * saturated),
                        lambda m, h, v, b=bits, c=letter, r=rounding, s=saturated:
                        converted(m, i(b, h[2]), 'OpConvertFTo' + c, v[0] if s else m.inside(h, v[0], b, c), r, s))
                add('Convert%sToF %d %s' % (letter, bits, rounding),
                    lambda m, h, v, b=bits, c=letter, r=rounding:
                    converted(m, h, 'OpConvert%sToF' % c, m.integers(h[2], b), r))
        for bits in (32, 64):
            add('FConvert from %d %s' % (bits, rounding),
                lambda m, h, v, b=bits, r=rounding: converted(m, h, 'OpFConvert', m.beside(h, v[0], b), r))
    for bits in (32, 64):
        add('FConvert to %d' % bits, lambda m, h, v, b=bits: converted(m, f(b, h[2]), 'OpFConvert', v[0], ''))
    return cases


def memory_cases():
    """What is stored as halfs of floats and doubles: bits, read back."""
    cases = []
    for bits in (32, 64):
        for rounding in ROUNDINGS:
            for aligned in ('', 'a'):
                def write(m, h, v, b=bits, r=rounding, a=aligned):
                    n, place = h[2], m.op(m.pointer('Function', m.type(f(16))), 'OpBitcast', m.bytes)
                    name = 'vstore_half' if n == 1 else 'vstore%s_halfn' % a
                    m.emit('%s = OpExtInst %s %%std %s %s %s %s %s' % (
                        m.new(), m.declare('void', 'OpTypeVoid'), name + ('_r' if r else ''), m.beside(h, v[0], b),
                        m.const(i(64), 0), place, r))
                    back = f(32, n)
                    name, more = ('vload_half', []) if n == 1 else ('vload%s_halfn' % a, [n])
                    return back, m.std(back, name, m.const(i(64), 0), place, *more)
                cases.append(Case('vstore%s_half of %d %s' % (aligned, bits, rounding), write,
                                  [1, 2, 3, 4, 8, 16] if aligned == '' else [2, 3, 4, 8, 16]))
    return cases


class Halfs(Values):
    """A kernel k that stores what some cases give, of one size of vectors, each in a row of its own."""

    def __init__(self, cases, n, is_branch):
        super().__init__(n)
        self.cases, self.n_, self.is_branch = cases, n, is_branch

    def word(self, salt):
        """A u32 of the work-item's."""
        u32 = self.type(i(32))
        at = self.op(u32, 'OpBitwiseAnd', self.op(u32, 'OpIAdd', self.id32, self.const(i(32), 977 * salt)), self.const(i(32), COUNT - 1))
        p = self.op(self.pointer('CrossWorkgroup', u32), 'OpInBoundsPtrAccessChain', '%source', at)
        return self.op(u32, 'OpLoad', p, 'Aligned 4')

    def half(self, bits):
        return self.op(self.type(f(16)), 'OpBitcast', bits)

    def any_half(self, salt):
        """One of all; or a power of two, an infinity, a zero; or near x."""
        u16, b, w = self.type(i(16)), self.type(BOOL), self.word(salt)
        bits = self.op(u16, 'OpUConvert', w)
        def chosen(bit, other):
            k = self.op(self.type(i(32)), 'OpBitwiseAnd', w, self.const(i(32), 1 << bit))
            return self.op(u16, 'OpSelect', self.op(b, 'OpIEqual', k, self.const(i(32), 0)), bits, other)
        bits = chosen(17, self.op(u16, 'OpBitwiseAnd', bits, self.const(i(16), 0xfc00)))
        low = self.op(u16, 'OpBitwiseAnd', bits, self.const(i(16), 0x8003))
        return self.half(chosen(18, self.op(u16, 'OpBitwiseXor', self.id16, low)))

    def vector(self, t, parts):
        return parts[0] if len(parts) == 1 else self.op(self.type(t), 'OpCompositeConstruct', *parts)

    def exponents(self, h):
        low = [self.op(self.type(i(32)), 'OpBitwiseAnd', self.word(40 + k), self.const(i(32), 127)) for k in range(h[2])]
        parts = [self.op(self.type(i(32)), 'OpISub', x, self.const(i(32), 64)) for x in low]
        return self.vector(i(32, h[2]), parts)

    def integers(self, n, bits):
        """Of every number of digits."""
        t, parts = i(64), []
        for k in range(n):
            high, low = (self.op(self.type(t), 'OpUConvert', self.word(s + k)) for s in (60, 80))
            x = self.op(self.type(t), 'OpBitwiseOr', self.op(self.type(t), 'OpShiftLeftLogical', high, self.const(t, 32)), low)
            amount = self.op(self.type(t), 'OpBitwiseAnd', self.op(self.type(t), 'OpUConvert', self.id32), self.const(t, 63))
            x = self.op(self.type(t), 'OpShiftRightArithmetic', x, amount)
            parts.append(x if bits == 64 else self.op(self.type(i(bits)), 'OpUConvert', x))
        return self.vector(i(bits, n), parts)

    def beside(self, h, x, bits):
        """A wider float at a half, between two or close to that."""
        t, n = i(bits, h[2]), h[2]
        wide = self.op(self.type(f(bits, n)), 'OpFConvert', x)
        number = self.op(self.type(t), 'OpBitcast', wide)
        halfway = 1 << (12 if bits == 32 else 41)
        steps = []
        for k in range(n):
            w = self.word(20 + k)
            w = w if bits == 32 else self.op(self.type(i(64)), 'OpSConvert', w)
            one = i(bits)
            up = self.op(self.type(one), 'OpBitwiseAnd', w, self.const(one, halfway))
            near = self.op(self.type(one), 'OpISub', self.op(self.type(one), 'OpBitwiseAnd', w, self.const(one, 2)), self.const(one, 1))
            near = self.op(self.type(one), 'OpIMul', near, self.op(
                self.type(one), 'OpBitwiseAnd', self.op(self.type(one), 'OpShiftRightLogical', w, self.const(one, 3)), self.const(one, 1)))
            steps.append(self.op(self.type(one), 'OpIAdd', up, near))
        number = self.op(self.type(t), 'OpIAdd', number, self.vector(t, steps))
        return self.op(self.type(f(bits, n)), 'OpBitcast', number)

    def inside(self, h, x, bits, letter):
        """A half that an integer of so many bits can hold; 0 for the others."""
        least, end = (0, 2.0 ** bits) if letter == 'U' else (-2.0 ** (bits - 1), 2.0 ** (bits - 1))
        t = ('b', 1, h[2])
        same = lambda v: self.same(h, repr(v))
        ok = self.op(self.type(t), 'OpFOrdGreaterThanEqual', x, same(max(float(least), -65504.0)))
        limit = self.op(self.type(t), 'OpFOrdLessThan', x, same(min(end - 1, 65504.0))) if end < 65536 else \
            self.op(self.type(t), 'OpIsFinite', x)
        return self.op(self.type(h), 'OpSelect', self.op(self.type(t), 'OpLogicalAnd', ok, limit), x, same(0.0))

    def text(self):
        n, u64, u32 = self.n_, self.type(i(64)), self.type(i(32))
        h, global64 = f(16, n), self.pointer('CrossWorkgroup', u64)
        kind = self.declare('kernel', 'OpTypeFunction %s %s %s' % (self.declare('void', 'OpTypeVoid'), self.pointer('CrossWorkgroup', u32), global64))
        self.emit('%%k = OpFunction %s None %s' % (self.types['void'], kind))
        self.emit('%%source = OpFunctionParameter %s' % self.pointer('CrossWorkgroup', u32))
        self.emit('%%out = OpFunctionParameter %s' % global64)
        self.emit('%start = OpLabel')
        whole = self.declare('bytes', 'OpTypeArray %s %s' % (self.type(i(8)), self.const(i(32), 64)))
        self.bytes = self.op(self.pointer('Function', whole), 'OpVariable', 'Function')
        self.decorations.append('OpDecorate %s Alignment 64' % self.bytes)
        gid = self.op(u64, 'OpCompositeExtract', self.op(self.type(i(64, 3)), 'OpLoad', '%gid'), 0)
        self.id32 = self.op(u32, 'OpUConvert', gid)
        self.id16 = self.op(self.type(i(16)), 'OpUConvert', gid)
        x = self.half(self.id16)
        values = [self.vector(h, [x if k == n - 1 and s == 0 else self.any_half(3 * k + s) for k in range(n)]) for s in range(3)]
        if self.is_branch:
            odd = self.op(u32, 'OpBitwiseAnd', self.word(7), self.const(i(32), 4))
            some = self.op(self.type(BOOL), 'OpIEqual', odd, self.const(i(32), 0))
            self.emit('OpBranchConditional %s %%yes %%end' % some)
            self.emit('%yes = OpLabel')
        for k, case in enumerate(self.cases):
            t, v = case.write(self, h, values)
            at = self.op(u64, 'OpIAdd', gid, self.const(i(64), k * COUNT))
            p = self.op(global64, 'OpInBoundsPtrAccessChain', '%out', at)
            self.emit('OpStore %s %s Aligned 8' % (p, self.flat(t, v)))
        if self.is_branch:
            self.emit('OpBranch %end')
            self.emit('%end = OpLabel')
        self.emit('OpReturn')
        self.emit('OpFunctionEnd')
        ids = self.pointer('Input', self.type(i(64, 3)))
        head = ['OpCapability ' + c for c in ['Kernel', 'Addresses', 'Linkage', 'Int64', 'Int16', 'Int8', 'Float16', 'Float64', 'Vector16']]
        head += ['%std = OpExtInstImport "OpenCL.std"', 'OpMemoryModel Physical64 OpenCL', 'OpEntryPoint Kernel %k "k" %gid',
                 'OpExecutionMode %k ContractionOff', 'OpDecorate %gid BuiltIn GlobalInvocationId'] + self.decorations
        return '\n'.join(head + self.decls + ['%%gid = OpVariable %s Input' % ids] + self.body) + '\n'


def judge(engine, module, widths):
    """Names of cases that differ, with the first difference."""
    launch = Launch([COUNT], [64], [(4, COUNT, 5), (8, len(module.cases) * COUNT, None)])
    program, wrong = engine.open(engine.assemble(module.text())), {}
    want = engine.run(program, launch, 8, interpreted=True)[1]
    for width in widths:
        got = engine.run(program, launch, width)[1]
        for k, case in enumerate(module.cases):
            part = slice(8 * k * COUNT, 8 * (k + 1) * COUNT)
            if got[part] != want[part]:
                one = Launch([COUNT], [64], [(8, COUNT, None)])
                wrong.setdefault(case.name, '%d lanes: %s' % (width, difference(one, [want[part]], [got[part]])))
    engine.close(program)
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default='build')
    parser.add_argument('--all', action='store_true')
    parser.add_argument('--only', default='')
    o = parser.parse_args()
    engine, passed, failed = Engine(o.build), 0, 0
    cases = [c for c in plain_cases() + conversion_cases() + memory_cases() if o.only in c.name]
    turn = itertools.cycle(WIDTHS)
    for n in SIZES if o.all else [1, 3]:
        for is_branch in (False, True):
            of = [c for c in cases if n in c.sizes]
            for k in range(0, len(of), 12):
                some = of[k:k + 12]
                wrong = judge(engine, Halfs(some, n, is_branch), WIDTHS if o.all else [next(turn)])
                passed += len(some) - len(wrong)
                failed += len(wrong)
                for name, what in wrong.items():
                    print('FAILED %s of %d%s: %s' % (name, n, ' behind a branch' * is_branch, what), flush=True)
    print('%d passed, %d failed, 0 skipped' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
