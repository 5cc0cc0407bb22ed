"""Random kernels whose results the specification fixes, as SPIR-V text: control flow, functions, the whole module.

SPDX-License-Identifier: MIT
"""
from random_functions import Functions
from random_groups import LOCAL_ATOMICS, TOTALS, Groups
from random_images import Images
from random_loops import Loops
from random_memory import BYTES, SOURCE, Memory, size
from random_values import BOOL, FLOATS, Values, i, f

CAPABILITIES = ['Kernel', 'Addresses', 'Linkage', 'GenericPointer', 'Int64', 'Int16', 'Int8', 'Float16', 'Float64', 'Vector16',
                'Groups', 'GroupNonUniform', 'GroupNonUniformArithmetic', 'GroupNonUniformBallot', 'GroupNonUniformVote',
                'GroupNonUniformShuffle', 'GroupNonUniformShuffleRelative', 'GroupNonUniformClustered',
                'GroupNonUniformRotateKHR', 'GroupUniformArithmeticKHR', 'Int64Atomics', 'BitInstructions', 'DotProduct',
                'DotProductInputAll', 'DotProductInput4x8Bit', 'DotProductInput4x8BitPacked', 'UntypedPointersKHR',
                'VariableLengthArrayINTEL', 'SubgroupDispatch', 'USMStorageClassesALTERA', 'AtomicFloat32MinMaxEXT',
                'AtomicFloat64MinMaxEXT', 'AtomicFloat32AddEXT', 'AtomicFloat64AddEXT', 'AtomicFloat16MinMaxEXT',
                'AtomicFloat16AddEXT', 'NamedBarrier', 'SubgroupShuffleINTEL', 'SubgroupBufferBlockIOINTEL',
                'ImageBasic', 'ImageReadWrite', 'LiteralSampler', 'Sampled1D', 'Image1D']
EXTENSIONS = ['SPV_KHR_bit_instructions', 'SPV_KHR_subgroup_rotate', 'SPV_KHR_uniform_group_instructions',
              'SPV_KHR_integer_dot_product', 'SPV_KHR_untyped_pointers', 'SPV_INTEL_variable_length_array',
              'SPV_KHR_no_integer_wrap_decoration', 'SPV_ALTERA_usm_storage_classes', 'SPV_EXT_shader_atomic_float_min_max',
              'SPV_EXT_shader_atomic_float_add', 'SPV_EXT_shader_atomic_float16_add',
              'SPV_INTEL_subgroups']
# What a kernel asks about its work-item: variable, built-in, type.
IDS = [('gid', 'GlobalInvocationId', i(64, 3)), ('lid', 'LocalInvocationId', i(64, 3)), ('group', 'WorkgroupId', i(64, 3)),
       ('local_size', 'WorkgroupSize', i(64, 3)), ('linear', 'GlobalLinearId', i(64)),
       ('local_linear', 'LocalInvocationIndex', i(64)), ('offset', 'GlobalOffset', i(64, 3)),
       ('lane', 'SubgroupLocalInvocationId', i(32)),
       ('width', 'SubgroupSize', i(32)), ('max_width', 'SubgroupMaxSize', i(32)),
       ('subgroup', 'SubgroupId', i(32)), ('subgroups', 'NumSubgroups', i(32))]


class Launch:
    """Sizes and arguments. local_size: empty: chosen. buffers: (bytes of an element, elements, seed of random content or None
    for zeros). images: behind them, as `heddle run` takes them. numbers: behind buffers, of number_bytes each. coarsen: rows that
    a work-item does together, where it is asked to do several."""

    def __init__(self, global_size, local_size, buffers, offset=(), images=(), numbers=(), number_bytes=4, coarsen=3):
        self.global_size, self.local_size, self.buffers, self.offset = global_size, local_size, buffers, offset
        self.images, self.numbers, self.number_bytes, self.coarsen = images, numbers, number_bytes, coarsen

    def arguments(self):
        words = ['--global', ','.join(map(str, self.global_size))]
        if self.local_size:
            words += ['--local', ','.join(map(str, self.local_size))]
        if self.offset:
            words += ['--offset', ','.join(map(str, self.offset))]
        for bytes_, count, seed in self.buffers:
            words += ['--arg', 'u%d[%d]=%s' % (8 * bytes_, count, 'zeros' if seed is None else 'random:%d' % seed)]
        for image in self.images:
            words += ['--arg', image]
        for number in self.numbers:
            words += ['--arg', 'u%d=%d' % (8 * self.number_bytes, number)]
        return ' '.join(words)

    def command(self, width, interpreted=False, dispatch=False, fibers=False, calls=False, apart=True, lane_dim=0):
        flags = ' --engine interpreted' * interpreted + ' --dispatch' * dispatch + ' --fibers' * fibers + ' --calls' * calls
        flags += ' --lane-dim %d' % lane_dim if lane_dim else ''
        return '%sheddle run FILE k %s --threads 1 --width %d%s' % ('' if apart else 'HEDDLE_APART=0 ', self.arguments(), width,
                                                                    flags)


class Module(Values, Memory, Functions, Images, Groups, Loops):
    """A module with one kernel `k`.

    subgroups: with operations of all lanes. barriers: with barriers in loops and branches that all work-items
    of a group take together."""

    def __init__(self, seed, subgroups, barriers=False):
        super().__init__(seed)
        self.seed, self.subgroups, self.barriers = seed, subgroups, barriers
        self.areas, self.variables_text, self.min_width = [], [], 4 if subgroups and self.r.random() < 0.3 else 1
        self.inner, self.has_arrays, self.has_rows = None, self.r.random() < 0.25, self.r.random() < 0.4
        # What loops around can be left to: behind them, or their next round.
        self.tables, self.around = [], []
        self.named, self.records, self.is_counting, self.images = [], None, False, []
        # Most are small: compiling takes nearly all of the time, and small ones find as much.
        self.is_small = self.r.random() < 0.93
        # Functions that are called at many places, also by each other.
        self.calls_often = self.r.random() < 0.2
        self.sizes()

    def sizes(self):
        r = self.r
        shape = r.randrange(6)
        if shape < 3:
            self.local_size = [r.choice([16, 24, 32, 48, 64, 33, 7])]
            self.global_size = [self.local_size[0] * r.randrange(1, 3) if shape else r.randrange(20, 90)]
        elif shape < 5:
            self.local_size = [r.choice([4, 8, 16, 5]), r.choice([2, 3, 4])]
            self.global_size = [n * r.randrange(1, 3) if shape == 3 else n + r.randrange(n) for n in self.local_size]
        else:
            self.local_size = [r.choice([4, 8, 3]), 2, r.choice([2, 3])]
            self.global_size = [self.local_size[0] * 2, 2, self.local_size[2] * 2]
        # Nobody asks how large a group is, so that it may be chosen: often narrow rows.
        self.is_free = not self.subgroups and not self.barriers and r.random() < 0.3
        if self.is_free:
            self.global_size = [r.choice([1, 2, 3, 5, 8, 17, 28, 33]), r.choice([1, 2, 3, 7])][:r.choice([1, 2, 2, 2])]
        self.offset = [r.choice([0, 1, 5, 64, 1000]) for _ in self.global_size] if r.random() < 0.15 else []
        self.items = 1
        for n in self.global_size:
            self.items *= n
        # Of the last group in x, in one dimension.
        self.least_local = self.global_size[0] % self.local_size[0] or self.local_size[0]
        self.least_local = min(self.least_local, self.global_size[0])

    def most_local(self):
        n = 1
        for g, l in zip(self.global_size, self.local_size):
            n *= min(g, l)
        return n

    def launch(self):
        buffers = [(4, SOURCE, self.seed), (8, self.items, None), (4, TOTALS, None)]
        for k, area in enumerate(a for a in self.areas if a.is_argument):
            unit = area.t[1] // 8
            buffers.append((unit, area.per * self.room(self.items) * size(area.t) // unit, self.seed + k + 1))
        if self.records:
            buffers.append((1, self.items * self.records_per * self.record_bytes, self.seed))
        images = [image.argument(self.seed + k) for k, image in enumerate(self.images)]
        return Launch(self.global_size, [] if self.is_free else self.local_size, buffers, self.offset, images)

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
        self.budget -= 1
        if self.budget < 0:
            depth = 0
        if depth > 0 and kind < 0.1:
            self.if_else(pool, depth - 1)
        elif depth > 0 and kind < 0.17:
            self.loop(pool, depth - 1)
        elif depth > 0 and kind < 0.2:
            self.endless(pool, depth - 1)
        elif depth > 0 and kind < 0.26:
            self.switch(pool, depth - 1)
        elif depth > 0 and kind < (0.36 if self.has_rows else 0.27):
            r.choice([self.row_loop, self.plain_row, self.walk, self.struct_loop, self.record_loop])(pool)
        elif kind < 0.3:
            self.access(pool)
        elif kind < 0.48:
            self.memory_statement(pool)
        elif kind < 0.52 and not self.in_helper:
            self.atomic(pool)
        elif kind < (0.64 if self.calls_often else 0.56) and self.helpers and (self.calls_often or not self.in_helper):
            self.call(pool)
        elif kind < 0.66 and self.subgroups:
            self.talk(pool)
        elif kind > (0.985 if depth == 2 else 0.993) and (self.in_helper or not self.barriers):
            self.leave(pool)
        elif self.images and not self.in_helper and r.random() < 0.3:
            self.image_access(pool)
        elif r.random() < 0.3:
            self.function_statement(pool)
        else:
            self.expr(pool)

    def leave(self, pool):
        """Some work-items are done."""
        leave, on = self.label(), self.label()
        self.emit('OpBranchConditional %s %s %s' % (self.condition(pool), leave, on))
        self.start(leave)
        if self.in_helper:
            self.emit('OpReturnValue %s' % self.pick(pool, self.returns))
        else:
            self.finish(pool)
        self.start(on)

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
        t = self.random_type()
        one, other = self.new(), self.new()
        self.emit('%s = OpPhi %s %s %s %s %s' % (counter, u32, self.const(i(32), 0), before, step, latch))
        self.emit('%s = OpPhi %s %s %s %s %s' % (one, self.type(t), self.random_const(t), before, other, latch))
        self.emit('%s = OpPhi %s %s %s %s %s' % (other, self.type(t), self.random_const(t), before, one, latch))
        self.keep(pool, t, one)
        self.keep(pool, i(32), counter)
        go = self.op(self.type(BOOL), 'OpULessThan', counter, limit)
        self.emit('OpBranchConditional %s %s %s' % (go, body, end))
        inner = self.copy(pool)
        self.start(body)
        self.around.append((end, latch))
        self.statements(inner, depth, r.randrange(1, 5))
        for target in r.choice([[], [], [end], [latch], [end, latch], list(r.choice(self.around))[:1], [r.choice(self.around)[1]]]):
            after = self.label()
            self.emit('OpBranchConditional %s %s %s' % (self.condition(inner), target, after))
            self.start(after)
            self.statements(inner, depth, r.randrange(1, 3))
        self.around.pop()
        self.branch(latch)
        self.start(latch)
        self.emit('%s = OpIAdd %s %s %s' % (step, u32, counter, self.const(i(32), 1)))
        self.branch(head)
        self.start(end)

    def endless(self, pool, depth):
        """A loop without a condition of its own: each work-item leaves in the middle, when it likes."""
        r, u32 = self.r, self.type(i(32))
        head, latch, end = self.label(), self.label(), self.label()
        before, state, next_ = self.at, self.new(), self.new()
        left, less = self.new(), self.new()
        start = self.op(u32, 'OpBitwiseAnd', self.pick(pool, i(32)), self.const(i(32), 7))
        x = self.pick(pool, i(32))
        self.branch(head)
        self.start(head)
        self.emit('%s = OpPhi %s %s %s %s %s' % (left, u32, start, before, less, latch))
        self.emit('%s = OpPhi %s %s %s %s %s' % (state, u32, x, before, next_, latch))
        inner = self.copy(pool)
        self.keep(inner, i(32), state)
        leaves = []
        for k in range(r.randrange(1, 3)):
            self.statements(inner, depth, r.randrange(1, 3))
            on, stop = self.label(), self.condition(inner)
            if k == 0:
                stop = self.op(self.type(BOOL), 'OpIEqual', left, self.const(i(32), 0))
            leaves.append((self.at, self.copy(inner)))
            self.emit('OpBranchConditional %s %s %s' % (stop, end, on))
            self.start(on)
        self.statements(inner, depth, r.randrange(1, 3))
        value = self.pick(inner, i(32))
        self.branch(latch)
        self.start(latch)
        self.emit('%s = OpISub %s %s %s' % (less, u32, left, self.const(i(32), 1)))
        self.emit('%s = OpBitwiseXor %s %s %s' % (next_, u32, value, less))
        self.branch(head)
        self.start(end)
        self.merge_phi(pool, leaves)

    def switch(self, pool, depth):
        r = self.r
        count = r.randrange(1, 5)
        labels, default, end = [self.label() for _ in range(count)], self.label(), self.label()
        t, top = i(r.choice([32, 32, 8, 16, 64])), r.choice([3, 7])
        selector = self.op(self.type(t), 'OpBitwiseAnd', self.pick(pool, t), self.const(t, top))
        covered = count == 4 and top == 3
        values = r.sample(range(top + 1), count)
        pairs = list(zip(values, labels))
        if not covered and r.random() < 0.3:
            pairs += [(v, r.choice(labels + [end, default])) for v in range(8) if v not in values and r.random() < 0.5]
        self.emit('OpSwitch %s %s %s' % (selector, default, ' '.join('%d %s' % p for p in pairs)))
        arms = [(self.at, self.copy(pool))] if any(l == end for _, l in pairs) else []
        for k, label in enumerate(labels + [default]):
            inner = self.copy(pool)
            if covered and label == default:
                self.start(label)
                self.emit('OpUnreachable')
                break
            self.start(label)
            self.statements(inner, depth, r.randrange(1, 4))
            falls = k + 1 < len(labels) and r.random() < 0.25
            self.branch(labels[k + 1] if falls else end)
            if not falls:
                arms.append((self.at, inner))
        self.start(end)
        self.merge_phi(pool, arms)

    def tangle(self, pool):
        """Blocks that go anywhere, until a counter has run down; some, without a look at it, to later ones only, so that ways
        meet before the end. Values pass through variables."""
        r, u32 = self.r, self.type(i(32))
        blocks, end = [self.label() for _ in range(r.randrange(3, 7))], self.label()
        self.emit('OpStore %s %s' % (self.fuel, self.const(i(32), r.randrange(5, 40))))
        if r.random() < 0.5:
            self.emit('OpBranchConditional %s %s %s' % (self.condition(pool), *r.sample(blocks, 2)))
        else:
            self.branch(blocks[0])
        for k, label in enumerate(blocks):
            self.start(label)
            inner = self.copy(pool)
            if self.subgroups and r.random() < 0.4:
                self.collective(inner)
            for t, v in self.variables:
                if r.random() < 0.5:
                    self.keep(inner, t, self.op(self.type(t), 'OpLoad', v))
            self.statements(inner, 0, r.randrange(1, 6))
            later = blocks[k + 1:]
            if later and r.random() < 0.4:
                if len(later) == 1:
                    self.branch(later[0])
                else:
                    self.emit('OpBranchConditional %s %s %s' % (self.condition(inner), *r.sample(later, 2)))
                continue
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
                # A way that is never taken counts in the order of blocks.
                condition = self.const(BOOL, r.random() < 0.5) if r.random() < 0.2 else self.condition(inner)
                self.emit('OpBranchConditional %s %s %s' % (condition, *r.sample(blocks, 2)))
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
        self.budget -= 2
        if self.budget < 0:
            depth = 0
        if kind < 0.3:
            self.exchange(pool)
        elif kind < 0.35:
            self.group_collective(pool)
        elif kind < 0.37:
            self.r.choice([self.fetch] + [self.block_read] * self.subgroups)(pool)
        elif kind < 0.39:
            self.count_together(pool, depth)
        elif kind < 0.44 and self.named and self.subgroups:
            self.exchange_apart(pool)
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
        pool = self.copy(pool)
        for area in self.areas:
            count = 0 if area.is_argument else area.per
            for k in self.r.sample(range(count), 1) if self.is_small and count else range(count):
                q = self.element(pool, area, k)
                self.keep(pool, area.t, self.op(self.type(area.t), 'OpLoad', q, self.aligned(area.t)))
        self.emit('OpStore %s %s Aligned 8' % (p, self.digest(pool)))
        self.emit('OpReturn')

    # ---- functions
    def access(self, pool):
        """A whole variable."""
        t, v = self.r.choice(self.variables)
        if self.r.random() < 0.5:
            self.emit('OpStore %s %s' % (v, self.pick(pool, t)))
        else:
            self.keep(pool, t, self.op(self.type(t), 'OpLoad', v))

    def exchange(self, pool, value=None):
        """Through local memory, between barriers."""
        u32, u64 = self.type(i(32)), self.type(i(64))
        pointer = self.pointer('Workgroup', u32)
        to = self.op(pointer, 'OpInBoundsAccessChain', '%exchange', self.lid)
        self.emit('OpStore %s %s Aligned 4' % (to, value or self.pick(pool, i(32))))
        self.wait()
        other = self.op(u64, 'OpIAdd', self.lid, self.const(i(64), self.r.randrange(self.most_local())))
        other = self.op(u64, 'OpUMod', other, self.local_items)
        p = self.op(pointer, 'OpInBoundsAccessChain', '%exchange', other)
        got = self.keep(pool, i(32), self.op(u32, 'OpLoad', p, 'Aligned 4'))
        self.wait()
        return got

    def wait(self, barrier=None):
        """All of the work-group, at a barrier with a name or without; or those whose named barrier it is."""
        two, order = self.const(i(32), 2), self.const(i(32), 0x108)
        barrier = barrier or (self.named[0] if self.named and self.r.random() < 0.5 else None)
        if barrier:
            self.emit('OpMemoryNamedBarrier %s %s %s' % (barrier, two, order))
        else:
            self.emit('OpControlBarrier %s %s %s' % (two, two, order))

    def make_named(self):
        """Barriers for all sub-groups, for those of even number and for those of odd number."""
        u32, named = self.type(i(32)), self.declare('named_barrier', 'OpTypeNamedBarrier')
        all_ = self.number('subgroups')
        more = self.op(u32, 'OpIAdd', all_, self.const(i(32), 1))
        evens, odds = (self.op(u32, 'OpUDiv', n, self.const(i(32), 2)) for n in (more, all_))
        counts = [all_, evens, self.std(i(32), 'u_max', odds, self.const(i(32), 1))]
        self.named = [self.op(named, 'OpNamedBarrierInitialize', n) for n in counts]

    def exchange_apart(self, pool):
        """Sub-groups of even number among themselves, and those of odd number, through local memory."""
        r, u32, b = self.r, self.type(i(32)), self.type(BOOL)
        pointer, number = self.pointer('Workgroup', u32), self.number('subgroup')
        after = self.op(u32, 'OpIAdd', number, self.const(i(32), 2))
        inside = self.op(b, 'OpULessThan', after, self.number('subgroups'))
        parity = self.op(u32, 'OpBitwiseAnd', number, self.const(i(32), 1))
        after = self.op(u32, 'OpSelect', inside, after, parity)
        yes, no, end = self.label(), self.label(), self.label()
        self.emit('OpBranchConditional %s %s %s' % (self.op(b, 'OpIEqual', parity, self.const(i(32), 0)), yes, no))
        arms = []
        for label, barrier in (yes, self.named[1]), (no, self.named[2]):
            inner = self.copy(pool)
            self.start(label)
            for _ in range(r.randrange(1, 3)):
                one, on = self.label(), self.label()
                self.emit('OpBranchConditional %s %s %s' % (self.op(b, 'OpGroupNonUniformElect', self.scope(3)), one, on))
                self.start(one)
                mine = self.op(pointer, 'OpInBoundsAccessChain', '%exchange', number)
                self.emit('OpStore %s %s Aligned 4' % (mine, self.pick(inner, i(32))))
                self.branch(on)
                self.start(on)
                self.wait(barrier)
                p = self.op(pointer, 'OpInBoundsAccessChain', '%exchange', after)
                self.keep(inner, i(32), self.op(u32, 'OpLoad', p, 'Aligned 4'))
                self.wait(barrier)
                self.statements(inner, 1, r.randrange(2))
            arms.append((self.at, inner))
            self.branch(end)
        self.start(end)
        self.merge_phi(pool, arms)
        self.wait()

    def count_together(self, pool, depth):
        """Atomics on words of the work-group's, whose order does not matter; then all look at them."""
        self.is_counting = True
        self.statements(pool, min(depth, 1), self.r.randrange(1, 4))
        self.local_atomic(pool)
        self.is_counting = False
        self.wait()
        for op in self.r.sample(LOCAL_ATOMICS, 3):
            p = self.op(self.pointer('Workgroup', self.type(i(32))), 'OpInBoundsAccessChain', '%counts',
                        self.const(i(32), LOCAL_ATOMICS.index(op)))
            self.keep(pool, i(32), self.op(self.type(i(32)), 'OpLoad', p, 'Aligned 4'))
        self.wait()

    def fetch(self, pool):
        """Local memory is filled from the source, asynchronously."""
        r, u64 = self.r, self.type(i(64))
        event, zero = self.declare('event', 'OpTypeEvent'), self.const(i(32), 0)
        count, stride = self.room(self.most_local()), r.choice([1, 1, 2, 3])
        to = self.op(self.pointer('Workgroup', self.type(i(32))), 'OpInBoundsAccessChain', '%exchange', zero)
        start = self.const(i(64), r.randrange(SOURCE - count * stride))
        source = self.op(self.pointer('CrossWorkgroup', self.type(i(32))), 'OpInBoundsPtrAccessChain', self.source, start)
        v = self.op(event, 'OpGroupAsyncCopy', self.scope(2), to, source, self.const(i(64), count), self.const(i(64), stride),
                    self.null(event))
        self.emit('OpStore %s %s' % (self.event, v))
        self.emit('OpGroupWaitEvents %s %s %s' % (self.scope(2), self.const(i(32), 1), self.event))
        index = self.op(u64, 'OpUMod', self.pick(pool, i(64)), self.const(i(64), count))
        p = self.op(self.pointer('Workgroup', self.type(i(32))), 'OpInBoundsAccessChain', '%exchange', index)
        self.keep(pool, i(32), self.op(self.type(i(32)), 'OpLoad', p, 'Aligned 4'))
        self.wait()

    def function_variables(self):
        r = self.r
        self.variables = []
        word = self.pointer('Function', self.type(i(32)))
        self.words = [self.op(word, 'OpVariable', 'Function', self.random_const(i(32))) for _ in range(2)]
        self.variables += [(i(32), self.words[0])]
        for _ in range(3):
            t = self.random_type()
            self.variables.append((t, self.op(self.pointer('Function', self.type(t)), 'OpVariable', 'Function',
                                              self.random_const(t))))
        self.structs()
        for _ in range(r.randrange(1, 3)):
            self.private_area()
        whole = self.array(i(8), BYTES)
        self.bytes = self.op(self.pointer('Function', whole), 'OpVariable', 'Function', self.null(whole))
        self.decorations.append('OpDecorate %s Alignment 16' % self.bytes)
        self.fuel = self.op(word, 'OpVariable', 'Function')
        self.event = self.op(self.pointer('Function', self.declare('event', 'OpTypeEvent')), 'OpVariable', 'Function')
        self.places = {}
        if not self.in_helper:
            for kind in {a.pointer: None for a in self.areas if not a.is_untyped}:
                self.places[kind] = self.op(self.pointer('Function', kind), 'OpVariable', 'Function')

    def digest(self, pool):
        u64, total = self.type(i(64)), self.const(i(64), 17)
        values = [(t, v) for t in sorted(pool) for v in pool[t][-2:]]
        if self.is_small:
            values = self.r.sample(values, min(len(values), 7))
        for t, v in values:
            total = self.op(u64, 'OpIMul', total, self.const(i(64), 6364136223846793005))
            total = self.op(u64, 'OpIAdd', total, self.flat(t, v))
        return total

    def helper(self, number):
        """Takes a pointer to a word of its caller, too, maybe a struct, and may return early."""
        r, word = self.r, self.pointer('Function', self.type(i(32)))
        self.returns = t = i(32) if r.random() < 0.4 else BOOL if r.random() < 0.1 else self.random_type()
        params = [i(32), i(64), f(32)] + [self.random_type() for _ in range(r.choice([0, 0, 1, 2]))]
        params += [BOOL] * (r.random() < 0.2)
        self.declare_struct()
        structs = [self.struct_id] * (r.random() < 0.3)
        kinds = [self.type(p) for p in params] + structs + [word]
        name = '%%helper%d' % number
        kind = self.declare('helper_' + '_'.join(k[1:] for k in [self.type(t)] + kinds), 'OpTypeFunction %s %s' % (self.type(t), ' '.join(kinds)))
        self.emit('%s = OpFunction %s None %s' % (name, self.type(t), kind))
        pool, self.in_helper, areas = {}, True, self.areas
        for p in params:
            self.keep(pool, p, self.op(self.type(p), 'OpFunctionParameter'))
        whole = [self.op(s, 'OpFunctionParameter') for s in structs]
        theirs = self.op(word, 'OpFunctionParameter')
        self.areas, self.budget = [], 5 if self.is_small else 12
        self.start(self.label())
        self.function_variables()
        for s in whole:
            self.emit('OpStore %s %s' % (self.struct_vars[0], s))
        self.keep(pool, i(32), self.op(self.type(i(32)), 'OpLoad', theirs))
        self.statements(pool, 1, r.randrange(2, 6))
        if r.random() < 0.5:
            leave, on = self.label(), self.label()
            self.emit('OpBranchConditional %s %s %s' % (self.condition(pool), leave, on))
            self.start(leave)
            self.emit('OpReturnValue %s' % self.pick(pool, t))
            self.start(on)
        self.emit('OpStore %s %s' % (theirs, self.pick(pool, i(32))))
        self.statements(pool, 1, r.randrange(1, 4))
        v = self.digest(pool)
        self.emit('OpReturnValue %s' % (self.op(self.type(i(32)), 'OpUConvert', v) if t == i(32) else self.pick(pool, t)))
        self.emit('OpFunctionEnd')
        self.in_helper, self.areas = False, areas
        self.helpers.append((name, t, params, len(structs)))

    def call(self, pool):
        """Of any helper."""
        name, t, params, structs = self.r.choice(self.helpers)
        operands = [self.pick(pool, p) for p in params]
        operands += [self.op(self.struct_id, 'OpLoad', self.r.choice(self.struct_vars)) for _ in range(structs)]
        self.keep(pool, t, self.op(self.type(t), 'OpFunctionCall', name, *operands, self.r.choice(self.words)))

    def number(self, name, component=None):
        """A built-in, or a component of it."""
        t = next(t for n, _, t in IDS if n == name)
        v = self.op(self.type(t), 'OpLoad', '%' + name)
        return v if component is None else self.op(self.type(i(64)), 'OpCompositeExtract', v, component)

    def begin(self, pool):
        """Ids, and values that depend on them and on the source."""
        r, u32, u64 = self.r, self.type(i(32)), self.type(i(64))
        flat = len(self.global_size) == 1 and r.random() < 0.8
        self.gid = self.number('gid', 0) if flat else self.number('linear')
        if flat and self.offset:
            self.gid = self.op(u64, 'OpISub', self.gid, self.number('offset', 0))
        self.lid = self.number('lid', 0) if flat else self.number('local_linear')
        size_ = [self.number('local_size', k) for k in range(3)]
        self.local_items = self.op(u64, 'OpIMul', self.op(u64, 'OpIMul', size_[0], size_[1]), size_[2])
        group = [self.number('group', k) for k in range(3)]
        group = self.op(u64, 'OpIAdd', self.op(u64, 'OpIAdd', group[0], group[1]), group[2])
        self.keep(pool, i(64), self.gid)
        self.keep(pool, i(32), self.op(u32, 'OpUConvert', self.gid))
        for k in range(3):
            index = self.op(u64, 'OpIAdd', self.gid, self.const(i(64), k * 32))
            p = self.op(self.pointer('CrossWorkgroup', u32), 'OpInBoundsPtrAccessChain', self.source, index)
            self.keep(pool, i(32), self.op(u32, 'OpLoad', p, 'Aligned 4'))
        for bits in FLOATS:
            self.keep(pool, f(bits), self.op(self.type(f(bits)), 'OpConvertSToF', pool[i(32)][-1]))
        for area in self.areas:
            for k in range(area.per if area.storage != 'Function' and not area.is_argument else 0):
                v = self.plain(area.t, self.pick(pool, area.t))
                self.emit('OpStore %s %s %s' % (self.element(pool, area, k), v, self.aligned(area.t)))
        return self.op(u32, 'OpUConvert', group)

    def kernel(self):
        r, u32, u64 = self.r, self.type(i(32)), self.type(i(64))
        global32, global64 = self.pointer('CrossWorkgroup', u32), self.pointer('CrossWorkgroup', u64)
        areas = [self.global_area() for _ in range(r.choice([1, 2, 3]) if self.has_rows or not self.is_small else 1)]
        for n in range(0 if self.is_free else r.randrange(2)):
            self.variable_area('Workgroup', '%%local%d' % n, self.most_local())
        if r.random() < 0.15:
            self.variable_area('CrossWorkgroup', '%program', self.items)
        params = [global32, global64, global32] + [a.pointer for a in areas]
        if r.random() < 0.3:
            params.append(self.record_area())
        params += self.make_images() if r.random() < 0.1 else []
        kind = self.declare('kernel', 'OpTypeFunction %s %s' % (self.declare('void', 'OpTypeVoid'), ' '.join(params)))
        self.emit('%%k = OpFunction %s None %s' % (self.types['void'], kind))
        self.source, self.out, self.total, *bases = (self.op(p, 'OpFunctionParameter') for p in params)
        for area, base in zip(areas, bases):
            area.base = base
        for image in reversed(self.images):
            image.base = bases.pop()
        self.records = bases[-1] if len(bases) > len(areas) else None
        self.start(self.label())
        self.function_variables()
        pool = {}
        self.budget = 12 if self.is_small else 40
        same = [self.begin(pool), self.const(i(32), r.randrange(8))]
        if self.barriers and r.random() < 0.3:
            self.make_named()
        for k in range(len(LOCAL_ATOMICS) if self.barriers else 0):
            p = self.op(self.pointer('Workgroup', u32), 'OpInBoundsAccessChain', '%counts', self.const(i(32), k))
            self.emit('OpAtomicStore %s %s %s %s' % (p, self.const(i(32), 2), self.const(i(32), 0), self.const(i(32), 77 * k)))
        if self.barriers:
            self.wait()
        if self.has_rows and r.random() < 0.6:
            self.plain_row(pool)
        for _ in range(1 if self.barriers or self.is_small else r.randrange(1, 4)):
            self.statements(pool, 2, r.randrange(1, 4) if self.barriers else r.randrange(2, 9))
            if r.random() < (0.15 if self.barriers else 0.4 if self.subgroups else 0.25):
                self.tangle(pool)
            if self.barriers:
                self.group_statements(pool, same, 2, r.randrange(1, 4))
        self.finish(pool)
        self.emit('OpFunctionEnd')

    def text(self):
        self.helpers, self.in_helper = [], False
        for n in range(self.r.choice([0, 0, 1, 2])):
            self.table(n)
        whole = self.array(i(32), self.room(self.most_local()))
        exchange = self.pointer('Workgroup', whole)
        for n in range(self.r.randrange(1, 4) if self.calls_often else self.r.randrange(2 if self.is_small else 3)):
            self.helper(n)
        self.kernel()
        inputs = [(name, builtin, self.pointer('Input', self.type(t))) for name, builtin, t in IDS]
        head = ['OpCapability ' + c for c in CAPABILITIES] + ['OpExtension "%s"' % e for e in EXTENSIONS]
        head += ['%std = OpExtInstImport "OpenCL.std"', 'OpMemoryModel Physical64 OpenCL',
                 'OpEntryPoint Kernel %k "k" ' + ' '.join('%' + name for name, _, _ in inputs),
                 'OpExecutionMode %k ContractionOff']
        head += ['OpDecorate %%%s BuiltIn %s' % (name, builtin) for name, builtin, _ in inputs] + self.decorations
        variables = ['%%%s = OpVariable %s Input' % (name, pointer) for name, _, pointer in inputs]
        counts = self.pointer('Workgroup', self.array(i(32), len(LOCAL_ATOMICS)))
        variables += ['%%counts = OpVariable %s Workgroup' % counts] if self.barriers else []
        variables += ['%%exchange = OpVariable %s Workgroup' % exchange] + self.variables_text
        comment = '; Random kernel %d.\n; RUN: heddle run %%s k %s\n' % (self.seed, self.launch().arguments())
        return comment + '\n'.join(head + self.decls + variables + self.body) + '\n'
