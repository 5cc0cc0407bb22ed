"""What a work-item does alone: arithmetic, bits, comparisons, choices, conversions, vectors, integer functions of OpenCL.std.
Each opcode with each type, as a scalar and as vectors of every size; scalars by all work-items, behind a branch and in a loop,
each size of vectors in one of these in turn.
SPDX-License-Identifier: MIT
"""
import math

from rows import FLOATS, FORMATS, INTS, bits_of, decode, encode, mask_of, part_of, signed, vector_of
from untyped import define

SIZES = (1, 2, 3, 4, 8, 16)
CONTEXTS = ('all', 'some', 'loop')


class Other:
    """A second operand that is made of a work-item's index: how, and what it is."""
    def __init__(self, emit, value, t=None):
        self.emit, self.value, self.t = emit, value, t


def lifted(m, name, f, result=None, others=(), first=None):
    """An operation of the value (or of `first` of it) and of others, by component: f(value, other, …)."""
    result = result or m.t
    for turn, n in enumerate(SIZES):
        def emit(m, n=n):
            operands = [m.value if n == 1 else vector_of(m, m.t, n)]
            if first:
                operands = [m.emit('%s %s' % (first[0], operands[0]), first[1] if n == 1 else '%sx%d' % (first[1], n))]
            for o in others:
                x = o.emit(m)
                if n > 1:
                    x = m.emit('OpCompositeConstruct %s' % ' '.join([x] * n), '%sx%d' % (o.t or m.t, n))
                operands.append(x)
            v = m.emit('%s %s' % (name, ' '.join(operands)), result if n == 1 else '%sx%d' % (result, n))
            return v if n == 1 else m.emit('OpCompositeExtract %s %d' % (v, n - 1), result)

        def value(l, lane, n=n):
            return f(part_of(m.t, l.x[lane], n - 1), *[o.value(l.index[lane]) for o in others])
        m.add('%s x%d' % (name, n), emit, value, result,
              CONTEXTS if n == 1 else (CONTEXTS[(len(m.cases) + turn) % 3],))


def resized(m, x, t):
    return x if t == 'u32' else m.emit('OpUConvert %s' % x, t)


def of_index(t, factor, more):
    """index * factor + more."""
    def emit(m):
        x = m.emit('OpIMul %s %s' % (resized(m, m.lane_index, t), m.const(t, factor)), t)
        return m.emit('OpIAdd %s %s' % (x, m.const(t, more)), t)
    return Other(emit, lambda i: (i * factor + more) & mask_of(t), t)


def quotient(x, y):
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def integers(m):
    t, n, wrap = m.t, bits_of(m.t), mask_of(m.t)
    low = of_index(t, 37 % wrap, 5)
    amount = Other(lambda m: m.emit('OpBitwiseAnd %s %s' % (resized(m, m.lane_index, t), m.const(t, n - 1)), t),
                   lambda i: i & n - 1)
    s = lambda x: signed(t, x)
    for name, f in [('OpIAdd', lambda x, y: x + y), ('OpISub', lambda x, y: x - y), ('OpIMul', lambda x, y: x * y),
                    ('OpUDiv', lambda x, y: x // y if y else None), ('OpUMod', lambda x, y: x % y if y else None),
                    ('OpSDiv', lambda x, y: quotient(s(x), s(y)) if y and s(y) != -1 else None),
                    ('OpSRem', lambda x, y: s(x) - quotient(s(x), s(y)) * s(y) if y and s(y) != -1 else None),
                    ('OpSMod', lambda x, y: s(x) % s(y) if y and s(y) != -1 else None),
                    ('OpBitwiseAnd', lambda x, y: x & y), ('OpBitwiseOr', lambda x, y: x | y),
                    ('OpBitwiseXor', lambda x, y: x ^ y)]:
        lifted(m, name, f, others=(low,))
    for name, f in [('OpShiftLeftLogical', lambda x, y: x << y), ('OpShiftRightLogical', lambda x, y: x >> y),
                    ('OpShiftRightArithmetic', lambda x, y: s(x) >> y)]:
        lifted(m, name, f, others=(amount,))
    lifted(m, 'OpSNegate', lambda x: -x)
    lifted(m, 'OpNot', lambda x: ~x)
    lifted(m, 'OpBitCount', lambda x: bin(x & wrap).count('1'))
    lifted(m, 'OpCopyObject', lambda x: x)
    for name, f in [('OpIEqual', lambda x, y: x == y), ('OpINotEqual', lambda x, y: x != y),
                    ('OpULessThan', lambda x, y: x < y), ('OpULessThanEqual', lambda x, y: x <= y),
                    ('OpUGreaterThan', lambda x, y: x > y), ('OpUGreaterThanEqual', lambda x, y: x >= y),
                    ('OpSLessThan', lambda x, y: s(x) < s(y)), ('OpSLessThanEqual', lambda x, y: s(x) <= s(y)),
                    ('OpSGreaterThan', lambda x, y: s(x) > s(y)), ('OpSGreaterThanEqual', lambda x, y: s(x) >= s(y))]:
        lifted(m, name, f, 'bool', (low,))


def std_integers(m):
    m.imports = True
    t, n, top = m.t, bits_of(m.t), mask_of(m.t)
    low, s = of_index(m.t, 37 % top, top - 99 % top), lambda x: signed(t, x)
    most, least = top >> 1, -(top >> 1) - 1
    fit = lambda x: max(least, min(x, most))
    of_two = {'u_add_sat': lambda x, y: min(x + y, top), 'u_sub_sat': lambda x, y: max(x - y, 0),
              'u_hadd': lambda x, y: x + y >> 1, 'u_rhadd': lambda x, y: x + y + 1 >> 1, 'u_max': max, 'u_min': min,
              'u_mul_hi': lambda x, y: x * y >> n, 'u_abs_diff': lambda x, y: abs(x - y),
              'rotate': lambda x, y: x << y % n | x >> n - y % n}
    of_signed = {'s_add_sat': lambda x, y: fit(x + y), 's_sub_sat': lambda x, y: fit(x - y),
                 's_hadd': lambda x, y: x + y >> 1, 's_rhadd': lambda x, y: x + y + 1 >> 1, 's_max': max, 's_min': min,
                 's_mul_hi': lambda x, y: x * y >> n, 's_abs_diff': lambda x, y: abs(x - y)}
    for name, f in of_two.items():
        lifted(m, 'OpExtInst %std ' + name, f, others=(low,))
    for name, f in of_signed.items():
        lifted(m, 'OpExtInst %std ' + name, lambda x, y, f=f: f(s(x), s(y)), others=(low,))
    lifted(m, 'OpExtInst %std s_abs', lambda x: abs(s(x)))
    lifted(m, 'OpExtInst %std u_abs', lambda x: x)
    lifted(m, 'OpExtInst %std clz', lambda x: n - x.bit_length())
    lifted(m, 'OpExtInst %std ctz', lambda x: (x & -x).bit_length() - 1 if x else n)
    lifted(m, 'OpExtInst %std popcount', lambda x: bin(x).count('1'))


def pairs(m):
    """Sums, differences and products of twice as many bits: both parts."""
    t, n, wrap = m.t, bits_of(m.t), mask_of(m.t)
    s = lambda x: signed(t, x)
    low = of_index(t, 37 % wrap, wrap - 99 % wrap)
    for name, f in [('OpIAddCarry', lambda x, y: (x + y & wrap, x + y >> n)),
                    ('OpISubBorrow', lambda x, y: (x - y & wrap, int(x < y))),
                    ('OpUMulExtended', lambda x, y: (x * y & wrap, x * y >> n)),
                    ('OpSMulExtended', lambda x, y: (s(x) * s(y) & wrap, s(x) * s(y) >> n))]:
        for turn, count in enumerate(SIZES):
            for part in (0, 1):
                def emit(m, name=name, count=count, part=part):
                    v = t if count == 1 else '%sx%d' % (t, count)
                    a, b = m.value, low.emit(m)
                    if count > 1:
                        a, b = vector_of(m, t, count), m.emit('OpCompositeConstruct %s' % ' '.join([b] * count), v)
                    define(m, 'pair_' + v, 'OpTypeStruct %s %s' % (m.type(v), m.type(v)))
                    both = m.emit('%s %s %s' % (name, a, b), 'pair_' + v)
                    return m.emit('OpCompositeExtract %s %d %s' % (both, part, count - 1 if count > 1 else ''), t)
                m.add('%s x%d.%d' % (name, count, part), emit, lambda l, lane, f=f, count=count, part=part: f(
                    part_of(t, l.x[lane], count - 1), low.value(l.index[lane]))[part],
                    contexts=CONTEXTS if count == 1 else (CONTEXTS[(len(m.cases) + turn) % 3],))


def sizes(m):
    for count in SIZES:
        v = m.t if count == 1 else '%sx%d' % (m.t, count)
        m.add('OpSizeOf x%d' % count, lambda m, v=v: m.emit('OpSizeOf %s' % m.cell('Function', v, False), 'u32'),
              lambda l, lane, count=count: bits_of(m.t) // 8 * (4 if count == 3 else count), 'u32')


def exchange_weak(m):
    """SPIR-V has it up to 1.3. What a place of the work-item's own holds is compared with the value, for an odd index with
    another one; the old value, and what is there then."""
    t = m.t
    m.version = '1.3'
    m.capabilities |= {'GenericPointer'} | ({'Int64Atomics'} if t == 'u64' else set())
    for storage in ['CrossWorkgroup', 'Workgroup', 'Generic']:
        for part in (0, 1):
            def emit(m, storage=storage, part=part):
                at, scope, order = m.cell(storage, t, False), m.const('u32', 1), m.const('u32', 0)
                m.emit('OpAtomicStore %s %s %s %s' % (at, scope, order, m.value))
                odd = resized(m, m.emit('OpBitwiseAnd %s %s' % (m.lane_index, m.const('u32', 1)), 'u32'), t)
                guess = m.emit('OpBitwiseXor %s %s' % (m.value, odd), t)
                old = m.emit('OpAtomicCompareExchangeWeak %s %s %s %s %s %s' % (
                    at, scope, order, order, m.const(t, 77), guess), t)
                now = m.emit('OpAtomicLoad %s %s %s' % (at, scope, order), t)
                return now if part else old
            m.add('OpAtomicCompareExchangeWeak %s.%d' % (storage, part), emit, lambda l, lane, part=part:
                  77 if part and l.index[lane] % 2 == 0 else l.x[lane])


def rounded(t, x):
    try:
        return decode(t, encode(t, x))
    except OverflowError:
        return math.copysign(math.inf, x)


def divided(x, y):
    if y:
        return x / y
    return math.nan if x == 0 else math.copysign(math.inf, x) * math.copysign(1, y)


def small(m):
    """index * 0.75 - 3, which is exact."""
    t = m.t

    def emit(m):
        x = m.emit('OpConvertUToF %s' % m.lane_index, t)
        return m.emit('OpFSub %s %s' % (m.emit('OpFMul %s %s' % (x, m.const(t, 0.75)), t), m.const(t, 3.0)), t)
    return Other(emit, lambda i: i * 0.75 - 3)


def or_nan(m):
    """1, and for one of the indexes 0 / 0."""
    low, t = small(m), m.t
    return Other(lambda m: m.emit('OpFDiv %s %s' % (low.emit(m), low.emit(m)), t), lambda i: math.nan if i == 4 else 1.0)


def less_or_greater(m):
    """SPIR-V has it up to 1.5."""
    m.version = '1.5'
    lifted(m, 'OpLessOrGreater', lambda x, y: x != y and not math.isnan(y), 'bool', (or_nan(m),))


def floats(m):
    t, low = m.t, small(m)
    n = 'u%d' % bits_of(t)
    remainder = lambda x, y: math.fmod(x, y) if y else None
    for name, f in [('OpFAdd', lambda x, y: x + y), ('OpFSub', lambda x, y: x - y), ('OpFMul', lambda x, y: x * y),
                    ('OpFDiv', divided), ('OpFRem', remainder),
                    ('OpFMod', lambda x, y: x - y * math.floor(x / y) if y else None)]:
        lifted(m, name, lambda x, y, f=f: None if f(x, y) is None else rounded(t, f(x, y)), others=(low,))
    lifted(m, 'OpFNegate', lambda x: -x)
    lifted(m, 'OpCopyObject', lambda x: x)
    compared = [('Equal', lambda x, y: x == y), ('NotEqual', lambda x, y: x != y), ('LessThan', lambda x, y: x < y),
                ('GreaterThan', lambda x, y: x > y), ('LessThanEqual', lambda x, y: x <= y),
                ('GreaterThanEqual', lambda x, y: x >= y)]
    odd = or_nan(m)
    is_nan = math.isnan
    for name, f in compared:
        lifted(m, 'OpFOrd' + name, lambda x, y, f=f: f(x, y) and not is_nan(y), 'bool', (odd,))
        lifted(m, 'OpFUnord' + name, lambda x, y, f=f: f(x, y) or is_nan(y), 'bool', (odd,))
    lifted(m, 'OpOrdered', lambda x, y: not is_nan(y), 'bool', (odd,))
    lifted(m, 'OpUnordered', lambda x, y: is_nan(y), 'bool', (odd,))
    for name, f in [('OpIsNan', lambda x: False), ('OpIsInf', lambda x: False), ('OpIsFinite', lambda x: True),
                    ('OpIsNormal', lambda x: x != 0), ('OpSignBitSet', lambda x: x < 0)]:
        lifted(m, name, f, 'bool')
    lifted(m, 'OpBitcast', lambda x: encode(t, x), n)
    for count in SIZES[1:]:
        m.add('OpVectorTimesScalar x%d' % count, lambda m, count=count: m.emit('OpCompositeExtract %s %d' % (
            m.emit('OpVectorTimesScalar %s %s' % (vector_of(m, t, count), low.emit(m)), '%sx%d' % (t, count)), count - 1), t),
            lambda l, lane, count=count: rounded(t, (l.x[lane] + count - 1) * low.value(l.index[lane])))
        m.add('OpDot x%d' % count, lambda m, count=count: m.emit('OpDot %s %s' % (
            vector_of(m, t, count), m.emit('OpCompositeConstruct %s' % ' '.join([low.emit(m)] * count),
                                           '%sx%d' % (t, count))), t),
            # sums of few multiples of 3/8: exact but in half
            lambda l, lane, count=count: sum((l.x[lane] + k) * low.value(l.index[lane]) for k in range(count))
            if t != 'f16' or count < 4 else None)


def fused(m):
    m.capabilities |= {'FMAKHR'}
    m.extensions |= {'SPV_KHR_fma'}
    low = small(m)
    lifted(m, 'OpFmaKHR', lambda x, y, z: rounded(m.t, x * y + z), others=(low, low))


def truths(m):
    odd = Other(lambda m: m.emit('OpINotEqual %s %s' % (m.emit('OpBitwiseAnd %s %s' % (
        m.lane_index, m.const('u32', 1)), 'u32'), m.const('u32', 0)), 'bool'), lambda i: i % 2 == 1)
    for name, f in [('OpLogicalAnd', lambda x, y: x and y), ('OpLogicalOr', lambda x, y: x or y),
                    ('OpLogicalEqual', lambda x, y: x == y), ('OpLogicalNotEqual', lambda x, y: x != y)]:
        lifted(m, name, f, others=(odd,))
    lifted(m, 'OpLogicalNot', lambda x: not x)
    for count in SIZES[1:]:
        for name, f in [('OpAll', all), ('OpAny', any)]:
            m.add('%s x%d' % (name, count), lambda m, name=name, count=count: m.emit('%s %s' % (
                name, vector_of(m, 'bool', count)), 'bool'),
                lambda l, lane, f=f, count=count: f(part_of('bool', l.x[lane], k) for k in range(count)))


def conversions(m):
    t = m.t
    is_float = t in FORMATS
    s = lambda x: x if is_float else signed(t, x)
    for to in INTS:
        if is_float:
            lifted(m, 'OpConvertFToU', lambda x: int(x) if x > -1 else None, to)
            lifted(m, 'OpConvertFToS', lambda x: int(x), to)
        elif to != t:
            lifted(m, 'OpUConvert', lambda x: x, to)
            lifted(m, 'OpSConvert', s, to)
            top = 1 << bits_of(to)
            lifted(m, 'OpSatConvertUToS', lambda x, top=top: min(x, top // 2 - 1), to)
            lifted(m, 'OpSatConvertSToU', lambda x, top=top: max(0, min(s(x), top - 1)), to)
    for to in FLOATS:
        if is_float and to != t:
            lifted(m, 'OpFConvert', lambda x: x, to)
        elif not is_float:
            lifted(m, 'OpConvertUToF', lambda x, to=to: to_float(to, x), to)
            lifted(m, 'OpConvertSToF', lambda x, to=to: to_float(to, s(x)), to)


def to_float(t, x):
    """An integer as the nearest number of a type, ties to even."""
    digits = {'f16': 11, 'f32': 24, 'f64': 53}[t]
    drop = max(0, abs(x).bit_length() - digits)
    whole, rest = abs(x) >> drop, abs(x) & (1 << drop) - 1
    half = 1 << drop >> 1
    whole += drop > 0 and (rest > half or rest == half and whole & 1)
    return rounded(t, math.copysign(float(whole << drop), x) if x else 0.0)


def vectors(m):
    """Parts of vectors, at places that are known and that are not; choices."""
    t = m.t
    flag = lambda m: m.emit('OpULessThan %s %s' % (m.lane_index, m.const('u32', 2)), 'bool')
    zero = m_zero(t)
    m.add('OpSelect', lambda m: m.emit('OpSelect %s %s %s' % (flag(m), m.value, m.const(t, zero)), t),
          lambda l, lane: l.x[lane] if l.index[lane] < 2 else zero)
    for n in SIZES[1:]:
        v = '%sx%d' % (t, n)
        last = n - 1
        part = lambda m, x: m.emit('OpCompositeExtract %s %d' % (x, last), t)
        place = lambda m, n=n: m.emit('OpUMod %s %s' % (m.lane_index, m.const('u32', n)), 'u32')
        zeros = lambda m, n=n, v=v: m.emit('OpCompositeConstruct %s' % ' '.join([m.const(t, zero)] * n), v)
        picked = lambda l, lane, k, n=n: part_of(t, l.x[lane], k)
        m.add('OpVectorExtractDynamic x%d' % n, lambda m, n=n, place=place: m.emit(
            'OpVectorExtractDynamic %s %s' % (vector_of(m, t, n), place(m)), t),
            lambda l, lane, n=n: picked(l, lane, l.index[lane] % n))
        m.add('OpVectorInsertDynamic x%d' % n, lambda m, n=n, v=v, place=place, last=last: m.emit(
            'OpCompositeExtract %s %d' % (m.emit('OpVectorInsertDynamic %s %s %s' % (
                vector_of(m, t, n), m.const(t, zero), place(m)), v), last), t),
            lambda l, lane, n=n: zero if l.index[lane] % n == n - 1 else picked(l, lane, n - 1))
        m.add('OpCompositeInsert x%d' % n, lambda m, n=n, v=v, last=last, zeros=zeros: m.emit(
            'OpCompositeExtract %s %d' % (m.emit('OpCompositeInsert %s %s %d' % (m.value, zeros(m), last), v), last), t),
            lambda l, lane: l.x[lane])
        m.add('OpVectorShuffle x%d' % n, lambda m, n=n, v=v, zeros=zeros: m.emit(
            'OpCompositeExtract %s 0' % m.emit('OpVectorShuffle %s %s %s' % (
                zeros(m), vector_of(m, t, n), ' '.join(str(2 * n - 1 - k) for k in range(n))), v), t),
            lambda l, lane, n=n: picked(l, lane, n - 1))
        m.add('OpSelect x%d' % n, lambda m, n=n, v=v, last=last, zeros=zeros: m.emit(
            'OpCompositeExtract %s %d' % (m.emit('OpSelect %s %s %s' % (m.emit(
                'OpCompositeConstruct %s' % ' '.join([flag(m)] * n), 'boolx%d' % n), vector_of(m, t, n), zeros(m)), v),
                last), t),
            lambda l, lane, n=n: picked(l, lane, n - 1) if l.index[lane] < 2 else zero)


def m_zero(t):
    return False if t == 'bool' else 0.0 if t in FORMATS else 0


FAMILIES = [
    ('integers', INTS, integers),
    ('pairs', INTS, pairs),
    ('std_integers', INTS, std_integers),
    ('sizes', INTS + FLOATS, sizes),
    ('exchange_weak', ['u32', 'u64'], exchange_weak),
    ('floats', FLOATS, floats),
    ('fused', FLOATS, fused),
    ('less_or_greater', FLOATS, less_or_greater),
    ('truths', ['bool'], truths),
    ('conversions', INTS + FLOATS, conversions),
    ('vectors', INTS + FLOATS + ['bool'], vectors),
]
