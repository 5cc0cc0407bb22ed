#!/usr/bin/env python3
"""Products and components of cooperative matrices of random shapes, types, layouts and strides: compiled at every width, and
interpreted, they are what Python computes.

  tests/fuzz/matrices_test.py [--build build] [--count N] [--seed S]

N modules (default 24), others each time; --seed takes the same again. Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import argparse, os, random, struct, sys

import few
from engine import Engine, Failure, random_bytes
from first_seed import first_seed
from random_module import Launch

WIDTHS = [1, 4, 8, 16, 32]
CODES = {16: 'e', 32: 'f', 64: 'd'}
A, B, C, RESULT = range(4)


def bfloat(x):
    """The bits of the nearest bfloat16."""
    bits = struct.unpack('<I', struct.pack('<f', x))[0]
    return bits + 0x7fff + (bits >> 16 & 1) >> 16 & 0xffff


class Number:
    """A type of components: 'i', 'f' or 'b' (bfloat16), and bits."""

    def __init__(self, kind, bits):
        self.kind, self.bits, self.name = kind, bits, '%s%d' % (kind, bits)

    def declaration(self):
        return 'OpTypeInt %d 0' % self.bits if self.kind == 'i' else \
            'OpTypeFloat %d%s' % (self.bits, ' BFloat16KHR' if self.kind == 'b' else '')

    def encode(self, x):
        if self.kind == 'i':
            return (x & (1 << self.bits) - 1).to_bytes(self.bits // 8, 'little')
        if self.kind == 'b':
            return bfloat(float(x)).to_bytes(2, 'little')
        try:
            return struct.pack('<' + CODES[self.bits], float(x))
        except OverflowError:
            return struct.pack('<' + CODES[self.bits], float('inf') if x > 0 else float('-inf'))

    def constant(self, x):
        """A small number as a literal."""
        return str(x if self.kind == 'i' else float(x)) if self.kind != 'b' else '!%d' % bfloat(float(x))


class Matrix:
    """In memory: integers of `memory` bits, in a layout with a stride."""

    def __init__(self, choice, rows, columns, use, number, memory):
        self.rows, self.columns, self.use, self.number, self.memory = rows, columns, use, number, memory
        self.by_columns = choice.random() < 0.5
        self.stride = (rows if self.by_columns else columns) + choice.choice([0, 0, 1, 3])

    def at(self, row, column):
        return column * self.stride + row if self.by_columns else row * self.stride + column

    def elements(self):
        return self.stride * (self.columns if self.by_columns else self.rows)

    def read(self, data, signed):
        size = self.memory // 8
        return [[int.from_bytes(data[size * self.at(r, c):size * self.at(r, c) + size], 'little', signed=signed)
                 for c in range(self.columns)] for r in range(self.rows)]


class Case:
    def __init__(self, seed):
        self.seed, choice = seed, random.Random(seed)
        size = lambda: choice.choice([1, 2, 3, 4, 5, 7, 8, 8, 12, 16, 16, 16, 24, 32])
        m, n, k = size(), size(), size()
        self.depth, self.floats = k, choice.random() < 0.5
        self.signs = [False] * 4
        if self.floats:
            numbers = [choice.choice([Number('f', 16), Number('f', 32), Number('f', 64), Number('b', 16)]) for _ in range(4)]
            self.number = numbers[RESULT]
            self.signs, memory = [True] * 4, [8] * 3
        else:
            bits = choice.choice([[8], [8, 16, 32, 64]])
            numbers = [Number('i', choice.choice(bits)) for _ in range(2)] + [Number('i', choice.choice([8, 16, 32, 64]))]
            numbers.append(Number('i', choice.choice([32, 32, 64])))
            self.signs, memory = [choice.random() < 0.5 for _ in range(4)], [x.bits for x in numbers[:3]]
        self.saturates = not self.floats and choice.random() < 0.3
        shapes = [(m, k), (k, n), (m, n), (m, n)]
        self.m = [Matrix(choice, *shapes[i], min(i, 2), numbers[i], (memory + [numbers[3].bits])[i]) for i in range(4)]
        self.after = choice.choice(['nothing', 'nothing', 'negate', 'add', 'loop', 'insert', 'construct', 'call'])
        if self.number_is('b'):
            self.after = choice.choice(['nothing', 'loop', 'insert', 'call'])

    def number_is(self, kind):
        return self.m[RESULT].number.kind == kind

    def operands(self):
        names = ['Matrix%sSignedComponentsKHR' % x for x, s in zip(['A', 'B', 'C', 'Result'], self.signs)
                 if s and not self.floats]
        return '|'.join(names + ['SaturatingAccumulationKHR'] * self.saturates) or 'NoneKHR'

    def types(self):
        """Scalars, pointers to them, matrices in memory and in the product."""
        memory = {Number('i', x.memory).name if i < 3 else x.number.name: Number('i', x.memory) if i < 3 else x.number
                  for i, x in enumerate(self.m)}
        scalars = {x.number.name: x.number for x in self.m} | memory | {'i32': Number('i', 32)}
        lines = ['%%%s = %s' % (name, x.declaration()) for name, x in scalars.items()]
        lines += ['%%p%s = OpTypePointer CrossWorkgroup %%%s' % (name, name) for name in memory]
        for n in {x for m in self.m for x in (m.rows, m.columns, m.stride)} | {0, 1, 2, 3}:
            lines.append('%%c%d = OpConstant %%i32 %d' % (n, n))
        shapes = {}
        for i, x in enumerate(self.m):
            for name in {x.number.name, x.number.name if i == RESULT else 'i%d' % x.memory}:
                shapes['%%m%s_%d_%d_%d' % (name, x.rows, x.columns, x.use)] = (name, x)
        lines += ['%s = OpTypeCooperativeMatrixKHR %%%s %%c3 %%c%d %%c%d %%c%d' % (name, scalar, x.rows, x.columns, x.use)
                  for name, (scalar, x) in shapes.items()]
        return lines

    def type_of(self, i, number=None):
        x = self.m[i]
        return '%%m%s_%d_%d_%d' % (number or x.number.name, x.rows, x.columns, x.use)

    def load(self, i):
        x = self.m[i]
        plain = self.type_of(i, 'i%d' % x.memory)
        lines = ['%%x%d = OpCooperativeMatrixLoadKHR %s %%q%d %%c%d %%c%d' % (i, plain, i, x.by_columns, x.stride)]
        if not self.floats:
            return lines + ['%%v%d = OpCopyObject %s %%x%d' % (i, plain, i)]
        return lines + ['%%v%d = OpConvertSToF %s %%x%d' % (i, self.type_of(i), i)]

    def finish(self):
        t, op, n = self.type_of(RESULT), 'F' if self.floats else 'I', self.m[RESULT].number.name
        if self.after == 'negate':
            return ['%%w = Op%sNegate %s %%v3' % ('F' if self.floats else 'S', t)]
        if self.after == 'add':
            return ['%%w = Op%sAdd %s %%v3 %%twos' % (op, t)]
        if self.after == 'construct':
            return ['%%y = OpCompositeConstruct %s %%two' % t, '%%w = Op%sSub %s %%y %%v3' % (op, t)]
        if self.after == 'insert':
            return ['%%y = OpCompositeExtract %%%s %%v3 0' % n, '%%w = OpCompositeInsert %s %%y %%v3 0' % t]
        if self.after == 'call':
            return ['OpStore %from %v3', '%%w = OpFunctionCall %s %%same %%from %%v3' % t]
        if self.after != 'loop':
            return ['%%w = OpCopyObject %s %%v3' % t]
        return ['OpStore %from %v3', '%%n = OpCooperativeMatrixLengthKHR %%i32 %s' % t, 'OpBranch %head', '%head = OpLabel',
                '%i = OpPhi %i32 %c0 %entry %next %body', '%go = OpULessThan %bool %i %n', 'OpLoopMerge %done %body None',
                'OpBranchConditional %go %body %done', '%body = OpLabel', '%p = OpAccessChain %part %from %i',
                '%%y = OpLoad %%%s %%p' % n, '%q = OpAccessChain %part %to %i', 'OpStore %q %y', '%next = OpIAdd %i32 %i %c1',
                'OpBranch %head', '%done = OpLabel', '%%w = OpLoad %s %%to' % t]

    def text(self):
        """The module."""
        t, scalar, x = self.type_of(RESULT), self.m[RESULT].number.name, self.m[RESULT]
        capabilities = ['Kernel', 'Addresses', 'Int8', 'Int16', 'Int64', 'Float16', 'Float64', 'CooperativeMatrixKHR']
        bfloats = any(m.number.kind == 'b' for m in self.m)
        lines = ['OpCapability ' + c for c in capabilities + ['BFloat16TypeKHR', 'BFloat16CooperativeMatrixKHR'] * bfloats]
        lines += ['OpExtension "SPV_KHR_cooperative_matrix"'] + ['OpExtension "SPV_KHR_bfloat16"'] * bfloats
        lines += ['OpMemoryModel Physical64 OpenCL', 'OpEntryPoint Kernel %k "k"', '%void = OpTypeVoid', '%bool = OpTypeBool']
        lines += self.types()
        lines += ['%%var = OpTypePointer Function %s' % t, '%%part = OpTypePointer Function %%%s' % scalar]
        if self.after in ('add', 'construct'):
            lines += ['%%two = OpConstant %%%s %s' % (scalar, x.number.constant(2)), '%%twos = OpConstantComposite %s %%two' % t]
        lines += ['%%fs = OpTypeFunction %s %%var %s' % (t, t)]
        lines += ['%%fn = OpTypeFunction %%void %s' % ' '.join(
            '%%p%s' % ('i%d' % m.memory if i < 3 else scalar) for i, m in enumerate(self.m))]
        lines += ['%k = OpFunction %void None %fn']
        lines += ['%%q%d = OpFunctionParameter %%p%s' % (i, 'i%d' % m.memory if i < 3 else scalar) for i, m in enumerate(self.m)]
        lines += ['%entry = OpLabel'] + ['%from = OpVariable %var Function', '%to = OpVariable %var Function'] * (self.after in ('loop', 'call'))
        lines += [line for i in range(3) for line in self.load(i)]
        lines += ['%%v3 = OpCooperativeMatrixMulAddKHR %s %%v0 %%v1 %%v2 %s' % (t, self.operands())]
        lines += self.finish()
        lines += ['OpCooperativeMatrixStoreKHR %%q3 %%w %%c%d %%c%d' % (x.by_columns, x.stride), 'OpReturn', 'OpFunctionEnd', '']
        if self.after == 'call':
            lines += ['%%same = OpFunction %s None %%fs' % t, '%place = OpFunctionParameter %var', '%%value = OpFunctionParameter %s' % t,
                      '%start = OpLabel', '%%there = OpLoad %s %%place' % t, 'OpStore %place %value', '%%back = OpLoad %s %%place' % t,
                      '%%z = Op%sSub %s %%there %%value' % ('F' if self.floats else 'I', t) if not self.number_is('b') else '',
                      '%%sum = Op%sAdd %s %%z %%back' % ('F' if self.floats else 'I', t) if not self.number_is('b') else
                      '%%sum = OpCopyObject %s %%back' % t, 'OpReturnValue %sum', 'OpFunctionEnd', '']
        return '\n'.join(lines)

    def launch(self):
        buffers = [(m.memory // 8, m.elements(), self.seed + i if i < 3 else None) for i, m in enumerate(self.m)]
        return Launch([32], [32], buffers)

    def element(self, row, column, v):
        """Of the product, rounded to the result's type where it is one of floats."""
        total, bits = sum(v[A][row][k] * v[B][k][column] for k in range(self.depth)), self.m[RESULT].number.bits
        if self.saturates:
            low, high = (-1 << bits - 1, (1 << bits - 1) - 1) if self.signs[RESULT] else (0, (1 << bits) - 1)
            wrap = lambda x: (x - low) % (1 << bits) + low
            exact = wrap(total) == total
            return min(max(wrap(total) + wrap(v[C][row][column]), low), high) if exact else None
        return total + v[C][row][column]

    def expected(self):
        """The result's memory; None for elements that have no defined value."""
        v = [m.read(random_bytes(m.memory // 8, m.elements(), self.seed + i), self.signs[i]) for i, m in enumerate(self.m[:3])]
        x = self.m[RESULT]
        memory = [x.number.encode(0)] * x.elements()
        for row in range(x.rows):
            for column in range(x.columns):
                n = self.element(row, column, v)
                if n is None or (self.floats and x.number.bits == 16 and self.after in ('add', 'construct', 'call')):
                    memory[x.at(row, column)] = None  # rounded twice, or infinity less infinity
                    continue
                n = {'negate': -n, 'add': n + 2, 'construct': 2 - n}.get(self.after, n)
                memory[x.at(row, column)] = x.number.encode(-0.0 if n == 0 and self.floats and self.after == 'negate' else n)
        return memory

    def result(self, engine, program, width, **how):
        return engine.run(program, self.launch(), width, **how)[RESULT]


def wrong(case, got):
    """None, or which element is not what it should be."""
    size = case.m[RESULT].memory // 8
    for i, want in enumerate(case.expected()):
        if want is not None and got[size * i:size * i + size] != want:
            return 'element %d is %s, not %s' % (i, got[size * i:size * i + size].hex(), want.hex())
    return None


def judge(engine, case, seed):
    """None, or what is wrong: interpreted, and compiled in a form that the seed chooses."""
    choice = random.Random(seed)
    try:
        program = few.open_quick(engine, engine.assemble(case.text()), few.is_quick(seed))
    except Failure as e:
        return str(e)
    try:
        for width in WIDTHS:
            for how in [dict(interpreted=True), choice.choice([dict(), dict(), dict(dispatch=True), dict(calls=True)])]:
                what = wrong(case, case.result(engine, program, width, **how))
                if what:
                    return 'width %d, %s: %s' % (width, how or 'compiled', what)
    except Failure as e:
        return 'width %d: %s' % (width, e)
    finally:
        engine.close(program)
    return None


def main(kind):
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default='build')
    parser.add_argument('--count', type=int, default=24)
    parser.add_argument('--seed', type=int, default=first_seed(1 << 24) * 1000)
    parser.add_argument('--keep', default=None, help='folder for modules that fail')
    o = parser.parse_args()
    print('--seed %d' % o.seed, flush=True)
    engine, failed = Engine(o.build), 0
    for seed in range(o.seed, o.seed + o.count):
        case = kind(seed)
        what = judge(engine, case, seed)
        if what:
            failed += 1
            print('FAILED --seed %d --count 1: %s' % (seed, what), flush=True)
            if o.keep:
                os.makedirs(o.keep, exist_ok=True)
                with open(os.path.join(o.keep, '%d.spvasm' % seed), 'w') as out:
                    out.write(case.text())
    print('%d passed, %d failed, 0 skipped' % (o.count - failed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(Case))
