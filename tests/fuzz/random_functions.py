"""Random extended instructions, comparisons of floats, casts: those whose results the specification fixes.

NaNs are made one, or taken away, where a result would tell which one it was.
SPDX-License-Identifier: MIT
"""
from random_memory import BYTES, size
from random_values import BOOL, FLOATS, INTS, f, i

MODES = ['RTE', 'RTZ', 'RTP', 'RTN']


class Functions:
    """To be mixed into a module."""

    # ---- floats
    def finite(self, t, v):
        """The value, or 7 where it is not a number or infinite."""
        good = self.op(self.type(('b', 1, t[2])), 'OpIsFinite', v)
        return self.op(self.type(t), 'OpSelect', good, v, self.same(t, '7'))

    def exact_float(self, pool, t):
        """Functions that round right, or not at all."""
        r, (_, bits, n), a = self.r, t, self.pick(pool, t)
        kind, words = r.randrange(7), i(32, n)
        if kind == 0:
            return self.std(t, r.choice(['sign', 'logb']), a)
        if kind == 1:
            return self.std(t, r.choice(['fmod', 'remainder', 'nextafter']), a, self.pick(pool, t))
        if kind == 2:
            return self.std(t, r.choice(['maxmag', 'minmag', 'step']), self.same(t, r.choice(['1.5', '-3', '0.25'])), self.plain(t, a))
        if kind == 3:
            return self.std(t, 'fclamp', self.plain(t, a), self.same(t, '-2.5'), self.same(t, '3'))
        if kind == 4:
            return self.std(t, 'ldexp', a, self.pick(pool, words))
        if kind == 5:
            parts = r.choice(['modf', 'fract'])
            place = self.op(self.pointer('Function', self.type(t)), 'OpBitcast', self.bytes)
            v = self.std(t, parts, self.plain(t, a), place) if size(t) <= BYTES else a
            if size(t) <= BYTES and r.random() < 0.5:
                v = self.op(self.type(t), 'OpLoad', place, 'Aligned 16')
            self.clear_bytes()
            return v
        return self.std(t, 'bitselect', *[self.plain(t, self.pick(pool, t)) for _ in range(3)])

    def clear_bytes(self):
        """A NaN that a function has stored would be seen by its bytes."""
        whole = self.array(i(8), BYTES)
        self.emit('OpStore %s %s Aligned 16' % (self.bytes, self.null(whole)))

    def int_of_float(self, pool):
        """Exponents, quotients, what a float is."""
        r, n = self.r, self.r.choice([1, 1, 2, 3, 4])
        t, words = f(r.choice(FLOATS), n), i(32, n)
        a, kind = self.pick(pool, t), r.randrange(4)
        if kind == 0:
            return self.keep(pool, words, self.std(words, 'ilogb', a))
        place = self.op(self.pointer('Function', self.type(words)), 'OpBitcast', self.bytes)
        if kind == 1:
            v = self.keep(pool, t, self.std(t, 'frexp', self.finite(t, a), place))
            return self.keep(pool, words, self.op(self.type(words), 'OpLoad', place, 'Aligned 16'))
        if kind == 2:
            v = self.std(t, 'remquo', self.finite(t, a), self.same(t, r.choice(['1.5', '-3', '0.25'])), place)
            quotient = self.std(words, 's_abs', self.op(self.type(words), 'OpLoad', place, 'Aligned 16'))
            self.keep(pool, t, v)
            quotient = self.op(self.type(words), 'OpBitwiseAnd', quotient, self.same(words, 127))
            self.emit('OpStore %s %s Aligned 16' % (place, quotient))
            return self.keep(pool, words, quotient)
        op = r.choice(['OpIsNan', 'OpIsInf', 'OpIsFinite', 'OpIsNormal', 'OpSignBitSet', 'OpUnordered', 'OpFUnordEqual',
                       'OpFOrdNotEqual', 'OpFUnordLessThanEqual', 'OpFOrdGreaterThanEqual'])
        operands = [self.plain(t, a) if op == 'OpSignBitSet' else a]
        if not op.startswith('OpIs') and op != 'OpSignBitSet':
            operands.append(self.pick(pool, t))
        v = self.op(self.type(('b', 1, n)), op, *operands)
        if n > 1:
            v = self.op(self.type(BOOL), r.choice(['OpAny', 'OpAll']), v)
        return self.keep(pool, BOOL, v)

    # ---- integers
    def other_int(self, pool):
        r, n = self.r, self.r.choice([1, 1, 2, 3, 4])
        kind = r.randrange(4)
        if kind == 0:
            bits = r.choice([16, 32, 64])
            t, low = i(bits, n), i(bits // 2, n)
            v = self.std(t, r.choice(['s_upsample', 'u_upsample']), self.pick(pool, low), self.pick(pool, low))
        elif kind == 1:
            t, name = i(32, n), r.choice(['mul24', 'mad24'])
            low = self.same(t, 0x7fffff)
            operands = [self.op(self.type(t), 'OpBitwiseAnd', self.pick(pool, t), low) for _ in range(2)]
            v = self.std(t, r.choice(['s_', 'u_']) + name, *operands, *([self.pick(pool, t)] if name == 'mad24' else []))
        elif kind == 2:
            t = i(r.choice(INTS), n)
            v = self.std(t, r.choice(['s_clamp', 'u_clamp']), self.pick(pool, t), self.same(t, 3), self.same(t, 100))
        else:
            t = i(r.choice(INTS), n)
            v = self.op(self.type(t), r.choice(['OpSatConvertSToU', 'OpSatConvertUToS']), self.pick(pool, i(r.choice(INTS), n)))
        return self.keep(pool, t, v)

    # ---- vectors
    def shuffled(self, pool):
        """By a mask that is computed; its upper bits do not matter."""
        r, kind, bits = self.r, *self.random_type(False)[:2]
        of, to = (kind, bits, r.choice([2, 4, 8])), (kind, bits, r.choice([2, 4, 8]))
        mask = self.pick(pool, i(bits, to[2]))
        if r.random() < 0.5:
            return self.keep(pool, to, self.std(to, 'shuffle', self.pick(pool, of), mask))
        return self.keep(pool, to, self.std(to, 'shuffle2', self.pick(pool, of), self.pick(pool, of), mask))

    def recast(self, pool):
        """Bits of one type as another."""
        r, whole = self.r, self.r.choice([16, 32, 64, 128])
        shapes = [(k, b, whole // b) for k, of in (('i', INTS), ('f', FLOATS)) for b in of if whole // b in (1, 2, 4, 8, 16)]
        a, b = r.sample(shapes, 2)
        return self.keep(pool, b, self.op(self.type(b), 'OpBitcast', self.plain(a, self.pick(pool, a))))

    # ---- memory
    def byte_place(self, pool, scalar, step, count):
        """A pointer to scalars of the bytes, and an offset in steps of so many of them, of which `count` are used."""
        unit = scalar[1] // 8
        room = (BYTES // unit - count) // step + 1
        p = self.op(self.pointer('Function', self.type(scalar)), 'OpBitcast', self.bytes)
        offset = self.op(self.type(i(64)), 'OpUMod', self.pick(pool, i(64)), self.const(i(64), room))
        return p, offset

    def vector_memory(self, pool):
        """vloadn, vstoren."""
        r, n = self.r, self.r.choice([2, 3, 4, 8])
        scalar = r.choice([t for t in [i(b) for b in INTS] + [f(b) for b in FLOATS] if n * t[1] // 8 <= BYTES])
        t = (scalar[0], scalar[1], n)
        p, offset = self.byte_place(pool, scalar, n, n)
        if r.random() < 0.5:
            return self.keep(pool, t, self.std(t, 'vloadn', offset, p, n))
        self.emit('%s = OpExtInst %s %%std vstoren %s %s %s' % (
            self.new(), self.declare('void', 'OpTypeVoid'), self.plain(t, self.pick(pool, t)), offset, p))

    def half_memory(self, pool):
        """Halfs in memory, floats or doubles outside, rounded one way or another."""
        r, n, aligned = self.r, self.r.choice([1, 1, 2, 3, 4, 8]), self.r.random() < 0.5
        step = 4 if aligned and n == 3 else n
        p, offset = self.byte_place(pool, f(16), step, n)
        load, store = ('vload_half', 'vstore_half') if n == 1 else \
            ('vloada_halfn', 'vstorea_halfn') if aligned else ('vload_halfn', 'vstore_halfn')
        if r.random() < 0.5:
            return self.keep(pool, f(32, n), self.std(f(32, n), load, offset, p, *([n] if n > 1 else [])))
        t = f(r.choice([32, 64]), n)
        mode = r.choice(MODES + [''])
        self.emit('%s = OpExtInst %s %%std %s %s %s %s %s' % (
            self.new(), self.declare('void', 'OpTypeVoid'), store + ('_r' if mode else ''), self.plain(t, self.pick(pool, t)),
            offset, p, mode))

    def function_statement(self, pool):
        kind = self.r.randrange(9)
        if kind < 3:
            t = f(self.r.choice([16, 16, 32, 64]), self.r.choice([1, 1, 2, 3, 4]))
            self.keep(pool, t, self.exact_float(pool, t))
        else:
            [self.int_of_float, self.int_of_float, self.other_int, self.shuffled, self.recast,
             self.r.choice([self.vector_memory, self.half_memory])][kind - 3](pool)
