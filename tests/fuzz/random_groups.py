"""Random operations that work-items do together: of a sub-group anywhere, of a work-group where all of it comes.

A shuffle's result is used only where its source is there.
SPDX-License-Identifier: MIT
"""
from random_values import BOOL, i, f

# Atomic operations on words of a buffer of all work-items, in any order: operation, type, word.
ATOMICS = [('IAdd', i(32), 0), ('Or', i(32), 1), ('Xor', i(32), 2), ('UMax', i(32), 3), ('SMin', i(32), 4), ('ISub', i(32), 5),
           ('FMaxEXT', f(32), 6), ('FAddEXT', f(32), 7), ('FMinEXT', f(32), 8), ('And', i(32), 9), ('FMaxEXT', f(64), 10),
           ('FAddEXT', f(64), 12), ('IAdd', i(64), 14), ('UMax', i(64), 16), ('FMaxEXT', f(16), 18), ('FMinEXT', f(16), 19), ('FAddEXT', f(16), 20)]
TOTALS = 21

# The same on words of local memory.
LOCAL_ATOMICS = ['IAdd', 'Or', 'Xor', 'UMax', 'SMin', 'ISub', 'And', 'UMin', 'SMax', 'IIncrement', 'IDecrement']


class Groups:
    """To be mixed into a module."""

    def scope(self, number):
        return self.const(i(32), number)

    def all_here(self):
        return self.op(self.type(i(32, 4)), 'OpGroupNonUniformBallot', self.scope(3), self.const(BOOL, True))

    def lane(self):
        return self.op(self.type(i(32)), 'OpLoad', '%lane')

    def lane_number(self, pool):
        """Of some lane, that may not be there."""
        u32 = self.type(i(32))
        return self.op(u32, 'OpBitwiseAnd', self.pick(pool, i(32)), self.const(i(32), self.r.choice([1, 3, 15, 31])))

    def if_there(self, t, v, source, otherwise):
        """v, if the lane it comes from is active."""
        b = self.type(BOOL)
        inside = self.op(b, 'OpULessThan', source, self.op(self.type(i(32)), 'OpLoad', '%width'))
        there = self.op(b, 'OpGroupNonUniformBallotBitExtract', self.scope(3), self.all_here(), source)
        there = self.op(b, 'OpLogicalAnd', inside, there)
        if t[2] > 1:
            there = self.op(self.type(('b', 1, t[2])), 'OpCompositeConstruct', *[there] * t[2])
        return self.op(self.type(t), 'OpSelect', there, v, otherwise)

    def talk_type(self):
        """A scalar of any type that sub-group operations take."""
        return self.r.choice([i(8), i(16), i(32), i(32), i(64), f(16), f(32), f(64)])

    def shuffle(self, pool):
        r, t, u32 = self.r, self.talk_type(), self.type(i(32))
        x, lane = self.pick(pool, t), self.lane()
        op = r.choice(['Shuffle', 'ShuffleXor', 'ShuffleUp', 'ShuffleDown', 'RotateKHR', 'Broadcast'])
        if op == 'Broadcast':
            if r.random() < 0.5:  # the one that takes vectors
                t = (t[0], t[1], r.choice([2, 3, 4, 8]))
                x = self.pick(pool, t)
            source = self.op(u32, 'OpGroupNonUniformBallotFindMSB', self.scope(3), self.all_here())
            other, v = source, self.op(self.type(t), 'OpGroupNonUniformBroadcast', self.scope(3), x, source)
        elif op == 'RotateKHR':
            by = self.op(u32, 'OpGroupNonUniformBroadcastFirst', self.scope(3), self.lane_number(pool))
            v = self.op(self.type(t), 'OpGroupNonUniformRotateKHR', self.scope(3), x, by)
            size = self.op(u32, 'OpLoad', '%max_width')
            other = self.op(u32, 'OpUMod', self.op(u32, 'OpIAdd', lane, by), size)
        else:
            by = self.lane_number(pool)
            v = self.op(self.type(t), 'OpGroupNonUniform' + op, self.scope(3), x, by)
            other = {'Shuffle': lambda: by, 'ShuffleXor': lambda: self.op(u32, 'OpBitwiseXor', lane, by),
                     'ShuffleUp': lambda: self.op(u32, 'OpISub', lane, by),
                     'ShuffleDown': lambda: self.op(u32, 'OpIAdd', lane, by)}[op]()
        self.keep(pool, t, self.if_there(t, v, other, x))

    def any_order(self, pool, t, op):
        """A float with which a sum, a product, the least and the greatest are exact, in any order."""
        ty = self.type(t)
        if op == 'FMul':
            return self.op(ty, 'OpSelect', self.condition(pool), self.const(t, '1'), self.const(t, '-1'))
        if op == 'FAdd':
            low = self.op(self.type(i(32)), 'OpBitwiseAnd', self.pick(pool, i(32)), self.const(i(32), 15 if t[1] == 16 else 1023))
            return self.op(ty, 'OpConvertUToF', low)
        v = self.plain(t, self.pick(pool, t))  # which zero is less is not fixed
        zero = self.op(self.type(BOOL), 'OpFOrdEqual', v, self.const(t, '0'))
        return self.op(ty, 'OpSelect', zero, self.const(t, '0.5'), v)

    def intel_shuffle(self, pool):
        """Those of SPV_INTEL_subgroups, which take vectors; up and down of two values, as if they lay one behind the other."""
        r, u32, b = self.r, self.type(i(32)), self.type(BOOL)
        s = r.choice([i(8), i(16), i(32), i(64), f(16), f(32), f(64)])
        t = (s[0], s[1], r.choice([1, 2, 4, 8]))
        x, by, lane = self.pick(pool, t), self.lane_number(pool), self.lane()
        if r.random() < 0.5:
            op = r.choice(['', 'Xor'])
            v = self.op(self.type(t), 'OpSubgroupShuffle%sINTEL' % op, x, by)
            source = self.op(u32, 'OpBitwiseXor', lane, by) if op else by
            return self.keep(pool, t, self.if_there(t, v, source, x))
        size = self.op(u32, 'OpLoad', '%max_width')
        by = self.op(u32, 'OpGroupNonUniformBroadcastFirst', self.scope(3), self.op(u32, 'OpUMod', by, size))
        y, down = self.pick(pool, t), r.random() < 0.5
        v = self.op(self.type(t), 'OpSubgroupShuffle%sINTEL' % ('Down' if down else 'Up'), x, y, by)
        source = self.op(u32, 'OpIAdd', lane, by if down else self.op(u32, 'OpISub', size, by))
        source = self.op(u32, 'OpSelect', self.op(b, 'OpULessThan', source, size), source, self.op(u32, 'OpISub', source, size))
        self.keep(pool, t, self.if_there(t, v, source, x))

    def block_read(self, pool):
        """Of the source: where all of a sub-group come."""
        r, bits = self.r, self.r.choice([8, 16, 32, 64])
        t, kind = i(bits, r.choice([1, 2, 4, 8])), self.pointer('CrossWorkgroup', self.type(i(bits)))
        base = self.source if bits == 32 else self.op(kind, 'OpBitcast', self.source)
        p = self.op(kind, 'OpInBoundsPtrAccessChain', base, self.const(i(64), 16 * r.randrange(8)))
        self.keep(pool, t, self.op(self.type(t), 'OpSubgroupBlockReadINTEL', p))

    def reduction(self, pool):
        r = self.r
        kind = r.choice(['Reduce', 'InclusiveScan', 'ExclusiveScan'])
        if r.random() < 0.2:
            t, op = BOOL, r.choice(['LogicalAnd', 'LogicalOr', 'LogicalXor'])
            x = self.condition(pool)
        elif r.random() < 0.3:
            t, op = f(r.choice([16, 32, 64])), r.choice(['FAdd', 'FMul', 'FMin', 'FMax'])
            x = self.any_order(pool, t, op)
        else:
            t = i(r.choice([8, 16, 32, 64]))
            op = r.choice(['IAdd', 'IMul', 'SMin', 'UMax', 'SMax', 'UMin', 'BitwiseXor', 'BitwiseAnd', 'BitwiseOr'])
            x = self.pick(pool, t)
        clusters = [self.const(i(32), r.choice([1, 2, 4]))] if r.random() < 0.2 and self.min_width >= 4 else []
        v = self.op(self.type(t), 'OpGroupNonUniform' + op, self.scope(3), 'ClusteredReduce' if clusters else kind, x, *clusters)
        self.keep(pool, t, v)

    def vote(self, pool):
        r, b, kind = self.r, self.type(BOOL), self.r.randrange(5)
        if kind < 2:
            v = self.op(b, r.choice(['OpGroupNonUniformAll', 'OpGroupNonUniformAny']), self.scope(3), self.condition(pool))
        elif kind == 2:
            v = self.op(b, 'OpGroupNonUniformAllEqual', self.scope(3), self.pick(pool, i(r.choice([8, 32, 64]))))
        elif kind == 3:
            v = self.op(b, 'OpGroupNonUniformElect', self.scope(3))
        else:
            ballot = self.op(self.type(i(32, 4)), 'OpGroupNonUniformBallot', self.scope(3), self.condition(pool))
            v = self.op(b, 'OpGroupNonUniformInverseBallot', self.scope(3), ballot)
        self.keep(pool, BOOL, v)

    def collective(self, pool):
        kind = self.r.randrange(8)
        if kind == 7:
            self.intel_shuffle(pool)
        elif kind < 2:
            self.reduction(pool)
        elif kind < 4:
            self.shuffle(pool)
        elif kind == 4:
            t = self.talk_type()
            self.keep(pool, t, self.op(self.type(t), 'OpGroupNonUniformBroadcastFirst', self.scope(3), self.pick(pool, t)))
        elif kind == 5:
            self.vote(pool)
        else:
            ballot = self.op(self.type(i(32, 4)), 'OpGroupNonUniformBallot', self.scope(3), self.condition(pool))
            how = self.r.choice(['Reduce', 'InclusiveScan', 'ExclusiveScan'])
            self.keep(pool, i(32), self.op(self.type(i(32)), 'OpGroupNonUniformBallotBitCount', self.scope(3), how, ballot))
            self.keep(pool, i(32, 4), ballot)

    def talk(self, pool):
        kind = self.r.random()
        if kind < 0.8:
            self.collective(pool)
        elif kind < 0.92:
            self.talking_loop(pool)
        else:
            self.entered_twice(pool)

    def entered_twice(self, pool):
        """A loop of two blocks that lanes enter at both. Which of them wait at which is what the order of blocks says, also where
        the way back is never taken."""
        r, u32, b = self.r, self.type(i(32)), self.type(BOOL)
        first, second, end = self.label(), self.label(), self.label()
        rounds = self.op(u32, 'OpBitwiseAnd', self.pick(pool, i(32)), self.const(i(32), 3))
        start, condition, before = self.pick(pool, i(32)), self.condition(pool), self.at
        left_first, left_second, less, sum_first, sum_second, sum_ = (self.new() for _ in range(6))
        self.emit('OpBranchConditional %s %s %s' % (condition, *r.sample([first, second], 2)))
        def part():
            return self.op(u32, 'OpGroupNonUniformIAdd', self.scope(3), r.choice(['Reduce', 'InclusiveScan']), self.pick(pool, i(32)))
        def write_first():
            self.start(first)
            self.emit('%s = OpPhi %s %s %s %s %s' % (left_first, u32, rounds, before, less, second))
            self.emit('%s = OpPhi %s %s %s %s %s' % (sum_first, u32, start, before, sum_, second))
            if talks_first:
                self.emit('%s = OpBitwiseXor %s %s %s' % (sum_more, u32, sum_first, part()))
            self.branch(second)
        def write_second():
            self.start(second)
            self.emit('%s = OpPhi %s %s %s %s %s' % (left_second, u32, rounds, before, left_first, first))
            self.emit('%s = OpPhi %s %s %s %s %s' % (sum_second, u32, start, before, sum_more, first))
            tripled = self.op(u32, 'OpIMul', sum_second, self.const(i(32), 3))
            self.emit('%s = OpIAdd %s %s %s' % (sum_, u32, tripled, part()))
            self.emit('%s = OpISub %s %s %s' % (less, u32, left_second, self.const(i(32), 1)))
            more = self.const(BOOL, False) if r.random() < 0.3 else self.op(b, 'OpINotEqual', left_second, self.const(i(32), 0))
            self.emit('OpBranchConditional %s %s %s' % (more, first, end))
        talks_first = r.random() < 0.5
        sum_more = self.new() if talks_first else sum_first
        for write in r.sample([write_first, write_second], 2):
            write()
        self.start(end)
        self.keep(pool, i(32), sum_)

    def talking_loop(self, pool):
        """Lanes leave it after rounds of their own; those inside work together."""
        r, u32 = self.r, self.type(i(32))
        head, body, end = self.label(), self.label(), self.label()
        limit = self.op(u32, 'OpBitwiseAnd', self.pick(pool, i(32)), self.const(i(32), 7))
        before, counter, step, sum_, next_ = self.at, self.new(), self.new(), self.new(), self.new()
        self.branch(head)
        self.start(head)
        self.emit('%s = OpPhi %s %s %s %s %s' % (counter, u32, self.const(i(32), 0), before, step, body))
        self.emit('%s = OpPhi %s %s %s %s %s' % (sum_, u32, self.const(i(32), 9), before, next_, body))
        go = self.op(self.type(BOOL), 'OpULessThan', counter, limit)
        self.emit('OpBranchConditional %s %s %s' % (go, body, end))
        self.start(body)
        part = self.op(u32, 'OpGroupNonUniform' + r.choice(['IAdd', 'UMax', 'BitwiseXor']), self.scope(3),
                       r.choice(['Reduce', 'InclusiveScan']), self.op(u32, 'OpIAdd', counter, self.pick(pool, i(32))))
        self.emit('%s = OpIAdd %s %s %s' % (next_, u32, self.op(u32, 'OpIMul', sum_, self.const(i(32), 3)), part))
        self.emit('%s = OpIAdd %s %s %s' % (step, u32, counter, self.const(i(32), 1)))
        self.branch(head)
        self.start(end)
        self.keep(pool, i(32), sum_)

    # ---- where all of the group come
    def group_collective(self, pool):
        """Of the whole work-group; the result is the same for all where it says so."""
        r, b = self.r, self.type(BOOL)
        kind = r.randrange(4)
        if kind == 0:
            self.keep(pool, BOOL, self.op(b, r.choice(['OpGroupAll', 'OpGroupAny']), self.scope(2), self.condition(pool)))
        elif kind == 1:
            t = r.choice([i(32), i(64), f(16), f(32), f(64)])
            zero = self.const(i(64), 0)
            at = self.op(self.type(i(64, 3)), 'OpCompositeConstruct', zero, zero, zero)
            if len(self.global_size) == 1:
                at = self.const(i(64), r.randrange(min(self.local_size[0], self.least_local)))
            self.keep(pool, t, self.op(self.type(t), 'OpGroupBroadcast', self.scope(2), self.pick(pool, t), at))
        elif kind == 2 and r.random() < 0.5:
            t, op = f(r.choice([16, 16, 32, 64])), r.choice(['FAdd', 'FMin', 'FMax', 'FMul'])
            scope = self.scope(r.choice([2, 3]) if self.subgroups and op != 'FMul' else 2)
            self.keep(pool, t, self.op(self.type(t), 'OpGroup%s%s' % (op, 'KHR' if op == 'FMul' else ''), scope,
                                       r.choice(['Reduce', 'InclusiveScan', 'ExclusiveScan']), self.any_order(pool, t, op)))
        else:
            t = i(r.choice([32, 64]))
            op = r.choice(['OpGroupIAdd', 'OpGroupUMin', 'OpGroupSMax', 'OpGroupSMin', 'OpGroupUMax', 'OpGroupIMulKHR',
                           'OpGroupBitwiseXorKHR', 'OpGroupBitwiseAndKHR', 'OpGroupBitwiseOrKHR'])
            how = r.choice(['Reduce', 'InclusiveScan', 'ExclusiveScan'])
            self.keep(pool, t, self.op(self.type(t), op, self.scope(2), how, self.pick(pool, t)))

    # ---- atomics whose order does not matter, or that nobody else sees
    def atomic(self, pool):
        r, relaxed, device = self.r, self.const(i(32), 0), self.const(i(32), 1)
        if self.is_counting and not self.in_helper and r.random() < 0.7:
            return self.local_atomic(pool)
        kind = r.randrange(4)
        if kind < 2:
            op, t, at = r.choice(ATOMICS)
            word, kind = self.pointer('CrossWorkgroup', self.type(i(32))), self.pointer('CrossWorkgroup', self.type(t))
            p = self.op(word, 'OpInBoundsPtrAccessChain', self.total, self.const(i(32), at))
            value = self.pick(pool, t)
            if t[0] == 'f':  # numbers whose sums are exact, or stay where one more is not seen
                low = self.op(self.type(i(32)), 'OpBitwiseAnd', self.pick(pool, i(32)), self.const(i(32), 1 if t[1] == 16 else 1023))
                value = self.op(self.type(t), 'OpConvertUToF', low)
            p = p if kind == word else self.op(kind, 'OpBitcast', p)
            self.op(self.type(t), 'OpAtomic' + op, p, device, relaxed, value)
            return
        own = [a for a in self.areas if a.storage != 'Function' and a.t in (i(32), i(64), f(16), f(32), f(64))]
        if not own:
            return
        area = r.choice(own)
        t, p = area.t, self.element(pool, area)
        if not area.is_untyped and r.random() < 0.2:
            p = self.op(self.pointer('Generic', self.type(t)), 'OpPtrCastToGeneric', p)
        if t[0] == 'f':
            return self.own_float(pool, t, p)
        op = r.choice(['IAdd', 'ISub', 'Exchange', 'And', 'Or', 'Xor', 'SMax', 'SMin', 'UMax', 'UMin', 'CompareExchange',
                       'IIncrement', 'IDecrement', 'Load', 'Store'])
        operands = [self.pick(pool, t)]
        if op == 'Store':
            return self.emit('OpAtomicStore %s %s %s %s' % (p, device, relaxed, operands[0]))
        if op == 'CompareExchange':
            operands = [relaxed, self.pick(pool, t), self.pick(pool, t)]
        elif op in ('IIncrement', 'IDecrement', 'Load'):
            operands = []
        self.keep(pool, t, self.op(self.type(t), 'OpAtomic' + op, p, device, relaxed, *operands))

    def local_atomic(self, pool):
        r, u32 = self.r, self.type(i(32))
        op = r.choice(LOCAL_ATOMICS)
        p = self.op(self.pointer('Workgroup', u32), 'OpInBoundsAccessChain', '%counts', self.const(i(32), LOCAL_ATOMICS.index(op)))
        if r.random() < 0.2:
            p = self.op(self.pointer('Generic', u32), 'OpPtrCastToGeneric', p)
        value = [] if op in ('IIncrement', 'IDecrement') else [self.pick(pool, i(32))]
        self.op(u32, 'OpAtomic' + op, p, self.const(i(32), 2), self.const(i(32), r.choice([0, 8, 0x108])), *value)

    def own_float(self, pool, t, p):
        """An atomic operation on a float of the work-item's own. Numbers before and behind it: bits of a NaN may differ."""
        r, ty, relaxed, device = self.r, self.type(t), self.const(i(32), 0), self.const(i(32), 1)
        ops = ['FAddEXT', 'FMinEXT', 'FMaxEXT'] + (['Exchange', 'Load'] if t[1] > 16 else [])
        op = r.choice(ops)
        old = self.any_order(pool, t, 'FMin')
        if t[1] > 16:
            self.emit('OpAtomicStore %s %s %s %s' % (p, device, relaxed, old))
        else:
            self.emit('OpStore %s %s Aligned 2' % (p, old))
        operands = [] if op == 'Load' else [self.any_order(pool, t, 'FMin')]
        self.keep(pool, t, self.op(ty, 'OpAtomic' + op, p, device, relaxed, *operands))
        now = self.op(ty, 'OpLoad', p, 'Aligned %d' % (t[1] // 8))
        self.emit('OpStore %s %s Aligned %d' % (p, self.plain(t, now), t[1] // 8))
