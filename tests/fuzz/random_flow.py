"""Random kernels in what C and OpenCL C have in common: the same text is compiled by gcc with judge.h, and by Heddle.

What they vary is control flow: where lanes leave loops, where they meet again, which values differ from lane to lane only
because of that, and where barriers stand in between. Arithmetic is plain: integers that wrap.
TICK counts rounds, AT and PUT access local memory; for Heddle they are nothing but the access.
SPDX-License-Identifier: MIT
"""
import random

HEAD = '''#ifdef __OPENCL_VERSION__
#define TICK
#define SHARED local
#define AT(a, k) (a)[k]
#define PUT(a, k, v) ((a)[k] = (v))
#else
#include "judge.h"
#endif
'''
SOURCE = 256  # words of `in`
PER = 4       # words of `out` for each work-item
SIZES = [5, 16, 17, 32, 48, 64]


class Flow:
    """One kernel, k<number>. What all kinds of them have: variables, values, conditions, statements, loops, ways out."""
    per = PER

    def __init__(self, number):
        self.number, self.r = number, random.Random(number)
        r = self.r
        self.local = r.choice(SIZES)
        self.total = self.local * r.randrange(1, 3) - (r.randrange(self.local) if r.random() < 0.25 else 0)
        self.lines, self.depth, self.names, self.budget = [], 1, 0, r.choice([8, 14, 24])
        self.counters, self.loops, self.used, self.ends, self.helpers = [], [], set(), ['END'], []
        self.in_switch = self.in_function = False

    # ---- text
    def say(self, text):
        self.lines.append('    ' * self.depth + text)

    def name(self, start):
        self.names += 1
        return '%s%d' % (start, self.names)

    def function(self):
        """The kernel's text, with the functions that it calls."""
        r = self.r
        start = ['uint i = get_global_id(0), l = get_local_id(0), g = get_group_id(0);',
                 'uint a = in[i & %d], b = i * 3 + %d, u = %d, w = in[%d] & 15, j = 0;' % (SOURCE - 1, r.randrange(9), r.randrange(7),
                                                                                         r.randrange(SOURCE)),
                 'uint own[4] = {a, i, 5, 7};', 'uint4 v = (uint4){i, 1, u, 3};']
        self.body()
        end = ['END: ;', 'out[%d * i] += a + 3 * b + 5 * u + 7 * w + 11 * j;' % PER,
               'out[%d * i + 1] += own[0] + 3 * own[1] + 5 * own[2] + 7 * own[3] + 9 * (v[0] + v[1] * 3 + v[2] * 5 + v[3] * 7);' % PER]
        body = ''.join('    %s\n' % l for l in start) + '\n'.join(self.lines) + '\n' + ''.join('    %s\n' % l for l in end)
        return ''.join(self.helpers) + 'kernel void k%d(global const uint *in, global uint *out)\n{\n%s}\n' % (self.number, body)

    # ---- values
    def counter(self):
        return self.r.choice(self.counters[-2:]) if self.counters else 'j'

    def leaf(self):
        r = self.r
        return r.choice(['a', 'b', 'u', 'w', 'i', 'l', self.counter(), self.counter(), '%du' % r.randrange(9), 'own[%s & 3]' % r.choice('abuwi'),
                         'in[%s & %d]' % (r.choice(['i', 'a', 'u', self.counter()]), SOURCE - 1), 'v[%d]' % r.randrange(4)])

    def plain(self):
        """A value that is the same for all lanes that go the same way: only ways tell them apart."""
        r, j = self.r, self.counter()
        return r.choice([j, j, 'u', 'w', '%du' % r.randrange(9), '%s * %d' % (j, r.choice([2, 3])), 'in[%s & 15]' % j, '%s ^ u' % j, 'u + w'])

    def value(self):
        r = self.r
        if r.random() < 0.4:
            return self.leaf()
        return '%s %s %s' % (self.leaf(), r.choice(['+', '-', '*', '^', '&', '|', '+', '-']), self.leaf())

    def divergent(self):
        """What is likely to differ from lane to lane, and to change from round to round."""
        r, j = self.r, self.counter()
        return r.choice(['(i + %s) & %d' % (j, r.choice([1, 2, 3])), '((i ^ %s) & 1) == %d' % (j, r.randrange(2)), '(a >> (%s & 31)) & 1' % j,
                         'a < b', '(u & 3) == %d' % r.randrange(3), '(u ^ %s) & 1' % j, 'l & %d' % r.choice([1, 2, 4]), 'l < %d' % r.choice([1, 3, 7, 9]),
                         '((a + %s) & 3) == %d' % (j, r.randrange(3)), '(in[(i + %s) & 63] & 3) == 0' % j, '%s < (i & 3)' % j, 'i %% 3 == %s %% 3' % j,
                         'u < w', '(own[%s & 3] & 1)' % j])

    def uniform(self):
        """What is the same for all of a group, if the counters are, plain to see or not."""
        r, j = self.r, self.counter()
        return r.choice(['in[%d] & %d' % (r.randrange(SOURCE), r.choice([1, 2, 3])), '(in[%s & 15] & 1)' % j, '%s & 1' % j, '%s == %d' % (j, r.randrange(4)),
                         'i < 100000', '(l & 1) < 2', '%s > 0 && (in[%s & 7] & 1)' % (j, j), '%s < 2 || (in[%s & 7] & 2)' % (j, j), 'g & 1',
                         'l < 1000 || a == 5', 'i > 100000 || (%s & 1)' % j])

    def condition(self):
        r, x = self.r, self.r.random()
        if x < 0.7:
            return self.divergent()
        if x < 0.8:
            return self.uniform()
        return '(%s) %s (%s)' % (self.divergent(), r.choice(['&&', '||']), r.choice([self.divergent, self.uniform])())

    def over(self, j):
        """What comes true when a loop has gone on for a while."""
        r = self.r
        return r.choice(['%s > i' % j if r.random() < 0.3 else '%s > (i & 7)' % j, '%s >= %d' % (j, r.randrange(1, 7)), '%s > (a & 3)' % j, '%s > (l & 15)' % j,
                         '%s >= 3 + (i & 1)' % j, '%s > 2 && ((a >> (%s & 15)) & 1)' % (j, j), '%s > 1 && %s' % (j, self.divergent()),
                         '%s > w' % j, '%s + (i & 3) > 5' % j])

    # ---- statements
    def assign(self):
        r = self.r
        x = r.random()
        if x < 0.4:
            self.say('%s %s %s;' % (r.choice('uw'), r.choice(['+=', '-=', '^=', '+=', '=']), self.plain()))
        elif x < 0.5:
            self.say('%s %s %s;' % (r.choice('uwab' if r.random() < 0.3 else 'ab'), r.choice(['+=', '-=', '^=', '+=']), self.value()))
        elif x < 0.6:
            self.say('%s = %s * %d + %s;' % (r.choice('ab'), r.choice('uwab'), r.choice([3, 5, 31]), self.leaf()))
        elif x < 0.7:
            self.say('%s = %s;' % (r.choice('ab'), self.value()))
        elif x < 0.8:
            self.say('own[%s & 3] %s %s;' % (r.choice(['i', 'u', 'a', self.counter(), '2']), r.choice(['=', '+=']), self.value()))
        elif x < 0.87:
            self.say('v[%d] += %s;' % (r.randrange(4), self.value()))
        elif x < 0.9:
            self.say('v %s v * (uint4){3, 1, %s, 5};' % (r.choice(['+=', '^=', '=']), self.leaf()))
        elif x < 0.97 and not self.in_function:
            self.say('out[%d * i + 2 + (%s & 1)] += %s;' % (PER, r.choice(['u', self.counter(), 'a']), self.value()))
        else:
            self.say('%s = (%s) ? %s : %s;' % (r.choice('uw'), self.condition(), self.value(), self.value()))

    def block(self, count):
        self.depth += 1
        for _ in range(count):
            self.statement()
        self.depth -= 1

    def few(self):
        return self.r.choice([1, 1, 1, 2, 2, 3])

    def statement(self):
        r = self.r
        x = r.random()
        self.budget -= 1
        deep = self.depth < 7 and self.budget > 0
        if x < 0.3 and deep:
            self.branch()
        elif x < 0.42 and deep and len(self.loops) < 3:
            self.loop()
        elif x < 0.47 and deep:
            self.switch()
        elif x < 0.6 and self.loops:
            self.leave(self.condition() if r.random() < 0.5 else self.over(self.counters[-1]))
        elif x < 0.63 and deep and not self.in_function and len(self.helpers) < 3:
            self.call()
        else:
            self.assign()

    def branch(self):
        r = self.r
        self.say('if (%s) {' % self.condition())
        self.block(self.few())
        if r.random() < 0.6:
            self.say('} else {')
            self.block(self.few())
        self.say('}')

    def switch(self):
        r = self.r
        self.say('switch (%s & 3) {' % r.choice(['i', 'u', 'a', self.counter(), 'i + ' + self.counter()]))
        before, self.in_switch = self.in_switch, True
        for k in range(r.randrange(1, 4)):
            self.say('case %d:' % k)
            self.block(self.few())
            if r.random() < 0.6:
                self.say('    break;')
        self.say('default:')
        self.block(1)
        self.in_switch = before
        self.say('}')

    def way_out(self):
        """A jump to somewhere outside, or to the next round."""
        r, x = self.r, self.r.random()
        inner, outer = self.loops[-1], self.loops[0]
        if x < 0.45:
            return 'break;' if not self.in_switch else self.jump('done_' + inner)
        if x < 0.6:
            return r.choice(['continue;', self.jump('next_' + inner)])
        if x < 0.72 and outer is not inner:
            which = r.choice(self.loops[:-1])
            return self.jump(r.choice(['done_', 'next_']) + which)
        if x < 0.85:
            return self.jump(r.choice(self.ends))
        if x < 0.92 and not self.in_function:
            return '{ out[%d * i] = %s; return; }' % (PER, self.value()) if self.may_return() else self.jump(r.choice(self.ends))
        return 'break;' if not self.in_switch else self.jump('done_' + inner)

    def may_return(self):
        return True

    def jump(self, label):
        self.used.add(label)
        return 'goto %s;' % label

    def leave(self, condition=None):
        r = self.r
        if condition is None:
            return self.say(self.way_out())
        if r.random() < 0.3:
            self.say('if (%s) {' % condition)
            self.depth += 1
            self.assign()
            self.say(self.way_out())
            self.depth -= 1
            self.say('}')
        else:
            self.say('if (%s) %s' % (condition, self.way_out()))

    # ---- loops
    def loop(self):
        r = self.r
        name, kind = self.name('L'), r.random()
        j = 'j' + name[1:]
        self.say('uint %s = %d;' % (j, r.choice([0, 0, 0, 1])) if kind >= 0.6 else '')
        if kind < 0.35:
            self.say('for (uint %s = 0;; %s++) {' % (j, j))
        elif kind < 0.6:
            self.say('for (uint %s = 0; %s < %s; %s++) {' % (j, j, r.choice(['3', '5', '(i & 7)', '(u & 7)', '(in[3] & 7)', '1 + (a & 3)']), j))
        elif kind < 0.8:
            self.say('while (%s) {' % r.choice(['1', '%s < 4' % j, '%s < (i & 7)' % j, '!(%s)' % self.over(j)]))
        else:
            self.say('do {')
        before, self.in_switch = self.in_switch, False
        self.depth += 1
        self.say('TICK;')
        self.loops.append(name)
        self.counters.append(j)
        steps = kind >= 0.6
        if steps and r.random() < 0.5:
            self.say('%s++;' % j)
            steps = False
        self.round(name, j)
        self.say('next_%s: ;' % name)
        if steps:
            self.say('%s++;' % j)
        if kind >= 0.8 and r.random() < 0.3:
            self.say('if (%s) break;' % self.over(j))
        self.loops.pop()
        self.counters.pop()
        self.depth -= 1
        self.say('}' if kind < 0.8 else '} while (%s);' % r.choice(['1', '%s < 5' % j, '%s < (i & 7)' % j, '!(%s)' % self.over(j)]))
        self.in_switch = before
        self.say('done_%s: ;' % name)

    def round(self, name, j):
        """The body: with a way out in one side of a branch, or in both, or wherever."""
        r, kind = self.r, self.r.random()
        for _ in range(r.randrange(2)):
            self.statement()
        if kind < 0.5:
            self.say('if (%s) {' % self.divergent())
            self.depth += 1
            self.side(j, kind < 0.15 or r.random() < 0.2)
            self.depth -= 1
            self.say('} else {')
            self.depth += 1
            self.side(j, kind >= 0.15)
            self.depth -= 1
            self.say('}')
        elif kind < 0.8:
            self.leave(self.over(j))
        for _ in range(r.randrange(3)):
            self.statement()

    def side(self, j, leaves):
        for _ in range(self.r.choice([0, 1, 1, 2])):
            self.assign() if self.r.random() < 0.7 else self.statement()
        if leaves:
            self.leave(self.over(j))
        if not leaves or self.r.random() < 0.4:
            self.assign()

    # ---- functions
    def call(self):
        """A function with a loop of its own that it returns out of."""
        r = self.r
        name = 'f%d_%d' % (self.number, len(self.helpers))
        kept = self.lines, self.depth, self.loops, self.counters, self.in_switch, self.ends
        self.lines, self.depth, self.loops, self.counters, self.in_switch, self.in_function, self.ends = [], 1, [], [], False, True, ['END']
        self.helpers.append('')
        self.loop()
        body = '\n'.join(self.lines)
        self.lines, self.depth, self.loops, self.counters, self.in_switch, self.ends = kept
        self.in_function = False
        at = self.helpers.index('')
        self.helpers[at] = '''static %suint %s(global const uint *in, uint i, uint l, uint g, uint a, uint u)
{
    uint b = 3, w = 1, j = 0, own[4] = {1, a, 2, u};
    uint4 v = (uint4){1, 2, 3, 4};
%s
END: ;
    return a ^ (b + u * 3 + w * 5 + own[0] + own[1] + own[2] * 3 + own[3] + v[0] + v[1] + v[2] + v[3]);
}
''' % (r.choice(['', '__attribute__((noinline)) ']), name, body)
        self.say('%s += %s(in, i, l, g, %s, %s);' % (r.choice('uwab'), name, self.value(), self.leaf()))


class Tree(Flow):
    """Statements within each other, with ways out of everything."""
    barriers = False

    def body(self):
        for _ in range(self.r.choice([1, 1, 2, 3])):
            self.assign() if self.r.random() < 0.3 else self.loop()
        if self.r.random() < 0.3:
            self.statement()


class Loop(Flow):
    """One small loop that ends in one place or in few; its values are the same for all lanes but for the ways they went."""
    barriers = False

    def function(self):
        """No more than it needs: what else a kernel does hides much."""
        r = self.r
        self.budget, self.counters = 0, ['j']
        self.say('for (;; j++) {' if r.random() < 0.7 else 'for (; j < %s; j++) {' % r.choice(['20', '4 + (i & 7)']))
        self.depth += 1
        self.say('TICK;')
        self.exits = r.choice([1, 1, 1, 2, 3])
        while self.exits > 0:
            self.arm(0)
        self.depth -= 1
        self.say('}')
        return ('kernel void k%d(global const uint *in, global uint *out)\n{\n    uint i = get_global_id(0), l = get_local_id(0), a = in[i & %d];\n'
                '    uint u = %d, w = 0, j = 0;\n%s\nEND: ;\n    out[%d * i] = u * 3 + w * 5%s;\n}\n' % (
                    self.number, SOURCE - 1, r.randrange(5), '\n'.join(self.lines), PER, r.choice(['', ' + j'])))

    def arm(self, deep):
        """A few statements; in one side of a branch, or in both, more of them."""
        r = self.r
        for _ in range(r.choice([0, 1, 1, 2])):
            x = r.random()
            if x < 0.6:
                self.say('%s %s %s;' % (r.choice('uw'), r.choice(['+=', '-=', '^=', '=']), self.plain()))
            elif x < 0.8 and deep < 3:
                self.say('if (%s) {' % self.split())
                self.inside(deep)
                if r.random() < 0.7:
                    self.say('} else {')
                    self.inside(deep)
                self.say('}')
            elif x < 0.86 and deep:
                self.say('if (%s) continue;' % self.split())
        if self.exits > 0 and r.random() < (0.5 if deep else 0.1):
            self.exits -= 1
            self.say('if (%s) %s' % (self.over('j'), r.choice(['break;', 'break;', 'goto END;', '{ u += %s; break; }' % self.plain(),
                                                               '{ out[%d * i] = u + 7; return; }' % PER])))
            if r.random() < 0.3:
                self.say('%s += %s;' % (r.choice('uw'), self.plain()))

    def inside(self, deep):
        self.depth += 1
        self.arm(deep + 1)
        self.depth -= 1

    def split(self):
        r = self.r
        return r.choice(['(i + j) & 1', '(i ^ j) & 1', '(i + j) & 2', '(i + j) & 3', '(i + j) % 3', '(a >> (j & 31)) & 1', '(l + j) & 1', 'l & 1', '(u + i) & 1',
                         'in[j & 15] & 1', 'j & 1', '(i + j) % 3 == 1'])

    def over(self, j):
        r = self.r
        return r.choice(['j > i', 'j > (i & 7)', 'j > 3', 'j >= 8', 'j > (a & 3)', 'j > (l & 15)', 'j > 2 && (i & j)', 'j > (a & 15)', 'j > 2 && ((a >> (j & 31)) & 1)'])


class Graph(Flow):
    """Blocks that go to each other at random: any graph, reducible or not."""
    barriers = False

    def body(self):
        r = self.r
        count = r.randrange(3, 10)
        forward = r.choice([0.5, 0.6, 0.75])
        for at in range(count):
            self.say('B%d: TICK;' % at)
            for _ in range(r.randrange(3)):
                self.assign()
            if r.random() < 0.8:
                self.say('j++;')
            self.end_block(at, count, forward)

    def target(self, at, count, forward):
        r = self.r
        if at + 1 >= count or r.random() < 0.06:
            return 'END'
        if r.random() < forward:
            return 'B%d' % r.randrange(at + 1, count)
        return 'B%d' % r.randrange(at + 1)

    def end_block(self, at, count, forward):
        r, x = self.r, self.r.random()
        go = lambda: 'goto %s;' % self.target(at, count, forward)
        if at + 1 == count:
            self.say('if (%s) goto END;' % self.over('j'))
            self.say('goto B%d;' % r.randrange(count))
        elif x < 0.15:
            self.say(go())
        elif x < 0.25:
            self.say('switch (%s & 3) {' % r.choice(['i + j', 'u', 'a', 'j', 'l']))
            self.say('case 0: %s' % go())
            self.say('case 1: %s' % go())
            self.say('default: %s' % go())
            self.say('}')
        elif x < 0.35 or at % 3 == 2 and x < 0.6:
            self.say('if (%s) goto END;' % self.over('j'))
            self.say(go())
        elif x < 0.4:
            self.say('if (%s) { out[%d * i] = u + %d; return; }' % (self.over('j'), PER, at))
            self.say(go())
        elif x < 0.6:
            self.say('if (%s) {' % self.condition())
            self.depth += 1
            self.assign()
            self.say(go())
            self.depth -= 1
            self.say('}')
            self.assign()
            self.say(go())
        else:
            self.say('if (%s) %s' % (self.condition(), go()))
            self.say(go())


class Barriers(Flow):
    """Barriers that all of a group reach equally often, and between them parts that lanes go through on ways of their own.

    Of two arrays in local memory one may be written, by each work-item its own cell, and the other be read; barriers change them
    over. Which is which, `parity` says, or, where barriers may stand anywhere (`is_free`), a variable of the kernel: p. What
    does not keep to that, judge.h finds out."""
    barriers = True

    def __init__(self, number):
        super().__init__(number)
        self.parity, self.is_last, self.rounds, self.is_free = 0, False, [], self.r.random() < 0.6
        self.budget = self.r.choice([10, 16, 26])

    def body(self):
        r = self.r
        self.say('SHARED uint s[128], q[1];' if self.is_free else 'SHARED uint s[64], t[64], q[1];')
        self.has_atomics = self.r.random() < 0.3
        self.say('SHARED uint c[4];' if self.has_atomics else '')
        self.say('uint n = get_local_size(0), p = 0;')
        self.say('PUT(s, l, a);')
        self.say('PUT(s, 64 + l, b);' if self.is_free else 'PUT(t, l, b);')
        self.say('if (l == 0) PUT(q, 0, in[g + %d] & 3);' % r.randrange(99))
        self.say('if (l < 4) PUT(c, l, l);' if self.has_atomics else '')
        self.barrier(False)
        for _ in range(r.choice([1, 1, 2])):
            x = r.random()
            self.uniform_loop() if x < 0.65 else self.tree() if x < 0.85 else self.together()
        if self.has_atomics:
            self.barrier(False)
            self.say('u += AT(c, l & 3);')
            self.has_atomics = False
        self.is_last = True
        self.ends = ['END']
        if r.random() < 0.5:
            self.say('u += %s;' % self.at(self.mine(), 'l'))
        for _ in range(r.randrange(3)):
            self.statement()

    def mine(self):
        return 'p' if self.is_free else 'st'[self.parity]

    def theirs(self):
        return '(p ^ 1)' if self.is_free else 'ts'[self.parity]

    def at(self, array, k):
        return 'AT(s, %s * 64 + %s)' % (array, k) if self.is_free else 'AT(%s, %s)' % (array, k)

    def put(self, array, k, value):
        return 'PUT(s, %s * 64 + %s, %s);' % (array, k, value) if self.is_free else 'PUT(%s, %s, %s);' % (array, k, value)

    def may_return(self):
        return self.is_last and not self.in_function

    def barrier(self, changes=True):
        self.say(self.r.choice(['barrier(CLK_LOCAL_MEM_FENCE);'] * 3 + ['barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);']))
        if self.is_free:
            self.say('p ^= 1;' if changes else '')
        else:
            self.parity ^= changes

    def uniform(self):
        if self.r.random() < 0.12 and not self.in_plain:
            return 'AT(q, 0) > %s' % self.r.choice(['0', '1', self.counter()])
        return super().uniform()

    in_plain = has_atomics = False  # in_plain: in a function without barriers

    def call(self):
        before, self.in_plain = self.in_plain, True
        super().call()
        self.in_plain = before

    def assign(self):
        r, x = self.r, self.r.random()
        if x < 0.1 and self.has_atomics and not self.in_function:
            k = r.randrange(4)  # of one cell always the same operation: order does not matter then
            self.say('atomic_%s(&c[%d], %s);' % (['add', 'add', 'xor', 'or'][k], k, self.value()))
        elif x < 0.65 or self.in_plain:
            super().assign()
        elif x < 0.8:
            self.say('%s += %s;' % (r.choice('uwab'), self.at(self.theirs(), '(l + %d) %% n' % r.randrange(1, 20))))
        elif x < 0.9:
            self.say(self.put(self.mine(), 'l', '%s %s %s' % (self.at(self.mine(), 'l'), r.choice('+^-'), self.value())))
        else:
            self.say(self.put(self.mine(), 'l', self.value()))

    def store(self):
        return self.put(self.mine(), 'l', '%s %s %s' % (self.r.choice([self.at(self.mine(), 'l'), self.leaf()]), self.r.choice('+^'),
                                                        self.at(self.theirs(), '(l + %d) %% n' % self.r.randrange(20))))

    # ---- what all do together
    def together(self):
        """A statement that all reach, with barriers in it or before it."""
        r, x = self.r, self.r.random()
        self.budget -= 1
        deep = self.depth < 6 and self.budget > 0
        if x < 0.3 and deep and len(self.rounds) < 2:
            self.uniform_loop()
        elif x < 0.5 and deep:
            self.uniform_branch()
        elif x < 0.58 and deep:
            self.uniform_switch()
        elif x < 0.66 and deep and not self.in_function:
            self.call_together()
        elif x < 0.72 and self.rounds and not self.in_switch:
            # Over which array is the other's, all are in agreement again at either end of a round.
            if self.parity == self.rounds[-1][2]:
                way = r.choice(['break;', 'continue;', self.jump('next_' + self.rounds[-1][0]),
                                self.jump('done_' + r.choice([l for l in self.rounds if l[2] == self.parity])[0])])
                if 'done' not in way and 'break' not in way and self.rounds[-1][3]:
                    way = '{ %s++; %s }' % (self.rounds[-1][1], way)
                self.say('if (%s) %s' % (r.choice(['in[%s & 15] & 1', '%s & 1', '%s == 2']) % self.counter(), way))
        elif x < 0.82:
            self.tree()
        else:
            self.barrier()
            self.apart()

    def restore(self, parity):
        """A barrier, if one is missing for the arrays to be what they were."""
        if self.parity != parity:
            self.barrier()

    def apart(self, ends=None):
        """What lanes do on ways of their own; they meet before the next barrier, or where `ends` says."""
        r = self.r
        label = self.name('m')
        kept = self.ends, self.loops, self.in_switch
        self.ends, self.loops, self.in_switch = ends or [label], [], False
        for _ in range(self.few()):
            x = r.random()
            if x < 0.35:
                self.assign()
            elif x < 0.5:
                self.say('if (%s) %s' % (self.divergent(), self.jump(r.choice(self.ends))))
            elif x < 0.75:
                self.branch()
            else:
                self.statement()
        self.ends, self.loops, self.in_switch = kept
        if not ends:
            self.say('%s: ;' % label)

    def tree(self):
        """A reduction with a ragged end."""
        r, j, a = self.r, 'r' + self.name(''), self.mine()
        late = r.random() < 0.4
        add = self.put(a, 'l', '%s %s %s' % (self.at(a, 'l'), r.choice('+^'), self.at(a, 'l + ' + j)))
        limit = r.choice(['n', '1 + in[g + %d] %% n' % r.randrange(99), '1 + in[g + 3] % n', '(n < 29 ? n : 29)', 'n - (n & 3)'])
        if r.random() < 0.6:
            self.say('uint m%s = %s;' % (j, limit))
            limit = 'm' + j
        if late or r.random() < 0.3:
            self.barrier(False)
        if not late and r.random() < 0.7:  # a store that the compiler likes to unite with the loop's
            self.say(self.put(a, 'l', self.value()))
        self.say('for (uint %s = 1; %s < %s; %s <<= 1) {' % (j, j, r.choice(['n', 'get_local_size(0)', 'get_local_size(0)']), j))
        self.depth += 1
        self.say('TICK;')
        if not late:
            self.barrier(False)
        x = r.random()
        first, second = '(l & (2 * %s - 1)) == 0' % j, 'l + %s < %s' % (j, limit)
        if x < 0.3:
            self.say('if (%s && %s) %s' % (first, second, add))
        elif x < 0.5:
            self.say('if (%s) { if (%s) %s }' % (first, second, add))
        elif x < 0.7 and not late:
            self.say('if (!(%s)) continue;' % first)
            self.say('if (%s) %s' % (second, add))
        elif x < 0.85:
            self.say('if (%s) { if (%s) { %s } else { u += %s; } }' % (first, second, add, j))
        else:
            self.say('switch (%s) { case 1: if (%s) %s break; default: w ^= %s; }' % (first, second, add, j))
        if late:
            self.barrier(False)
        self.depth -= 1
        self.say('}')
        self.barrier(False)

    def uniform_branch(self):
        r, parity = self.r, self.parity
        self.say('if (%s) {' % self.uniform())
        self.depth += 1
        for _ in range(self.few()):
            self.together()
        self.restore(parity)
        self.depth -= 1
        if r.random() < 0.4:
            self.say('} else {')
            self.depth += 1
            self.together() if r.random() < 0.7 else self.apart()
            self.restore(parity)
            self.depth -= 1
        self.say('}')

    def uniform_switch(self):
        r, parity = self.r, self.parity
        self.say('switch (%s & 3) {' % r.choice(['in[g]', self.counter() if self.rounds else 'g', 'in[%d]' % r.randrange(SOURCE)]))
        before, self.in_switch = self.in_switch, True
        for k in range(r.randrange(1, 4)):
            self.say('case %d:' % k)
            self.depth += 1
            self.together()
            self.restore(parity)
            self.depth -= 1
            if r.random() < 0.7:
                self.say('    break;')
        self.say('default: ;')
        self.in_switch = before
        self.say('}')

    def uniform_loop(self):
        """Rounds that all of a group do, as many of them; where a round ends, lanes come from several places."""
        r = self.r
        name, kind, parity = self.name('U'), self.r.random(), self.parity
        j = 'j' + name[1:]
        bound = r.choice(['%d' % r.randrange(2, 5), '(in[g] & 3) + 1', 'AT(q, 0) + 1' if not self.in_plain else '3', 'g + 2', '(i < 100000 ? 3u : l)', 'n / 5', 'get_local_size(0) / 5', 'get_num_groups(0) + 1'])
        step = r.choice(['%s++'] * 4 + ['%s += 2']) % j
        over = '%s >= %s' % (j, bound)
        kind = 'for' if kind < 0.3 else 'ever' if kind < 0.45 else 'while' if kind < 0.8 else 'do'
        if kind == 'for':
            self.say('for (uint %s = 0; %s < %s; %s) {' % (j, j, bound, step))
        elif kind == 'ever':
            self.say('for (uint %s = 0;; %s) {' % (j, step))
        else:
            self.say('uint %s = 0;' % j)
            self.say('do {' if kind == 'do' else 'while (%s < %s) {' % (j, bound))
        before, self.in_switch = self.in_switch, False
        self.depth += 1
        self.say('TICK;')
        self.rounds.append((name, j, parity, kind == 'while'))
        self.counters.append(j)
        where = r.random()
        if kind == 'ever' and where < 0.5:
            self.say('if (%s) %s' % (over, r.choice(['break;', self.jump('done_' + name)])))
        if r.random() < 0.4:
            self.apart()
        for _ in range(self.few()):
            self.together()
        if self.parity != parity or r.random() < 0.2:
            self.barrier(self.parity != parity)
        if kind == 'while':  # steps early: what follows goes straight to the next round's condition
            self.say(step + ';')
        if kind == 'ever' and where >= 0.5:
            self.say('if (%s) %s' % (over, r.choice(['break;', self.jump('done_' + name)])))
        if r.random() < 0.7:
            self.tail(name, over if kind == 'for' else None, j, bound)
        self.used.add('next_' + name)
        self.say('next_%s: ;' % name)
        self.rounds.pop()
        self.counters.pop()
        self.depth -= 1
        self.say('} while (++%s < %s);' % (j, bound) if kind == 'do' else '}')
        self.in_switch = before
        self.say('done_%s: ;' % name)

    def tail(self, name, over, j, bound):
        """The end of a round, from which lanes go on to the next at different places, or in the last behind the loop."""
        r = self.r
        for _ in range(r.choice([1, 1, 2])):
            x = r.random()
            if x < 0.2:
                self.say('if (%s %s %s) %s' % (self.divergent(), r.choice(['&&', '||']), self.divergent(), self.store()))
            elif x < 0.3:
                self.say('if (%s) { if (%s) { %s } else { %s %s } }' % (self.divergent(), self.divergent(), self.store(), self.store(),
                                                                 r.choice(['continue;', ''])))
            elif x < 0.45:
                self.say('if (%s) %s' % (self.divergent(), r.choice(['continue;', self.jump('next_' + name)])))
                self.assign()
            elif x < 0.6:
                self.say('if (%s) {' % self.divergent())
                self.depth += 1
                self.assign()
                self.say(r.choice(['continue;', self.jump('next_' + name), '']))
                self.depth -= 1
                self.say('} else {')
                self.depth += 1
                self.assign()
                self.depth -= 1
                self.say('}')
            elif x < 0.75 and over:
                self.say('if (%s + 1 >= %s && %s) %s' % (j, bound, self.divergent(), r.choice(['break;', self.jump('done_' + name)])))
            else:
                self.apart(['next_' + name])
        if r.random() < 0.6:
            self.assign()

    def call_together(self):
        """A function with barriers in it."""
        r = self.r
        name = 'g%d_%d' % (self.number, len(self.helpers))
        kept = self.lines, self.depth, self.counters, self.in_switch, self.rounds, self.parity, self.is_free
        self.lines, self.depth, self.counters, self.in_switch, self.rounds, self.in_function, self.is_free = [], 1, [], False, [], True, False
        at = len(self.helpers)
        self.helpers.append('')
        self.parity = 0
        self.uniform_loop()
        self.restore(0)
        body = '\n'.join(self.lines)
        self.lines, self.depth, self.counters, self.in_switch, self.rounds, self.parity, self.is_free = kept
        self.in_function = False
        self.helpers[at] = '''static %suint %s(local uint *s, local uint *t, local uint *q, global const uint *in, uint i, uint l, uint g, uint n, uint a, uint u)
{
    uint b = 3, w = 1, j = 0, own[4] = {1, a, 2, u};
    uint4 v = (uint4){1, 2, 3, 4};
%s
    return a ^ (b + u * 3 + w * 5 + j + own[0] + own[1] + own[2] * 3 + own[3] + v[0] + v[1] + v[2] + v[3]);
}
''' % (r.choice(['', '__attribute__((noinline)) ']), name, body)
        arrays = ('s + 64 * p', 's + 64 * (p ^ 1)') if self.is_free else (self.mine(), self.theirs())
        self.say('%s += %s(%s, %s, q, in, i, l, g, n, %s, %s);' % (r.choice('uwab'), name, *arrays, self.value(), self.leaf()))


class Rounds(Barriers):
    """One small loop with a barrier or two in it; lanes leave its body at several places, and some store before they do."""

    def function(self):
        r = self.r
        self.is_free, self.counters, self.budget, self.in_function = True, [], 0, True
        self.say('SHARED uint s[128];')
        self.say('PUT(s, l, a);')
        self.say('PUT(s, 64 + l, b);')
        if r.random() < 0.4:
            self.is_free = False
            self.parity = 0
            self.tree()
        else:
            self.plain_rounds()
        self.barrier(False)
        self.say('u += %s + %s;' % (self.at('p', '(l + 1) %% n'.replace('%%', '%')), self.at('(p ^ 1)', '(l + 3) % n')))
        return ('kernel void k%d(global const uint *in, global uint *out)\n{\n    uint i = get_global_id(0), l = get_local_id(0), g = get_group_id(0), '
                'n = get_local_size(0);\n    uint a = in[i & %d], b = i * 3, u = %d, w = 0, j = 0, p = 0;\n%s\n    out[%d * i] = u + a * 3 + w * 5;\n}\n' % (
                    self.number, SOURCE - 1, r.randrange(5), '\n'.join(self.lines), PER))

    def at(self, array, k):
        return 'AT(s, %s * 64 + %s)' % (array, k) if array not in 's' else 'AT(s, %s)' % k

    def put(self, array, k, value):
        return 'PUT(s, %s * 64 + %s, %s);' % (array, k, value) if array not in 's' else 'PUT(s, %s, %s);' % (k, value)

    def leaf(self):
        return self.r.choice(['a', 'b', 'u', 'w', 'i', 'l', 'j', '%du' % self.r.randrange(9), 'in[%s & 63]' % self.r.choice(['i', 'j', 'l'])])

    def divergent(self):
        r = self.r
        return r.choice(['(i + j) & 1', '(i ^ j) & 1', '(l & %d) == 0' % r.choice([1, 3, 7]), 'l + j < %d' % r.choice([3, 7, 13, 29]), '(a >> j) & 1', 'l < n / 2',
                         '(u ^ l) & 1', '(l & (2 * j - 1)) == 0', 'l > j', '(in[i & 63] >> j) & 1', '(l + j) % 3 == 1'])

    def plain_rounds(self):
        r = self.r
        bound = r.choice(['3', 'n / 5', '(in[g] & 3) + 1', 'g + 2', 'n', 'get_local_size(0)', 'get_local_size(0)', 'get_local_size(0) / 3'])
        step = 'j <<= 1;' if bound in ('n', 'get_local_size(0)') or r.random() < 0.3 else 'j++;'
        early, late = r.random() < 0.7, r.random() < 0.3
        start, guard, x = '1', None, r.random()
        if x < 0.15:  # rounds that each does as many of as it likes; those with a barrier, all do
            bound, guard, step = '%d + (in[i & 63] & 3)' % r.randrange(3, 5), 'j < %d' % r.choice([3, 4]), 'j++;'
        elif x < 0.3:
            start, bound, guard, step = 'in[i & 63] & 3', '5', 'j >= %d' % r.choice([3, 4]), 'j++;'
        if r.random() < 0.6:  # a store that the compiler likes to unite with the loop's
            self.say(self.put('p', 'l', self.leaf()))
        self.say('j = %s;' % start)
        self.say('while (j <= %s) {' % bound)
        self.depth += 1
        self.say('TICK;')
        if late:
            self.inside()
        if guard:
            self.say('if (!(%s)) { %s goto next; }' % (guard, step if early else '') if r.random() < 0.4 else 'if (%s) {' % guard)
        self.barrier()
        braces = bool(guard) and not any('goto next' in line for line in self.lines)
        if r.random() < 0.5 and braces:
            self.inside()
        if braces:
            self.say('}')
        if early:
            self.say(step)
        for _ in range(r.choice([1, 1, 2])):
            self.inside()
        if r.random() < 0.3 and not guard:
            self.barrier()
            self.inside()
        self.say('next: ;')
        if not early:
            self.say(step)
        self.depth -= 1
        self.say('}')

    def inside(self, deep=0):
        """Ifs within ifs with stores in them, and ways to the end of the round where no barrier is jumped over."""
        r, x = self.r, self.r.random()
        if deep == 3 or x < 0.25 and deep:
            self.say(self.store() if r.random() < 0.6 else '%s %s %s;' % (r.choice('uwab'), r.choice(['+=', '^=']), self.leaf()))
        elif x < 0.5:
            self.say('if (%s %s %s)' % (self.divergent(), r.choice(['&&', '||']), self.divergent()))
            self.say('    ' + self.store())
        else:
            self.say('if (%s) {' % self.divergent())
            self.depth += 1
            for _ in range(r.choice([1, 1, 2])):
                self.inside(deep + 1)
            self.depth -= 1
            if r.random() < 0.5:
                self.say('} else {')
                self.depth += 1
                self.inside(deep + 1)
                self.depth -= 1
            self.say('}')


KINDS = {'loop': Loop, 'tree': Tree, 'graph': Graph, 'rounds': Rounds, 'barriers': Barriers}


def kernel(kind, number):
    return KINDS[kind](number)
