"""The families of operations that rows_test.py tries: for each a name, its types, and what adds its cases to a Module.
SPDX-License-Identifier: MIT
"""
import math
from functools import reduce as fold

import plain
import untyped
from rows import FLOATS, FORMATS, INTS, bits_of, decode, mask_of, part_of, signed, vector_of

ALL = INTS + FLOATS
SUBGROUP, WORKGROUP = 3, 2


def scope(m, s=SUBGROUP):
    return m.const('u32', s)


# ---- what combines ---------------------------------------------------------------------------------------------------
def wrap(t, f):
    return lambda a, b: f(a, b) & mask_of(t)


def combiners(t):
    """Suffix of the opcode: (function, identity)."""
    if t in FORMATS:
        return {'FAdd': (lambda a, b: a + b, 0.0), 'FMul': (lambda a, b: a * b, 1.0),
                'FMin': (min, math.inf), 'FMax': (max, -math.inf)}
    if t == 'bool':
        return {'LogicalAnd': (lambda a, b: a and b, True), 'LogicalOr': (lambda a, b: a or b, False),
                'LogicalXor': (lambda a, b: a != b, False)}
    top = 1 << (bits_of(t) - 1)
    key = lambda x: signed(t, x)
    return {'IAdd': (wrap(t, lambda a, b: a + b), 0), 'IMul': (wrap(t, lambda a, b: a * b), 1),
            'SMin': (lambda a, b: min(a, b, key=key), top - 1), 'UMin': (min, mask_of(t)),
            'SMax': (lambda a, b: max(a, b, key=key), top), 'UMax': (max, 0),
            'BitwiseAnd': (lambda a, b: a & b, mask_of(t)), 'BitwiseOr': (lambda a, b: a | b, 0),
            'BitwiseXor': (lambda a, b: a ^ b, 0)}


def reduced(how, f, identity):
    """how: Reduce, InclusiveScan, ExclusiveScan of values that come with their places."""
    def value(pairs, lane):
        if how == 'Reduce':
            return fold(f, [x for _, x in pairs], identity)
        return fold(f, [x for at, x in pairs if at < lane or how[0] == 'I' and at == lane], identity)
    return value


HOW = ['Reduce', 'InclusiveScan', 'ExclusiveScan']


def arithmetic(m):
    m.capabilities |= {'GroupNonUniform', 'GroupNonUniformArithmetic', 'GroupNonUniformClustered'}
    for name, (f, identity) in combiners(m.t).items():
        op = 'OpGroupNonUniform' + name
        for how in HOW:
            value = reduced(how, f, identity)
            m.add('%s %s' % (op, how),
                  lambda m, op=op, how=how: m.emit('%s %s %s %s' % (op, scope(m), how, m.value), m.t),
                  lambda l, lane, value=value: value([(i, l.x[i]) for i in l.active], lane))
        for size in [1, 2, 4, 8, 16]:
            if size > m.width:
                break
            value = reduced('Reduce', f, identity)
            m.add('%s ClusteredReduce %d' % (op, size),
                  lambda m, op=op, size=size: m.emit('%s %s ClusteredReduce %s %s' % (
                      op, scope(m), m.value, m.const('u32', size)), m.t),
                  lambda l, lane, value=value, size=size: value(
                      [(i, l.x[i]) for i in l.active if i // size == lane // size], lane))


def group_arithmetic(m):
    """Uniform ones, of sub-groups and work-groups: all take part."""
    m.capabilities |= {'Groups', 'GroupUniformArithmeticKHR'}
    m.extensions |= {'SPV_KHR_uniform_group_instructions'}
    plain = ['IAdd', 'FAdd', 'SMin', 'UMin', 'FMin', 'SMax', 'UMax', 'FMax']
    for name, (f, identity) in combiners(m.t).items():
        op = 'OpGroup' + (name if name in plain else name + 'KHR')
        for s in [SUBGROUP, WORKGROUP]:
            # What the extension adds is of work-groups; those of work-groups are of 32 and 64 bits, and half.
            if s == SUBGROUP and name not in plain or s == WORKGROUP and m.t in ('u8', 'u16'):
                continue
            for how in HOW:
                value = reduced(how, f, identity)
                m.add('%s %s %s' % (op, 'Workgroup' if s == WORKGROUP else 'Subgroup', how),
                      lambda m, op=op, how=how, s=s: m.emit('%s %s %s %s' % (op, scope(m, s), how, m.value), m.t),
                      (lambda l, lane, value=value: value(list(enumerate(l.group)), l.base + lane)) if s == WORKGROUP
                      else (lambda l, lane, value=value: value(list(enumerate(l.x)), lane)), contexts=('all',))
    votes = [('All', lambda x: all(x)), ('Any', lambda x: any(x))] if m.t == 'bool' else []
    for name, f in votes:
        for s in [SUBGROUP, WORKGROUP]:
            m.add('OpGroup%s %d' % (name, s),
                  lambda m, name=name, s=s: m.emit('OpGroup%s %s %s' % (name, scope(m, s), m.value), 'bool'),
                  lambda l, lane, f=f, s=s: f(l.group if s == WORKGROUP else l.x), contexts=('all',))


def group_broadcast(m):
    m.capabilities |= {'Groups'}
    m.add('OpGroupBroadcast Subgroup', lambda m: m.emit('OpGroupBroadcast %s %s %s' % (
        scope(m), m.value, m.const('u32', 0)), m.t), lambda l, lane: l.x[0], contexts=('all',))
    # Narrow integers are broadcast in sub-groups only.
    for item in [0, 3, 20] if m.t not in ('u8', 'u16') else []:
        m.add('OpGroupBroadcast Workgroup %d' % item, lambda m, item=item: m.emit('OpGroupBroadcast %s %s %s' % (
            scope(m, WORKGROUP), m.value, m.const('u64', item)), m.t), lambda l, lane, item=item: l.group[item],
            contexts=('all',))


def vector_broadcast(m):
    """Of vectors: cl_khr_subgroup_extended_types."""
    m.capabilities |= {'Groups'}
    for count in [2, 3, 4, 8, 16]:
        for n in [0, count - 1]:
            def vector(m, count=count, n=n):
                v = m.emit('OpGroupBroadcast %s %s %s' % (scope(m), vector_of(m, m.t, count), m.const('u32', 0)),
                           '%sx%d' % (m.t, count))
                return m.emit('OpCompositeExtract %s %d' % (v, n), m.t)
            m.add('OpGroupBroadcast Subgroup x%d.%d' % (count, n), vector,
                  lambda l, lane, n=n, t=m.t: part_of(t, l.x[0], n), contexts=('all',))


# ---- votes and ballots -----------------------------------------------------------------------------------------------
def votes(m):
    m.capabilities |= {'GroupNonUniform', 'GroupNonUniformVote'}
    m.add('OpGroupNonUniformElect', lambda m: m.emit('OpGroupNonUniformElect %s' % scope(m), 'bool'),
          lambda l, lane: lane == l.first, 'bool')
    if m.t == 'bool':
        for name, f in [('All', all), ('Any', any)]:
            m.add('OpGroupNonUniform' + name,
                  lambda m, name=name: m.emit('OpGroupNonUniform%s %s %s' % (name, scope(m), m.value), 'bool'),
                  lambda l, lane, f=f: f(l.x[i] for i in l.active))
        return              # OpenCL lets numbers be equal, not truth values
    m.add('OpGroupNonUniformAllEqual',
          lambda m: m.emit('OpGroupNonUniformAllEqual %s %s' % (scope(m), m.value), 'bool'),
          lambda l, lane: len({l.x[i] for i in l.active}) == 1, 'bool')

    def equal(m):       # what the first one has: equal for all
        m.capabilities |= {'GroupNonUniformBallot'}
        x = m.emit('OpGroupNonUniformBroadcastFirst %s %s' % (scope(m), m.value), m.t)
        return m.emit('OpGroupNonUniformAllEqual %s %s' % (scope(m), x), 'bool')
    m.capabilities |= {'GroupNonUniformBallot'}
    m.add('OpGroupNonUniformAllEqual of equals', equal, lambda l, lane: True, 'bool')


def broadcasts(m):
    m.capabilities |= {'GroupNonUniform', 'GroupNonUniformBallot'}
    for lane_id in [0, m.width - 1]:
        m.add('OpGroupNonUniformBroadcast %d' % lane_id,
              lambda m, lane_id=lane_id: m.emit('OpGroupNonUniformBroadcast %s %s %s' % (
                  scope(m), m.value, m.const('u32', lane_id)), m.t),
              lambda l, lane, lane_id=lane_id: l.x[lane_id] if lane_id in l.active else None)
    m.add('OpGroupNonUniformBroadcastFirst',
          lambda m: m.emit('OpGroupNonUniformBroadcastFirst %s %s' % (scope(m), m.value), m.t),
          lambda l, lane: l.x[l.first])
    for count in [2, 3, 4, 8, 16]:
        for n in [0, 1, count - 1]:
            def vector(m, count=count, n=n):
                v = vector_of(m, m.t, count)
                v = m.emit('OpGroupNonUniformBroadcast %s %s %s' % (scope(m), v, m.const('u32', 0)),
                           '%sx%d' % (m.t, count))
                return m.emit('OpCompositeExtract %s %d' % (v, n), m.t)
            m.add('OpGroupNonUniformBroadcast x%d.%d' % (count, n), vector,
                  lambda l, lane, n=n, t=m.t: part_of(t, l.x[0], n) if 0 in l.active else None)


def ballots(m):
    m.capabilities |= {'GroupNonUniform', 'GroupNonUniformBallot'}

    def ballot_bits(l):
        return sum(1 << i for i in l.active if l.x[i])

    def ballot(m):
        return m.emit('OpGroupNonUniformBallot %s %s' % (scope(m), m.value), 'u32x4')
    for part in range(4):
        m.add('OpGroupNonUniformBallot.%d' % part, lambda m, part=part: m.emit(
            'OpCompositeExtract %s %d' % (ballot(m), part), 'u32'),
            lambda l, lane, part=part: ballot_bits(l) >> 32 * part & 0xffffffff, 'u32')
    m.add('OpGroupNonUniformInverseBallot',
          lambda m: m.emit('OpGroupNonUniformInverseBallot %s %s' % (scope(m), ballot(m)), 'bool'),
          lambda l, lane: bool(l.x[lane]), 'bool')
    m.add('OpGroupNonUniformBallotBitExtract',
          lambda m: m.emit('OpGroupNonUniformBallotBitExtract %s %s %s' % (scope(m), ballot(m), m.lane_index), 'bool'),
          lambda l, lane: ballot_bits(l) >> l.index[lane] & 1, 'bool')
    counted = {'Reduce': lambda b, lane: b, 'InclusiveScan': lambda b, lane: b & (2 << lane) - 1,
               'ExclusiveScan': lambda b, lane: b & (1 << lane) - 1}
    for how, part in counted.items():
        m.add('OpGroupNonUniformBallotBitCount ' + how,
              lambda m, how=how: m.emit('OpGroupNonUniformBallotBitCount %s %s %s' % (scope(m), how, ballot(m)), 'u32'),
              lambda l, lane, part=part: bin(part(ballot_bits(l), lane)).count('1'), 'u32')
    m.add('OpGroupNonUniformBallotFindLSB',
          lambda m: m.emit('OpGroupNonUniformBallotFindLSB %s %s' % (scope(m), ballot(m)), 'u32'),
          lambda l, lane: (ballot_bits(l) & -ballot_bits(l)).bit_length() - 1 if ballot_bits(l) else None, 'u32')
    m.add('OpGroupNonUniformBallotFindMSB',
          lambda m: m.emit('OpGroupNonUniformBallotFindMSB %s %s' % (scope(m), ballot(m)), 'u32'),
          lambda l, lane: ballot_bits(l).bit_length() - 1 if ballot_bits(l) else None, 'u32')
    whole = (1 << m.width) - 1
    masks = {'SubgroupEqMask': lambda lane: 1 << lane, 'SubgroupGeMask': lambda lane: whole & ~((1 << lane) - 1),
             'SubgroupGtMask': lambda lane: whole & ~((2 << lane) - 1), 'SubgroupLeMask': lambda lane: (2 << lane) - 1,
             'SubgroupLtMask': lambda lane: (1 << lane) - 1}
    for name, bits in masks.items():
        for part in (0, 3):
            m.add('%s.%d' % (name, part), lambda m, name=name, part=part: m.emit(
                'OpCompositeExtract %s %d' % (m.input(name, 'u32x4'), part), 'u32'),
                lambda l, lane, bits=bits, part=part: bits(lane) >> 32 * part & 0xffffffff, 'u32')


# ---- shuffles --------------------------------------------------------------------------------------------------------
def shuffles(m):
    m.capabilities |= {'GroupNonUniform', 'GroupNonUniformShuffle', 'GroupNonUniformShuffleRelative',
                       'GroupNonUniformRotateKHR'}
    m.extensions |= {'SPV_KHR_subgroup_rotate'}

    def from_(where):
        def value(l, lane):
            i = where(l, lane)
            return l.x[i] if i in l.active else None
        return value
    for name, where in [('Shuffle', lambda l, lane: l.index[lane]), ('ShuffleXor', lambda l, lane: lane ^ l.index[lane]),
                        ('ShuffleUp', lambda l, lane: lane - l.index[lane]),
                        ('ShuffleDown', lambda l, lane: lane + l.index[lane])]:
        m.add('OpGroupNonUniform' + name,
              lambda m, name=name: m.emit('OpGroupNonUniform%s %s %s %s' % (name, scope(m), m.value, m.lane_index), m.t),
              from_(where))
        m.add('OpGroupNonUniform%s by a constant' % name,
              lambda m, name=name: m.emit('OpGroupNonUniform%s %s %s %s' % (
                  name, scope(m), m.value, m.const('u32', min(1, m.width - 1))), m.t),
              from_(lambda l, lane, name=name: {'Shuffle': min(1, l.width - 1), 'ShuffleXor': lane ^ min(1, l.width - 1),
                                                'ShuffleUp': lane - min(1, l.width - 1),
                                                'ShuffleDown': lane + min(1, l.width - 1)}[name]))
    for delta in [0, 1, 3, m.width - 1]:
        m.add('OpGroupNonUniformRotateKHR %d' % delta,
              lambda m, delta=delta: m.emit('OpGroupNonUniformRotateKHR %s %s %s' % (
                  scope(m), m.value, m.const('u32', delta)), m.t),
              from_(lambda l, lane, delta=delta: (lane + delta) % l.width))
        for size in [1, 2, 4, 8, 16]:
            if size > m.width:
                break
            m.add('OpGroupNonUniformRotateKHR %d in %d' % (delta, size),
                  lambda m, delta=delta, size=size: m.emit('OpGroupNonUniformRotateKHR %s %s %s %s' % (
                      scope(m), m.value, m.const('u32', delta), m.const('u32', size)), m.t),
                  from_(lambda l, lane, delta=delta, size=size: lane // size * size + (lane + delta) % size))


# ---- bits ------------------------------------------------------------------------------------------------------------
def each(m, name, emit, f, t=None):
    """An operation of a work-item alone: f(value, index)."""
    m.add(name, emit, lambda l, lane: f(l.x[lane], l.index[lane]), t)


def bits(m):
    m.capabilities |= {'BitInstructions'}
    m.extensions |= {'SPV_KHR_bit_instructions'}
    n, t = bits_of(m.t), m.t
    fields = [(0, n), (0, 0), (n - 1, 1), (1, n - 1), (2, 3), (n, 0)]
    part = lambda x, at, count: x >> at & (1 << count) - 1

    def insert(x, into, at, count):
        return into & ~((1 << count) - 1 << at) | (x & (1 << count) - 1) << at
    for at, count in fields:
        o, c = m_const('u32', at), m_const('u32', count)
        each(m, 'OpBitFieldUExtract %d %d' % (at, count),
             lambda m, o=o, c=c: m.emit('OpBitFieldUExtract %s %s %s' % (m.value, o(m), c(m)), t),
             lambda x, i, at=at, count=count: part(x, at, count))
        each(m, 'OpBitFieldSExtract %d %d' % (at, count),
             lambda m, o=o, c=c: m.emit('OpBitFieldSExtract %s %s %s' % (m.value, o(m), c(m)), t),
             lambda x, i, at=at, count=count: part(x, at, count) - (
                 1 << count if count and part(x, at, count) >> count - 1 else 0) & mask_of(t))
        each(m, 'OpBitFieldInsert %d %d' % (at, count),
             lambda m, o=o, c=c: m.emit('OpBitFieldInsert %s %s %s %s' % (
                 m.emit('OpNot %s' % m.value, t), m.value, o(m), c(m)), t),
             lambda x, i, at=at, count=count: insert(x, ~x & mask_of(t), at, count) & mask_of(t))
    # Run-time offsets, of 64 bits: the index modulo 8, with what is left of the value as count.
    def place(m):
        at = m.emit('OpBitwiseAnd %s %s' % (m.lane_index, m.const('u32', 7)), 'u32')
        count = m.emit('OpISub %s %s' % (m.const('u32', n), at), 'u32')
        return m.emit('OpUConvert %s' % at, 'u64'), count
    each(m, 'OpBitFieldUExtract', lambda m: m.emit('OpBitFieldUExtract %s %s %s' % (m.value, *place(m)), t),
         lambda x, i: part(x, i & 7, n - (i & 7)))
    each(m, 'OpBitFieldInsert', lambda m: m.emit('OpBitFieldInsert %s %s %s %s' % (
        m.value, m.emit('OpNot %s' % m.value, t), *place(m)), t),
        lambda x, i: insert(~x & mask_of(t), x, i & 7, n - (i & 7)) & mask_of(t))
    each(m, 'OpBitReverse', lambda m: m.emit('OpBitReverse %s' % m.value, t),
         lambda x, i: int(bin(x)[2:].zfill(n)[::-1], 2))
    each(m, 'OpBitCount', lambda m: m.emit('OpBitCount %s' % m.value, t), lambda x, i: bin(x).count('1'))
    for count in [2, 3, 4, 8, 16]:
        for c in [0, count - 1]:
            v = '%sx%d' % (t, count)
            each(m, 'OpBitReverse x%d.%d' % (count, c), lambda m, v=v, count=count, c=c: m.emit(
                'OpCompositeExtract %s %d' % (m.emit('OpBitReverse %s' % vector_of(m, t, count), v), c), t),
                lambda x, i, c=c: int(bin(part_of(t, x, c))[2:].zfill(n)[::-1], 2))
            each(m, 'OpBitFieldSExtract x%d.%d' % (count, c), lambda m, v=v, count=count, c=c: m.emit(
                'OpCompositeExtract %s %d' % (m.emit('OpBitFieldSExtract %s %s %s' % (
                    vector_of(m, t, count), m.const('u32', 1), m.const('u32', 4)), v), c), t),
                lambda x, i, c=c: (part(part_of(t, x, c), 1, 4) ^ 8) - 8 & mask_of(t))


def m_const(t, value):
    return lambda m: m.const(t, value)


# ---- dot products ----------------------------------------------------------------------------------------------------
def dots(m):
    m.capabilities |= {'DotProduct', 'DotProductInput4x8Bit', 'DotProductInput4x8BitPacked'}
    m.extensions |= {'SPV_KHR_integer_dot_product'}
    other = 0x80ff7f01

    def bytes_of(x, is_signed):
        return [signed('u8', x >> s & 255) if is_signed else x >> s & 255 for s in (0, 8, 16, 24)]

    def operands(m, packed):
        y = m.emit('OpBitwiseXor %s %s' % (m.value, m.const('u32', other)), 'u32')
        if packed:
            return '%s %s' % (m.value, y), ' PackedVectorFormat4x8Bit'
        return '%s %s' % (m.emit('OpBitcast %s' % m.value, 'u8x4'), m.emit('OpBitcast %s' % y, 'u8x4')), ''
    for name, left, right in [('S', True, True), ('U', False, False), ('SU', True, False)]:
        for t in ['u8', 'u16', 'u32', 'u64']:
            for packed in [False, True]:
                def dot(x, left=left, right=right):
                    return sum(a * b for a, b in zip(bytes_of(x, left), bytes_of(x ^ other, right)))

                def plain(m, name=name, t=t, packed=packed):
                    values, format_ = operands(m, packed)
                    return m.emit('Op%sDot %s%s' % (name, values, format_), t)

                def sum_sat(m, name=name, t=t, packed=packed, acc=0):
                    values, format_ = operands(m, packed)
                    return m.emit('Op%sDotAccSat %s %s%s' % (name, values, m.const(t, acc), format_), t)
                what = '%s%s' % (t, ' packed' if packed else '')
                each(m, 'Op%sDot %s' % (name, what), plain, lambda x, i, dot=dot, t=t: dot(x) & mask_of(t), t)
                low, high = (0, mask_of(t)) if name == 'U' else (-(1 << bits_of(t) - 1), (1 << bits_of(t) - 1) - 1)
                for acc in [high, 0 if name == 'U' else 1 << bits_of(t) - 1, 5]:
                    def saturated(x, dot=dot, t=t, acc=acc, low=low, high=high, name=name):
                        d = dot(x)      # the product itself wraps before it is added
                        if bits_of(t) < 32:
                            d = (d & mask_of(t)) if name == 'U' else signed(t, d & mask_of(t))
                            if d != dot(x):
                                return None
                        a = acc if name == 'U' else signed(t, acc & mask_of(t))
                        return max(low, min(high, d + a)) & mask_of(t)
                    each(m, 'Op%sDotAccSat %s %d' % (name, what, acc), lambda m, f=sum_sat, acc=acc: f(m, acc=acc),
                         lambda x, i, f=saturated: f(x), t)


# ---- atomics ---------------------------------------------------------------------------------------------------------
STORAGES = ['CrossWorkgroup', 'Generic', 'Workgroup', 'Function']


def atomic_needs(m):
    m.capabilities |= {'GenericPointer'}
    if m.t == 'u64':
        m.capabilities |= {'Int64Atomics'}
    if m.t in FORMATS:
        m.capabilities |= {'AtomicFloat%dAddEXT' % bits_of(m.t), 'AtomicFloat%dMinMaxEXT' % bits_of(m.t)}
        m.extensions |= {'SPV_EXT_shader_atomic_float_add', 'SPV_EXT_shader_atomic_float_min_max'}
        if m.t == 'f16':
            m.extensions |= {'SPV_EXT_shader_atomic_float16_add'}


def operand(m):
    """Another value of the type, of the work-item's own: the index, as a number."""
    if m.t in FORMATS:
        return m.emit('OpConvertUToF %s' % m.lane_index, m.t)
    return m.lane_index if m.t == 'u32' else m.emit('OpUConvert %s' % m.lane_index, m.t)


def atomics(m):
    atomic_needs(m)
    m.one_context = True
    t = m.t
    wrapped = (lambda x: x) if t in FORMATS else (lambda x: x & mask_of(t))
    updates = {}        # name: what becomes of (old, operand)
    for name, (f, _) in combiners(t).items():
        if name not in ('IMul', 'FMul'):
            updates[{'BitwiseAnd': 'And', 'BitwiseOr': 'Or', 'BitwiseXor': 'Xor'}.get(name, name) +
                    ('EXT' if t in FORMATS else '')] = f
    updates['Exchange'] = lambda a, b: b
    if t not in FORMATS:
        updates['ISub'] = lambda a, b: wrapped(a - b)
        updates['IIncrement'], updates['IDecrement'] = lambda a, b: wrapped(a + 1), lambda a, b: wrapped(a - 1)
    order = lambda m: '%s %s' % (m.const('u32', 1), m.const('u32', 0))

    def update(m, name, at):
        if name.endswith('crement'):
            return m.emit('OpAtomic%s %s %s' % (name, at, order(m)), t)
        return m.emit('OpAtomic%s %s %s %s' % (name, at, order(m), operand(m)), t)

    def load(m, at):
        return m.emit('OpAtomicLoad %s %s' % (at, order(m)), t)

    def begin(m, storage, shared):
        at = m.cell(storage, t, shared)
        m.emit('OpAtomicStore %s %s %s' % (at, order(m), first_of(m) if shared else m.value))
        return at

    def first_of(m):
        return m.const(t, 3.0 if t in FORMATS else 3)
    number = lambda i: float(i) if t in FORMATS else i
    for storage in STORAGES:
        for name, f in updates.items():
            def old(m, name=name, storage=storage):
                return update(m, name, begin(m, storage, False))

            def new(m, name=name, storage=storage, shared=False):
                at = begin(m, storage, shared)
                update(m, name, at)
                return load(m, at)
            what = 'OpAtomic%s %s' % (name, storage)
            each(m, what + ' old', old, lambda x, i: x)
            each(m, what + ' new', new, lambda x, i, f=f: f(x, number(i)))
            if storage != 'Function' and name != 'Exchange':
                m.add(what + ' by all', lambda m, new=new: new(m, shared=True),
                      lambda l, lane, f=f: fold(f, [number(l.index[i]) for i in l.active], number(3)))
        if t in FORMATS:
            continue

        def swap(m, storage=storage, hits=True, result=False):
            at = begin(m, storage, False)
            compared = m.value if hits else m.emit('OpNot %s' % m.value, t)
            got = m.emit('OpAtomicCompareExchange %s %s %s %s %s %s' % (
                at, m.const('u32', 1), m.const('u32', 0), m.const('u32', 0), operand(m), compared), t)
            return got if result else load(m, at)
        each(m, 'OpAtomicCompareExchange %s hit' % storage, swap, lambda x, i: i)
        each(m, 'OpAtomicCompareExchange %s miss' % storage, lambda m, f=swap: f(m, hits=False), lambda x, i: x)
        each(m, 'OpAtomicCompareExchange %s old' % storage, lambda m, f=swap: f(m, result=True), lambda x, i: x)
        if t != 'u32':
            continue

        def flag(m, storage=storage, clear=False):
            at = m.cell(storage, t, False)
            m.emit('OpAtomicFlagClear %s %s' % (at, order(m)))
            m.emit('OpAtomicFlagTestAndSet %s %s' % (at, order(m)), 'bool')
            if clear:
                m.emit('OpAtomicFlagClear %s %s' % (at, order(m)))
            return m.emit('OpAtomicFlagTestAndSet %s %s' % (at, order(m)), 'bool')
        each(m, 'OpAtomicFlagTestAndSet %s' % storage, flag, lambda x, i: True, 'bool')
        each(m, 'OpAtomicFlagClear %s' % storage, lambda m, f=flag: f(m, clear=True), lambda x, i: False, 'bool')


SPECIALS = {    # bits of quiet NaN, signalling NaN, infinity, one, 0, the smallest denormal
    'f16': (0x7e00, 0x7d01, 0x7c00, 0x3c00, 0, 1),
    'f32': (0x7fc00000, 0x7fa00001, 0x7f800000, 0x3f800000, 0, 1),
    'f64': (0x7ff8000000000000, 0x7ff4000000000001, 0x7ff0000000000000, 0x3ff0000000000000, 0, 1)}


def atomic_specials(m):
    """The table of SPV_EXT_shader_atomic_float_min_max: NaN loses against a number."""
    atomic_needs(m)
    m.one_context = True
    t, n, sign = m.t, 'u%d' % bits_of(m.t), 1 << bits_of(m.t) - 1
    quiet, signalling, infinity, one, zero, least = SPECIALS[t]
    numbers = [quiet, signalling, infinity, infinity | sign, one, zero, sign, least]
    storages = STORAGES * len(numbers)
    for name, f in [('FMin', min), ('FMax', max)]:
        for k, (a, b) in enumerate((a, b) for a in numbers for b in numbers):
            def both(m, name=name, a=a, b=b, storage=storages[k % len(storages)]):
                # The value's sign bit is xored in and out, so that nothing is known when it is compiled.
                x, y = (m.emit('OpBitcast %s' % m.emit('OpBitwiseXor %s %s' % (hidden(m, n), m.const(n, bits)), n), t)
                        for bits in (a, b))
                at = m.cell(storage, t, False)
                order = '%s %s' % (m.const('u32', 1), m.const('u32', 0))
                m.emit('OpAtomicStore %s %s %s' % (at, order, x))
                m.emit('OpAtomic%sEXT %s %s %s' % (name, at, order, y), t)
                return m.emit('OpAtomicLoad %s %s' % (at, order), t)

            def right(x, i, f=f, a=a, b=b):
                p, q = decode(t, a), decode(t, b)
                if math.isnan(p) or math.isnan(q):
                    if signalling in (a & ~sign, b & ~sign):
                        return None if not (math.isnan(p) and math.isnan(q)) else math.nan
                    return q if math.isnan(p) else p
                return f(p, q)
            each(m, 'OpAtomic%sEXT %x %x' % (name, a, b), both, right)


def hidden(m, n):
    """0, which the compiler does not know."""
    x = m.emit('OpShiftRightLogical %s %s' % (m.lane_index, m.const('u32', 20)), 'u32')
    return x if n == 'u32' else m.emit('OpUConvert %s' % x, n)


def hints(m):
    m.capabilities |= {'ExpectAssumeKHR'}
    m.extensions |= {'SPV_KHR_expect_assume'}
    t = m.t
    for guess in [0, 1]:
        each(m, 'OpExpectKHR %d' % guess, lambda m, guess=guess: m.emit('OpExpectKHR %s %s' % (
            m.value, m.const(t, guess)), t), lambda x, i: x)
    if t == 'bool':
        return

    def vector(m):
        v = '%sx4' % t
        guess = m.emit('OpCompositeConstruct %s' % ' '.join([m.const(t, 1)] * 4), v)
        return m.emit('OpCompositeExtract %s 3' % m.emit('OpExpectKHR %s %s' % (vector_of(m, t, 4), guess), v), t)
    each(m, 'OpExpectKHR x4', vector, lambda x, i: x ^ 3)

    def assume(m):
        small = m.emit('OpULessThan %s %s' % (m.lane_index, m.const('u32', 16)), 'bool')
        m.emit('OpAssumeTrueKHR %s' % small)
        below = m.emit('OpULessThan %s %s' % (m.lane_index, m.const('u32', 32)), 'bool')
        return m.emit('OpSelect %s %s %s' % (below, m.value, m.const(t, 0)), t)
    each(m, 'OpAssumeTrueKHR', assume, lambda x, i: x)


FAMILIES = [
    ('vector_broadcast', ALL, vector_broadcast),
    ('atomic_specials', FLOATS, atomic_specials),
    ('hints', INTS + ['bool'], hints),
    ('bits', INTS, bits),
    ('dots', ['u32'], dots),
    ('untyped_chains', ['u32'], untyped.family(untyped.chains)),
    ('untyped_accesses', ['u32'], untyped.family(untyped.accesses)),
    ('untyped_pointers', ['u32'], untyped.family(untyped.pointers)),
    ('untyped_functions', ['u32'], untyped.family(untyped.functions)),
    ('atomics', ['u32', 'u64'] + FLOATS, atomics),
    ('arithmetic', ALL + ['bool'], arithmetic),
    ('group_arithmetic', ALL + ['bool'], group_arithmetic),
    ('group_broadcast', ALL, group_broadcast),
    ('votes', ALL + ['bool'], votes),
    ('broadcasts', ALL, broadcasts),
    ('ballots', ['bool'], ballots),
    ('shuffles', ALL, shuffles),
] + plain.FAMILIES
