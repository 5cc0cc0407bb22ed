"""Random compute shaders in what C and GLSL have in common: the same text is compiled by gcc with judge.h, and by glslc.

They vary what shaders have and kernels have not: loops and branches that say where they meet, Private and Workgroup variables outside
of functions, push constants and specialisation constants, inout parameters, built-ins of 32 bits, barriers in loops, operations of
sub-groups (which no judge knows: they depend on how invocations are laid out).
TICK, AT and PUT are those of random_flow.py. Arithmetic is of integers that wrap, and of floats that are exact.
SPDX-License-Identifier: MIT
"""
import random

SOURCE = 256  # words of `source`
PER = 4       # words of `result` for each invocation
SUMS = 4      # words of `result` behind those, for atomics

C_HEAD = r'''#include <stdbool.h>
#include "judge.h"
typedef struct { uint x, y[3]; } Pair;
typedef uint4 uvec4;
#define uvec4(a, b, c, d) ((uint4){a, b, c, d})
#define source judge.in
#define result judge.out
#define SUM(k, v) (result[PER * judge.total + (k)] += (v))
#define INT(x) ((int)(x))
#define UINT(x) ((uint)(x))
#define FLOAT(x) ((float)(x))
#define INOUT(x) uint *x##_
#define USE(x) (*x##_)
#define GIVE(x) &x
#define BARRIER judge_barrier(__LINE__)
#define ATOMIC_ADD(a, k, v) (*judge_access(&(a)[k], '+') += (v))
#define ATOMIC_XOR(a, k, v) (*judge_access(&(a)[k], '^') ^= (v))
#define ATOMIC_MAX(a, k, v) judge_max(judge_access(&(a)[k], 'm'), v)
#define GID (uint)(judge.first + judge.at)
#define LID (uint)judge.at
#define GROUP (uint)judge.group
#define GROUPS (uint)judge.groups
static uint own_[JUDGE_ITEMS][8], tally_[JUDGE_ITEMS];
#define own own_[judge.at]
#define tally tally_[judge.at]
static uint bitCount(uint x) { return (uint)__builtin_popcount(x); }
static uint findLSB(uint x) { return x ? (uint)__builtin_ctz(x) : ~0u; }
static uint findMSB(uint x) { return x ? 31 - (uint)__builtin_clz(x) : ~0u; }
static uint bitfieldExtract(uint x, int at, int n) { return n ? x << (32 - at - n) >> (32 - n) : 0; }
static uint bitfieldReverse(uint x) { uint y = 0; for (int k = 0; k < 32; k++) y |= (x >> k & 1) << (31 - k); return y; }
static uint min(uint a, uint b) { return a < b ? a : b; }
static uint max(uint a, uint b) { return a > b ? a : b; }
static void judge_max(uint *p, uint v) { *p = max(*p, v); }
#define PAIR(a, b, c, d) ((Pair){a, {b, c, d}})
#define PER %d
'''.replace('%d', str(PER))

GLSL_HEAD = r'''#version 450
#extension GL_KHR_shader_subgroup_basic : enable
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_KHR_shader_subgroup_vote : enable
#extension GL_KHR_shader_subgroup_shuffle : enable
struct Pair { uint x, y[3]; };
layout(set = 0, binding = 0, std430) readonly buffer Source { uint source[]; };
layout(set = 0, binding = 1, std430) buffer Result { uint result[]; };
uint own[8], tally;
#define TICK
#define SUM(k, v) atomicAdd(result[PER * GROUPS * SIZE + (k)], v)
#define INT(x) int(x)
#define UINT(x) uint(x)
#define FLOAT(x) float(x)
#define INOUT(x) inout uint x
#define USE(x) x
#define GIVE(x) x
#define BARRIER barrier()
#define AT(a, k) a[k]
#define PUT(a, k, v) a[k] = (v)
#define ATOMIC_ADD(a, k, v) atomicAdd(a[k], v)
#define ATOMIC_XOR(a, k, v) atomicXor(a[k], v)
#define ATOMIC_MAX(a, k, v) atomicMax(a[k], v)
#define GID (gl_WorkGroupID.x * SIZE + gl_LocalInvocationIndex)
#define LID gl_LocalInvocationIndex
#define GROUP gl_WorkGroupID.x
#define GROUPS gl_NumWorkGroups.x
#define PAIR(a, b, c, d) Pair(a, uint[3](b, c, d))
#define PER %d
'''.replace('%d', str(PER))

SIZES = [(5, 1), (16, 1), (17, 1), (32, 1), (48, 1), (64, 1), (8, 4), (4, 4), (3, 5), (16, 3)]
SHUFFLES = 'subgroupShuffle(%s, gl_SubgroupInvocationID & %du)'  # of one with a smaller number: it is there


class Shader:
    """One shader, k<number>, and the C function of the same text."""
    barriers = subgroups = False

    def __init__(self, number):
        self.number, self.r = number, random.Random(number)
        r = self.r
        self.width, self.height = r.choice(SIZES)
        self.local = self.width * self.height
        self.groups = r.randrange(1, 4)
        self.total = self.local * self.groups
        self.lines, self.helpers, self.depth, self.names = [], [], 1, 0
        self.loops, self.counters, self.budget = [], [], r.choice([8, 14, 22])
        self.in_function = self.is_together = False
        self.may_return = not self.barriers
        self.push = [r.randrange(6) for _ in range(4)]
        self.spec = r.randrange(1, 5)
        self.has_late_size = r.random() < 0.3  # the size of groups is a specialisation constant
        self.share, self.flag, self.cells = 'share%d' % number, 'flag%d' % number, 'cells%d' % number
        self.body()

    # ---- the text
    def say(self, text):
        self.lines.append('    ' * self.depth + text)

    def name(self, start):
        self.names += 1
        return '%s%d' % (start, self.names)

    def common(self):
        """Functions and the body of the entry point, as both languages read them."""
        r = random.Random(self.number)
        start = ['uint i = GID, l = LID, g = GROUP, lx = LID % {0}u, ly = LID / {0}u;'.format(self.width),
                 'uint a = source[i & %du], b = i * 3u + %du, u = %du, w = source[%d] & 15u, j = 0u, p = 0u;' % (
                     SOURCE - 1, r.randrange(9), r.randrange(7), r.randrange(SOURCE)),
                 'uvec4 v = uvec4(i, 1u, u, 3u);', 'Pair pair = PAIR(a, 1u, i, 2u);', 'tally = %du;' % r.randrange(5),
                 'result[PER * i + 3u] = a;']  # both buffers are used, whatever becomes of the rest
        start += ['own[%d] = %s;' % (k, x) for k, x in enumerate(['a', 'i', '5u', '7u', 'b', 'l', '0u', 'g'])]
        end = ['result[PER * i] += a + 3u * b + 5u * u + 7u * w + 11u * j + 13u * tally;',
               'result[PER * i + 1u] += own[0] + 3u * own[1] + 5u * own[2] + 7u * own[3] + own[4] * own[5] + own[6] + own[7] + 9u * (v[0] + v[1] * 3u + '
               'v[2] * 5u + v[3] * 7u) + pair.x + pair.y[0] * 3u + pair.y[1] * 5u + pair.y[2] * 7u;']
        return ''.join(self.helpers), ''.join('    %s\n' % s for s in start) + '\n'.join(self.lines) + '\n' + ''.join('    %s\n' % s for s in end)

    def shared(self):
        return '%%s uint %s[128], %s[1], %s[4];\n' % (self.share, self.flag, self.cells) if self.barriers else ''

    def c(self):
        """Behind C_HEAD."""
        helpers, body = self.common()
        constants = '#undef pc\n#undef SPEC\n#define pc pc%d\n#define SPEC %du\nstatic const uint pc[4] = {%s};\n' % (
            self.number, self.spec, ', '.join(map(str, self.push)))
        shared = (self.shared() % 'static') if self.barriers else ''
        return constants + shared + helpers.replace('FUNCTION ', 'static ') + 'static void k%d(const uint *in_, uint *out_)\n{\n%s}\n' % (self.number, body)

    def glsl(self):
        helpers, body = self.common()
        size = 'layout(local_size_x_id = 7, local_size_y = %d) in;\n' % self.height if self.has_late_size else ''
        size += 'layout(local_size_x = %d, local_size_y = %d) in;\n' % (self.width, self.height)
        constants = 'layout(push_constant) uniform Push { uint pc[4]; };\nlayout(constant_id = 1) const uint SPEC = %d;\n#define SIZE %du\n' % (
            self.spec, self.local)
        shared = (self.shared() % 'shared') if self.barriers else ''
        return GLSL_HEAD + size + constants + shared + helpers.replace('FUNCTION ', '') + 'void main()\n{\n%s}\n' % body

    # ---- values
    def counter(self):
        return self.r.choice(self.counters[-2:]) if self.counters else 'j'

    def leaf(self):
        r = self.r
        values = ['a', 'b', 'u', 'w', 'i', 'l', 'lx', 'ly', self.counter(), self.counter(), '%du' % r.randrange(9), 'own[%s & 7u]' % r.choice('abuwi'),
                  'source[%s & %du]' % (r.choice(['i', 'a', 'u', self.counter()]), SOURCE - 1), 'pc[%s & 3u]' % r.choice(['0u', 'u', self.counter()]),
                  'v[%d]' % r.randrange(4), 'v[%s & 3u]' % r.choice('iua'), 'pair.x', 'pair.y[%s %% 3u]' % r.choice(['i', 'a', 'u', self.counter()]), 'tally', 'SPEC']
        return r.choice(values)

    def value(self):
        r, x = self.r, self.r.random()
        if x < 0.3:
            return self.leaf()
        if x < 0.72:
            return '%s %s %s' % (self.leaf(), r.choice(['+', '-', '*', '^', '&', '|', '+', '-']), self.leaf())
        a, b = self.leaf(), self.leaf()
        return r.choice(['(%s >> (%s & 31u))' % (a, b), '(%s << (%s & 31u))' % (a, b), '%s / (%s | 1u)' % (a, b), '%s %% (%s | 1u)' % (a, b),
                         'UINT(INT(%s) >> %d)' % (a, r.randrange(1, 31)), 'bitCount(%s)' % a, 'UINT(findLSB(%s))' % a, 'UINT(findMSB(%s))' % a,
                         'bitfieldReverse(%s)' % a, 'bitfieldExtract(%s, INT(%s & 15u), INT(%s & 15u))' % (a, b, self.leaf()), 'min(%s, %s)' % (a, b),
                         'max(%s, %s)' % (a, b), 'UINT(FLOAT(%s & 1023u) * FLOAT(%s & 255u) + 3.0)' % (a, b), '(%s ? %s : %s)' % (self.divergent(), a, b)])

    def divergent(self):
        """A condition that is likely to differ from one invocation to the next, and from round to round."""
        r, j = self.r, self.counter()
        return r.choice(['((i + %s) & %du) != 0u' % (j, r.choice([1, 2, 3])), '((i ^ %s) & 1u) == %du' % (j, r.randrange(2)), '((a >> (%s & 31u)) & 1u) != 0u' % j,
                         'a < b', 'INT(a) < INT(b)', '(u & 3u) == %du' % r.randrange(3), '((u ^ %s) & 1u) != 0u' % j, '(l & %du) != 0u' % r.choice([1, 2, 4]),
                         'l < %du' % r.choice([1, 3, 7, 9]), '((a + %s) & 3u) == %du' % (j, r.randrange(3)), '(source[(i + %s) & 63u] & 3u) == 0u' % j,
                         '%s < (i & 3u)' % j, 'i %% 3u == %s %% 3u' % j, 'u < w', '(own[%s & 3u] & 1u) != 0u' % j, 'lx < ly', '(tally & 1u) != 0u', 'lx > %s' % j])

    def uniform(self):
        """The same for all of a group where the counters are."""
        r, j = self.r, self.counter()
        more = ['AT(%s, 0) > %du' % (self.flag, r.randrange(2))] if self.barriers and not self.in_function else []
        return r.choice(['(source[%d] & %du) != 0u' % (r.randrange(SOURCE), r.choice([1, 2, 3])), '(source[%s & 15u] & 1u) != 0u' % j, '(%s & 1u) != 0u' % j,
                         '%s == %du' % (j, r.randrange(4)), 'i < 100000u', 'pc[%s & 3u] > 2u' % j, 'SPEC < pc[1]', '(g & 1u) != 0u', '%s > 0u && pc[%s & 3u] < 3u' % (j, j),
                         'l < 1000u || a == 5u'] + more)

    def condition(self):
        r, x = self.r, self.r.random()
        if x < 0.7:
            return self.divergent()
        if x < 0.8:
            return self.uniform()
        return '(%s) %s (%s)' % (self.divergent(), r.choice(['&&', '||']), r.choice([self.divergent, self.uniform])())

    def over(self, j):
        """What comes true when a loop has gone on for a while."""
        # No judge tells of those with sub-groups that they do not end.
        return ('(%s > 12u) || ' % j if self.subgroups else '') + self.ends(j)

    def ends(self, j):
        r = self.r
        return r.choice(['%s > (i & 7u)' % j, '%s >= %du' % (j, r.randrange(1, 7)), '%s > (a & 3u)' % j, '%s > (l & 15u)' % j, '%s >= 3u + (i & 1u)' % j,
                         '%s > 2u && ((a >> (%s & 15u)) & 1u) != 0u' % (j, j), '%s > 6u || (%s > 1u && %s)' % (j, j, self.divergent()), '%s > w' % j,
                         '%s + (i & 3u) > 5u' % j, '%s > pc[2]' % j])

    # ---- statements
    def assign(self):
        r, x = self.r, self.r.random()
        if self.barriers and not self.in_function and x < 0.35:
            return self.shared_access()
        if self.subgroups and r.random() < 0.35:
            return self.talk()
        x = r.random()
        if x < 0.35:
            self.say('%s %s %s;' % (r.choice('abuw'), r.choice(['+=', '-=', '^=', '+=', '=']), self.value()))
        elif x < 0.45:
            self.say('own[%s & 7u] %s %s;' % (r.choice(['i', 'u', 'a', self.counter(), '2u']), r.choice(['=', '+=']), self.value()))
        elif x < 0.53:
            self.say('v[%s] += %s;' % (r.choice(['0', '1', '3', 'i & 3u', self.counter() + ' & 3u']), self.value()))
        elif x < 0.59:
            self.say('v %s v * uvec4(3u, 1u, %s, 5u);' % (r.choice(['+=', '^=', '=']), self.leaf()))
        elif x < 0.69:
            self.say(r.choice(['pair.x += %s;' % self.value(), 'pair.y[%s %% 3u] ^= %s;' % (r.choice(['i', 'u', self.counter()]), self.value()),
                               'pair = PAIR(%s, %s, pair.x, pair.y[1]);' % (self.leaf(), self.leaf())]))
        elif x < 0.76:
            self.say('tally %s %s;' % (r.choice(['+=', '^=', '=']), self.value()))
        elif x < 0.9:
            self.say('result[PER * i + 2u + (%s & 1u)] += %s;' % (r.choice(['u', self.counter(), 'a']), self.value()))
        elif x < 0.95:
            self.say('SUM(%du, %s);' % (r.randrange(SUMS), self.value()))
        else:
            self.say('if (%s) { %s = %s; } else { %s = %s; }' % (self.condition(), r.choice('uw'), self.value(), r.choice('uw'), self.value()))

    def shared_access(self):
        """Of its own cell in one half, of any in the other; barriers change them over."""
        r, s, x = self.r, self.share, self.r.random()
        mine, theirs = 'p * 64u + l', '(p ^ 1u) * 64u + (l + %du) %% %du' % (r.randrange(20), self.local)
        if x < 0.4:
            self.say('%s += AT(%s, %s);' % (r.choice('uwab'), s, theirs))
        elif x < 0.6:
            self.say('PUT(%s, %s, AT(%s, %s) %s %s);' % (s, mine, s, mine, r.choice('+^-'), self.value()))
        elif x < 0.8:
            self.say('PUT(%s, %s, AT(%s, %s) %s %s);' % (s, mine, s, theirs, r.choice('+^-'), self.value()))
        else:
            k = r.randrange(4)  # of one cell always the same operation: order does not matter then
            self.say('ATOMIC_%s(%s, %d, %s);' % (['ADD', 'ADD', 'XOR', 'MAX'][k], self.cells, k, self.value()))

    def talk(self):
        """An operation of the invocations of a sub-group that are here."""
        r, x = self.r, self.value()
        operation = r.choice(['Add', 'Min', 'Max', 'And', 'Or', 'Xor', 'InclusiveAdd', 'ExclusiveAdd', 'InclusiveMax', 'ExclusiveXor'])
        choices = ['subgroup%s(%s)' % (operation, x)] * 5 + ['subgroupBallotBitCount(subgroupBallot(%s))' % self.divergent(), 'subgroupBroadcastFirst(%s)' % x,
                                                            'uint(subgroupElect())', 'uint(subgroupAny(%s))' % self.divergent(), 'uint(subgroupAll(%s))' % self.divergent(),
                                                            'subgroupBallot(%s).x' % self.divergent(), 'uint(subgroupAllEqual(%s))' % x,
                                                            'subgroupBallotExclusiveBitCount(subgroupBallot(%s))' % self.divergent()]
        if self.is_together:
            choices += [SHUFFLES % (x, r.choice([0, 1, 2, 6])), 'subgroupBroadcast(%s, 0u)' % x] * 3
        self.say('%s %s %s;' % (r.choice('uwab'), r.choice(['+=', '^=']), r.choice(choices)))

    def few(self):
        return self.r.choice([1, 1, 1, 2, 2, 3])

    def block(self, count):
        before, self.is_together = self.is_together, False
        self.depth += 1
        for _ in range(count):
            self.statement()
        self.depth -= 1
        self.is_together = before

    def statement(self):
        r, x = self.r, self.r.random()
        self.budget -= 1
        deep = self.depth < 7 and self.budget > 0
        if x < 0.28 and deep:
            self.branch()
        elif x < 0.42 and deep and len(self.loops) < 3:
            self.loop()
        elif x < 0.49 and deep:
            self.switch()
        elif x < 0.6 and self.loops:
            self.say('if (%s) %s' % (self.condition() if r.random() < 0.5 else self.over(self.counters[-1]), self.way_out()))
        elif x < 0.65 and deep and not self.in_function and len(self.helpers) < 3:
            self.call()
        else:
            self.assign()

    def branch(self):
        self.say('if (%s) {' % self.condition())
        self.block(self.few())
        if self.r.random() < 0.6:
            self.say('} else {')
            self.block(self.few())
        self.say('}')

    def switch(self):
        r = self.r
        self.say('switch (%s & 3u) {' % r.choice(['i', 'u', 'a', self.counter(), '(i + %s)' % self.counter()]))
        for k in r.sample(range(4), r.randrange(1, 4)):
            self.say('case %du: {' % k)
            self.block(self.few())
            self.say('} break;' if r.random() < 0.6 else '}')
        self.say('default: {')
        self.block(1)
        self.say('} }')

    def way_out(self):
        """To behind the loop (or the switch), to its next round, or out of everything."""
        r, x = self.r, self.r.random()
        if x < 0.55:
            return r.choice(['break;', '{ %s += %s; break; }' % (r.choice('uw'), self.leaf())])
        if x < 0.8:
            return '{ %s continue; }' % (self.loops[-1] + '++;' if self.loops[-1] else '')
        if self.in_function:
            return 'return %s;' % self.value()
        return '{ result[PER * i] = %s; return; }' % self.value() if self.may_return else 'break;'

    def loop(self):
        r = self.r
        j, kind = self.name('j'), r.random()
        over = self.over(j)
        steps = ''
        if kind < 0.35:
            self.say('for (uint %s = 0u;; %s++) {' % (j, j))
            self.say('    TICK; if (%s) break;' % over if r.random() < 0.5 else '    TICK; if (%s > 9u) break;' % j)
        elif kind < 0.6:
            self.say('for (uint %s = 0u; %s < %s; %s++) {' % (j, j, r.choice(['3u', '5u', '(i & 7u)', '(u & 7u)', '(source[3] & 7u)', '1u + (a & 3u)', 'pc[0]', 'SPEC']), j))
            self.say('    TICK;')
        else:
            self.say('uint %s = 0u;' % j)
            self.say('while (%s) {' % r.choice(['%s < 4u' % j, '%s < (i & 7u)' % j, '!(%s)' % over]) if kind < 0.85 else 'do {')
            self.say('    TICK;')
            steps = j
        early = steps and r.random() < 0.5
        if early:
            self.say('    %s++;' % j)
        self.loops.append('' if early else steps)
        self.counters.append(j)
        self.block(self.few())
        self.depth += 1
        if r.random() < 0.7:
            self.say('if (%s) {' % self.divergent())
            self.block(r.choice([1, 1, 2]))
            self.say('    if (%s) %s' % (self.over(j), self.way_out()))
            self.say('}')
        self.depth -= 1
        self.block(r.choice([0, 1, 1, 2]))
        if steps and not early:
            self.say('    %s++;' % j)
        self.loops.pop()
        self.counters.pop()
        self.say('}' if kind < 0.85 else '} while (%s);' % r.choice(['%s < 5u' % j, '%s < (i & 7u)' % j, '!(%s)' % over]))

    def call(self):
        """A function of its own, with an inout parameter, that loops and returns from wherever."""
        r = self.r
        name = 'f%d_%d' % (self.number, len(self.helpers))
        kept = self.lines, self.depth, self.loops, self.counters
        self.lines, self.depth, self.loops, self.counters, self.in_function = [], 1, [], [], True
        self.helpers.append('')
        at = len(self.helpers) - 1
        self.loop()
        if r.random() < 0.5:
            self.say('USE(q) %s %s;' % (r.choice(['+=', '^=']), self.value()))
        body = '\n'.join(self.lines)
        self.lines, self.depth, self.loops, self.counters = kept
        self.in_function = False
        self.helpers[at] = ('FUNCTION uint %s(uint i, uint l, uint g, uint a, uint u, INOUT(q))\n{\n    uint b = 3u, w = USE(q) & 7u, j = 0u, lx = l & 7u, ly = l >> 3;\n'
                            '    uvec4 v = uvec4(1u, 2u, 3u, a);\n    Pair pair = PAIR(u, 1u, i, l);\n%s\n    USE(q) += w;\n'
                            '    return a ^ (b + u * 3u + w * 5u + v[0] + v[1] + v[2] + v[3] + pair.x + pair.y[0] + pair.y[1] + pair.y[2]);\n}\n' % (name, body))
        x, y = r.sample('uwab', 2)
        self.say('%s += %s(i, l, g, %s, %s, GIVE(%s));' % (x, name, self.value(), self.leaf(), y))


class Tree(Shader):
    """Loops, branches and switches within each other."""

    def body(self):
        for _ in range(self.r.choice([1, 2, 2, 3])):
            self.assign() if self.r.random() < 0.3 else self.loop()
        if self.r.random() < 0.5:
            self.statement()


class Barriers(Shader):
    """Barriers that all of a group reach equally often, and between them ways of their own."""
    barriers = True

    def body(self):
        r, s = self.r, self.share
        self.rounds = []
        self.say('PUT(%s, l, a);' % s)
        self.say('PUT(%s, 64u + l, b);' % s)
        self.say('if (l == 0u) PUT(%s, 0, source[g + %du] & 3u);' % (self.flag, r.randrange(99)))
        self.say('for (uint c = l; c < 4u; c += %du) PUT(%s, c, c);' % (self.local, self.cells))
        self.barrier(False)
        self.is_together = True
        for _ in range(r.choice([1, 1, 2])):
            self.tree() if r.random() < 0.25 else self.uniform_loop() if r.random() < 0.8 else self.together()
        self.barrier(False)
        self.say('u += AT(%s, l & 3u);' % self.cells)
        self.say('w += AT(%s, p * 64u + (l + 1u) %% %du);' % (s, self.local))
        self.may_return, self.is_together = True, False
        self.barriers, kept = False, self.barriers
        for _ in range(r.randrange(3)):
            self.statement()
        self.barriers = kept

    def barrier(self, changes=True):
        self.say('BARRIER;')
        self.say('p ^= 1u;' if changes else '')

    def together(self):
        r, x = self.r, self.r.random()
        self.budget -= 1
        deep = self.depth < 6 and self.budget > 0
        if x < 0.3 and deep and len(self.rounds) < 2:
            self.uniform_loop()
        elif x < 0.5 and deep:
            self.say('if (%s) {' % self.uniform())
            self.nested(self.few())
            if r.random() < 0.4:
                self.say('} else {')
                self.nested(1)
            self.say('}')
        elif x < 0.58 and deep:
            self.say('switch (%s & 3u) {' % r.choice(['source[g]', 'pc[1]', self.counter() if self.rounds else 'g']))
            for k in range(r.randrange(1, 3)):
                self.say('case %du: {' % k)
                self.nested(1)
                self.say('} break;' if r.random() < 0.7 else '}')
            self.say('default: u ^= 1u;')
            self.say('}')
        elif x < 0.66 and self.rounds:
            step = self.rounds[-1]
            self.say('if (%s) { BARRIER; p ^= 1u; %s }' % (self.uniform(), r.choice(['break;', step + 'continue;'])) if self.plain_break else '')
        elif x < 0.76:
            self.tree()
        elif x < 0.88:
            self.barrier()
            self.apart()
        else:
            self.apart()

    def nested(self, count):
        before, self.plain_break = self.plain_break, False if self.lines[-1].strip().startswith(('case', 'switch')) else self.plain_break
        self.depth += 1
        for _ in range(count):
            self.together()
        self.depth -= 1
        self.plain_break = before

    plain_break = False  # a break leaves a loop, not a switch

    def apart(self):
        """What each does on a way of its own; nothing in it leaves the loops around."""
        kept, self.loops, self.is_together = self.loops, [], False
        for _ in range(self.few()):
            self.statement() if self.r.random() < 0.6 else self.assign()
        self.loops, self.is_together = kept, True

    def tree(self):
        """A reduction with a ragged end."""
        r, j, s = self.r, self.name('r'), self.share
        n = '%du' % self.local
        self.barrier(False)
        self.say('for (uint %s = 1u; %s < %s; %s <<= 1) {' % (j, j, n, j))
        self.depth += 1
        self.say('TICK;')
        first, second = '(l & (2u * %s - 1u)) == 0u' % j, 'l + %s < %s' % (j, r.choice([n, 'min(%s, 29u)' % n, '(pc[1] + 3u) %% %s + 1u' % n]))
        add = 'PUT({0}, p * 64u + l, AT({0}, p * 64u + l) {1} AT({0}, p * 64u + l + {2}));'.format(s, r.choice('+^'), j)
        self.say(r.choice(['if (%s && %s) %s' % (first, second, add), 'if (%s) { if (%s) { %s } else { u += %s; } }' % (first, second, add, j)]))
        self.say('BARRIER;')
        self.depth -= 1
        self.say('}')
        self.barrier(False)

    def uniform_loop(self):
        r, kind = self.r, self.r.random()
        j = self.name('j')
        bound = r.choice(['%du' % r.randrange(2, 5), '(source[g] & 3u) + 1u', 'AT(%s, 0) + 1u' % self.flag, 'g + 2u', 'pc[3]', 'SPEC', 'GROUPS + 1u', '(i < 100000u ? 3u : l)'])
        if kind < 0.4:
            self.say('for (uint %s = 0u; %s < %s; %s++) {' % (j, j, bound, j))
        elif kind < 0.55:
            self.say('for (uint %s = 0u;; %s++) {' % (j, j))
            self.say('    if (%s >= %s) break;' % (j, bound))
        else:
            self.say('uint %s = 0u;' % j)
            self.say('while (%s < %s) {' % (j, bound) if kind < 0.8 else 'do {')
        self.depth += 1
        self.say('TICK;')
        self.rounds.append('%s++; ' % j if kind >= 0.55 else '')
        self.counters.append(j)
        before, self.plain_break = self.plain_break, True
        for _ in range(self.few()):
            self.together()
        self.plain_break = before
        if r.random() < 0.7:
            self.barrier()
        if kind >= 0.55:
            self.say('%s++;' % j)
        if r.random() < 0.5:  # invocations go on to the next round from several places
            self.say('if (%s) { %s continue; }' % (self.divergent(), 'u += w;'))
            self.shared_access()
        self.rounds.pop()
        self.counters.pop()
        self.depth -= 1
        self.say('}' if kind < 0.8 else '} while (%s < %s);' % (j, bound))


class Subgroups(Tree):
    """Tree with operations of sub-groups wherever invocations are."""
    subgroups = True

    def body(self):
        self.may_return = self.r.random() < 0.5
        self.is_together = not self.may_return  # who has returned gives no value any more
        self.talk()
        super().body()
        self.talk()


class Both(Barriers):
    """Barriers, and operations of sub-groups between them."""
    subgroups = True


KINDS = {'tree': Tree, 'barriers': Barriers, 'subgroups': Subgroups, 'both': Both}
