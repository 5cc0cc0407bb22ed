"""Random kernels whose results the specification fixes, as SPIR-V text.

What would leave an engine a choice is not made: amounts of shifts are masked, NaNs are made one
before their bits are looked at, no lane reads one that may not be there.
SPDX-License-Identifier: MIT
"""
import random

INTS = [8, 16, 32, 64]
FLOATS = [32, 64]


def i(bits, n=1): return ('i', bits, n)
def f(bits, n=1): return ('f', bits, n)
BOOL = ('b', 1, 1)
ARRAY = 8  # elements of private arrays


class Module:
    """A module with one kernel `k`.

    subgroups: with operations of all lanes. barriers: with barriers in loops and branches that all work-items
    of a group take together."""

    def __init__(self, seed, subgroups, barriers=False):
        self.r = random.Random(seed)
        self.subgroups, self.barriers = subgroups, barriers
        self.local_size = self.r.choice([16, 24, 48]) if barriers else 16
        self.global_size = 96 if barriers else 32
        self.types, self.constants, self.decls, self.body, self.n = {}, {}, [], [], 0

    # ---- names, types, constants
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
            return r.choice(['0', '1', '-1', '0.5', '3', '-2.5', '1000', '1e-3', '7e20', '-0.1'])
        top = 1 << bits
        return r.choice([0, 1, 2, 3, 7, bits - 1, top - 1, top // 2, top // 2 - 1, r.randrange(top)])

    # ---- values
    def random_type(self, vectors=True):
        r = self.r
        n = r.choice([1, 1, 1, 1, 2, 3, 4]) if vectors else 1
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
        return self.convert_to_int(pool, t)

    def convert_to_int(self, pool, t):
        r, ty, (_, bits, n) = self.r, self.type(t), t
        if r.random() < 0.6:
            other = r.choice([b for b in INTS if b != bits])
            return self.op(ty, r.choice(['OpUConvert', 'OpSConvert']), self.pick(pool, i(other, n)))
        return self.op(ty, r.choice(['OpConvertFToS', 'OpConvertFToU']), self.pick(pool, f(r.choice(FLOATS), n)))

    def float_expr(self, pool, t):
        r, ty, a, (_, bits, n) = self.r, self.type(t), self.pick(pool, t), t
        kind = r.randrange(7)
        if kind < 3:
            return self.op(ty, r.choice(['OpFAdd', 'OpFSub', 'OpFMul', 'OpFDiv']), a, self.pick(pool, t))
        if kind == 3:
            return self.op(ty, 'OpFNegate', a)
        if kind == 4:
            return self.std(t, r.choice(['fabs', 'floor', 'ceil', 'trunc', 'rint', 'sqrt', 'round']), a)
        if kind == 5:
            return self.std(t, 'fma', a, self.pick(pool, t), self.pick(pool, t))
        if r.random() < 0.3:
            return self.op(ty, 'OpFConvert', self.pick(pool, f(96 - bits, n)))
        return self.op(ty, r.choice(['OpConvertSToF', 'OpConvertUToF']), self.pick(pool, i(r.choice(INTS), n)))

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
            t = (kind, bits, 1)
            v = self.op(self.type(t), 'OpCompositeExtract', self.pick(pool, (kind, bits, n)), r.randrange(n))
        else:
            v = self.int_expr(pool, t) if kind == 'i' else self.float_expr(pool, t)
        return self.keep(pool, t, v)

    # ---- memory
    def access(self, pool):
        """A step through a variable or a private array."""
        r = self.r
        if r.random() < 0.4:
            u32 = self.type(i(32))
            index = self.op(u32, 'OpBitwiseAnd', self.pick(pool, i(32)), self.const(i(32), ARRAY - 1))
            p = self.op(self.pointer('Function', u32), 'OpInBoundsAccessChain', self.array, index)
            if r.random() < 0.5:
                self.emit('OpStore %s %s Aligned 4' % (p, self.pick(pool, i(32))))
            else:
                self.keep(pool, i(32), self.op(u32, 'OpLoad', p, 'Aligned 4'))
            return
        t, v = r.choice(self.variables)
        if r.random() < 0.5:
            self.emit('OpStore %s %s' % (v, self.pick(pool, t)))
        else:
            self.keep(pool, t, self.op(self.type(t), 'OpLoad', v))

    def add_to_total(self, pool):
        self.op(self.type(i(32)), 'OpAtomicIAdd', self.total, self.const(i(32), 1), self.const(i(32), 0), self.pick(pool, i(32)))

    def exchange(self, pool, value=None):
        """Through local memory, between barriers."""
        u32, u64 = self.type(i(32)), self.type(i(64))
        two, order = self.const(i(32), 2), self.const(i(32), 0x108)
        pointer = self.pointer('Workgroup', u32)
        to = self.op(pointer, 'OpInBoundsAccessChain', '%local', self.lid)
        self.emit('OpStore %s %s Aligned 4' % (to, value or self.pick(pool, i(32))))
        self.emit('OpControlBarrier %s %s %s' % (two, two, order))
        other = self.op(u64, 'OpIAdd', self.lid, self.const(i(64), self.r.randrange(self.local_size)))
        other = self.op(u64, 'OpUMod', other, self.const(i(64), self.local_size))
        p = self.op(pointer, 'OpInBoundsAccessChain', '%local', other)
        got = self.keep(pool, i(32), self.op(u32, 'OpLoad', p, 'Aligned 4'))
        self.emit('OpControlBarrier %s %s %s' % (two, two, order))
        return got

    def collective(self, pool):
        r, three = self.r, self.const(i(32), 3)
        t = i(r.choice([32, 64]))
        kind = r.randrange(5)
        if kind < 2:
            op = r.choice(['IAdd', 'SMin', 'UMax', 'BitwiseXor'])
            v = self.op(self.type(t), 'OpGroupNonUniform' + op, three, r.choice(['Reduce', 'InclusiveScan', 'ExclusiveScan']),
                        self.pick(pool, t))
        elif kind == 2:
            v = self.op(self.type(t), 'OpGroupNonUniformBroadcastFirst', three, self.pick(pool, t))
        elif kind == 3:
            t = BOOL
            v = self.op(self.type(t), r.choice(['OpGroupNonUniformAll', 'OpGroupNonUniformAny']), three, self.condition(pool))
        else:
            ballot = self.op(self.type(i(32, 4)), 'OpGroupNonUniformBallot', three, self.condition(pool))
            t = i(32)
            v = self.op(self.type(t), 'OpGroupNonUniformBallotBitCount', three, 'Reduce', ballot)
        self.keep(pool, t, v)

    # ---- control flow
    def label(self):
        self.n += 1
        return '%%l%d' % self.n

    def start(self, label):
        self.emit('%s = OpLabel' % label)
        self.at = label

    def branch(self, label):
        self.emit('OpBranch ' + label)

    def copy(self, pool):
        return {t: list(v) for t, v in pool.items()}

    def merge_phi(self, pool, arms):
        """arms: (label, pool) of the predecessors."""
        for _ in range(self.r.randrange(3)):
            t = self.random_type()
            values = []
            for label, p in arms:
                values += [self.r.choice(p[t]) if p.get(t) else self.random_const(t), label]
            self.keep(pool, t, self.op(self.type(t), 'OpPhi', *values))

    def statement(self, pool, depth):
        r, kind = self.r, self.r.random()
        if depth > 0 and kind < 0.12:
            self.if_else(pool, depth - 1)
        elif depth > 0 and kind < 0.2:
            self.loop(pool, depth - 1)
        elif depth > 0 and kind < 0.26:
            self.switch(pool, depth - 1)
        elif kind < 0.45:
            self.access(pool)
        elif kind < 0.5:
            self.add_to_total(pool)
        elif kind < 0.55 and self.helpers and not self.in_helper:
            self.keep(pool, i(32), self.op(self.type(i(32)), 'OpFunctionCall', r.choice(self.helpers), self.pick(pool, i(32)),
                                           self.pick(pool, i(64)), self.pick(pool, f(32))))
        elif kind < 0.62 and self.subgroups:
            self.collective(pool)
        else:
            self.expr(pool)

    def statements(self, pool, depth, count):
        for _ in range(count):
            self.statement(pool, depth)

    def if_else(self, pool, depth):
        yes, no, end = self.label(), self.label(), self.label()
        has_else = self.r.random() < 0.6
        arms = []
        self.emit('OpBranchConditional %s %s %s' % (self.condition(pool), yes, no if has_else else end))
        if not has_else:
            arms.append((self.at, self.copy(pool)))
        for label in [yes, no] if has_else else [yes]:
            inner = self.copy(pool)
            self.start(label)
            self.statements(inner, depth, self.r.randrange(1, 5))
            arms.append((self.at, inner))
            self.branch(end)
        self.start(end)
        self.merge_phi(pool, arms)

    def loop(self, pool, depth):
        r, u32 = self.r, self.type(i(32))
        head, body, latch, end = (self.label() for _ in range(4))
        limit = self.op(u32, 'OpBitwiseAnd', self.pick(pool, i(32)), self.const(i(32), r.choice([1, 3, 7])))
        before, counter, step = self.at, self.new(), self.new()
        self.branch(head)
        self.start(head)
        self.emit('%s = OpPhi %s %s %s %s %s' % (counter, u32, self.const(i(32), 0), before, step, latch))
        self.keep(pool, i(32), counter)
        go = self.op(self.type(BOOL), 'OpULessThan', counter, limit)
        self.emit('OpBranchConditional %s %s %s' % (go, body, end))
        inner = self.copy(pool)
        self.start(body)
        self.statements(inner, depth, r.randrange(1, 5))
        for target in r.choice([[], [], [end], [latch], [end, latch]]):
            after = self.label()
            self.emit('OpBranchConditional %s %s %s' % (self.condition(inner), target, after))
            self.start(after)
            self.statements(inner, depth, r.randrange(1, 3))
        self.branch(latch)
        self.start(latch)
        self.emit('%s = OpIAdd %s %s %s' % (step, u32, counter, self.const(i(32), 1)))
        self.branch(head)
        self.start(end)

    def switch(self, pool, depth):
        r = self.r
        count = r.randrange(1, 5)
        labels, default, end = [self.label() for _ in range(count)], self.label(), self.label()
        selector = self.op(self.type(i(32)), 'OpBitwiseAnd', self.pick(pool, i(32)), self.const(i(32), 7))
        pairs = ' '.join('%d %s' % (v, l) for v, l in zip(r.sample(range(8), count), labels))
        self.emit('OpSwitch %s %s %s' % (selector, default, pairs))
        arms = []
        for k, label in enumerate(labels + [default]):
            inner = self.copy(pool)
            self.start(label)
            self.statements(inner, depth, r.randrange(1, 4))
            falls = k + 1 < len(labels) and r.random() < 0.25
            self.branch(labels[k + 1] if falls else end)
            if not falls:
                arms.append((self.at, inner))
        self.start(end)
        self.merge_phi(pool, arms)

    def tangle(self, pool):
        """Blocks that go anywhere, until a counter has run down. Values pass through variables."""
        r, u32 = self.r, self.type(i(32))
        blocks, end = [self.label() for _ in range(r.randrange(3, 9))], self.label()
        self.emit('OpStore %s %s' % (self.fuel, self.const(i(32), r.randrange(5, 40))))
        self.branch(blocks[0])
        for label in blocks:
            self.start(label)
            inner = self.copy(pool)
            for t, v in self.variables:
                if r.random() < 0.5:
                    self.keep(inner, t, self.op(self.type(t), 'OpLoad', v))
            self.statements(inner, 0, r.randrange(1, 6))
            fuel = self.op(u32, 'OpISub', self.op(u32, 'OpLoad', self.fuel), self.const(i(32), 1))
            self.emit('OpStore %s %s' % (self.fuel, fuel))
            on = self.label()
            empty = self.op(self.type(BOOL), 'OpIEqual', fuel, self.const(i(32), 0))
            self.emit('OpBranchConditional %s %s %s' % (empty, end, on))
            self.start(on)
            if r.random() < 0.2:
                selector = self.op(u32, 'OpBitwiseAnd', self.pick(inner, i(32)), self.const(i(32), 3))
                self.emit('OpSwitch %s %s 0 %s 1 %s' % (selector, r.choice(blocks), r.choice(blocks), r.choice(blocks)))
            else:
                self.emit('OpBranchConditional %s %s %s' % (self.condition(inner), *r.sample(blocks, 2)))
        self.start(end)
        for t, v in self.variables:
            self.keep(pool, t, self.op(self.type(t), 'OpLoad', v))

    # ---- what all work-items of a group do together
    def together(self, pool, same):
        """A u32 that is the same for all, and may not look so. `same` are some that do."""
        r, u32 = self.r, self.type(i(32))
        v, kind = r.choice(same[-6:]), r.random()
        if kind < 0.5:
            return v
        if kind < 0.75:
            index = self.op(u32, 'OpBitwiseAnd', v, self.const(i(32), 63))
            p = self.op(self.pointer('CrossWorkgroup', u32), 'OpInBoundsPtrAccessChain', self.source, index)
            return self.op(u32, 'OpLoad', p, 'Aligned 4')
        return self.exchange(pool, v)

    def group_condition(self, pool, same):
        op = self.r.choice(['OpIEqual', 'OpULessThan', 'OpSGreaterThanEqual'])
        v = self.together(pool, same)
        return self.op(self.type(BOOL), op, self.op(self.type(i(32)), 'OpBitwiseAnd', v, self.const(i(32), 3)),
                       self.const(i(32), self.r.randrange(4)))

    def group_statement(self, pool, same, depth):
        r, kind = self.r, self.r.random()
        if kind < 0.35:
            self.exchange(pool)
        elif kind < 0.5 and depth > 0:
            self.group_if(pool, same, depth - 1)
        elif kind < 0.65 and depth > 0:
            self.group_loop(pool, same, depth - 1)
        elif kind < 0.72 and depth > 0:
            self.group_switch(pool, same, depth - 1)
        elif kind < 0.74:
            leave, on = self.label(), self.label()
            self.emit('OpBranchConditional %s %s %s' % (self.group_condition(pool, same), leave, on))
            self.start(leave)
            self.finish(pool)
            self.start(on)
        else:
            self.statements(pool, 2, r.randrange(1, 4))

    def group_statements(self, pool, same, depth, count):
        for _ in range(count):
            self.group_statement(pool, same, depth)

    def group_if(self, pool, same, depth):
        yes, no, end = self.label(), self.label(), self.label()
        has_else = self.r.random() < 0.6
        condition, arms = self.group_condition(pool, same), []
        self.emit('OpBranchConditional %s %s %s' % (condition, yes, no if has_else else end))
        if not has_else:
            arms.append((self.at, self.copy(pool)))
        for label in [yes, no] if has_else else [yes]:
            inner = self.copy(pool)
            self.start(label)
            self.group_statements(inner, list(same), depth, self.r.randrange(1, 4))
            arms.append((self.at, inner))
            self.branch(end)
        self.start(end)
        self.merge_phi(pool, arms)

    def group_loop(self, pool, same, depth):
        r, u32 = self.r, self.type(i(32))
        head, body, latch, end = (self.label() for _ in range(4))
        limit = self.op(u32, 'OpBitwiseAnd', self.together(pool, same), self.const(i(32), r.choice([1, 3])))
        before, counter, step, state, next_ = self.at, self.new(), self.new(), self.new(), self.new()
        first = self.pick(pool, i(32))
        self.branch(head)
        self.start(head)
        self.emit('%s = OpPhi %s %s %s %s %s' % (counter, u32, self.const(i(32), 0), before, step, latch))
        self.emit('%s = OpPhi %s %s %s %s %s' % (state, u32, first, before, next_, latch))
        self.keep(pool, i(32), counter)
        self.keep(pool, i(32), state)
        go = self.op(self.type(BOOL), 'OpULessThan', counter, limit)
        self.emit('OpBranchConditional %s %s %s' % (go, body, end))
        inner = self.copy(pool)
        self.start(body)
        known = same + [counter]
        self.group_statements(inner, known, depth, r.randrange(1, 4))
        leaves = r.choice([[], [], [end], [latch]])
        for target in leaves:
            after = self.label()
            self.emit('OpBranchConditional %s %s %s' % (self.group_condition(inner, known), target, after))
            self.start(after)
            self.group_statements(inner, known, depth, 1)
        self.branch(latch)
        self.start(latch)
        self.emit('%s = OpIAdd %s %s %s' % (step, u32, counter, self.const(i(32), 1)))
        self.emit('%s = OpBitwiseXor %s %s %s' % (next_, u32, state, step))
        self.branch(head)
        self.start(end)

    def group_switch(self, pool, same, depth):
        r = self.r
        count = r.randrange(1, 4)
        labels, default, end = [self.label() for _ in range(count)], self.label(), self.label()
        selector = self.op(self.type(i(32)), 'OpBitwiseAnd', self.together(pool, same), self.const(i(32), 3))
        self.emit('OpSwitch %s %s %s' % (selector, default, ' '.join('%d %s' % x for x in enumerate(labels))))
        arms = []
        for k, label in enumerate(labels + [default]):
            inner = self.copy(pool)
            self.start(label)
            self.group_statements(inner, list(same), depth, r.randrange(1, 3))
            falls = k + 1 < len(labels) and r.random() < 0.25
            self.branch(labels[k + 1] if falls else end)
            if not falls:
                arms.append((self.at, inner))
        self.start(end)
        self.merge_phi(pool, arms)

    def finish(self, pool):
        p = self.op(self.pointer('CrossWorkgroup', self.type(i(64))), 'OpInBoundsPtrAccessChain', self.out, self.gid)
        self.emit('OpStore %s %s Aligned 8' % (p, self.digest(pool)))
        self.emit('OpReturn')

    # ---- functions
    def function_variables(self):
        r = self.r
        self.variables = []
        for _ in range(4):
            t = self.random_type()
            self.variables.append((t, self.op(self.pointer('Function', self.type(t)), 'OpVariable', 'Function',
                                              self.random_const(t))))
        array = self.declare('array', 'OpTypeArray %s %s' % (self.type(i(32)), self.const(i(32), ARRAY)))
        zero = '%zero_array'
        if zero not in self.constants:
            self.constants[zero] = zero
            self.decls.append('%s = OpConstantNull %s' % (zero, array))
        self.array = self.op(self.pointer('Function', array), 'OpVariable', 'Function', zero)
        self.fuel = self.op(self.pointer('Function', self.type(i(32))), 'OpVariable', 'Function')

    def digest(self, pool):
        u64, total = self.type(i(64)), self.const(i(64), 17)
        for t in sorted(pool):
            for v in pool[t][-4:]:
                total = self.op(u64, 'OpIMul', total, self.const(i(64), 6364136223846793005))
                total = self.op(u64, 'OpIAdd', total, self.flat(t, v))
        return total

    def helper(self, number):
        params = [i(32), i(64), f(32)]
        u32 = self.type(i(32))
        kind = self.declare('helper', 'OpTypeFunction %s %s' % (u32, ' '.join(self.type(t) for t in params)))
        name = '%%helper%d' % number
        self.emit('%s = OpFunction %s None %s' % (name, u32, kind))
        pool, self.in_helper = {}, True
        for t in params:
            self.keep(pool, t, self.op(self.type(t), 'OpFunctionParameter'))
        self.start(self.label())
        self.function_variables()
        self.total = '%count'
        self.statements(pool, 1, self.r.randrange(3, 9))
        self.emit('OpReturnValue %s' % self.op(u32, 'OpUConvert', self.digest(pool)))
        self.emit('OpFunctionEnd')
        self.in_helper = False
        self.helpers.append(name)

    def kernel(self):
        r, u32, u64 = self.r, self.type(i(32)), self.type(i(64))
        global32, global64 = self.pointer('CrossWorkgroup', u32), self.pointer('CrossWorkgroup', u64)
        kind = self.declare('kernel', 'OpTypeFunction %s %s %s %s' % (self.declare('void', 'OpTypeVoid'), global32, global64,
                                                                      global32))
        self.emit('%%k = OpFunction %s None %s' % (self.types['void'], kind))
        source, out, total = (self.op(p, 'OpFunctionParameter') for p in (global32, global64, global32))
        self.source, self.out, self.total = source, out, total
        self.start(self.label())
        self.function_variables()
        pool = {}
        gid = self.op(u64, 'OpCompositeExtract', self.op(self.type(i(64, 3)), 'OpLoad', '%gid'), 0)
        self.gid = gid
        self.lid = self.op(u64, 'OpCompositeExtract', self.op(self.type(i(64, 3)), 'OpLoad', '%lid'), 0)
        self.keep(pool, i(64), gid)
        self.keep(pool, i(32), self.op(u32, 'OpUConvert', gid))
        for k in range(3):
            index = self.op(u64, 'OpIAdd', gid, self.const(i(64), k * 32))
            p = self.op(global32, 'OpInBoundsPtrAccessChain', source, index)
            self.keep(pool, i(32), self.op(u32, 'OpLoad', p, 'Aligned 4'))
        for bits in FLOATS:
            self.keep(pool, f(bits), self.op(self.type(f(bits)), 'OpConvertSToF', pool[i(32)][-1]))
        group = self.op(u64, 'OpCompositeExtract', self.op(self.type(i(64, 3)), 'OpLoad', '%group'), 0)
        same = [self.op(u32, 'OpUConvert', group), self.const(i(32), r.randrange(8))]
        for _ in range(r.randrange(2, 5)):
            self.statements(pool, 2, r.randrange(1, 4) if self.barriers else r.randrange(3, 10))
            if r.random() < (0.2 if self.barriers else 0.4):
                self.tangle(pool)
            if self.barriers:
                self.group_statements(pool, same, 2, r.randrange(1, 5))
            elif r.random() < 0.4:
                self.exchange(pool)
        self.finish(pool)
        self.emit('OpFunctionEnd')

    def text(self):
        ids = self.pointer('Input', self.type(i(64, 3)))
        self.declare('local', 'OpTypeArray %s %s' % (self.type(i(32)), self.const(i(32), self.local_size)))
        local = self.pointer('Workgroup', self.types['local'])
        self.helpers, self.in_helper = [], False
        # A helper adds to a counter that the kernel's total has nothing to do with.
        self.pointer('CrossWorkgroup', self.type(i(32)))
        for n in range(self.r.randrange(3)):
            self.helper(n)
        self.kernel()
        capabilities = ['Kernel', 'Addresses', 'Int64', 'Int16', 'Int8', 'Float64', 'Vector16', 'GroupNonUniform',
                        'GroupNonUniformArithmetic', 'GroupNonUniformBallot', 'GroupNonUniformVote', 'Int64Atomics',
                        'BitInstructions']
        head = ['OpCapability ' + c for c in capabilities] + ['OpExtension "SPV_KHR_bit_instructions"']
        head += ['%std = OpExtInstImport "OpenCL.std"', 'OpMemoryModel Physical64 OpenCL',
                 'OpEntryPoint Kernel %k "k" %gid %lid %group', 'OpDecorate %gid BuiltIn GlobalInvocationId',
                 'OpDecorate %lid BuiltIn LocalInvocationId', 'OpDecorate %group BuiltIn WorkgroupId']
        globals_ = ['%%gid = OpVariable %s Input' % ids, '%%lid = OpVariable %s Input' % ids, '%%group = OpVariable %s Input' % ids,
                    '%%local = OpVariable %s Workgroup' % local,
                    '%%count = OpVariable %s CrossWorkgroup %s' % (self.pointer('CrossWorkgroup', self.type(i(32))),
                                                                   self.const(i(32), 0))]
        return '\n'.join(head + self.decls + globals_ + self.body) + '\n'
