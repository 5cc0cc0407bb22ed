"""Random nests of counted loops over rows of memory: what a compiler may do to several iterations at a time, and what it may not.

Each kernel is one work-item, which asks for no id, or a few, each with words of `out` of its own. Counters have types of 8 to 64 bits,
begin and end where those wrap, and step by ±1 to ±64; inner loops may depend on outer counters or on data, and end early. Rows overlap,
stores stand before, in and behind inner loops, and sums of floats are exact to the bit only in their order.
SPDX-License-Identifier: MIT
"""
import random

from engine import random_bytes
from random_flow import SOURCE

PER = 512     # words of `out` for each work-item
ROWS = 448    # of these for rows; behind them is what loops leave
ROUNDS = 600  # of all iterations of a nest, about

START = '''#pragma OPENCL FP_CONTRACT OFF
#ifndef ANY
#define ANY(t) typedef t __attribute__((may_alias)) any_##t /* words have other types, too */
ANY(uchar); ANY(ushort); ANY(ulong); ANY(float); ANY(double);
#endif
'''
BITS = {'char': 8, 'uchar': 8, 'short': 16, 'ushort': 16, 'int': 32, 'uint': 32, 'long': 64, 'ulong': 64}


class Counter:
    """Of a loop that is around; from `least` to `most`."""

    def __init__(self, name, least, most):
        self.name, self.least, self.most = name, least, most


class Ends:
    """Where a counter begins, and where its loop ends; OpenCL C leaves undefined what passes the end of a signed type."""

    def __init__(self, nests, most):
        r = nests.r
        self.t, self.name = r.choice(list(BITS) + ['int', 'uint']), nests.name('j')
        bits, is_signed = BITS[self.t], self.t[0] != 'u'
        self.top, self.bottom = (1 << bits - is_signed) - 1, -(1 << bits - 1) if is_signed else 0
        step = r.choice([1, 2, 3, 4, 16, 64]) if nests.odd(0.5) else 1
        self.trips = min(r.randrange(1, max(2, most)), 100 // step if bits == 8 else most)
        first = r.choice([0, 0, 0, 1, 5])
        if nests.odd(0.2):
            first = r.choice([self.bottom, self.top - self.trips * step])
        self.first, self.last, self.step = first, first + self.trips * step, step
        if r.random() < 0.3:
            self.first, self.last, self.step = self.last, self.first, -step

    def goes_on(self):
        """May the counter pass its end?"""
        return self.bottom <= self.last + self.step <= self.top


class Nests:
    """Kernel k<number>."""
    barriers, helpers, per = False, [], PER

    def __init__(self, number):
        self.number, self.r = number, random.Random('nests%d' % number)
        r = self.r
        self.is_task = r.random() < 0.75
        self.is_calm = r.random() < 0.7  # in most of a kernel, iterations may run together
        self.total = 1 if self.is_task else r.choice([1, 3, 4, 8, 17])
        self.local = r.choice([1, self.total])
        self.lines, self.depth, self.names, self.loops, self.sums = [], 1, 0, [], []
        self.kind = r.choice(['uint', 'float', 'uint', 'float', 'ushort', 'uchar', 'ulong', 'double', 'int'])

    def odd(self, chance):
        return self.r.random() < (chance / 8 if self.is_calm else chance)

    # ---- text
    def say(self, text):
        self.lines.append('    ' * self.depth + text)

    def name(self, start):
        self.names += 1
        return '%s%d' % (start, self.names)

    def function(self):
        r = self.r
        self.say('uint i = %s, n = in[0] %% 5 + 3, m = in[1] %% 7 + %d, u = in[2], keep = 0;' % ('0' if self.is_task else 'get_global_id(0)', r.randrange(3)))
        self.say('global uint *own = out + %d * i;' % PER)
        self.say('global uint *other = %s;' % r.choice(['own', 'own + 17', 'in[5] & 1 ? own : own + 64', 'own + (in[6] & 31)']))
        self.say('uint few[32];')
        self.say('for (uint e = 0; e < %d; e++) own[e] = in[(e * 5 + i) & %d];' % (ROWS, SOURCE - 1))
        self.say('for (uint e = 0; e < 32; e++) few[e] = in[e] ^ e;')
        for _ in range(r.choice([1, 1, 2])):
            self.nest([], r.choice([2, 2, 2, 3, 3, 4]), ROUNDS)
        self.say('own[%d] = keep;' % (PER - 1))
        self.say('for (uint e = 0; e < 32; e++) own[%d + e] += few[e];' % ROWS)
        return START + 'kernel void k%d(global const uint *in, global uint *out)\n{\n%s\n}\n' % (self.number, '\n'.join(self.lines))

    # ---- loops
    def begin(self, around, most):
        """(the loop's start, its end, its counter, how many iterations it has, about)."""
        r, odd = self.r, self.r.random() * (4 if self.is_calm else 1)
        inner = [c for c in around if 0 <= c.least and c.most < 1000]
        if inner and odd < 0.12:  # triangular
            c, k = r.choice(inner), self.name('j')
            return 'for (int %s = 0; %s < (int)%s + %d; %s++) {' % (k, k, c.name, r.randrange(2), k), '}', Counter(k, 0, c.most + 1), c.most + 1
        if odd < 0.2:  # none at all, or as many as data says
            t, k, end = r.choice(list(BITS)), self.name('j'), r.choice(['n', 'm', 'n - 3', 'in[4] & 3', 'n + m & 12'])
            return 'for (%s %s = 0; %s < (%s)(%s); %s++) {' % (t, k, k, t, end, k), '}', Counter(k, 0, 14), 8
        return self.between(Ends(self, most))

    def between(self, x):
        """A loop from one number to another."""
        r, form, sign = self.r, self.r.random(), '-' if x.step < 0 else '+'
        j, start, by = x.name, self.number_of(x.t, x.first), '%s %s= %d' % (x.name, sign, abs(x.step))
        end = self.number_of(x.t, x.last) if self.odd(0.5) else self.read(x.t, x.last)
        c, less = Counter(j, min(x.first, x.last), max(x.first, x.last)), '>' if x.step < 0 else '<'
        if form < 0.55:
            ask = r.choice([less, less, '!=']) if form < 0.4 or not x.goes_on() else less + '='
            return 'for (%s %s = %s; %s %s %s; %s) {' % (x.t, j, start, j, ask, end, by), '}', c, x.trips + 1
        self.say('%s %s = %s;' % (x.t, j, start))
        self.loops.append(j)
        if form < 0.6 and x.t == 'uchar' and self.odd(0.3):  # around the whole type
            return 'do {', '} while (--%s != %s);' % (j, start), Counter(j, 0, 255), 256
        ask = '!=' if form < 0.8 or x.t == 'char' else less
        return 'do {', '%s; } while (%s %s %s);' % (by, j, ask, end), c, x.trips

    @staticmethod
    def number_of(t, value):
        return '(%s)%dUL' % (t, value % (1 << 64))

    def read(self, t, value):
        """A number of the type that only a run knows."""
        at = self.r.randrange(SOURCE)
        word = int.from_bytes(random_bytes(4, SOURCE, self.number)[4 * at:4 * at + 4], 'little')
        return '(%s)(in[%d] + %dUL)' % (t, at, (value - word) % (1 << 64))

    def nest(self, around, deep, rounds):
        """A loop with others inside; sums go through them."""
        r = self.r
        most = min(40, rounds) if deep == 1 else max(2, min(r.choice([3, 5, 9, 18, 36]), rounds))
        if not around and r.random() < 0.05:
            most = 300
        start, end, c, trips = self.begin(around, most)
        self.say(start)
        self.depth += 1
        inside = around + [c]
        if deep == 1:
            self.innermost(inside)
        else:
            self.middle(inside, deep, max(2, rounds // max(1, trips)))
        if self.odd(0.05):
            self.say('if (%s) break;' % r.choice(['%s == 5' % c.name, '(in[%s & 63] & 31) == 3' % c.name, 'n == 9']))
        if self.odd(0.06):
            self.say('keep += %s;' % c.name)
        self.depth -= 1
        self.say(end)
        if c.name in self.loops and self.odd(0.4):
            self.say('keep ^= (uint)%s;' % c.name)

    def middle(self, inside, deep, rounds):
        """Sums begin, inner loops, what they come to is stored."""
        r = self.r
        sums = [self.begin_sum(inside) for _ in range(r.choice([1, 1, 1, 2, 3]))]
        if self.odd(0.2):
            self.store(inside, self.load(inside))
        before, self.sums = self.sums, sums
        for _ in range(r.choice([1, 1, 1, 2])):
            guard = self.odd(0.2)
            if guard:
                self.say('if (%s) {' % self.condition(inside))
            self.nest(inside, deep - 1, rounds)
            self.say('}' if guard else ';')
        self.sums = before
        for name, t in sums:
            value = self.as_word(name, t)
            if not self.odd(0.2):
                self.store(inside, value, name, t)
            else:
                self.say('keep = keep * 3 + %s;' % value)

    def innermost(self, inside):
        """Sums go on; a nest of too many rounds the judge rejects."""
        r = self.r
        self.say('TICK;')
        for name, t in self.sums or [('keep', 'uint')]:
            x = r.random()
            value = '%s%s * %s' % ('(uint)' * (t in ('ushort', 'uchar')), self.load_of(inside, t), self.load_of(inside, t)) if x < 0.5 else self.load_of(inside, t)
            if t in ('float', 'double'):
                form = r.choice(['{s} += {v};', '{s} = {s} * ({t})0.5 + {v};', '{s} -= {v};', '{s} = {s} > {v} ? {s} : {v};'])
            else:
                form = r.choice(['{s} += {v};', '{s} += {v};', '{s} = {s} * 3 + {v};', '{s} ^= {v};', '{s} = {s} / (({t})({v}) | 1) + {v};', '{s} = {s} > {v} ? {s} : {v};',
                                 '{s} = ({s} >> 3) + {v};', 'if ({v} & 1) {s} += 3;'])
            self.say(form.format(s=name, v='(%s)' % value, t='uint' if t == 'int' else t))
        if self.odd(0.15):
            self.store(inside, self.load(inside))
        if self.odd(0.08):
            self.say('few[%s & 31] += %s;' % (r.choice(inside).name, self.load(inside)))

    # ---- values
    def begin_sum(self, inside):
        r, t, name = self.r, self.kind if self.r.random() < 0.8 else self.r.choice(['uint', 'float', 'ulong']), self.name('s')
        t = 'uint' if t == 'int' else t
        self.say('%s %s = %s;' % (t, name, r.choice(['0', '0', '1', '(%s)%s' % (t, self.counted(inside)), self.load_of(inside, t)])))
        return name, t

    @staticmethod
    def as_word(name, t):
        return {'float': '(uint)(int)(%s * 8.0f)', 'double': '(uint)(long)(%s * 8.0)'}.get(t, '(uint)%s') % name

    def counted(self, inside):
        """Of a counter, what an int holds."""
        c = self.r.choice(inside)
        return '(%s & 63)' % c.name

    def condition(self, inside):
        r = self.r
        return r.choice(['n > 4', 'in[7] & 1', '(in[%s & 63] & 1)' % r.choice(inside).name, '%s & 1' % r.choice(inside).name, 'u & 8'])

    def index(self, inside, size, most_terms=3):
        """Below size: a sum of counters times strides; by a mask if it may be beyond."""
        r = self.r
        chosen = r.sample(inside, min(len(inside), r.choice([1, 1, 2, 2, most_terms])))
        if r.random() < 0.7 and inside[-1] not in chosen:
            chosen.append(inside[-1])
        least = most = 0
        terms = []
        for c in chosen:
            stride = r.choice([1, 1, 1, 2, 3, 4, 7, 8, 16, 18, 32, -1])
            if not terms or r.random() < 0.9:
                far = not -1000 < c.least <= c.most < 1000
                name = ('(uint)' if far else '(int)') + c.name
                terms.append('%s * %d' % (name, stride) if stride != 1 else name)
                ends = (c.least * stride, c.most * stride) if not far else (0, 1 << 32)
                least, most = least + min(ends), most + max(ends)
        plus = r.choice([0, 0, 1, 2, 5, 17])
        if least < 0 and least > -size:
            plus -= least
        least, most = least + plus, most + plus
        text = ' + '.join(terms) + (' + %d' % plus if plus else '')
        if r.random() < 0.1:
            text = '(%s)(%s)' % (r.choice(['int', 'uint', 'long', 'ulong']), text) if least >= 0 else text
        if least < 0 or most >= size:
            return '((uint)(%s) & %d)' % (text, size - 1) if size & (size - 1) == 0 else '((uint)(%s) & %d)' % (text, (1 << size.bit_length() - 1) - 1)
        return text

    def load(self, inside):
        """A word."""
        r, x = self.r, self.r.random()
        if not self.odd(0.4):
            return 'in[%s]' % self.index(inside, SOURCE)
        if x < 0.85:
            return '%s' % r.choice(['own[%s]', 'other[%s]']) % self.index(inside, ROWS - 64)
        if x < 0.95:
            return 'few[%s]' % self.index(inside, 32)
        return self.counted(inside)

    def load_of(self, inside, t):
        r, x = self.r, self.r.random()
        if t == 'float':
            return '(float)(int)(%s & 0xfff) * 0.1f' % self.load(inside)
        if t == 'double':
            return '(double)(%s & 0xfffff) * 0.1' % self.load(inside)
        if t in ('ushort', 'uchar') and x < 0.7:
            share = 4 // (BITS[t] // 8)
            return '((global const any_%s *)%s)[%s]' % (t, *(('in', self.index(inside, SOURCE * share // 4 * 2)) if not self.odd(0.2) else ('own', self.index(inside, ROWS))))
        if t == 'ulong' and x < 0.5:
            return '((global const any_ulong *)in)[%s]' % self.index(inside, SOURCE // 2)
        return '(%s)%s' % (t, self.load(inside))

    def store(self, inside, value, name=None, t=None):
        """Of what a sum comes to, as it is or as a word."""
        r, x = self.r, self.r.random()
        outer = inside[:-1] if len(inside) > 1 and self.odd(0.2) else inside
        op = r.choice(['+=', '^=', '=']) if self.odd(0.6) else '='
        if self.odd(0.15):
            return self.say('few[%s] %s %s;' % (self.index(outer, 32), op, value))
        if name and t in ('ushort', 'uchar', 'ulong') and x < 0.6:
            return self.say('((global any_%s *)own)[%s] %s %s;' % (t, self.index(outer, ROWS // 2), op, name))
        if name and t in ('float', 'double') and x < 0.5:
            share = 1 if t == 'float' else 2
            return self.say('((global any_%s *)own)[%s] = %s;' % (t, self.index(outer, ROWS // share), name))
        self.say('%s[%s] %s %s;' % (r.choice(['own', 'own', 'own', 'other']), self.index(outer, ROWS - 64), op, value))
