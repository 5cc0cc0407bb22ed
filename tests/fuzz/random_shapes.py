"""Random kernels in OpenCL C of shapes that programs have: rounds whose number comes from memory or from another work-item,
functions that return before a barrier, structures and vectors of three that go around loops, views of local memory by other
types, counters of every width that wrap or count down, shifts by any amount, atomics whose results are used where lanes
have diverged, lists that a group gathers, collectives in loops, calls that hand on pointers to private arrays.

SPDX-License-Identifier: MIT
"""
import os

from engine import Failure
from random_module import Launch
from random_source import SOURCE, Source

FUNCTIONS = '''struct point { uint3 at; ushort tag; uchar flags; };
struct box { struct point low, high; ulong sum; uchar few; ushort more; short rest; };
static struct box grown(struct box b, uint x)
{
    if (x & 1)
        return b;
    b.high.at.y += x;
    if (x & 2) {
        struct point low = b.low;

        b.low = b.high;
        b.high = low;
        return b;
    }
    for (uint n = 0; n < (x >> 2 & 3); n++) {
        b.sum = b.sum * 3 + b.low.at.z;
        b.low.at = b.low.at.zxy;
    }
    b.few += x;
    b.more ^= x >> 3;
    b.rest = (short)x;
    b.low.flags -= (uchar)x;
    return b;
}
static void stir(uint *p, uint n, uint x)
{
    for (uint k = 0; k < n; k++) {
        p[k] = p[(k + 1) % n] ^ x;
        if ((p[k] & 15) == 7)
            return;
    }
}
NOINLINE static uint tree(uint *p, uint x)
{
    uint q[4] = {x, p[0], p[1], 9};

    stir(q, 4, x);
    if (x & 1)
        stir(p, 8, q[x >> 1 & 3]);
    else
        stir(q + 1, 3, p[x >> 1 & 7]);
    return q[0] + q[3] * 3;
}
static uint root(uint *p, uint x)
{
    uint *which = x & 1 ? p : p + 2;

    return tree(p, x) + (x & 2 ? tree(p, x >> 3) : which[3]);
}
static uint early(uint x, local uint *s, uint l, uint u)
{
    if ((u & 3) == ONE)
        return x + 1;
    if (x & 1)
        x = x * 3 + u;
    else if (x & 2)
        for (uint k = 0; k < (x & 7); k++)
            x += k ^ u;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (u & 4)
        return s[(l + ONE) % GROUP];
    x += s[(l + 5) % GROUP];
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] = x ^ u;
    barrier(CLK_LOCAL_MEM_FENCE);
    return s[(l * 3 + 1) % GROUP] + x;
}
'''

VARIABLES = '''    local ulong raw[2 * GROUP];
    local uint cells[GROUP], list[4 * GROUP], count, few;
    struct box box = {{(uint3)(i, b, 3), 5, 6}, {(uint3)(7, i, b), 8, 9}, b, 1, 2, -3}, spare = box;
    struct point many[4] = {box.low, box.high, box.low, box.high};
    uint3 t = (uint3)(b, i, 5), rows[3] = {t, t.zxy, t * 3u};
    uchar3 small = convert_uchar3(t);

    spare.low.at += 77u;
    raw[l] = a;
    raw[l + GROUP] = b;
    cells[l] = b;
    if (l == 0)
        few = count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
'''

SUMS = '''    a = a * 31 + box.low.at.x + 3 * box.low.at.y + 5 * box.low.at.z + 7 * box.high.at.x + 11 * box.high.at.y;
    a = a * 31 + box.low.tag + box.low.flags + box.high.tag + box.sum + box.few + box.more + (uint)box.rest;
    a = a * 31 + spare.low.at.x + spare.high.at.z + spare.low.tag + spare.few + (uint)spare.rest;
    for (uint n = 0; n < 4; n++)
        a = a * 31 + many[n].at.x + 3 * many[n].at.y + many[n].at.z + many[n].tag + many[n].flags;
    for (uint n = 0; n < 3; n++)
        a = a * 31 + rows[n].x + 3 * rows[n].y + 5 * rows[n].z;
    a = a * 31 + t.x + 3 * t.y + 5 * t.z + small.x + 7 * small.y + 9 * small.z + cells[l];
'''


class Shapes(Source):
    """talks: with operations of sub-groups where lanes have diverged."""

    more_sums = SUMS

    def __init__(self, seed):
        super().__init__(seed)
        self.talks = self.subgroups and seed % 8 == 1
        self.barriers = True
        self.local = self.r.choice([16, 24, 32, 7, 13, 64, 40])

    def constants(self, text):
        return text.replace('GROUP', '%d' % self.local).replace('ONE', '%d' % (self.seed % 4)).replace(
            'NOINLINE ', self.seed % 5 == 0 and '__attribute__((noinline)) ' or '')

    def compiled(self, level, folder, engine):
        """The module that the driver would make of it; None where clang-22 crashes."""
        os.environ.pop('LD_PRELOAD', None)  # a sanitizer's library, which is not for clang
        try:
            return engine.compiled(self.text(), '-cl-std=CL3.0' + ' -cl-opt-disable' * (level == '-O0'))
        except Failure as e:
            if 'that is a defect of the compiler' in str(e):
                return None
            raise

    def launch(self):
        n = self.local * self.groups
        return Launch([n], [self.local], [(4, SOURCE, self.seed), (8, n, None), (4, 8 + n, None)])

    def make(self):
        self.functions, self.more_variables = self.constants(FUNCTIONS), self.constants(VARIABLES)
        return super().make()

    # ---- expressions
    def number(self, most):
        return self.r.randrange(most)

    def leaf(self, t):
        r, kind = self.r, self.r.random()
        if kind < 0.1:
            return '(%s)%s' % (t, r.choice(['t.%s' % r.choice('xyz'), 'rows[%s %% 3].%s' % (self.variable(), r.choice('xyz')), 'small.y',
                                            'box.high.at.%s' % r.choice('xyz'), 'many[%s & 3].at.y' % self.variable(), 'box.more',
                                            'spare.rest', '((uint *)&t)[%s %% 3]' % self.variable(), 'v[%s & 3]' % self.variable()]))
        if kind < 0.16:
            return '(%s)%s' % (t, r.choice(['(in + 1000)[-(int)(i %% %d)]' % (1 + self.number(900)), '*(in + 1023 - (long)(i & 511))',
                                            '(in + %d)[(char)(i * 3 + %d)]' % (200 + self.number(200), self.number(99)),
                                            'in[(uint)(%du + i) & 1023]' % (0xfffffff0 + self.number(16)),
                                            'in[(ulong)(i + %du) & 1023]' % (0xffffff00 + self.number(256)),
                                            '(in + 256)[(short)(%s & 127) * -2]' % self.variable()]))
        return super().leaf(t)

    def index(self):
        r = self.r
        if r.random() < 0.6:
            return super().index()
        return r.choice(['1023 - (i & 1023)', '(ushort)(i - %d) & 1023' % self.number(99), '(uint)(0 - i - 1) & 1023', '(i - %du) & 1023' % self.number(99),
                         '((long)i - %d + 2000) %% 1000' % self.number(999), '(size_t)(uchar)~i', '((int)i * -3 + 900) & 1023',
                         '(uchar)(i * %d)' % (3 + self.number(9)), '(uint)(i * 0x10001u) >> 22'])

    def expr(self, t, depth=2):
        r = self.r
        if depth and r.random() < 0.06:
            a, b = self.expr(t, depth - 1), self.expr('uint', depth - 1)
            return '(%s)(%s %s %s)' % (t, a, r.choice(['<<', '>>']), b)
        return super().expr(t, depth)

    # ---- statements of one work-item
    def statement(self):
        r = self.r
        if r.random() < 0.6:
            super().statement()
            return
        self.budget -= 1
        ways = [self.structure, self.three, self.counted, self.updated, self.handed, self.shifted, self.pointed]
        if self.talks:
            ways += [self.talked, self.talked_cases]
        r.choice(ways)()

    def structure(self):
        r, v = self.r, self.variable()
        self.say(r.choice([
            'box = grown(box, %s);' % self.expr('uint'), 'spare = grown(box, (uint)%s);' % v, 'box = %s ? spare : box;' % self.condition(),
            'if (%s) box = spare;' % self.condition(), '{ struct point *p = %s ? &box.low : &spare.high; p->at += (uint)%s; p->tag++; }' % (
                self.condition(), v),
            'many[%s & 3] = %s ? box.low : many[%s & 3];' % (v, self.condition(), self.variable()),
            'for (uint n = 0; n < (%s & 3); n++) { struct point low = box.low; box.low = %s ? many[n] : box.high; box.high = low; }' % (
                v, self.condition()),
            '{ struct box other = box; if (%s) { other.low.at.x += %s; box = other; } else spare = grown(other, (uint)%s); }' % (
                self.condition(), v, v),
            'many[%s & 3].at = many[%s & 3].at.yzx + (uint)%s;' % (v, self.variable(), self.variable()),
            'box.few += %s; box.more = %s; spare.rest = (short)%s;' % (v, v, v)]))

    def three(self):
        r, v = self.r, self.variable()
        self.say(r.choice([
            't = t.yzx * 3u + (uint3)((uint)%s);' % v, 't = vload3((size_t)(%s & 255), in);' % v, 't ^= convert_uint3(small);',
            'small = convert_uchar3_sat(t >> 3u);', '((uint *)&t)[%s %% 3] += i;' % v, 't = select(t, t.zxy, t > (uint)%s);' % v,
            'if (any(t == 7u) || all(t > (uint3)((uint)%s))) small += (uchar)3;' % v, 't = max(min(t, t.yxz + 9u), (uint3)(5, i, 2));',
            'rows[%s %% 3] = t; t = rows[%s %% 3] + 1u;' % (v, self.variable()), 'small = as_uchar4(t.x).zyx ^ small.yyz;',
            't.xz = t.zx; t.y = (uint)%s;' % v, 'for (uint n = 0; n < 3; n++) rows[n] = n == %s %% 3 ? t : rows[n].zyx;' % v,
            't = rotate(t, (uint3)(1, 31, (uint)%s));' % v, 't = mad_hi(t, t.yzx, rows[1]);']))

    def counted(self):
        """A loop over memory with a counter of some width."""
        r = self.r
        v = r.choice(self.assignable())[1]
        first, step, count = self.number(256), r.choice([1, 3, 255, 253]), self.number(20)
        self.say(r.choice([
            'for (uchar j = %d; j != %d; j += %d) %s += in[j + %d];' % (first, (first + step * count) & 255, step, v, self.number(500)),
            'for (short j = %d; j >= 0; j -= %d) %s = %s * 3 + in[j * 7 + (i & 63)];' % (self.number(99), 3 + self.number(9), v, v),
            'for (uint j = %d; j < %d; j--) %s ^= in[j * %d + l];' % (count, count + 1, v, 1 + self.number(9)),
            'for (ulong j = 0xfffffff0ul + %d; j < 0x100000000ul + %d; j++) %s += in[(uint)j + 16 & 1023];' % (self.number(9), self.number(9), v),
            'for (int j = -%d; j < %d; j++) %s += (in + 512)[j * %d + (int)(i & 63)] >> 3;' % (self.number(12), self.number(12), v, r.choice([-30, -7, 1, 9])),
            'for (uint j = i & 7; j < 100; j += 13 + (i & 3)) %s = (%s ^ in[j * 9]) + j;' % (v, v),
            'for (int j = 7; j >= 0; j--) own[j] = own[(j + 7) & 7] + own[7 - j];',
            'for (long j = %d; j > -3; j -= 2) %s += in[j + 2 + (long)l];' % (count, v),
            'for (ushort j = %d; j != %d; j += %d) { if (in[j & 1023] & 1) continue; %s += j; if (%s) break; }' % (
                first * 250, (first * 250 + step * count) & 65535, step, v, self.condition()),
            'for (char j = -%d; j < (char)(in[i] & 7); j += 2) %s += (in + 128)[j] & 0xff;' % (1 + self.number(99), v),
            'for (uint j = 0, m = in[i & 511] & 15; j < m; j++) { %s += in[m * j + (m - j)]; m -= in[j] >> 31; }' % v]))

    def updated(self):
        """A cell of a work-item's own, by atomics whose results are used."""
        r, v = self.r, r_of(self)
        cell = r.choice(['&cells[l]', '&total[8 + i]'])
        x = self.expr('uint', 1)
        self.say(r.choice([
            '%s = atomic_add(%s, %s);' % (v, cell, x), '%s ^= atomic_xchg(%s, (uint)%s);' % (v, cell, self.variable()),
            '%s += atomic_cmpxchg(%s, (uint)%s, %s);' % (v, cell, self.variable(), x), '%s += atomic_max(%s, %s) & 255;' % (v, cell, x),
            'for (uint n = 0; n < (%s & 3); n++) { %s ^= atomic_sub(%s, n + 1); if (%s) break; }' % (self.variable(), v, cell, self.condition()),
            'while (atomic_dec(&cells[l]) & 3) %s++;' % v,
            '{ uint was = atomic_or(%s, 0), now; while ((now = atomic_cmpxchg(%s, was, was * 3 + 1)) != was) was = now; %s ^= was; }' % (
                cell, cell, v),
            '{ uint was = total[4], now; while ((now = atomic_cmpxchg(&total[4], was, was + (%s & 255))) != was) was = now; }' % x]))

    def handed(self):
        self.say('%s += %s(own, %s);' % (r_of(self), self.r.choice(['root', 'tree']), self.expr('uint', 1)))

    def shifted(self):
        r, v = self.r, self.variable()
        self.say(r.choice(['v = v << v.yzwx;', 'v = v >> (uint4)((uint)%s);' % v, 'bytes = bytes >> bytes.s76543210;', 'words <<= (short)%s;' % v,
                           'words = words >> words.yx;', 'b = b << (uint)%s;' % v, 'a = a >> (uint)%s;' % v, 'd = d << (uchar)%s;' % v,
                           'c = c >> (ushort)%s;' % v, 't = t << small.x;', 'small = small >> small.zxy;', 'a ^= (long)a >> (uint)%s;' % v,
                           'b ^= (uint)((int)b >> (int)%s);' % v]))

    def pointed(self):
        """Generic pointers to what a work-item alone has."""
        r = self.r
        self.say('{ uint *p = %s ? &own[%s & 7] : %s; *p = *p * 3 + %s; }' % (
            self.condition(), self.variable(), r.choice(['(uint *)&cells[l]', '(uint *)&total[8 + i]', '(uint *)&spare.low.at']), self.expr('uint', 1)))

    def talked(self, v=None):
        r, x = self.r, self.variable()
        v = v or r_of(self)
        self.say(r.choice(['%s += sub_group_non_uniform_reduce_add((uint)%s);' % (v, x), '%s ^= sub_group_non_uniform_scan_exclusive_max((uint)%s);' % (v, x),
                           '%s += popcount(sub_group_ballot((int)(%s & 1)).x);' % (v, x), '%s += sub_group_broadcast_first((uint)%s);' % (v, x),
                           'if (sub_group_elect()) %s += 3;' % v, '%s += sub_group_non_uniform_all_equal((uint)%s);' % (v, x),
                           '%s += sub_group_ballot_bit_count(sub_group_ballot((int)(%s & 3)));' % (v, x),
                           '%s ^= sub_group_non_uniform_scan_inclusive_add((uint)%s);' % (v, x)]))

    def talked_cases(self):
        self.say('switch (%s & 3) {' % self.variable())
        for value in range(self.r.randrange(2, 4)):
            self.say('case %d:' % value)
            self.depth += 1
            self.talked()
            if self.r.random() < 0.6:
                self.say('break;')
            self.depth -= 1
        self.say('}')

    # ---- what a group does together
    def uniform(self):
        """A number that is the same for the whole group."""
        r, k = self.r, self.number(99)
        return r.choice(['in[get_group_id(0) + %d]' % k, '(uint)get_group_id(0) + %d' % k, 'in[%d]' % k, 'few + %d' % k,
                         'work_group_broadcast((uint)%s, (size_t)%d)' % (self.variable(), self.number(self.local)),
                         'work_group_reduce_max((uint)%s & 0xffu)' % self.variable(), '(uint)work_group_any((int)(%s & 1))' % self.variable()])

    def together(self):
        for _ in range(self.r.randrange(1, 4)):
            self.r.choice([self.step, self.rounds, self.cases])()

    def steps(self, count):
        known = len(self.variables)
        self.depth += 1
        loops, self.loops = self.loops, 0
        for _ in range(count):
            if self.r.random() < 0.4:
                self.statement()
            self.step()
        self.loops = loops
        self.depth -= 1
        del self.variables[known:]

    def rounds(self):
        r, n, c = self.r, self.name('m'), self.name('r')
        self.say('uint %s = (%s) %% 4;' % (n, self.uniform()))
        kind = r.randrange(3)
        self.say(['for (uint %s = 0; %s < %s; %s++) {' % (c, c, n, c), 'for (uint %s = %s; %s-- > 0;) {' % (c, n, c),
                  'uint %s = 0; do {' % c][kind])
        if r.random() < 0.3 and kind != 2:
            self.say('    if (in[%s + %d] & 1) %s;' % (c, self.number(99), r.choice(['continue', 'break'])))
        self.steps(r.randrange(1, 3))
        if r.random() < 0.3:
            self.say('    if (((%s) & 7) == 3) break;' % self.uniform())
        self.say('} while (++%s < %s);' % (c, n) if kind == 2 else '}')

    def cases(self):
        r = self.r
        self.say('switch ((%s) & 3) {' % self.uniform())
        for value in r.sample(range(4), r.randrange(2, 4)):
            self.say('case %d:' % value)
            self.say('{')
            self.steps(1)
            self.say('}')
            if r.random() < 0.7:
                self.say('    break;')
        self.say('default: {')
        self.steps(1)
        self.say('}')
        self.say('}')

    def step(self):
        ways = [self.views, self.gathered, self.collected, self.exchanged, self.returned, self.led, self.copied, self.chained]
        if self.subgroups:
            ways.append(self.spread)
        self.r.choice(ways)()

    def barrier(self):
        self.say('barrier(CLK_LOCAL_MEM_FENCE);')

    def views(self):
        r = self.r
        here, there = r.choice([('uchar', 1), ('ushort', 2), ('uint', 4), ('ulong', 8), ('uint4', 16), ('uchar4', 4)]), r.choice(
            [('uchar', 1), ('ushort', 2), ('uint', 4), ('ulong', 8)])
        own = 16 // here[1]
        self.say('((local %s *)raw)[l * %d + %d] = (%s)%s;' % (here[0], own, self.number(own), here[0],
                                                               '(uint)' * ('4' in here[0]) + self.variable() if here[0] != 'uchar4' else '(uchar)%s' % self.variable()))
        self.barrier()
        self.say('%s += ((local %s *)raw)[(uint)%s %% %d];' % (r_of(self), there[0], self.variable(), self.local * 16 // there[1]))
        self.barrier()

    def gathered(self):
        """A list, whose order is any."""
        r, v = self.r, r_of(self)
        self.say('if (l == 0) count = 0;')
        self.barrier()
        if r.random() < 0.5:
            self.say('if (%s) list[atomic_inc(&count)] = (uint)%s;' % (self.condition(), self.variable()))
        else:
            self.say('for (uint n = 0; n < (%s & 3); n++) { uint at = atomic_inc(&count); list[at] = (uint)%s + n; if (%s) break; }' % (
                self.variable(), self.variable(), self.condition()))
        self.barrier()
        self.say('for (uint n = 0; n < count; n++) %s += list[n] * (list[n] | 1);' % v)
        self.barrier()

    def collected(self):
        r, v, x = self.r, r_of(self), self.variable()
        self.say('%s += %s;' % (v, r.choice([
            'work_group_reduce_add((uint)%s)' % x, 'work_group_scan_exclusive_max((uint)%s)' % x, 'work_group_scan_inclusive_add((ulong)%s)' % x,
            'work_group_reduce_min((ulong)%s)' % x, '(uint)work_group_all((int)(%s | 1))' % x, 'work_group_scan_exclusive_add((uint)%s)' % x,
            'work_group_broadcast((ulong)%s, (size_t)((%s) %% %d))' % (x, self.uniform(), self.local)])))

    def exchanged(self):
        r, v = self.r, r_of(self)
        self.say('shared[l] = (uint)%s;' % self.variable())
        self.barrier()
        self.say('%s += shared[%s];' % (v, r.choice(['(l + %d) %% %d' % (self.number(self.local), self.local), '%d - l' % (self.local - 1),
                                                   '(uint)%s %% %d' % (self.variable(), self.local)])))
        self.barrier()

    def returned(self):
        self.say('%s = early(%s, shared, l, %s);' % (r_of(self), self.expr('uint', 1), self.uniform()))
        self.barrier()

    def led(self):
        """One work-item decides for all, who may have read what it decided before."""
        self.barrier()
        self.say('if (l == %d) few = %s;' % (self.number(self.local), self.expr('uint', 1)))
        self.barrier()
        self.say('if (few & %d) %s += few; else %s ^= few >> 3;' % (1 + self.number(3), r_of(self), r_of(self)))
        self.barrier()

    def copied(self):
        self.say('{ event_t e = async_work_group_copy(shared, in + ((%s) & 511), (size_t)%d, 0); wait_group_events(1, &e); }' % (
            self.uniform(), self.local))
        self.say('%s += shared[(l + 1) %% %d];' % (r_of(self), self.local))
        self.barrier()

    def chained(self):
        """A tree of sums with a ragged end."""
        n = self.local - self.number(3)
        self.say('shared[l] = (uint)%s;' % self.variable())
        self.say('for (uint n = 1; n < %d; n <<= 1) { barrier(CLK_LOCAL_MEM_FENCE); if ((l & (2 * n - 1)) == 0 && l + n < %d) shared[l] += shared[l + n]; }' % (
            self.local, n))
        self.barrier()
        self.say('%s += shared[0];' % r_of(self))
        self.barrier()

    def spread(self):
        """Within a sub-group, by what is uniform there."""
        r, v = self.r, r_of(self)
        self.say(r.choice(['{ uint m = sub_group_broadcast((uint)%s, 0) & 3; for (uint n = 0; n < m; n++) %s += sub_group_reduce_add((uint)%s) + n; }' % (
            self.variable(), v, self.variable()), 'if (sub_group_any((int)(%s & 1))) %s ^= sub_group_scan_inclusive_add((uint)%s);' % (
                self.variable(), v, self.variable()), '%s += sub_group_all((int)(%s & 1));' % (v, self.variable()),
            'switch (sub_group_reduce_max((uint)%s) & 3) { case 0: %s += sub_group_reduce_min((uint)%s); case 1: %s ^= sub_group_scan_exclusive_add((uint)%s); break; default: %s++; }' % (
                self.variable(), v, self.variable(), v, self.variable(), v)]))


def r_of(shapes):
    """A variable to write to: of 32 or 64 bits, mostly."""
    known = shapes.assignable()
    wide = [v for t, v in known if t in ('uint', 'ulong')]
    return shapes.r.choice(wide if shapes.r.random() < 0.8 else [v for _, v in known])

