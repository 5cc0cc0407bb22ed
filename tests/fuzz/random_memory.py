"""Random accesses to memory of every kind: each work-item to what is its own, and to what nobody writes.

SPDX-License-Identifier: MIT
"""
from random_values import BOOL, FLOATS, INTS, i, f

SOURCE = 1024  # elements of the buffer that is only read
BYTES = 32     # of a work-item, in areas of bytes


def size(t):
    """Bytes of a value of a type in memory."""
    return t[1] // 8 * (4 if t[2] == 3 else t[2])


class Area:
    """Elements of one type: `per` for each work-item, at places that `order` tells."""

    def __init__(self, t, per, order, storage, is_untyped, type_id, pointer):
        self.t, self.per, self.order, self.storage, self.is_untyped = t, per, order, storage, is_untyped
        self.type_id, self.pointer = type_id, pointer
        self.base, self.is_argument = None, False


class Memory:
    """To be mixed into a module."""

    # ---- areas
    def untyped(self, storage):
        return self.declare('up_' + storage, 'OpTypeUntypedPointerKHR ' + storage)

    def array(self, t, count):
        return self.declare('array_%s_%d' % (self.type(t)[3:], count), 'OpTypeArray %s %s' % (self.type(t), self.const(i(32), count)))

    def null(self, type_id):
        key = 'null ' + type_id
        if key not in self.constants:
            self.constants[key] = '%%null%d' % len(self.constants)
            self.decls.append('%s = OpConstantNull %s' % (self.constants[key], type_id))
        return self.constants[key]

    def global_area(self):
        """Its pointer is an argument of the kernel; `base` is set when the kernel is written."""
        r = self.r
        t, is_untyped, is_row = self.random_type(), r.random() < 0.3, self.has_rows and r.random() < 0.6
        if is_row and self.areas and r.random() < 0.7:
            t = self.areas[0].t
        pointer = self.untyped('CrossWorkgroup') if is_untyped else self.pointer('CrossWorkgroup', self.type(t))
        per, order = r.choice([1, 1, 2, 4]), r.choice(['across', 'grid', 'along', 'along', 'down', 'swapped'])
        if is_row:
            per, order = r.choice([8, 16, 64]), 'along'
        area = Area(t, per, order, 'CrossWorkgroup', is_untyped, self.type(t), pointer)
        area.is_argument = True
        self.areas.append(area)
        return area

    def variable_area(self, storage, name, items):
        """A variable of the module: of each group's, or of the program's. Each work-item gives its elements their first values."""
        r, t = self.r, self.random_type()
        per = r.choice([1, 2])
        whole = self.array(t, per * self.room(items))
        is_untyped = r.random() < 0.3
        pointer = self.untyped(storage) if is_untyped else self.pointer(storage, self.type(t))
        if is_untyped:
            self.variables_text.append('%s = OpUntypedVariableKHR %s %s %s' % (name, pointer, storage, whole))
        else:
            self.variables_text.append('%s = OpVariable %s %s' % (name, self.pointer(storage, whole), storage))
        area = Area(t, per, r.choice(['across', 'along', 'swapped']), storage, is_untyped, whole, pointer)
        area.base = name
        self.areas.append(area)

    def table(self, number):
        """Constants, which all read."""
        t, count = self.random_type(), self.r.choice([2, 4, 8, 16, 64])
        whole, name = self.array(t, count), '%%table%d' % number
        content = [self.random_const(t) for _ in range(count)]
        self.decls.append('%s_content = OpConstantComposite %s %s' % (name, whole, ' '.join(content)))
        self.variables_text.append('%s = OpVariable %s UniformConstant %s_content' % (
            name, self.pointer('UniformConstant', whole), name))
        self.tables.append((t, count, name))

    def table_load(self, pool, index=None):
        t, count, name = self.r.choice(self.tables)
        if index is None:
            index = self.small_index(pool, count)[1]
        else:
            index = self.op(self.type(i(32)), 'OpBitwiseAnd', index, self.const(i(32), count - 1))
        p = self.op(self.pointer('UniformConstant', self.type(t)), 'OpInBoundsAccessChain', name, index)
        return self.keep(pool, t, self.op(self.type(t), 'OpLoad', p, 'Aligned %d' % (t[1] // 8)))

    def private_area(self):
        r, t = self.r, self.random_type()
        count = r.choice([4, 8])
        whole, is_untyped = self.array(t, count), r.random() < 0.3
        pointer = self.untyped('Function') if is_untyped else self.pointer('Function', self.type(t))
        area = Area(t, count, 'private', 'Function', is_untyped, whole, pointer)
        if is_untyped:
            area.base = self.op(pointer, 'OpUntypedVariableKHR', 'Function', whole, self.null(whole))
        else:
            area.base = self.op(self.pointer('Function', whole), 'OpVariable', 'Function', self.null(whole))
        self.areas.append(area)

    def room(self, items):
        """A power of two with place for so many work-items, of which two may change places."""
        n = 2
        while n < items:
            n *= 2
        return n

    def small_index(self, pool, count):
        """Any of `count` (a power of two) as a value of an integer type."""
        r = self.r
        if r.random() < 0.4:
            return i(32), self.const(i(32), r.randrange(count))
        t = i(r.choice(INTS))
        return t, self.op(self.type(t), 'OpBitwiseAnd', self.pick(pool, t), self.const(t, count - 1))

    def element(self, pool, area, at=None, index=None):
        """A pointer to one of the work-item's elements: number `at`, that of a value (its type, its id), or any."""
        r = self.r
        t, k = index or ((i(32), self.const(i(32), at)) if at is not None else self.small_index(pool, area.per))
        if area.order == 'private':
            return self.chain(area, k)
        wide = r.choice([i(32), i(64), i(64)])
        ty = self.type(wide)
        item = self.gid if area.storage == 'CrossWorkgroup' else self.lid
        count = self.room(self.items if area.storage == 'CrossWorkgroup' else self.most_local())
        if t != wide:
            k = self.op(ty, 'OpUConvert', k)
        if wide != i(64):
            item = self.op(ty, 'OpUConvert', item)
        if area.order == 'grid':
            count = self.items
        if area.order in ('across', 'grid'):
            return self.chain(area, self.op(ty, 'OpIAdd', self.op(ty, 'OpIMul', k, self.const(wide, count)), item))
        if area.order == 'down':
            item = self.op(ty, 'OpISub', self.const(wide, count - 1), item)
        elif area.order == 'swapped':
            item = self.op(ty, 'OpBitwiseXor', item, self.const(wide, 1))
        scaled = self.op(ty, 'OpIMul', item, self.const(wide, area.per)) if area.per > 1 else item
        return self.chain(area, self.op(ty, 'OpIAdd', scaled, k) if area.per > 1 else scaled)

    def chain(self, area, index):
        steps = 'Ptr' if area.is_argument else ''
        bounds = self.r.choice(['InBounds', ''])
        if area.is_untyped:
            return self.op(area.pointer, 'OpUntyped%s%sAccessChainKHR' % (bounds, steps), area.type_id, area.base, index)
        return self.op(area.pointer, 'Op%s%sAccessChain' % (bounds, steps), area.base, index)

    def aligned(self, t):
        whole = size(t)
        how = self.r.choice(['Volatile|', 'Nontemporal|']) if self.r.random() < 0.08 else ''
        return '%sAligned %d' % (how, self.r.choice([whole, whole, t[1] // 8]))

    def plain(self, t, v):
        """The value with one NaN for all NaNs, so that its bytes are known."""
        if t[0] != 'f':
            return v
        nan = self.op(self.type(('b', 1, t[2])), 'OpIsNan', v)
        return self.op(self.type(t), 'OpSelect', nan, self.same(t, '7'), v)

    def element_access(self, pool, area=None):
        area = area or self.r.choice(self.areas)
        t, p = area.t, self.element(pool, area)
        if area.storage != 'Function' and not area.is_untyped and self.r.random() < 0.2:
            p = self.other_class(area, p)
        if self.r.random() < 0.5:
            v = self.plain(t, self.pick(pool, t))
            self.emit('OpStore %s %s %s' % (p, v, self.aligned(t)))
        else:
            self.keep(pool, t, self.op(self.type(t), 'OpLoad', p, self.aligned(t)))

    def other_class(self, area, p):
        """The same place by a pointer of another storage class."""
        ty = self.type(area.t)
        if area.storage == 'CrossWorkgroup' and self.r.random() < 0.3:
            usm = self.pointer(self.r.choice(['DeviceOnlyALTERA', 'HostOnlyALTERA']), ty)
            return self.op(usm, 'OpCrossWorkgroupCastToPtrALTERA', p)
        p = self.op(self.pointer('Generic', ty), 'OpPtrCastToGeneric', p)
        kind = self.r.random()
        if kind < 0.3:
            p = self.op(area.pointer, 'OpGenericCastToPtr', p)
        elif kind < 0.5:
            p = self.op(area.pointer, 'OpGenericCastToPtrExplicit', p, area.storage)
        elif kind < 0.6:
            number = self.op(self.type(i(64)), 'OpConvertPtrToU', p)
            p = self.op(self.pointer('Generic', ty), 'OpConvertUToPtr', number)
        return p

    def swap(self, pool):
        """Two elements change places, maybe the same two."""
        area = self.r.choice(self.areas)
        t, ty = area.t, self.type(area.t)
        a, b = self.element(pool, area), self.element(pool, area)
        x, y = (self.op(ty, 'OpLoad', p, self.aligned(t)) for p in (a, b))
        self.emit('OpStore %s %s %s' % (a, y, self.aligned(t)))
        self.emit('OpStore %s %s %s' % (b, x, self.aligned(t)))

    def copied(self, pool):
        """One element is copied to another one."""
        area = self.r.choice(self.areas)
        a, b = self.element(pool, area), self.element(pool, area)
        differ = self.op(self.type(BOOL), 'OpPtrNotEqual', a, b)
        yes, end = self.label(), self.label()
        self.emit('OpBranchConditional %s %s %s' % (differ, yes, end))
        self.start(yes)
        if area.is_untyped or self.r.random() < 0.5:
            self.emit('OpCopyMemorySized %s %s %s %s' % (a, b, self.const(i(64), size(area.t)), self.aligned(area.t)))
        else:
            self.emit('OpCopyMemory %s %s %s' % (a, b, self.aligned(area.t)))
        self.branch(end)
        self.start(end)

    def chosen_pointer(self, pool):
        """One of two places, or of two variables of one type."""
        r = self.r
        typed = [a for a in self.areas if not a.is_untyped]
        pairs = [(a, b) for a in typed for b in typed if a.t == b.t]
        if not pairs:
            return self.element_access(pool)
        a, b = r.choice(pairs)
        p, q, kind = self.element(pool, a), self.element(pool, b), a.pointer
        if a.storage != b.storage:
            kind = self.pointer('Generic', self.type(a.t))
            p, q = (self.op(kind, 'OpPtrCastToGeneric', x) for x in (p, q))
        v = self.op(kind, 'OpSelect', self.condition(pool), p, q)
        if r.random() < 0.5:
            self.emit('OpStore %s %s %s' % (v, self.plain(a.t, self.pick(pool, a.t)), self.aligned(a.t)))
        self.keep(pool, a.t, self.op(self.type(a.t), 'OpLoad', v, self.aligned(a.t)))

    # ---- records: structs in a buffer, some for each work-item
    def record_area(self):
        """Of two to five members; the last argument of the kernel."""
        r = self.r
        self.record = [self.random_type() for _ in range(r.randrange(2, 6))]
        self.record_id = self.declare('record', 'OpTypeStruct ' + ' '.join(self.type(t) for t in self.record))
        self.records_per = r.choice([1, 1, 2, 4])
        at, most = 0, 1
        for t in self.record:
            most = max(most, size(t))
            at = (at + size(t) - 1) // size(t) * size(t) + size(t)
        self.record_bytes = (at + most - 1) // most * most
        return self.pointer('CrossWorkgroup', self.record_id)

    def record_member(self, k):
        """A pointer to a member of the work-item's record number k, an i32."""
        r, u64 = self.r, self.type(i(64))
        which = r.randrange(len(self.record))
        item = self.op(u64, 'OpIMul', self.gid, self.const(i(64), self.records_per))
        at = self.op(u64, 'OpIAdd', item, self.op(u64, 'OpUConvert', k))
        t, member = self.record[which], self.const(i(32), which)
        op = 'Op%sPtrAccessChain' % r.choice(['InBounds', ''])
        return t, self.op(self.pointer('CrossWorkgroup', self.type(t)), op, self.records, at, member)

    def record_access(self, pool, k=None):
        r = self.r
        for _ in range(r.randrange(1, 4)):
            at = k or self.op(self.type(i(32)), 'OpBitwiseAnd', self.pick(pool, i(32)), self.const(i(32), self.records_per - 1))
            t, p = self.record_member(at)
            if r.random() < 0.4:
                self.emit('OpStore %s %s %s' % (p, self.plain(t, self.pick(pool, t)), self.aligned(t)))
            else:
                self.keep(pool, t, self.op(self.type(t), 'OpLoad', p, self.aligned(t)))

    # ---- what nobody writes
    def source_load(self, pool):
        r, u32, u64 = self.r, self.type(i(32)), self.type(i(64))
        kind = r.randrange(4)
        if kind == 0:  # beside the work-item's own, or a row of it
            index = self.op(u64, 'OpIAdd', self.gid, self.const(i(64), r.randrange(512)))
        elif kind == 1:  # anywhere
            index = self.op(u32, 'OpBitwiseAnd', self.pick(pool, i(32)), self.const(i(32), SOURCE - 1))
        elif kind == 2:  # a narrow sum that wraps
            t = i(8)
            narrow = self.op(self.type(t), 'OpIAdd', self.op(self.type(t), 'OpUConvert', self.gid), self.random_const(t))
            index = self.op(u64, 'OpUConvert', narrow)
        else:
            row = self.op(u64, 'OpUConvert', self.op(u32, 'OpBitwiseAnd', self.pick(pool, i(32)), self.const(i(32), 127)))
            index = self.op(u64, 'OpIAdd', self.op(u64, 'OpIMul', row, self.const(i(64), 4)), self.gid)
        self.source_element(pool, index)

    def source_element(self, pool, index):
        t = self.r.choice([i(32)] * 4 + [i(8), i(16), f(32)])
        kind = self.pointer('CrossWorkgroup', self.type(t))
        base = self.source if t == i(32) else self.op(kind, 'OpBitcast', self.source)
        p = self.op(kind, 'OpInBoundsPtrAccessChain', base, index)
        return self.keep(pool, t, self.op(self.type(t), 'OpLoad', p, 'Aligned %d' % size(t)))

    def guarded_load(self, pool):
        """Only work-items whose index is inside load; other indices are anything."""
        u32 = self.type(i(32))
        if self.r.random() < 0.5:
            index = self.op(u32, 'OpIAdd', self.op(u32, 'OpUConvert', self.gid), self.random_const(i(32)))
        else:
            index = self.pick(pool, i(32))
        inside = self.op(self.type(BOOL), 'OpULessThan', index, self.const(i(32), self.r.choice([16, 300, SOURCE])))
        before, yes, end = self.at, self.label(), self.label()
        self.emit('OpBranchConditional %s %s %s' % (inside, yes, end))
        self.start(yes)
        p = self.op(self.pointer('CrossWorkgroup', u32), 'OpInBoundsPtrAccessChain', self.source,
                    self.op(self.type(i(64)), 'OpUConvert', index))
        v = self.op(u32, 'OpLoad', p, 'Aligned 4')
        if self.r.random() < 0.5:
            v = self.op(u32, 'OpIAdd', v, self.const(i(32), 5))
        self.branch(end)
        self.start(end)
        self.keep(pool, i(32), self.op(u32, 'OpPhi', v, yes, self.random_const(i(32)), before))

    def guarded_promise(self, pool):
        """A sum that does not wrap where it is made; elsewhere it would."""
        t = i(self.r.choice([16, 32, 64]))
        ty, x = self.type(t), self.pick(pool, t)
        before, yes, end = self.at, self.label(), self.label()
        small = self.op(self.type(BOOL), 'OpULessThan', x, self.const(t, 1000))
        self.emit('OpBranchConditional %s %s %s' % (small, yes, end))
        self.start(yes)
        v = self.op(ty, 'OpIAdd', x, self.const(t, 12345))
        self.decorations += ['OpDecorate %s NoSignedWrap' % v, 'OpDecorate %s NoUnsignedWrap' % v]
        more = self.op(self.type(BOOL), 'OpSGreaterThan', v, x)
        v = self.op(ty, 'OpSelect', more, v, self.random_const(t))
        if self.r.random() < 0.5:
            self.element_access(self.copy(pool))
        self.branch(end)
        self.start(end)
        self.keep(pool, t, self.op(ty, 'OpPhi', v, yes, self.random_const(t), before))

    # ---- structs
    def declare_struct(self):
        """A struct, and what nests in it."""
        if self.inner is None:
            self.inner = [self.random_type() for _ in range(self.r.randrange(1, 4))]
            inner_id = self.declare('inner', 'OpTypeStruct ' + ' '.join(self.type(t) for t in self.inner))
            self.members = [self.random_type(), i(16), self.random_type()]
            row = self.array(self.members[1], 4)
            self.struct_id = self.declare('struct', 'OpTypeStruct %s %s %s %s' % (
                self.type(self.members[0]), row, self.type(self.members[2]), inner_id))

    def structs(self):
        """Two variables of the struct."""
        self.declare_struct()
        kind = self.pointer('Function', self.struct_id)
        self.struct_vars = [self.op(kind, 'OpVariable', 'Function', self.null(self.struct_id)) for _ in range(2)]

    def member(self, pool, base):
        r = self.r
        which = r.randrange(4)
        steps = [self.const(i(32), which)]
        if which == 3:
            k = r.randrange(len(self.inner))
            t = self.inner[k]
            steps.append(self.const(i(32), k))
        else:
            t = self.members[which]
        if which == 1:
            steps.append(self.small_index(pool, 4)[1])
        return t, self.op(self.pointer('Function', self.type(t)), 'OpInBoundsAccessChain', base, *steps)

    def struct_access(self, pool):
        r, kind = self.r, self.r.randrange(6)
        a, b = self.struct_vars
        if kind < 2:
            t, p = self.member(pool, r.choice(self.struct_vars))
            self.emit('OpStore %s %s' % (p, self.pick(pool, t)))
        elif kind < 4:
            base = a
            if r.random() < 0.4:
                base = self.op(self.pointer('Function', self.struct_id), 'OpSelect', self.condition(pool), a, b)
            t, p = self.member(pool, base)
            self.keep(pool, t, self.op(self.type(t), 'OpLoad', p))
        elif kind == 4:
            self.emit('OpCopyMemory %s %s' % (r.choice([(a, b), (b, a)])))
        else:
            whole, t = self.op(self.struct_id, 'OpLoad', a), self.members[2]
            whole = self.op(self.struct_id, 'OpCompositeInsert', self.pick(pool, t), whole, 2)
            t = self.inner[0]
            self.keep(pool, t, self.op(self.type(t), 'OpCompositeExtract', whole, 3, 0))
            self.emit('OpStore %s %s' % (b, whole))

    # ---- bytes, read and written as anything
    def bytes_access(self, pool):
        r = self.r
        t = r.choice([i(b, n) for b in INTS for n in (1, 2, 4)] + [f(b) for b in FLOATS])
        if size(t) > BYTES // 2:
            t = i(64)
        step = r.choice([1, t[1] // 8, size(t)])
        index = self.op(self.type(i(32)), 'OpBitwiseAnd', self.pick(pool, i(32)), self.const(i(32), BYTES // 2 - step))
        p = self.op(self.pointer('Function', self.type(i(8))), 'OpInBoundsAccessChain', self.bytes, index)
        if t != i(8):
            p = self.op(self.pointer('Function', self.type(t)), 'OpBitcast', p)
        align = 'Aligned %d' % step
        if r.random() < 0.5:
            self.emit('OpStore %s %s %s' % (p, self.plain(t, self.pick(pool, t)), align))
        else:
            self.keep(pool, t, self.op(self.type(t), 'OpLoad', p, align))

    # ---- arrays of a length that is known when they are made
    def variable_array(self, pool):
        r, t = self.r, i(r_bits(self.r))
        u32, ty, pointer = self.type(i(32)), self.type(t), self.pointer('Function', self.type(t))
        byte = self.pointer('Function', self.type(i(8)))
        saved = self.op(byte, 'OpSaveMemoryINTEL')
        count = self.op(u32, 'OpIAdd', self.op(u32, 'OpBitwiseAnd', self.pick(pool, i(32)), self.const(i(32), 7)), self.const(i(32), 1))
        at = self.op(pointer, 'OpVariableLengthArrayINTEL', count)
        before, head, body, end = self.at, self.label(), self.label(), self.label()
        counter, step = self.new(), self.new()
        x = self.pick(pool, t)
        self.branch(head)
        self.start(head)
        self.emit('%s = OpPhi %s %s %s %s %s' % (counter, u32, self.const(i(32), 0), before, step, body))
        go = self.op(self.type(BOOL), 'OpULessThan', counter, count)
        self.emit('OpBranchConditional %s %s %s' % (go, body, end))
        self.start(body)
        k = counter if t == i(32) else self.op(ty, 'OpUConvert', counter)
        value = self.op(ty, r.choice(['OpIAdd', 'OpIMul', 'OpBitwiseXor']), x, k)
        self.emit('OpStore %s %s Aligned %d' % (self.op(pointer, 'OpInBoundsPtrAccessChain', at, counter), value, size(t)))
        self.emit('%s = OpIAdd %s %s %s' % (step, u32, counter, self.const(i(32), 1)))
        self.branch(head)
        self.start(end)
        for _ in range(r.randrange(1, 3)):
            index = self.op(u32, 'OpUMod', self.pick(pool, i(32)), count)
            p = self.op(pointer, 'OpInBoundsPtrAccessChain', at, index)
            if r.random() < 0.3:
                self.emit('OpStore %s %s Aligned %d' % (p, self.pick(pool, t), size(t)))
            self.keep(pool, t, self.op(ty, 'OpLoad', p, 'Aligned %d' % size(t)))
        if r.random() < 0.8:
            self.emit('OpRestoreMemoryINTEL ' + saved)

    def memory_statement(self, pool):
        kind = self.r.randrange(14)
        if self.records and not self.in_helper and self.r.random() < 0.25:
            return self.record_access(pool)
        if self.r.random() < 0.1:
            return self.table_load(pool) if self.tables else self.kept_pointer(pool)
        if kind < 4:
            self.element_access(pool)
        elif kind == 4:
            self.r.choice([self.swap, self.swap, self.copied])(pool)
        elif kind == 5:
            self.chosen_pointer(pool)
        elif kind < 8 and not self.in_helper:
            self.source_load(pool)
        elif kind == 8 and not self.in_helper:
            self.guarded_load(pool)
        elif kind == 9:
            self.guarded_promise(pool)
        elif kind < 12:
            self.struct_access(pool)
        elif kind == 12:
            self.bytes_access(pool)
        elif self.has_arrays:
            self.variable_array(pool)
        else:
            self.element_access(pool)


def r_bits(r):
    return r.choice(INTS)
