"""Random values: types, constants, expressions, as SPIR-V text.

What would leave an engine a choice is not made: amounts of shifts are masked, NaNs are made one before their bits are
looked at.
SPDX-License-Identifier: MIT
"""
import random

INTS = [8, 16, 32, 64]
FLOATS = [16, 32, 64]


def i(bits, n=1): return ('i', bits, n)
def f(bits, n=1): return ('f', bits, n)
BOOL = ('b', 1, 1)


class Values:
    """Text of a module under construction: declarations, and the instructions of functions."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.types, self.constants, self.decls, self.body, self.decorations, self.n = {}, {}, [], [], [], 0

    def new(self):
        self.n += 1
        return '%%v%d' % self.n

    def emit(self, text):
        self.body.append(text)

    def op(self, type_id, op, *operands):
        v = self.new()
        self.emit('%s = %s %s %s' % (v, op, type_id, ' '.join(str(o) for o in operands)))
        return v

    def declare(self, key, text):
        if key not in self.types:
            self.types[key] = '%t_' + key
            self.decls.append('%%t_%s = %s' % (key, text))
        return self.types[key]

    def type(self, t):
        kind, bits, n = t
        if n > 1:
            return self.declare('%s%dx%d' % t, 'OpTypeVector %s %d' % (self.type((kind, bits, 1)), n))
        if kind == 'b':
            return self.declare('bool', 'OpTypeBool')
        return self.declare('%s%d' % (kind, bits),
                            'OpTypeInt %d 0' % bits if kind == 'i' else 'OpTypeFloat %d' % bits)

    def pointer(self, storage, type_id):
        return self.declare('p_%s_%s' % (storage, type_id[1:]), 'OpTypePointer %s %s' % (storage, type_id))

    def const(self, t, value):
        kind, bits, n = t
        key = (t, str(value))
        if key in self.constants:
            return self.constants[key]
        type_id = self.type(t)
        if n > 1:
            parts = [self.const((kind, bits, 1), v) for v in value]
            text = 'OpConstantComposite %s %s' % (type_id, ' '.join(parts))
        elif kind == 'b':
            text = 'OpConstant%s %s' % ('True' if value else 'False', type_id)
        else:
            text = 'OpConstant %s %s' % (type_id, value)
        self.constants[key] = '%%c%d' % len(self.constants)
        self.decls.append('%s = %s' % (self.constants[key], text))
        return self.constants[key]

    def random_const(self, t):
        kind, bits, n = t
        if n > 1:
            return self.const(t, tuple(self.scalar_value(kind, bits) for _ in range(n)))
        return self.const(t, self.scalar_value(kind, bits))

    def scalar_value(self, kind, bits):
        r = self.r
        if kind == 'b':
            return r.random() < 0.5
        if kind == 'f':
            return r.choice(['0', '1', '-1', '0.5', '3', '-2.5', '1000', '1e-3', '60000' if bits == 16 else '7e20', '-0.1', '-0'])
        top = 1 << bits
        return r.choice([0, 1, 2, 3, 7, bits - 1, top - 1, top // 2, top // 2 - 1, r.randrange(top)])

    # ---- values
    def random_type(self, vectors=True):
        r = self.r
        n = r.choice([1, 1, 1, 1, 2, 3, 4]) if vectors else 1
        if n == 4 and r.random() < 0.1:
            n = r.choice([8, 16])
        if r.random() < 0.7:
            return i(r.choice(INTS), n)
        return f(r.choice(FLOATS), n)

    def pick(self, pool, t):
        if pool.get(t) and self.r.random() < 0.85:
            return self.r.choice(pool[t][-6:])
        return self.random_const(t)

    def keep(self, pool, t, v):
        pool.setdefault(t, []).append(v)
        return v

    def flat(self, t, v):
        """Bits of a value as one i64; NaNs are made one."""
        kind, bits, n = t
        u64 = self.type(i(64))
        if n > 1:
            total = None
            for k in range(n):
                part = self.flat((kind, bits, 1), self.op(self.type((kind, bits, 1)), 'OpCompositeExtract', v, k))
                if total is None:
                    total = part
                else:
                    total = self.op(u64, 'OpIMul', total, self.const(i(64), 1000003))
                    total = self.op(u64, 'OpBitwiseXor', total, part)
            return total
        if kind == 'b':
            return self.op(u64, 'OpSelect', v, self.const(i(64), 1), self.const(i(64), 0))
        if kind == 'f':
            nan = self.op(self.type(BOOL), 'OpIsNan', v)
            v = self.op(self.type(t), 'OpSelect', nan, self.const(t, '7'), v)
            v = self.op(self.type(i(bits)), 'OpBitcast', v)
        return v if bits == 64 else self.op(u64, 'OpUConvert', v)

    def condition(self, pool):
        r, b = self.r, self.type(BOOL)
        if pool.get(BOOL) and r.random() < 0.3:
            return r.choice(pool[BOOL])
        if r.random() < 0.75:
            t = i(r.choice(INTS))
            op = r.choice(['OpIEqual', 'OpINotEqual', 'OpSLessThan', 'OpULessThan', 'OpSGreaterThanEqual',
                           'OpUGreaterThan'])
        else:
            t = f(r.choice(FLOATS))
            op = r.choice(['OpFOrdLessThan', 'OpFUnordGreaterThan', 'OpFOrdEqual', 'OpFUnordNotEqual', 'OpOrdered'])
        return self.keep(pool, BOOL, self.op(b, op, self.pick(pool, t), self.pick(pool, t)))

    def shift_amount(self, pool, t):
        mask = self.const(t, t[1] - 1 if t[2] == 1 else (t[1] - 1,) * t[2])
        return self.op(self.type(t), 'OpBitwiseAnd', self.pick(pool, t), mask)

    def std(self, t, name, *operands):
        return self.op(self.type(t), 'OpExtInst', '%std', name, *operands)

    def int_expr(self, pool, t):
        r, ty, a = self.r, self.type(t), self.pick(pool, t)
        kind = r.randrange(10)
        if kind < 4:
            op = r.choice(['OpIAdd', 'OpISub', 'OpIMul', 'OpBitwiseAnd', 'OpBitwiseOr', 'OpBitwiseXor', 'OpSDiv', 'OpUDiv',
                           'OpUMod', 'OpSRem', 'OpSMod'])
            return self.op(ty, op, a, self.pick(pool, t))
        if kind == 4:
            op = r.choice(['OpShiftLeftLogical', 'OpShiftRightLogical', 'OpShiftRightArithmetic'])
            return self.op(ty, op, a, self.shift_amount(pool, t))
        if kind == 5:
            if r.random() < 0.3:
                return self.bit_field(pool, t)
            return self.op(ty, r.choice(['OpNot', 'OpSNegate', 'OpBitCount', 'OpBitReverse']), a)
        if kind == 6:
            name = r.choice(['s_abs', 'clz', 'ctz', 'popcount', 'u_abs'])
            return self.std(t, name, a)
        if kind == 7:
            name = r.choice(['s_max', 's_min', 'u_max', 'u_min', 's_add_sat', 'u_add_sat', 's_sub_sat', 'u_sub_sat', 's_hadd',
                             'u_hadd', 's_rhadd', 'u_rhadd', 's_mul_hi', 'u_mul_hi', 'rotate', 's_abs_diff', 'u_abs_diff'])
            return self.std(t, name, a, self.pick(pool, t))
        if kind == 8:
            name = r.choice(['s_mad_hi', 'u_mad_hi', 's_mad_sat', 'u_mad_sat', 'bitselect'])
            return self.std(t, name, a, self.pick(pool, t), self.pick(pool, t))
        if r.random() < 0.25:
            return self.safe_add(pool, t)
        if t == i(32) and r.random() < 0.3:
            return self.dot(pool)
        if t[2] == 1 and r.random() < 0.15:
            return self.with_carry(pool, t)
        return self.convert_to_int(pool, t)

    def bit_field(self, pool, t):
        """Offset and count stay inside of the value."""
        r, u32 = self.r, self.type(i(32))
        half = t[1] // 2
        offset, count = (self.op(u32, 'OpBitwiseAnd', self.pick(pool, i(32)), self.const(i(32), half - 1)) for _ in range(2))
        if r.random() < 0.4:
            return self.op(self.type(t), 'OpBitFieldInsert', self.pick(pool, t), self.pick(pool, t), offset, count)
        return self.op(self.type(t), r.choice(['OpBitFieldSExtract', 'OpBitFieldUExtract']), self.pick(pool, t), offset, count)

    def same(self, t, value):
        return self.const(t, value if t[2] == 1 else (value,) * t[2])

    def safe_add(self, pool, t):
        """Promised not to wrap, which is true."""
        r, ty = self.r, self.type(t)
        low = self.same(t, (1 << t[1] // 2 - 1) - 1)
        a, b = (self.op(ty, 'OpBitwiseAnd', self.pick(pool, t), low) for _ in range(2))
        v = self.op(ty, r.choice(['OpIAdd', 'OpIMul']), a, b)
        for promise in r.choice([['NoSignedWrap'], ['NoUnsignedWrap'], ['NoSignedWrap', 'NoUnsignedWrap']]):
            self.decorations.append('OpDecorate %s %s' % (v, promise))
        return v

    def dot(self, pool):
        r, op = self.r, self.r.choice(['OpSDot', 'OpUDot', 'OpSUDot'])
        packed = r.random() < 0.5
        t = i(32) if packed else r.choice([i(8, 4), i(8, 2), i(16, 2), i(16, 3)])
        operands = [self.pick(pool, t), self.pick(pool, t)]
        if r.random() < 0.4:
            op += 'AccSat'
            operands.append(self.pick(pool, i(32)))
        return self.op(self.type(i(32)), op, *operands, *(['PackedVectorFormat4x8Bit'] if packed else []))

    def with_carry(self, pool, t):
        ty = self.type(t)
        pair = self.declare('pair_i%d' % t[1], 'OpTypeStruct %s %s' % (ty, ty))
        op = self.r.choice(['OpIAddCarry', 'OpISubBorrow', 'OpUMulExtended', 'OpSMulExtended'])
        both = self.op(pair, op, self.pick(pool, t), self.pick(pool, t))
        return self.op(ty, 'OpBitwiseXor', self.op(ty, 'OpCompositeExtract', both, 0), self.op(ty, 'OpCompositeExtract', both, 1))

    def convert_to_int(self, pool, t):
        r, ty, (_, bits, n) = self.r, self.type(t), t
        if r.random() < 0.6:
            other = r.choice([b for b in INTS if b != bits])
            return self.op(ty, r.choice(['OpUConvert', 'OpSConvert']), self.pick(pool, i(other, n)))
        v = self.op(ty, r.choice(['OpConvertFToS', 'OpConvertFToU']), self.pick(pool, f(r.choice(FLOATS), n)))
        return self.rounded(v, saturated=r.random() < 0.4)

    def rounded(self, v, saturated=False):
        if saturated:
            self.decorations.append('OpDecorate %s SaturatedConversion' % v)
        if self.r.random() < 0.2:
            self.decorations.append('OpDecorate %s FPRoundingMode %s' % (v, self.r.choice(['RTE', 'RTZ', 'RTP', 'RTN'])))
        return v

    def float_expr(self, pool, t):
        r, ty, a, (_, bits, n) = self.r, self.type(t), self.pick(pool, t), t
        kind = r.randrange(8)
        if kind < 3:
            op = r.choice(['OpFAdd', 'OpFSub', 'OpFMul', 'OpFDiv'] * 3 + ['OpFRem', 'OpFMod'])
            return self.op(ty, op, a, self.pick(pool, t))
        if kind == 3:
            if n > 1 and r.random() < 0.5:
                return self.op(ty, 'OpVectorTimesScalar', a, self.pick(pool, f(bits)))
            return self.op(ty, 'OpFNegate', a)
        if kind == 4:
            return self.std(t, r.choice(['fabs', 'floor', 'ceil', 'trunc', 'rint', 'sqrt', 'round']), a)
        if kind == 5:
            return self.std(t, 'fma', a, self.pick(pool, t), self.pick(pool, t))
        if kind == 6:
            number = self.same(t, r.choice(['1.5', '-3', '0.25']))
            return self.std(t, r.choice(['fmin', 'fmax', 'copysign', 'fdim']), a, number)
        if r.random() < 0.4:
            return self.rounded(self.op(ty, 'OpFConvert', self.pick(pool, f(r.choice([b for b in FLOATS if b != bits]), n))))
        return self.rounded(self.op(ty, r.choice(['OpConvertSToF', 'OpConvertUToF']), self.pick(pool, i(r.choice(INTS), n))))

    def expr(self, pool):
        r, t = self.r, self.random_type()
        kind, bits, n = t
        ty, choice = self.type(t), r.random()
        if choice < 0.08:
            v = self.op(ty, 'OpSelect', self.condition(pool), self.pick(pool, t), self.pick(pool, t)) if n == 1 else \
                self.op(ty, 'OpVectorShuffle', self.pick(pool, t), self.pick(pool, t), *[r.randrange(2 * n) for _ in range(n)])
        elif n > 1 and choice < 0.2:
            s = (kind, bits, 1)
            v = r.choice([
                lambda: self.op(ty, 'OpCompositeConstruct', *[self.pick(pool, s) for _ in range(n)]),
                lambda: self.op(ty, 'OpCompositeInsert', self.pick(pool, s), self.pick(pool, t), r.randrange(n))])()
        elif n > 1 and choice < 0.3:
            v = self.op(self.type((kind, bits, 1)), 'OpCompositeExtract', self.pick(pool, t), r.randrange(n))
            t = (kind, bits, 1)
        elif n > 1 and choice < 0.38:
            s = (kind, bits, 1)
            at = self.op(self.type(i(32)), 'OpUMod', self.pick(pool, i(32)), self.const(i(32), n))
            if r.random() < 0.5:
                v = self.op(ty, 'OpVectorInsertDynamic', self.pick(pool, t), self.pick(pool, s), at)
            else:
                v, t = self.op(self.type(s), 'OpVectorExtractDynamic', self.pick(pool, t), at), s
        elif n > 1 and choice < 0.42:
            op, of = ('OpFOrdLessThan', t) if kind == 'f' else ('OpSLessThan', t)
            c = self.op(self.type(('b', 1, n)), op, self.pick(pool, of), self.pick(pool, of))
            v = self.op(ty, 'OpSelect', c, self.pick(pool, t), self.pick(pool, t))
        else:
            v = self.int_expr(pool, t) if kind == 'i' else self.float_expr(pool, t)
        return self.keep(pool, t, v)
