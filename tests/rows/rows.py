"""Modules that do many operations on the values of all work-items, what they should store, and runs of them.

A Module is made for one sub-group size. Each operation (add) is done three times: by all work-items, by some of them
behind a branch, and in a loop that they leave one after the other; its result goes to a place of its own in the output,
where work-items that do not take part leave what was there. An operation's expected values come from a Python function
of the values of those who take part.
SPDX-License-Identifier: MIT
"""
import math, os, random, struct, subprocess, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../tools'))
import served

ITEMS, LOCAL = 42, 21       # the last sub-group of each work-group is partly filled
ROUNDS = 3
UNTOUCHED = 0xA5A5A5A5A5A5A5A5
FORMATS = {'f16': 'e', 'f32': 'f', 'f64': 'd'}
INTS, FLOATS = ['u8', 'u16', 'u32', 'u64'], ['f16', 'f32', 'f64']
ENGINES = [['--engine', 'compiled'], ['--engine', 'compiled', '--dispatch'], ['--engine', 'interpreted']]


def bits_of(t):
    return 1 if t == 'bool' else int(t[1:])


def mask_of(t):
    return (1 << bits_of(t)) - 1


def signed(t, x):
    return x - (1 << bits_of(t)) if x >> (bits_of(t) - 1) else x


def encode(t, value):
    """A Python value as the bits of its type."""
    if t in FORMATS:
        return int.from_bytes(struct.pack('<' + FORMATS[t], value), 'little')
    return int(value) & mask_of(t)


def decode(t, bits):
    if t in FORMATS:
        return struct.unpack('<' + FORMATS[t], (bits & mask_of(t)).to_bytes(bits_of(t) // 8, 'little'))[0]
    return bits & mask_of(t)


def same(t, want, bits):
    """Is what was stored right? NaN is NaN, and 0 is -0."""
    if t not in FORMATS:
        return (want & mask_of(t)) == bits
    got = decode(t, bits)
    return got == want or (math.isnan(got) and math.isnan(want))


def vector_of(m, t, count):
    """A vector whose components tell them apart: the value, and itself combined with each number."""
    parts = [m.value]
    for n in range(1, count):
        if t == 'bool':
            parts.append(m.value if n % 2 == 0 else m.emit('OpLogicalNot %s' % m.value, t))
        elif t in FORMATS:
            parts.append(m.emit('OpFAdd %s %s' % (m.value, m.const(t, float(n))), t))
        else:
            parts.append(m.emit('OpBitwiseXor %s %s' % (m.value, m.const(t, n)), t))
    return m.emit('OpCompositeConstruct %s' % ' '.join(parts), '%sx%d' % (t, count))


def part_of(t, x, n):
    return (x if n % 2 == 0 else not x) if t == 'bool' else x + n if t in FORMATS else x ^ n


class Lanes:
    """Who takes part in one execution of an operation: `active` lanes of the `width` of a sub-group, with `x` and `index`
    of all its work-items; `size` of them exist. `group` are the same of the whole work-group."""
    def __init__(self, width, base, x, index, active, group_x, number):
        self.width, self.base, self.x, self.index, self.active = width, base, x, index, active
        self.size, self.group, self.number = len(x), group_x, number
        self.first = min(active) if active else None


class Module:
    def __init__(self, width, t, seed=1):
        self.width, self.t, self.cases = width, t, []
        self.text, self.types, self.ids = [], {}, 0
        self.capabilities = {'Kernel', 'Addresses', 'Linkage', 'Int8', 'Int16', 'Int64', 'Float16', 'Float64', 'Vector16'}
        self.extensions, self.inputs, self.variables = set(), {}, []
        r = random.Random('%s %d' % (t, seed))
        if t in FORMATS:        # sums and products of these are exact in every order
            self.x = [r.choice([1.0, -1.0, 2.0, 0.5, -0.5, 1.0]) for _ in range(ITEMS)]
        elif t == 'bool':
            self.x = [r.randrange(4) > 0 for _ in range(ITEMS)]
        else:
            self.x = [r.getrandbits(bits_of(t)) for _ in range(ITEMS)]
        self.index = [r.randrange(width) for _ in range(ITEMS)]
        self.flag = [r.randrange(3) > 0 for _ in range(ITEMS)]
        self.rounds = [r.randrange(ROUNDS + 1) for _ in range(ITEMS)]

    # ---- text -----------------------------------------------------------------------------------------------------
    def type(self, t):
        """A scalar ('u32', 'f16', 'bool'), a vector ('u32x4') or anything already there."""
        if t not in self.types:
            if 'x' in t:
                element, count = t.split('x')
                line = 'OpTypeVector %s %s' % (self.type(element), count)
            elif t == 'bool':
                line = 'OpTypeBool'
            elif t in FORMATS:
                line = 'OpTypeFloat %d' % bits_of(t)
            else:
                line = 'OpTypeInt %d 0' % bits_of(t)
            self.types[t] = '%' + t
            self.types[t + ' line'] = line
            self.order.append(('%' + t, line))
        return self.types[t]

    order = None
    version = None          # of SPIR-V, as text; None: the newest
    imports = False         # OpenCL.std is %std
    place_words = 1         # of `cells`, for each work-item
    one_context = False     # operations take turns with the contexts: for families of many

    def const(self, t, value):
        name = '%%c_%s_%s' % (t, str(value).replace('-', 'm').replace('.', 'p'))
        if name not in self.types:
            what = ('OpConstantTrue %s' if value else 'OpConstantFalse %s') % self.type(t) if t == 'bool' else \
                'OpConstant %s %s' % (self.type(t), value)
            self.types[name] = name
            self.order.append((name, what))
        return name

    def emit(self, what, t=None):
        """An instruction, with a result of type t; its id."""
        if t is None:
            self.text.append(what)
            return None
        self.ids += 1
        name = '%%v%d' % self.ids
        op, _, rest = what.partition(' ')
        self.text.append('%s = %s %s %s' % (name, op, self.type(t), rest))
        return name

    def input(self, builtin, t='u32'):
        if builtin not in self.inputs:
            self.inputs[builtin] = ('%in_' + builtin, t)
        return self.emit('OpLoad %in_' + builtin, t)

    def pointer(self, storage, t):
        name = 'p_%s_%s' % (storage, t)
        if name not in self.types:
            element = self.type(t)
            self.types[name] = '%' + name
            self.order.append(('%' + name, 'OpTypePointer %s %s' % (storage, element)))
        return name

    def cell(self, storage, t, shared):
        """A pointer to t in a storage class: of the work-item alone, or one for its sub-group."""
        if storage == 'Function':
            name = '%%cell_%s' % t
            line = '%s = OpVariable %%%s Function' % (name, self.pointer('Function', t))
            if line not in self.variables:
                self.variables.append(line)
            return name
        first = self.emit('OpUConvert %s' % self.input('SubgroupLocalInvocationId'), 'u64') if shared else None
        if storage == 'Workgroup':
            name = '%%local_%s' % t
            array = '%%array_%s' % t
            if name not in self.types:
                self.types[name] = name
                self.order.append((array, 'OpTypeArray %s %s' % (self.type(t), self.const('u64', LOCAL))))
                self.order.append(('%%p_array_%s' % t, 'OpTypePointer Workgroup %s' % array))
                self.order.append((name, 'OpVariable %%p_array_%s Workgroup' % t))
            at = self.emit('OpCompositeExtract %s 0' % self.input('LocalInvocationId', 'u64x3'), 'u64')
            at = self.emit('OpISub %s %s' % (at, first), 'u64') if shared else at
            return self.emit('OpInBoundsAccessChain %s %s' % (name, at), self.pointer('Workgroup', t))
        at = self.emit('OpISub %%i %s' % first, 'u64') if shared else '%i'
        at = self.emit('OpInBoundsPtrAccessChain %%cells %s' % at, 'p_u64')
        at = self.emit('OpBitcast %s' % at, self.pointer('CrossWorkgroup', t))
        return self.emit('OpPtrCastToGeneric %s' % at, self.pointer('Generic', t)) if storage == 'Generic' else at

    def add(self, name, emit, expect, t=None, contexts=('all', 'some', 'loop')):
        """emit(m) gives the id of a result of scalar type t; expect(lanes, lane) its value, None: any."""
        if self.one_context:
            contexts = (contexts[len(self.cases) % len(contexts)],)
        self.cases.append((name, emit, expect, t or self.t, contexts))

    # ---- the kernel -----------------------------------------------------------------------------------------------
    def store(self, value, t, place):
        if t == 'bool':
            wide = self.emit('OpSelect %s %s %s' % (value, self.const('u64', 1), self.const('u64', 0)), 'u64')
        else:
            n = 'u%d' % bits_of(t)
            if t in FORMATS:
                value = self.emit('OpBitcast %s' % value, n)
            wide = value if n == 'u64' else self.emit('OpUConvert %s' % value, 'u64')
        at = self.emit('OpInBoundsPtrAccessChain %%out %s' % place, 'p_u64')
        self.emit('OpStore %s %s Aligned 8' % (at, wide))

    def load(self, buffer):
        at = self.emit('OpInBoundsPtrAccessChain %%%s %%i' % buffer, 'p_u64')
        return self.emit('OpLoad %s Aligned 8' % at, 'u64')

    def places(self):
        """Number of output places of each case: all, some, one a round."""
        return 2 + ROUNDS

    def operate(self, context, first):
        for number, (_, emit, _, t, contexts) in enumerate(self.cases):
            if context not in contexts:
                continue
            place = self.const('u64', number * self.places() * ITEMS)
            at = self.emit('OpIAdd %s %s' % (place, first), 'u64')
            self.store(emit(self), t, at)

    def narrow(self, x, t):
        if t == 'bool':
            return self.emit('OpINotEqual %s %s' % (x, self.const('u64', 0)), 'bool')
        n = 'u%d' % bits_of(t)
        if n != 'u64':
            x = self.emit('OpUConvert %s' % x, n)
        return self.emit('OpBitcast %s' % x, t) if t in FORMATS else x

    def body(self):
        e = self.emit
        self.text.append('%ids = OpLoad %u64x3 %in_GlobalInvocationId Aligned 32')
        self.text.append('%i = OpCompositeExtract %u64 %ids 0')
        self.value = self.narrow(self.load('values'), self.t)
        self.lane_index = self.narrow(self.load('indexes'), 'u32')
        flag = self.narrow(self.load('flags'), 'bool')
        rounds = self.load('rounds')
        one, zero = self.const('u64', 1), self.const('u64', 0)
        self.operate('all', '%i')
        e('OpBranchConditional %s %%some %%some_end' % flag)
        self.text.append('%some = OpLabel')
        self.operate('some', e('OpIAdd %%i %s' % self.const('u64', ITEMS), 'u64'))
        e('OpBranch %some_end')
        self.text.append('%some_end = OpLabel')
        any_round = e('OpINotEqual %s %s' % (rounds, zero), 'bool')
        e('OpBranchConditional %s %%round %%end' % any_round)
        self.text.append('%round = OpLabel')
        self.text.append('%%r = OpPhi %%u64 %s %%some_end %%r_next %%round' % zero)
        skip = e('OpIMul %%r %s' % self.const('u64', ITEMS), 'u64')
        skip = e('OpIAdd %s %s' % (skip, self.const('u64', 2 * ITEMS)), 'u64')
        self.operate('loop', e('OpIAdd %%i %s' % skip, 'u64'))
        self.text.append('%%r_next = OpIAdd %%u64 %%r %s' % one)
        more = e('OpULessThan %%r_next %s' % rounds, 'bool')
        e('OpBranchConditional %s %%round %%end' % more)
        self.text.append('%end = OpLabel')
        e('OpReturn')

    def spvasm(self):
        self.order = []
        for t in ['u64', 'u64x3', self.t]:
            self.type(t)
        self.types['p_u64'] = '%p_u64'
        self.order.append(('%p_u64', 'OpTypePointer CrossWorkgroup %u64'))
        self.inputs['GlobalInvocationId'] = ('%in_GlobalInvocationId', 'u64x3')
        self.body()
        head = ['OpCapability %s' % c for c in sorted(self.capabilities)]
        head += ['OpExtension "%s"' % x for x in sorted(self.extensions)]
        head += ['%std = OpExtInstImport "OpenCL.std"'] if self.imports else []
        head += ['OpMemoryModel Physical64 OpenCL',
                 'OpEntryPoint Kernel %%k "k" %s' % ' '.join(v for v, _ in self.inputs.values())]
        head += ['OpDecorate %s BuiltIn %s' % (v, b) for b, (v, _) in self.inputs.items()]
        for v, t in self.inputs.values():
            self.type(t)
        head += ['%s = %s' % line for line in self.order]
        head += ['%void = OpTypeVoid',
                 '%fn = OpTypeFunction %void %p_u64 %p_u64 %p_u64 %p_u64 %p_u64 %p_u64']
        for v, t in self.inputs.values():
            head += ['%%p_%s = OpTypePointer Input %%%s' % (v[1:], t), '%s = OpVariable %%p_%s Input' % (v, v[1:])]
        head += ['%k = OpFunction %void None %fn']
        head += ['%%%s = OpFunctionParameter %%p_u64' % p for p in ('values', 'indexes', 'flags', 'rounds', 'out', 'cells')]
        return '\n'.join(head + ['%entry = OpLabel'] + self.variables + self.text + ['OpFunctionEnd']) + '\n'

    # ---- what should be stored ------------------------------------------------------------------------------------
    def executions(self):
        """(context, place, who takes part) for each."""
        yield 'all', 0, [True] * ITEMS
        yield 'some', 1, self.flag
        for r in range(ROUNDS):
            yield 'loop', 2 + r, [n > r for n in self.rounds]

    def wrong(self, out):
        """The first difference of each case, in words."""
        for number, (name, _, expect, t, contexts) in enumerate(self.cases):
            reason = self.wrong_case(out, number, name, expect, t, contexts)
            if reason:
                yield reason

    def wrong_case(self, out, number, name, expect, t, contexts):
        for context, place, takes_part in self.executions():
            at = (number * self.places() + place) * ITEMS
            if context not in contexts:
                continue
            for group in range(0, ITEMS, LOCAL):
                for base in range(group, group + LOCAL, self.width):
                    lanes = range(base, min(base + self.width, group + LOCAL))
                    l = Lanes(self.width, base - group, [self.x[i] for i in lanes], [self.index[i] for i in lanes],
                              [i - base for i in lanes if takes_part[i]], self.x[group:group + LOCAL],
                              (base - group) // self.width)
                    for i in lanes:
                        want = expect(l, i - base) if takes_part[i] else None
                        if takes_part[i] and want is not None and not same(t, want, out[at + i]) or \
                                not takes_part[i] and out[at + i] != UNTOUCHED:
                            return '%s of %s, %s, item %d: %s instead of %s' % (
                                name, self.t, context, i, decode(t, out[at + i]) if takes_part[i] else hex(out[at + i]),
                                want if takes_part[i] else 'nothing')
        return None

    # ---- running --------------------------------------------------------------------------------------------------
    def arguments(self):
        def values(list_, t):
            return 'u64[%d]=%s' % (ITEMS, ','.join(str(encode(t, v)) for v in list_))
        return ['--arg', values(self.x, self.t), '--arg', values(self.index, 'u32'), '--arg', values(self.flag, 'bool'),
                '--arg', values(self.rounds, 'u32'),
                '--arg', 'u64[%d]=fill:%d' % (len(self.cases) * self.places() * ITEMS, UNTOUCHED),
                '--arg', 'u64[%d]=zeros' % ((ITEMS + 1) * self.place_words)]

    def run(self, heddle, path, engine):
        """Differences; what the command said when it failed."""
        if self.version:
            text, path = path, path[:-3]        # .spv
            served.run([heddle, 'as', '--target-env', 'spv' + self.version, '-o', path, text], check=True)
        out = path + '.' + '_'.join(word.strip('-') for word in engine) + '.out'
        p = served.run([heddle, 'run', path, 'k', '--global', str(ITEMS), '--local', str(LOCAL), '--width',
                            str(self.width), '--no-print', '--out', '4=' + out] + self.arguments() + engine,
                           capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if p.returncode != 0:
            return [p.stderr.strip()[:600] or 'exit status %d' % p.returncode]
        with open(out, 'rb') as f:
            data = f.read()
        os.unlink(out)
        return list(self.wrong(struct.unpack('<%dQ' % (len(data) // 8), data)))
