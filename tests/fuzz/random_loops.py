"""Random loops over rows of memory, pointers that walk, structs that loops hand on: what compilers change most.

Each work-item writes its own rows only, and reads those and what nobody writes.
SPDX-License-Identifier: MIT
"""
from random_values import BOOL, i, f


class Loops:
    """To be mixed into a module."""

    def counted(self, pool, count, phis, body, may_leave=True):
        """A loop of `count` (a number, or less where lanes differ) rounds. phis: (type, first value); body(inner, counter,
        values) gives their next values. The last values, and the counter, are kept."""
        r, u32 = self.r, self.type(i(32))
        head, inside, latch, end = (self.label() for _ in range(4))
        limit, kind = self.const(i(32), count), r.random()
        if kind < 0.6 and count & (count - 1) == 0:
            few = self.pick(pool, i(32))
            if kind < 0.3 and not self.in_helper:  # the same for all
                few = self.op(u32, 'OpLoad', self.source, 'Aligned 4')
            limit = self.op(u32, 'OpBitwiseAnd', few, self.const(i(32), count - 1))
        before, counter, step = self.at, self.new(), self.new()
        values, nexts = [self.new() for _ in phis], [self.new() for _ in phis]
        self.branch(head)
        self.start(head)
        self.emit('%s = OpPhi %s %s %s %s %s' % (counter, u32, self.const(i(32), 0), before, step, latch))
        for (type_id, first), value, next_ in zip(phis, values, nexts):
            self.emit('%s = OpPhi %s %s %s %s %s' % (value, type_id, first, before, next_, latch))
        go = self.op(self.type(BOOL), 'OpULessThan', counter, limit)
        self.emit('OpBranchConditional %s %s %s' % (go, inside, end))
        self.start(inside)
        inner = self.copy(pool)
        self.keep(inner, i(32), counter)
        made = body(inner, counter, values)
        if may_leave and r.random() < 0.2:
            self.emit('OpBranchConditional %s %s %s' % (self.condition(inner), end, latch))
            self.start(latch)
        elif may_leave and r.random() < 0.3:
            made = self.one_sided(inner, phis, values, made, end, latch)
        else:
            self.branch(latch)
            self.start(latch)
        self.emit('%s = OpIAdd %s %s %s' % (step, u32, counter, self.const(i(32), 1)))
        for (type_id, _), value, next_ in zip(phis, made, nexts):
            self.emit('%s = OpCopyObject %s %s' % (next_, type_id, value))
        self.branch(head)
        self.start(end)
        self.keep(pool, i(32), counter)
        return values

    def one_sided(self, inner, phis, values, made, end, latch):
        """Both sides of a branch go to the next round, one with the old values, and only that one may leave."""
        stays, leaves = self.label(), self.label()
        self.emit('OpBranchConditional %s %s %s' % (self.condition(inner), stays, leaves))
        self.start(stays)
        self.branch(latch)
        self.start(leaves)
        self.emit('OpBranchConditional %s %s %s' % (self.condition(inner), end, latch))
        known = self.at
        self.start(latch)
        return [self.phi(type_id, m, stays, v, known) for (type_id, _), v, m in zip(phis, values, made)]

    def phi(self, type_id, one, from_one, other, from_other):
        value = self.new()
        self.emit('%s = OpPhi %s %s %s %s %s' % (value, type_id, one, from_one, other, from_other))
        return value

    # ---- rows
    def in_row(self, area, counter, by=0):
        """A pointer to element `counter` (or one beside it) of the work-item's row; it begins anew behind its end."""
        k, u32 = counter, self.type(i(32))
        if by:
            k = self.op(u32, 'OpIAdd', k, self.const(i(32), by))
        if by or self.rounds > area.per:
            k = self.op(u32, 'OpBitwiseAnd', k, self.const(i(32), area.per - 1))
        return self.element(None, area, index=(i(32), k))

    def from_row(self, inner, counter):
        """An element of the source's, of a table's or of an own row."""
        r, u64, kind = self.r, self.type(i(64)), self.r.random()
        if kind < 0.5 and not self.in_helper:
            wide = self.op(u64, 'OpUConvert', counter)
            row, column = r.choice([(wide, self.gid), (self.gid, wide)])
            index = self.op(u64, 'OpIAdd', self.op(u64, 'OpIMul', row, self.const(i(64), r.choice([1, 2, 3]))), column)
            return self.source_element(inner, self.op(u64, 'OpIAdd', index, self.const(i(64), r.randrange(100))))
        if kind < 0.65 and self.tables:
            return self.table_load(inner, counter)
        area = r.choice(self.areas)
        p = self.in_row(area, counter, r.choice([0, 0, 1, 3]))
        return self.keep(inner, area.t, self.op(self.type(area.t), 'OpLoad', p, self.aligned(area.t)))

    def to_row(self, inner, area, counter):
        """A store to an own row: at the round's element, or always to the same; maybe behind a condition."""
        r = self.r
        guarded = r.random() < 0.25
        value = self.plain(area.t, self.pick(inner, area.t))
        if guarded:
            yes, end = self.label(), self.label()
            self.emit('OpBranchConditional %s %s %s' % (self.condition(inner), yes, end))
            self.start(yes)
        p = self.in_row(area, counter) if r.random() < 0.8 else self.element(None, area, r.randrange(area.per))
        self.emit('OpStore %s %s %s' % (p, value, self.aligned(area.t)))
        if guarded:
            self.branch(end)
            self.start(end)

    def row_loop(self, pool):
        """Rows to rows, with a sum."""
        r, t = self.r, self.random_type()
        if not self.areas:
            return self.expr(pool)
        targets = r.sample(self.areas, min(len(self.areas), r.randrange(1, 3)))
        def body(inner, counter, values):
            self.keep(inner, t, values[0])
            for _ in range(r.randrange(1, 4)):
                self.from_row(inner, counter)
            for _ in range(r.randrange(4)):
                self.expr(inner)
            for area in targets:
                self.to_row(inner, area, counter)
            return [self.int_expr(inner, t) if t[0] == 'i' else self.float_expr(inner, t)]
        self.rounds = r.choice([min(a.per for a in targets), max(a.per for a in targets), 4, 8, 16, r.randrange(1, 12)])
        self.keep(pool, t, self.counted(pool, self.rounds, [(self.type(t), self.random_const(t))], body)[0])

    def plain_row(self, pool):
        """out[k] = f(in[k]) along rows, as one vector after the other may do it; maybe chosen, maybe with a sum of integers."""
        r, rows = self.r, [a for a in self.areas if a.order == 'along' and a.per >= 8]
        if not rows:
            return self.row_loop(pool)
        to = r.choice(rows)
        t, ty, u32 = to.t, self.type(to.t), self.type(i(32))
        others = [a for a in rows if a.t == t]
        by, self.rounds = self.pick(pool, t), to.per
        ops = ['OpIAdd', 'OpIMul', 'OpBitwiseXor', 'OpISub'] if t[0] == 'i' else ['OpFAdd', 'OpFMul', 'OpFSub']
        def body(inner, counter, values):
            froms = [r.choice(others) for _ in range(r.randrange(1, 3))]
            got = [self.op(ty, 'OpLoad', self.in_row(a, counter), self.aligned(t)) if a.per >= to.per else by for a in froms]
            new = self.op(ty, r.choice(ops), got[0], r.choice(got + [by]))
            if t[2] == 1 and r.random() < 0.3:
                op = 'OpSLessThan' if t[0] == 'i' else 'OpFOrdLessThan'
                new = self.op(ty, 'OpSelect', self.op(self.type(BOOL), op, got[0], by), new, got[-1])
            self.emit('OpStore %s %s %s' % (self.in_row(to, counter), self.plain(t, new), self.aligned(t)))
            index = self.op(self.type(i(64)), 'OpIAdd', self.gid, self.op(self.type(i(64)), 'OpUConvert', counter))
            p = self.op(self.pointer('CrossWorkgroup', u32), 'OpInBoundsPtrAccessChain', self.source, index)
            word = self.op(u32, 'OpLoad', p, 'Aligned 4')
            return [self.op(u32, r.choice(['OpIAdd', 'OpBitwiseXor', 'OpBitwiseOr']), values[0], word)]
        sum_ = self.counted(pool, to.per, [(u32, self.random_const(i(32)))], body, may_leave=False)[0]
        self.keep(pool, i(32), sum_)

    # ---- pointers
    def walk(self, pool):
        """A pointer goes along a row, round by round; maybe a generic one."""
        r = self.r
        rows = [a for a in self.areas if a.order == 'along' and not a.is_untyped and a.storage == 'CrossWorkgroup']
        if not rows:
            return self.row_loop(pool)
        area = r.choice(rows)
        t, kind, p = area.t, area.pointer, self.element(None, area, 0)
        if r.random() < 0.3:
            kind = self.pointer('Generic', self.type(t))
            p = self.op(kind, 'OpPtrCastToGeneric', p)
        def body(inner, _, values):
            self.keep(inner, t, self.op(self.type(t), 'OpLoad', values[0], self.aligned(t)))
            self.expr(inner)
            if r.random() < 0.7:
                self.emit('OpStore %s %s %s' % (values[0], self.plain(t, self.pick(inner, t)), self.aligned(t)))
            return [self.op(kind, 'OpPtrAccessChain', values[0], self.const(i(32), 1))]
        self.counted(pool, area.per, [(kind, p)], body)

    def kept_pointer(self, pool):
        """A pointer in a variable: which it is, is known only when it is loaded."""
        r = self.r
        pairs = [(a, b) for a in self.areas for b in self.areas if a.pointer == b.pointer and a.pointer in self.places]
        if not pairs:
            return self.element_access(pool)
        a, b = r.choice(pairs)
        t = a.t
        p, q, place = self.element(pool, a), self.element(pool, b), self.places[a.pointer]
        self.emit('OpStore %s %s Aligned 8' % (place, p))
        yes, end = self.label(), self.label()
        self.emit('OpBranchConditional %s %s %s' % (self.condition(pool), yes, end))
        self.start(yes)
        self.emit('OpStore %s %s Aligned 8' % (place, q))
        self.branch(end)
        self.start(end)
        got = self.op(a.pointer, 'OpLoad', place, 'Aligned 8')
        old = self.op(self.type(t), 'OpLoad', p, self.aligned(t))
        self.emit('OpStore %s %s %s' % (got, self.plain(t, self.pick(pool, t)), self.aligned(t)))
        self.keep(pool, t, old)
        self.keep(pool, t, self.op(self.type(t), 'OpLoad', r.choice([p, q]), self.aligned(t)))

    # ---- records
    def record_loop(self, pool):
        """Along the work-item's records, with a sum."""
        r, u32 = self.r, self.type(i(32))
        if not self.records or self.in_helper:
            return self.row_loop(pool)
        def body(inner, counter, values):
            self.keep(inner, i(32), values[0])
            self.record_access(inner, counter)
            for _ in range(r.randrange(3)):
                self.expr(inner)
            return [self.int_expr(inner, i(32))]
        sum_ = self.counted(pool, self.records_per, [(u32, self.random_const(i(32)))], body)[0]
        self.keep(pool, i(32), sum_)

    # ---- structs
    def struct_loop(self, pool):
        """Two structs that change places, and a member, in each round."""
        r, which = self.r, self.r.choice([0, 2])
        t = self.members[which]
        first = [(self.struct_id, self.op(self.struct_id, 'OpLoad', v)) for v in self.struct_vars]
        def body(inner, _, values):
            self.keep(inner, t, self.op(self.type(t), 'OpCompositeExtract', values[0], which))
            self.expr(inner)
            new = self.op(self.struct_id, 'OpCompositeInsert', self.pick(inner, t), values[1], which)
            return r.choice([[new, values[0]], [values[1], new], [new, values[1]]])
        one, other = self.counted(pool, r.choice([2, 3, 4]), first, body)
        self.keep(pool, t, self.op(self.type(t), 'OpCompositeExtract', one, which))
        if r.random() < 0.5:
            self.emit('OpStore %s %s' % (self.struct_vars[0], other))
