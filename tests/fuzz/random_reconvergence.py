"""Random compute shaders of operations of sub-groups in divergent control flow, and what they leave: a model of
SPV_KHR_maximal_reconvergence that executes the statements with the set of invocations that are together.

Paths that part come together at the merge of their branch, at a loop's continue target and its merge, and behind a call.

SPDX-License-Identifier: MIT
"""
import random

HEAD = '''#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = %d) in;
layout(set = 0, binding = 0) buffer O { uint o[]; };
layout(push_constant) uniform P { uint one; };
const uint ROOM = %d;
uint n = 0, lane = gl_SubgroupInvocationID;
void told(uint value) { o[gl_GlobalInvocationID.x * ROOM + n] = value; n++; }
'''
MODE = ('               OpExtension "SPV_KHR_maximal_reconvergence"\n', '               OpExecutionMode %main MaximallyReconvergesKHR\n')
ROOM = 256
# What may leave the statements that stand in a construct: 'both' is a switch in a loop.
LEAVES = {'loop': ['break', 'continue', 'return'], 'both': ['break', 'continue', 'return'], 'switch': ['break', 'return'], 'function': ['return']}


def lanes_of(mask):
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


class TooMuch(Exception):
    """An invocation tells more than there is room for."""


class Run:
    """A sub-group."""

    def __init__(self, lanes):
        self.all = (1 << lanes) - 1
        self.told = [[] for _ in range(lanes)]
        self.rounds = [{} for _ in range(lanes)]

    def tell(self, lane, value):
        if len(self.told[lane]) >= ROOM - 1:
            raise TooMuch
        self.told[lane].append(value & 0xffffffff)


class Ways:
    """Invocations that leave a construct by continue (`on`) and return (`back`)."""

    def __init__(self):
        self.on = self.back = 0

    def add(self, how, mask):
        if how == 'continue':
            self.on |= mask
        if how == 'return':
            self.back |= mask


def chosen(run, mask, is_true):
    return sum(1 << i for i in lanes_of(mask) if is_true(i))


class Choices:
    """Conditions: (text, the invocations of a mask for which it is true)."""

    def __init__(self, choice, loops):
        self.choice, self.loops = choice, loops

    def condition(self, depth=0):
        c = self.choice
        kind = c.choice(['bits', 'bits', 'modulo', 'modulo', 'elect', 'round', 'any', 'all', 'uniform', 'and', 'or'])
        if kind == 'round' and self.loops:
            name, n = c.choice(self.loops), c.randint(0, 2)
            if c.random() < 0.5:
                return '%s == lane %% 3 + %du' % (name, n), lambda r, m: chosen(r, m, lambda i: r.rounds[i][name] == i % 3 + n)
            return '%s > %du' % (name, n), lambda r, m: chosen(r, m, lambda i: r.rounds[i][name] > n)
        if kind in ('any', 'all'):
            k = c.choice([2, 3, 5])
            if kind == 'any':
                return 'subgroupAny(lane %% %du == 1u)' % k, lambda r, m: m if any(i % k == 1 for i in lanes_of(m)) else 0
            return 'subgroupAll(lane %% %du != 1u)' % k, lambda r, m: m if all(i % k != 1 for i in lanes_of(m)) else 0
        if kind == 'elect':
            return 'subgroupElect()', lambda r, m: m & -m
        if kind == 'uniform':
            v = c.randint(0, 1)
            return 'one == %du' % v, lambda r, m: m if v == 1 else 0
        if kind in ('and', 'or') and depth < 2:
            a, b = self.condition(depth + 1), self.condition(depth + 1)
            if kind == 'and':
                return '(%s && %s)' % (a[0], b[0]), lambda r, m: (lambda x: b[1](r, x) if x else 0)(a[1](r, m))
            return '(%s || %s)' % (a[0], b[0]), lambda r, m: (lambda x: x | (b[1](r, m & ~x) if m & ~x else 0))(a[1](r, m))
        if kind == 'modulo':
            k = c.randint(2, 5)
            v = c.randint(0, k - 1)
            return 'lane %% %du == %du' % (k, v), lambda r, m: chosen(r, m, lambda i: i % k == v)
        bits = c.getrandbits(32)
        return '(%du >> lane & 1u) != 0u' % bits, lambda r, m: m & bits


class Shader:
    """text; told(lanes): [[values] of each invocation of a sub-group]."""

    def __init__(self, number):
        self.number, self.names = number, 0
        while True:
            self.choice = random.Random(number * 7 + self.names)
            self.functions, self.text = [], []
            self.body = self.block(3, [], None)
            try:
                for lanes in (1, 4, 8, 16, 32):
                    self.told(lanes)
                break
            except TooMuch:
                self.names += 1
        self.local = self.choice.choice([32, 32, 64, 20, 37])

    def name(self):
        self.names += 1
        return 'i%d' % self.names

    def block(self, depth, loops, inside):
        return [self.statement(depth, loops, inside) for _ in range(self.choice.randint(2, 4))]

    # Each statement is (lines, execute); execute(run, mask, ways) gives the invocations that go on.

    def statement(self, depth, loops, inside):
        kinds = ['tell'] * 4
        if depth:
            kinds += ['if', 'if', 'else', 'for', 'while', 'do', 'switch', 'call', 'once']
        if inside is not None:
            kinds += ['leave'] * 2
        return getattr(self, 'make_' + self.choice.choice(kinds))(depth, loops, inside)

    def make_tell(self, depth, loops, inside):
        kind = self.choice.choice(['ballot', 'ballot', 'add', 'scan', 'first', 'elect', 'shuffle'])
        k = self.choice.randint(1, 3)
        text = {'ballot': 'subgroupBallot(true).x', 'add': 'subgroupAdd(lane + %du)' % k, 'scan': 'subgroupInclusiveAdd(lane * %du)' % k,
                'first': 'subgroupBroadcastFirst(lane)', 'elect': 'subgroupElect() ? %du : 0u' % k,
                'shuffle': 'subgroupShuffle(n, subgroupBroadcastFirst(lane)) * %du' % k}[kind]

        def execute(run, mask, ways):
            some, sum_ = lanes_of(mask), 0
            before = {i: len(run.told[i]) for i in some}
            for i in some:
                sum_ += i * k
                run.tell(i, {'ballot': mask, 'add': sum(some) + k * len(some), 'scan': sum_, 'first': some[0], 'elect': k * (i == some[0]),
                             'shuffle': before[some[0]] * k}[kind])
            return mask
        return ['told(%s);' % text], execute

    def conditional(self, loops):
        return Choices(self.choice, loops).condition()

    def make_if(self, depth, loops, inside, otherwise=False):
        text, is_true = self.conditional(loops)
        yes, no = self.block(depth - 1, loops, inside), self.block(depth - 1, loops, inside) if otherwise else []

        def execute(run, mask, ways):
            taken = is_true(run, mask)
            return sequence(yes, run, taken, ways) | sequence(no, run, mask & ~taken, ways)
        return ['if (%s) {' % text, *lines_of(yes), *(['} else {', *lines_of(no)] if otherwise else []), '}'], execute

    def make_else(self, depth, loops, inside):
        return self.make_if(depth, loops, inside, True)

    def make_leave(self, depth, loops, inside):
        text, is_true = self.conditional(loops)
        how = self.choice.choice(LEAVES[inside])
        tell, told = self.make_tell(depth, loops, inside)

        def execute(run, mask, ways):
            taken = is_true(run, mask)
            if taken:
                told(run, taken, ways)
            ways.add(how, taken)
            return mask & ~taken
        return ['if (%s) { %s %s; }' % (text, tell[0], how)], execute

    def limit(self):
        k, n = self.choice.randint(1, 4), self.choice.randint(1, 3)
        return ('lane %% %du + %du' % (k, n), lambda i: i % k + n) if self.choice.random() < 0.7 else ('%du' % n, lambda i: n)

    def make_for(self, depth, loops, inside):
        name, (text, limit) = self.name(), self.limit()
        body = self.block(depth - 1, loops + [name], 'loop')

        def execute(run, mask, ways):
            for i in lanes_of(mask):
                run.rounds[i][name] = 0
            own, left = Ways(), mask
            while left := chosen(run, left, lambda i: run.rounds[i][name] < limit(i)):
                own.on = 0
                left = sequence(body, run, left, own) | own.on
                for i in lanes_of(left):
                    run.rounds[i][name] += 1
            ways.back |= own.back
            return mask & ~own.back
        return ['for (uint %s = 0; %s < %s; %s++) {' % (name, name, text, name), *lines_of(body), '}'], execute

    def make_while(self, depth, loops, inside):
        name, (text, limit) = self.name(), self.limit()
        tell, told = self.make_tell(depth, loops, inside)
        body = self.block(depth - 1, loops + [name], 'loop')

        def execute(run, mask, ways):
            for i in lanes_of(mask):
                run.rounds[i][name] = 0
            own, left = Ways(), mask
            while left:
                for i in lanes_of(left):
                    run.rounds[i][name] += 1
                ends = chosen(run, left, lambda i: run.rounds[i][name] > limit(i))
                if ends:
                    told(run, ends, own)
                own.on = 0
                left = sequence(body, run, left & ~ends, own) | own.on
            ways.back |= own.back
            return mask & ~own.back
        return ['uint %s = 0;' % name, 'while (true) {', '    %s++;' % name, '    if (%s > %s) { %s break; }' % (name, text, tell[0]), *lines_of(body), '}'], execute

    def make_do(self, depth, loops, inside):
        name, (text, limit) = self.name(), self.limit()
        body = self.block(depth - 1, loops + [name], 'loop')
        extra, also = self.conditional(loops + [name])

        def execute(run, mask, ways):
            for i in lanes_of(mask):
                run.rounds[i][name] = 0
            own, left = Ways(), mask
            while left:
                own.on = 0
                left = sequence(body, run, left, own) | own.on
                for i in lanes_of(left):
                    run.rounds[i][name] += 1
                left = chosen(run, left, lambda i: run.rounds[i][name] < limit(i))
                left = also(run, left) if left else 0
            ways.back |= own.back
            return mask & ~own.back
        return ['uint %s = 0;' % name, 'do {', *lines_of(body), '} while (++%s < %s && %s);' % (name, text, extra)], execute

    def make_once(self, depth, loops, inside):
        """Each round, one invocation leaves."""
        tell, told = self.make_tell(depth, loops, inside)
        body = self.block(depth - 1, loops, None)

        def execute(run, mask, ways):
            own, left = Ways(), mask
            while left:
                first = left & -left
                told(run, first, own)
                left &= ~first
                if left:
                    left = sequence(body, run, left, own)
            ways.back |= own.back
            return mask & ~own.back
        return ['while (true) {', '    if (subgroupElect()) { %s break; }' % tell[0], *lines_of(body), '}'], execute

    def make_switch(self, depth, loops, inside):
        k = self.choice.randint(2, 4)
        cases = [self.block(depth - 1, loops, 'both' if inside in ('loop', 'both') else 'switch') for _ in range(k)]
        has_default = self.choice.random() < 0.5

        def execute(run, mask, ways):
            own, all_ = Ways(), 0
            for v, body in enumerate(cases):
                taken = chosen(run, mask, lambda i: i % (k + 1) == v or (has_default and v == k - 1 and i % (k + 1) == k))
                all_ |= taken
                sequence(body, run, taken, own)
            ways.back |= own.back
            ways.on |= own.on
            return mask & ~own.back & ~own.on
        lines = ['switch (lane %% %du) {' % (k + 1)]
        for v, body in enumerate(cases):
            lines += ['default:' if has_default and v == k - 1 else 'case %du:' % v, *lines_of(body), '    break;']
        return lines + ['}'], execute

    def make_call(self, depth, loops, inside):
        name = 'f%d' % len(self.functions)
        self.functions.append(None)
        at = len(self.functions) - 1
        body = self.block(depth - 1, [], 'function')
        self.functions[at] = ['void %s() {' % name, *lines_of(body), '}']

        def execute(run, mask, ways):
            sequence(body, run, mask, Ways())
            return mask
        return ['%s();' % name], execute

    def glsl(self):
        text = HEAD % (self.local, ROOM)
        names = ['void f%d();' % i for i in range(len(self.functions))]
        return text + '\n'.join(names + sum(self.functions, []) + ['void main() {', *lines_of(self.body), '}']) + '\n'

    def told(self, lanes):
        run = Run(lanes)
        sequence(self.body, run, run.all, Ways())
        return run.told

    def left(self, width):
        """What the buffer of one work-group is."""
        words = []
        for first in range(0, self.local, width):
            for some in self.told(min(width, self.local - first)):
                words += some + [0] * (ROOM - len(some))
        return words


def lines_of(block):
    return ['    ' + line for lines, _ in block for line in lines]


def sequence(block, run, mask, ways):
    for _, execute in block:
        if mask:
            mask = execute(run, mask, ways)
    return mask
