"""Untyped pointers: each thing that SPV_KHR_untyped_pointers lets a kernel do with them, in each storage class.
SPDX-License-Identifier: MIT
"""
import math

STORAGES = ['CrossWorkgroup', 'Generic', 'Workgroup', 'Function']
MASK32, MASK64 = (1 << 32) - 1, (1 << 64) - 1


def define(m, name, line):
    """A type of some name."""
    if name not in m.types:
        m.types[name] = '%' + name
        m.order.append(('%' + name, line))
    return m.types[name]


def pointer(m, storage):
    define(m, 'up_' + storage, 'OpTypeUntypedPointerKHR ' + storage)
    return 'up_' + storage


def prepare(m):
    m.type('u32'), m.type('u8'), m.type('u16'), m.type('u16x3'), m.type('bool')
    define(m, 'words', 'OpTypeArray %%u32 %s' % m.const('u64', 16))
    define(m, 'S', 'OpTypeStruct %u32 %u64 %u16x3 %u8')
    define(m, 'all', 'OpTypeArray %%words %s' % m.const('u64', 21))


def chain(m, storage, base, element, *indexes, op='UntypedInBoundsPtrAccessChainKHR'):
    return m.emit('Op%s %%%s %s %s' % (op, element, base, ' '.join(indexes)), pointer(m, storage))


def at(m, storage, base, byte):
    return chain(m, storage, base, 'u8', m.const('u64', byte))


def place(m, storage):
    """64 bytes of the work-item's own."""
    prepare(m)
    up = pointer(m, storage)
    if storage == 'Function':
        if '%own = OpUntypedVariableKHR %up_Function Function %words' not in m.variables:
            m.variables.append('%own = OpUntypedVariableKHR %up_Function Function %words')
        return '%own'
    if storage == 'Workgroup':
        if '%shared' not in m.types:
            m.types['%shared'] = '%shared'
            m.order.append(('%shared', 'OpUntypedVariableKHR %up_Workgroup Workgroup %all'))
        lid = m.emit('OpCompositeExtract %s 0' % m.input('LocalInvocationId', 'u64x3'), 'u64')
        return m.emit('OpUntypedInBoundsAccessChainKHR %%all %%shared %s' % lid, up)
    i = m.emit('OpIMul %%i %s' % m.const('u64', 8), 'u64')
    p = m.emit('OpInBoundsPtrAccessChain %%cells %s' % i, 'p_u64')
    p = m.emit('OpBitcast %s' % p, pointer(m, 'CrossWorkgroup'))
    return m.emit('OpPtrCastToGeneric %s' % p, up) if storage == 'Generic' else p


def load(m, p, t, align=1):
    return m.emit('OpLoad %s Aligned %d' % (p, align), t)


def store(m, p, value, align=1):
    m.emit('OpStore %s %s Aligned %d' % (p, value, align))


def wide(m, x):
    return m.emit('OpUConvert %s' % x, 'u64')


def chains(m, each):
    kinds = ['UntypedAccessChainKHR', 'UntypedInBoundsAccessChainKHR', 'UntypedPtrAccessChainKHR',
             'UntypedInBoundsPtrAccessChainKHR']
    for n, storage in enumerate(STORAGES):
        for kind in kinds:
            first = (lambda m: [m.const('u64', 0)]) if 'Ptr' in kind else (lambda m: [])
            for width in ['u8', 'u16', 'u32', 'u64']:
                def array(m, storage=storage, kind=kind, first=first, width=width):
                    base = place(m, storage)
                    p = chain(m, storage, base, 'words', *first(m), m.const(width, 5), op=kind)
                    store(m, p, m.value, 4)
                    return load(m, at(m, storage, base, 20), 'u32')
                each(m, 'Op%s array by %s, %s' % (kind, width, storage), array, lambda x, i: x)
            for member, offset in [(1, 8), (2, 16), (3, 24)]:
                def struct(m, storage=storage, kind=kind, first=first, member=member, offset=offset):
                    base = place(m, storage)
                    indexes = [m.const('u32', member)] + ([m.const('u32', 1)] if member == 2 else [])
                    p = chain(m, storage, base, 'S', *first(m), *indexes, op=kind)
                    byte = m.emit('OpUConvert %s' % m.value, 'u8')
                    store(m, p, byte)
                    return m.emit('OpUConvert %s' % load(m, at(m, storage, base, offset + (2 if member == 2 else 0)),
                                                         'u8'), 'u32')
                each(m, 'Op%s member %d, %s' % (kind, member, storage), struct, lambda x, i: x & 255)
        for width, minus in [('u8', 253), ('u16', 65533), ('u32', MASK32 - 2), ('u64', MASK64 - 2)]:
            for element, size in [('u32', 4), ('u16x3', 8), ('S', 32)]:
                def back(m, storage=storage, width=width, minus=minus, element=element, size=size):
                    base = place(m, storage)
                    if size == 32:      # from behind the place back into it
                        p = at(m, storage, base, 96 + 4)
                    else:
                        p = at(m, storage, base, 3 * size + 4)
                    p = chain(m, storage, p, element, m.const(width, minus), op='UntypedPtrAccessChainKHR')
                    store(m, p, m.value)
                    return load(m, at(m, storage, base, 4), 'u32')
                each(m, 'three %s back by %s, %s' % (element, width, storage), back, lambda x, i: x)
        # Of a typed pointer.
        if storage in ('CrossWorkgroup',):
            def typed(m):
                base = place(m, 'CrossWorkgroup')
                t = m.emit('OpBitcast %s' % base, m.pointer('CrossWorkgroup', 'u32'))
                p = chain(m, 'CrossWorkgroup', t, 'u16', m.const('u32', 3))
                store(m, p, m.emit('OpUConvert %s' % m.value, 'u16'))
                return m.emit('OpUConvert %s' % load(m, at(m, 'CrossWorkgroup', base, 6), 'u16'), 'u32')
            each(m, 'chain of a typed pointer', typed, lambda x, i: x & 65535)


def accesses(m, each):
    for storage in STORAGES:
        def reinterpret(m, storage=storage):
            base = place(m, storage)
            store(m, base, m.emit('OpBitcast %s' % m.value, 'f32'), 4)
            parts = load(m, base, 'u8x4')
            low, high = (m.emit('OpCompositeExtract %s %d' % (parts, n), 'u8') for n in (0, 3))
            return m.emit('OpUConvert %s' % m.emit('OpBitwiseXor %s %s' % (low, high), 'u8'), 'u32')
        each(m, 'float read as bytes, ' + storage, reinterpret, lambda x, i: (x ^ x >> 24) & 255)
        for operands in ['None', 'Volatile', 'Nontemporal', 'Volatile|Aligned 4', 'Nontemporal|Aligned 2']:
            def masked(m, storage=storage, operands=operands):
                base = place(m, storage)
                m.emit('OpStore %s %s %s' % (base, m.value, operands))
                return m.emit('OpLoad %s %s' % (base, operands), 'u32')
            each(m, 'operands %s, %s' % (operands, storage), masked, lambda x, i: x)

        def typed_copy(m, storage=storage, back=False, masks=''):
            base = place(m, storage)
            if '%word = OpVariable %p_Function_u32 Function' not in m.variables:
                m.variables.append('%%word = OpVariable %%%s Function' % m.pointer('Function', 'u32'))
            if back:
                store(m, base, m.value)
                m.emit('OpCopyMemory %%word %s%s' % (base, masks))
                return m.emit('OpLoad %word', 'u32')
            m.emit('OpStore %%word %s' % m.value)
            m.emit('OpCopyMemory %s %%word%s' % (base, masks))
            return load(m, base, 'u32')
        for masks in ['', ' Aligned 4', ' Volatile|Aligned 4 Nontemporal|Aligned 4']:
            each(m, 'OpCopyMemory to untyped%s, %s' % (masks, storage), lambda m, f=typed_copy, masks=masks: f(m, masks=masks),
                 lambda x, i: x)
            each(m, 'OpCopyMemory from untyped%s, %s' % (masks, storage),
                 lambda m, f=typed_copy, masks=masks: f(m, back=True, masks=masks), lambda x, i: x)
        for other in STORAGES:
            for size in ['constant', 'u32', 'u64', 'zero']:
                def sized(m, storage=storage, other=other, size=size):
                    base = place(m, storage)
                    there = at(m, other, place(m, other), 32)
                    store(m, base, m.const('u64', 0x0101010101010101))
                    store(m, there, m.value)
                    store(m, at(m, other, there, 4), m.value)
                    # 0 … 7 bytes, as the index says.
                    few = m.emit('OpBitwiseAnd %s %s' % (m.lane_index, m.const('u32', 7)), 'u32')
                    n = m.const('u32', 6) if size == 'constant' else few if size == 'u32' else \
                        m.emit('OpIMul %s %s' % (few, m.const('u32', 0)), 'u32') if size == 'zero' else wide(m, few)
                    masks = ' Aligned 1 Aligned 4' if size == 'u32' else ''
                    m.emit('OpCopyMemorySized %s %s %s%s' % (base, there, n, masks))
                    return load(m, base, 'u64')

                def bytes_copied(x, i, size=size):
                    n = {'constant': 6, 'zero': 0}.get(size, i & 7)
                    keep = MASK64 << 8 * n & MASK64
                    return 0x0101010101010101 & keep | (x | x << 32) & ~keep & MASK64
                each(m, 'OpCopyMemorySized %s from %s, %s bytes' % (storage, other, size), sized, bytes_copied, 'u64')


def pointers(m, each):
    m.capabilities |= {'GenericPointer'}
    for storage in STORAGES:
        def compare(m, op, storage=storage):
            base = place(m, storage)
            odd = m.emit('OpUConvert %s' % m.emit('OpBitwiseAnd %s %s' % (m.value, m.const('u32', 1)), 'u32'), 'u64')
            p = chain(m, storage, base, 'u32', odd)
            if op == 'OpPtrDiff':
                return m.emit('%s %s %s' % (op, p, at(m, storage, base, 1)), 'u64')
            return m.emit('%s %s %s' % (op, base, p), 'bool')
        each(m, 'OpPtrEqual, ' + storage, lambda m, f=compare: f(m, 'OpPtrEqual'), lambda x, i: x & 1 == 0, 'bool')
        each(m, 'OpPtrNotEqual, ' + storage, lambda m, f=compare: f(m, 'OpPtrNotEqual'), lambda x, i: x & 1, 'bool')
        each(m, 'OpPtrDiff, ' + storage, lambda m, f=compare: f(m, 'OpPtrDiff'),
             lambda x, i: (x & 1) * 4 - 1 & MASK64, 'u64')

        def selected(m, storage=storage):
            base = place(m, storage)
            store(m, base, m.const('u32', 7))
            store(m, at(m, storage, base, 4), m.const('u32', 9))
            odd = m.emit('OpINotEqual %s %s' % (m.emit('OpBitwiseAnd %s %s' % (m.value, m.const('u32', 1)), 'u32'),
                                                m.const('u32', 0)), 'bool')
            return load(m, m.emit('OpSelect %s %s %s' % (odd, base, at(m, storage, base, 4)), pointer(m, storage)), 'u32')
        each(m, 'OpSelect of pointers, ' + storage, selected, lambda x, i: 7 if x & 1 else 9)

        def to_number(m, storage=storage):
            base = place(m, storage)
            n = m.emit('OpConvertPtrToU %s' % base, 'u64')
            n = m.emit('OpIAdd %s %s' % (n, m.const('u64', 12)), 'u64')
            store(m, m.emit('OpConvertUToPtr %s' % n, pointer(m, storage)), m.value)
            return load(m, at(m, storage, base, 12), 'u32')
        each(m, 'OpConvertPtrToU and back, ' + storage, to_number, lambda x, i: x)

        def cast(m, storage=storage):
            base = place(m, storage)
            t = m.emit('OpBitcast %s' % base, m.pointer(storage, 'u32'))
            m.emit('OpStore %s %s' % (t, m.value))
            again = m.emit('OpBitcast %s' % t, pointer(m, storage))
            return load(m, again, 'u32')
        each(m, 'OpBitcast typed and untyped, ' + storage, cast, lambda x, i: x)

        def null(m, storage=storage):
            up = pointer(m, storage)
            if '%null_' + storage not in m.types:
                m.types['%null_' + storage] = '%null_' + storage
                m.order.append(('%null_' + storage, 'OpConstantNull %' + up))
            return m.emit('OpPtrEqual %s %%null_%s' % (place(m, storage), storage), 'bool')
        each(m, 'OpConstantNull, ' + storage, null, lambda x, i: False, 'bool')
        if storage == 'Generic':
            continue

        def generic(m, storage=storage, wrong=False):
            p = m.emit('OpPtrCastToGeneric %s' % place(m, storage), pointer(m, 'Generic'))
            to = {'CrossWorkgroup': 'Workgroup', 'Workgroup': 'Function', 'Function': 'CrossWorkgroup'}[storage] \
                if wrong else storage
            back = m.emit('OpGenericCastToPtrExplicit %s %s' % (p, to), pointer(m, to))
            n = m.emit('OpConvertPtrToU %s' % back, 'u64')
            if wrong:
                return m.emit('OpIEqual %s %s' % (n, m.const('u64', 0)), 'bool')
            return m.emit('OpPtrEqual %s %s' % (back, m.emit('OpGenericCastToPtr %s' % p, pointer(m, storage))), 'bool')
        each(m, 'OpGenericCastToPtrExplicit, ' + storage, generic, lambda x, i: True, 'bool')
        each(m, 'OpGenericCastToPtrExplicit to another, ' + storage, lambda m, f=generic: f(m, wrong=True),
             lambda x, i: True, 'bool')

        def semantics(m, storage=storage):
            p = m.emit('OpPtrCastToGeneric %s' % place(m, storage), pointer(m, 'Generic'))
            return m.emit('OpGenericPtrMemSemantics %s' % p, 'u32')
        if storage != 'Function':
            each(m, 'OpGenericPtrMemSemantics, ' + storage, semantics,
                 lambda x, i, storage=storage: {'CrossWorkgroup': 0x200, 'Workgroup': 0x100}[storage])

    def prefetch(m, more):
        base = place(m, 'CrossWorkgroup')
        store(m, base, m.value)
        m.emit('OpUntypedPrefetchKHR %s %s' % (base, more(m)))
        return load(m, base, 'u32')
    for what, more in [('bytes', lambda m: m.const('u32', 64)), ('run-time bytes', lambda m: wide(m, m.lane_index)),
                       ('kind', lambda m: '%s %s' % (m.const('u32', 64), m.const('u32', 0))),
                       ('kind and level', lambda m: '%s %s %s' % (m.const('u32', 64), m.const('u32', 1),
                                                                  m.const('u32', 2))),
                       ('kind, level and cache', lambda m: '%s %s %s %s' % (
                           m.const('u32', 64), m.const('u32', 0), m.const('u32', 3), m.const('u32', 1)))]:
        each(m, 'OpUntypedPrefetchKHR ' + what, lambda m, more=more: prefetch(m, more), lambda x, i: x)

    def lifetime(m):
        m.variables.append('%%life%d = OpUntypedVariableKHR %%%s Function %%words' % (m.ids, pointer(m, 'Function')))
        p = '%%life%d' % m.ids
        prepare(m)
        m.emit('OpLifetimeStart %s 64' % p)
        store(m, at(m, 'Function', p, 8), m.value)
        x = load(m, at(m, 'Function', p, 8), 'u32')
        m.emit('OpLifetimeStop %s 0' % p)
        return x
    each(m, 'OpLifetimeStart, OpLifetimeStop', lifetime, lambda x, i: x)


def small(m):
    """A float of 0 … 15, and a half: the index."""
    x = m.emit('OpConvertUToF %s' % m.lane_index, 'f32')
    return m.emit('OpFAdd %s %s' % (x, m.const('f32', 0.5)), 'f32')


def std(m, what, t):
    m.imports = True
    return m.emit('OpExtInst %%std %s' % what, t)


def functions(m, each):
    """What OpenCL.std does through pointers."""
    for storage in STORAGES:
        def second(m, what, t, storage=storage):
            base = place(m, storage)
            x = small(m)
            first = std(m, '%s %s %s' % (what, x, base) if what != 'remquo' else
                        'remquo %s %s %s' % (x, m.const('f32', 2.0), base), 'f32')
            got = load(m, base, t)
            return first, got
        cases = {   # first and second result of i + 0.5
            'fract': ('f32', lambda v: (v % 1, math.floor(v))),
            'modf': ('f32', lambda v: (v % 1, math.floor(v))),
            'frexp': ('u32', lambda v: (math.frexp(v)[0], math.frexp(v)[1] & MASK32)),
            'remquo': ('u32', lambda v: (math.remainder(v, 2.0), None)),
            'sincos': ('f32', lambda v: (None, None)),
            'lgamma_r': ('u32', lambda v: (None, 1)),
        }
        for name, (t, f) in cases.items():
            each(m, '%s, %s' % (name, storage), lambda m, f=second, name=name, t=t: f(m, name, t)[0],
                 lambda x, i, f=f: f(i + 0.5)[0], 'f32')
            each(m, '%s second, %s' % (name, storage), lambda m, f=second, name=name, t=t: f(m, name, t)[1],
                 lambda x, i, f=f: f(i + 0.5)[1], t)
        for count in [2, 3, 4, 8, 16]:
            if storage == 'Function' or count < 16:
                def vector(m, storage=storage, count=count):
                    base = place(m, storage)
                    parts = [m.value] + [m.emit('OpIAdd %s %s' % (m.value, m.const('u32', n)), 'u32')
                                         for n in range(1, count)]
                    v = m.emit('OpCompositeConstruct %s' % ' '.join(parts), 'u32x%d' % count)
                    m.emit('%%n%d = OpExtInst %%void %%std vstoren %s %s %s' % (
                        next_id(m), v, m.const('u64', 0), base))
                    m.imports = True
                    back = std(m, 'vloadn %s %s %d' % (m.const('u64', 0), base, count), 'u32x%d' % count)
                    return m.emit('OpCompositeExtract %s %d' % (back, count - 1), 'u32')
                each(m, 'vstoren, vloadn %d, %s' % (count, storage), vector,
                     lambda x, i, count=count: x + count - 1 & MASK32)

        def half(m, storage=storage, store_='vstore_half', n=1):
            base = place(m, storage)
            x = small(m)
            if n > 1:
                x = m.emit('OpCompositeConstruct %s' % ' '.join([x] * n), 'f32x%d' % n)
            mode = ' RTZ' if store_.endswith('_r') else ''
            m.emit('%%n%d = OpExtInst %%void %%std %s %s %s %s%s' % (next_id(m), store_, x, m.const('u64', 1), base, mode))
            m.imports = True
            if n == 1:
                return std(m, 'vload_half %s %s' % (m.const('u64', 1), base), 'f32')
            load_ = 'vloada_halfn' if 'storea' in store_ else 'vload_halfn'
            v = std(m, '%s %s %s %d' % (load_, m.const('u64', 1), base, n), 'f32x%d' % n)
            return m.emit('OpCompositeExtract %s %d' % (v, n - 1), 'f32')
        for store_, ns in [('vstore_half', [1]), ('vstore_half_r', [1]), ('vstore_halfn', [2, 3, 4, 8]),
                           ('vstore_halfn_r', [2, 4]), ('vstorea_halfn', [2, 3, 4, 8]), ('vstorea_halfn_r', [2, 4])]:
            for n in ns:
                each(m, '%s %d, %s' % (store_, n, storage), lambda m, f=half, store_=store_, n=n: f(m, store_=store_, n=n),
                     lambda x, i: i + 0.5, 'f32')


def next_id(m):
    m.ids += 1
    return m.ids


def needs(m):
    m.capabilities |= {'UntypedPointersKHR', 'GenericPointer'}
    m.extensions |= {'SPV_KHR_untyped_pointers'}
    m.one_context = True
    m.place_words = 8


def family(part):
    from families import each

    def make(m):
        needs(m)
        part(m, each)
    return make
