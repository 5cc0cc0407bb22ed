"""Random kernels of shapes that the compiler knows: tiles in local memory, values exchanged within a group, rows of a
work-item's own, exchanged axes. Nothing in them is undefined; floats are whole numbers that sums and products keep exact.

SPDX-License-Identifier: MIT
"""
from random_module import Launch
from random_source import Source

SOURCE = 4096  # elements of `in`


class Rows(Source):
    """A kernel `k` in two or three dimensions, with sizes as arguments."""

    def __init__(self, seed):
        super().__init__(seed)
        r = self.r
        self.subgroups, self.barriers, self.numbers = False, False, []
        self.coarsen, self.offset, self.attribute = r.choice([1, 1, 2, 3, 4, 8, 16]), [], ''
        self.id = r.choice(['int', 'uint', 'size_t'])
        self.t = r.choice(['uint', 'uint', 'int', 'float', 'float', 'ushort', 'uchar', 'ulong', 'uint4', 'float4', 'uchar16', 'ushort8', 'half'])
        self.known = ['rows', 'columns', 'inner']  # the numbers' names
        if self.t[-1] in '468':  # as many values in a row
            self.coarsen = min(self.coarsen, 4)
        r.choice([self.tiles, self.tiles, self.exchange, self.exchange, self.own, self.own, self.axes])()

    def launch(self):
        return Launch(self.sizes, self.group, [(4, SOURCE, self.seed), (self.unit, self.count, self.content)], self.offset,
                      numbers=self.numbers, number_bytes=8 if self.id == 'size_t' else 4, coarsen=self.coarsen)

    # ---- types
    def bytes(self):
        digits = ''.join(c for c in self.t if c.isdigit())
        base = {'uint': 4, 'int': 4, 'float': 4, 'ushort': 2, 'uchar': 1, 'ulong': 8, 'half': 2, 'short': 2, 'long': 8}[self.t.rstrip('0123456789')]
        return base, int(digits or 1)

    def outcome(self, count, content=None):
        """The buffer `out` has `count` elements of the type."""
        self.unit, lanes = self.bytes()
        self.count, self.content = count * lanes, content

    def value(self, of):
        """`of` is a uint, or a few bits of one that a float holds exactly; components differ."""
        return 'made(%s)' % of

    def maker(self):
        """The function for it."""
        parts = ', '.join('v >> %d' % k if self.is_whole() else '(v >> %d) & 7' % k for k in range(self.bytes()[1]))
        return 'static %s made(uint v)\n{\n    return (%s)(%s);\n}\n' % (self.t, self.t, parts)

    def read(self, at):
        return self.value('in[(%s) & %d]' % (at, SOURCE - 1))

    def is_whole(self):
        """Does it wrap? Others stay small."""
        return not self.t.startswith(('float', 'half', 'int', 'short', 'long'))

    def mixed(self, a, b):
        """Of two values of the type one that stays small if it is a float. It may be an int: small integers are promoted."""
        if self.is_whole():
            forms = ['%s + %s', '%s ^ %s', '%s * (' + self.t + ')3 + %s', 'max(%s, %s)', '%s - %s']
        elif self.t in ('int', 'short', 'long'):
            forms = ['%s ^ %s', 'max(%s, %s)', 'min(%s, ~%s)']
        else:
            forms = ['fmax(%s, %s)', 'fmin(%s, (' + self.t + ')1 - %s)']
            if 'half' not in self.t:
                forms += ['%s * (' + self.t + ')0.25f + %s', '%s * (' + self.t + ')0.5f - %s']
        return self.r.choice(forms) % (a, b)

    def ids(self, dims):
        r = self.r
        for d, name in list(enumerate('xyz'))[:dims]:
            self.say('%s %s = get_global_id(%d), l%s = get_local_id(%d);' % (self.id, name, d, name, d))
        if r.random() < 0.2:
            self.say('%s lines = get_local_size(1);' % self.id)
            self.say('y = get_group_id(1) * lines + ly;')

    def layers(self):
        """In one of five, several groups behind each other; what that adds to an index of `out`."""
        if self.r.random() < 0.8:
            return ''
        self.sizes, self.group, size = self.sizes + [2], self.group + [1], self.sizes[0] * self.sizes[1]
        self.count *= 2
        return ' + get_global_id(2) * %d' % size

    # ---- tiles in local memory
    def tiles(self):
        r, t = self.r, self.t
        self.barriers = True
        w, h = r.choice([(16, 16), (16, 16), (8, 8), (4, 4), (32, 4), (16, 4), (8, 16), (16, 8), (2, 2), (32, 8)])
        depth = r.choice([w, w, h, 4, 8])
        gx, gy = r.randrange(1, 3), r.randrange(1, 3)
        self.group, self.sizes = [w, h], [w * gx, h * gy]
        exact = r.random() < 0.4
        rows = self.sizes[1] if exact else r.randrange(1, self.sizes[1] + 1)
        columns = self.sizes[0] if exact else r.randrange(1, self.sizes[0] + 1)
        inner = depth * r.randrange(1, 4) if exact else r.randrange(1, depth * 3)
        self.numbers = [rows, columns, inner]
        self.outcome(self.sizes[0] * self.sizes[1])
        if r.random() < 0.4:
            self.attribute = '__attribute__((reqd_work_group_size(%d, %d, 1))) ' % (w, h)
        pad, flip = r.choice([0, 0, 1]), r.random() < 0.3
        at = (lambda a, b: 'left[%s][%s]' % (b, a)) if flip else (lambda a, b: 'left[%s][%s]' % (a, b))
        lh, lw = (h, depth) if not flip else (depth, h)
        self.say('local %s left[%d][%d], right[%d][%d];' % (t, lh, lw + pad, depth, w + r.choice([0, 0, 1])))
        self.ids(2)
        self.say('%s sum = 0, other = 0;' % t)
        step = 'tile' if r.random() < 0.5 else 'tile * %d' % depth
        self.say('for (%s tile = 0; %s < inner; tile += %s) {' % (self.id, step, depth if step == 'tile' else 1))
        self.fill(at('ly', 'lx'), at('e / %d' % depth, 'e %% %d' % depth), 'y', 'rows', step, 'lx', 'inner', h, depth, depth == w, True)
        self.fill('right[ly][lx]', 'right[e / %d][e %% %d]' % (w, w), step, 'inner', 'x', '', 'columns', depth, w, depth == h, False)
        self.say('barrier(CLK_LOCAL_MEM_FENCE);')
        if r.random() < 0.3:
            self.say('#pragma unroll %d' % r.choice([1, 2, 4, 16]))
        self.say('for (%s k = 0; k < %d; k++)%s' % (self.id, depth, ' {' if r.random() < 0.5 else ''))
        braces = self.lines[-1].endswith('{')
        a, b = at('ly', 'k'), 'right[k][lx]'
        self.say('    ' + r.choice(['sum += %s * %s;' % (a, b), 'sum += %s * %s;' % (a, b), 'sum = %s;' % self.mixed('sum', a),
                                    'sum += right[k][lx];', 'sum = mad(%s, %s, sum);' % (a, b) if 'float' in t else
                                    'sum -= %s * %s;' % (b, a)]))
        if braces:
            self.say('    ' + r.choice(['other = %s;' % self.mixed('other', b), 'if (k & 1) other += %s;' % b,
                                        'if (k < ly) other += %s;' % b, 'other += right[k][%d];' % r.randrange(w)]))
            self.say('}')
        if r.random() < 0.3 and depth == w:
            self.say('other += %s;' % at('ly', 'lx'))
        self.say('barrier(CLK_LOCAL_MEM_FENCE);')
        self.say('}')
        store = 'out[y * %d + x%s] = %s;' % (self.sizes[0], self.layers(), self.mixed('sum', 'other'))
        self.say(store if exact and r.random() < 0.7 else r.choice(
            ['if (y < rows && x < columns) ' + store, 'if (x < columns) { if (y < rows) ' + store + ' }', 'if (y >= rows || x >= columns) return; ' + store]))

    def fill(self, own, each, row, rows, column, more, columns, h, w, is_own, is_left):
        """A tile of h x w: of each work-item's own element, or in turns."""
        r = self.r
        where = (row, '%s + %s' % (column, more)) if is_left else ('%s + ly' % row, column)
        if is_own:
            read = self.read('(%s) * 37 + %s' % where)
            test = '%s < %s && %s < %s' % (where[0], rows, where[1], columns)
            form = r.randrange(5)
            if form == 0:
                self.say('%s = %s ? %s : (%s)0;' % (own, test, read, self.t))
            elif form == 1:
                self.say('if (%s) %s = %s; else %s = 0;' % (test, own, read, own))
            elif form == 2:
                self.say('{ %s v = 0; if (%s) v = %s; %s = v; }' % (self.t, test, read, own))
            elif form == 3:
                self.say('%s = 0; if (%s) { %s += %s; }' % (own, test, own, read))
            else:
                self.say('%s = %s;' % (own, read))
            return
        self.say('for (uint e = ly * %d + lx; e < %d; e += %d)' % (self.group[0], h * w, self.group[0] * self.group[1]))
        row = 'get_group_id(1) * %d' % self.group[1] if is_left else row
        column = column if is_left else 'get_group_id(0) * %d' % self.group[0]
        self.say('    %s = %s;' % (each, self.read('(%s + e / %d) * 37 + %s + e %% %d' % (row, w, column, w))))

    # ---- values exchanged within a group
    def exchange(self):
        r, t = self.r, self.t
        self.barriers = True
        w, h = r.choice([(16, 1), (8, 1), (32, 1), (64, 1), (4, 4), (16, 4), (16, 16), (2, 2), (7, 3), (24, 1), (4, 1), (2, 1), (3, 2)])
        self.group, self.sizes = [w, h], [w * r.randrange(1, 4), h * r.randrange(1, 4)]
        self.outcome(self.sizes[0] * self.sizes[1])
        if r.random() < 0.3:
            self.attribute = '__attribute__((reqd_work_group_size(%d, %d, 1))) ' % (w, h)
        arrays = r.randrange(1, 4)
        for n in range(arrays):
            self.say('local %s s%d[%d][%d];' % (t, n, h, w))
        self.ids(2)
        self.say('%s a = %s, b = %s;' % (t, self.read('y * 37 + x'), self.read('y * 5 + x * 7')))
        for n in range(arrays):
            self.say('s%d[ly][lx] = %s;' % (n, r.choice(['a', 'b', '0', self.value('lx')])))
        self.say('barrier(CLK_LOCAL_MEM_FENCE);')
        self.steps(w, h, arrays, r.randrange(2, 7), 0)
        store = 'out[y * %d + x%s] = %s;' % (self.sizes[0], self.layers(), self.mixed('a', 'b'))
        self.say(store if r.random() < 0.7 else 'if (x + y != 3) ' + store)

    def place(self, w, h, mine):
        """An element of an array; mine: a permutation, so that no two work-items have the same."""
        r = self.r
        rows = ['ly', 'ly', '%d - ly' % (h - 1), '(ly + %d) %% %d' % (r.randrange(h), h)]
        columns = ['lx', 'lx', 'lx', '%d - lx' % (w - 1), '(lx + %d) %% %d' % (r.randrange(w), w)]
        if not mine:
            rows += ['%d' % r.randrange(h), 'lx %% %d' % h]
            columns += ['%d' % r.randrange(w), 'ly %% %d' % w, '(uint)x %% %d' % w, '(in[x] & 255) %% %d' % w]
        return '[%s][%s]' % (r.choice(rows), r.choice(columns))

    def test(self):
        return self.r.choice(['lx & 1', 'ly & 1', 'x > y', 'lx == 0', 'in[y] & 1', 'in[x + y] & 1', 'get_group_id(0) == 0', 'in[get_group_id(0)] & 1'])

    def steps(self, w, h, arrays, count, depth):
        r = self.r
        for _ in range(count):
            kind, n, m = r.random(), r.randrange(arrays), r.randrange(arrays)
            if kind < 0.4:
                self.say('%s%s = %s;' % (r.choice(['', '', 'if (%s) ' % self.test()]) + 's%d' % n, self.place(w, h, True),
                                          r.choice(['a', 'b', self.mixed('a', 'b')])))
                self.say('barrier(CLK_LOCAL_MEM_FENCE%s);' % r.choice(['', '', ' | CLK_GLOBAL_MEM_FENCE']))
            elif kind < 0.75:
                self.say('%s%s = %s;' % (r.choice(['', '', 'if (%s) ' % self.test()]), r.choice('ab'),
                                          self.mixed(r.choice('ab'), 's%d%s' % (m, self.place(w, h, False)))))
                self.say('barrier(CLK_LOCAL_MEM_FENCE);' if r.random() < 0.9 or kind < 0.7 else 'mem_fence(CLK_LOCAL_MEM_FENCE); barrier(CLK_LOCAL_MEM_FENCE);')
            elif kind < 0.85 and depth < 2:
                self.say('for (uint n%d = 0; n%d < %s; n%d++) {' % (depth, depth, r.choice(['2', '3', '(in[5] & 3)', '(in[get_group_id(0)] & 3)']), depth))
                self.steps(w, h, arrays, r.randrange(1, 4), depth + 1)
                self.say('}')
            elif kind < 0.92 and depth < 2:
                self.say('if (%s) {' % r.choice(['in[7] & 1', 'in[get_group_id(1)] & 1', 'get_group_id(0) & 1']))
                self.steps(w, h, arrays, r.randrange(1, 4), depth + 1)
                self.say('}')
            else:
                self.say('a = %s;' % self.mixed('a', 'b'))

    # ---- rows of a work-item's own
    def own(self):
        r = self.r
        self.t = t = r.choice(['uint', 'int', 'float', 'uchar', 'ushort', 'ulong', 'short', 'long'])
        items, n = r.choice([16, 33, 48, 64, 100]), r.choice([4, 8, 9, 16, 20, 32])
        self.group, self.sizes = r.choice([[], [16], [8], [4]]), [items]
        if self.group:
            self.sizes = [-(-items // self.group[0]) * self.group[0]]
        items = self.sizes[0]
        self.unit = self.bytes()[0]
        self.count, self.content = items * (2 * n + 2), None
        self.numbers, self.known = [n], ['n']
        self.say('%s x = get_global_id(0);' % self.id)
        self.say('global const uint *data = in + x * 20;')
        place, is_private = r.choice(['row[%s]', 'row[%s]', 'row[(%%s) * %d]' % items]), r.random() < 0.3
        at = lambda j: place % j
        if is_private:
            place = 'row[%s]'
            self.say('%s row[%d];' % (t, 2 * n))
        else:
            self.say('global %s *row = out + x%s;' % (t, ' * %d' % (2 * n) if place == 'row[%s]' else ''))
        first = 'in[(x * 31 + j * 17) & 4095]'
        self.say('for (%s j = 0; j < %d; j++) %s = (%s)(%s);' % (self.id, 2 * n, at('j'), t, first if t != 'float' else first + ' & 255'))
        self.say('%s best = 0, second = 0, last = 0;' % self.id)
        self.say('%s v = 0;' % t)
        for _ in range(r.randrange(2, 5)):
            self.own_step(at, n)
        self.say('out[%d + x] = %s;' % (2 * n * items, at('best')))
        self.say('out[%d + x] = v %s (%s)(best + second * 3);' % ((2 * n + 1) * items, self.plus(), t))
        if is_private:
            self.say('for (int j = 0; j < %d; j++) out[x * %d + j] = row[j];' % (2 * n, 2 * n))

    def plus(self):
        return '+' if self.is_whole() or self.t == 'float' else '^'

    def own_index(self, n):
        """A place in a row of 2 * n."""
        r = self.r
        forms = ['j', 'j', 'best', 'best', 'second', 'last', '(j + %d) %% %d' % (r.randrange(n), n), '(best + j) %% %d' % n,
                 '(j * 3 + x) %% %d' % n, '%d - j' % (n - 1), '(uint)(best + j) / 2', '(uint)(second + j) >> 1', '(uint)j / 2', '(uint)j >> 1',
                 'best + j', 'second + j', '2 * j', '2 * best', 'j + 1', 'best + 1', 'n - j']
        if n & (n - 1) == 0:
            forms += ['(j + %d) & %d' % (r.randrange(n), n - 1), '(best + j) & %d' % (n - 1), '(best ^ j) & %d' % (n - 1)]
        return r.choice(forms)

    def own_step(self, at, n):
        r, t, i = self.r, self.t, self.id
        place = lambda: at(self.own_index(n))
        loop = 'for (%s j = %s; j < %s; j++)' % (i, r.choice(['0', '1']), r.choice(['n', 'n', str(n)]))
        kind = r.randrange(9)
        if kind <= 3:
            self.say('%s {' % loop)
            for _ in range(r.randrange(1, 3)):
                self.choose(at, n)
            if r.random() < 0.2:
                self.say('    v %s= %s;' % (self.plus(), place()))
            if r.random() < 0.2:
                self.say('    %s = %s;' % (place(), place()))
        elif kind == 4:
            self.say('for (%s i = 0; i + 1 < n; i++) for (%s j = 0; j + 1 < n - i; j++) if (%s > %s) {' % (i, i, at('j'), at('j + 1')))
            self.say('    %s t = %s; %s = %s; %s = t;' % (t, at('j'), at('j'), at('j + 1'), at('j + 1')))
        elif kind == 5:
            self.say('for (%s i = 0; i + 1 < n; i++) {' % i)
            self.say('    best = i;')
            self.say('    for (%s j = i + 1; j < n; j++) if (%s < %s) best = j;' % (i, at('j'), at('best')))
            self.say('    %s t = %s; %s = %s; %s = t;' % (t, at('i'), at('i'), at('best'), at('best')))
        elif kind == 6:
            self.say('for (int i = 1; i < (int)n; i++) {')
            self.say('    %s t = %s; int j = i;' % (t, at('i')))
            self.say('    while (j > 0 && %s > t) { %s = %s; j--; }' % (at('j - 1'), at('j'), at('j - 1')))
            self.say('    %s = t;' % at('j'))
        elif kind == 7:
            self.say('%s {' % loop)
            self.say('    %s %s %s;' % (at('(uint)%s %% %d' % (place(), n)), r.choice(['+=', '=', '-=']) if self.is_whole() else '=',
                                       r.choice(['1', place()])))
        else:
            self.say('%s {' % loop)
            self.say('    v = %s;' % ('v * 3 + %s' if self.is_whole() else 'max(v, %s)') % place())
            self.say('    %s = v;' % place())
        self.say('}')

    def choose(self, at, n):
        """Of two places, one may be where the other one was in a round before."""
        r, p = self.r, self.r.choice(['best', 'second', 'last'])
        if r.random() < 0.5:
            at = lambda j: 'data[%s]' % j
        a, b = r.choice([('%s', 'j'), ('%s', 'j'), ('%s + j', '2 * j'), ('%s + 1', 'j + 1'), ('n - %s', 'n - j'), ('2 * %s', '2 * j'), (self.own_index(n), self.own_index(n)), (self.own_index(n), 'j')])
        a = a.replace('%s', p)
        test = '%s %s %s' % (at(a), r.choice(['<', '>', '<=', '>=']), at(b))
        self.say('    ' + r.choice(['if (%s) %s = %s;' % (test, p, r.choice(['j', 'j', 'j', '%d - j' % (n - 1)])),
                                    '%s = %s ? j : %s;' % (p, test, p), 'if (%s) { last = %s; %s = j; }' % (test, p, p)]))

    # ---- exchanged axes
    def axes(self):
        r, t = self.r, self.t
        dims = r.choice([2, 2, 3])
        sides = [r.choice([1, 2, 3, 4, 8, 16, 17, 31, 32, 33, 40, 64]) for _ in range(2)] + [r.choice([1, 2, 5, 8])]
        sides = sides[:dims]
        guard = r.random() < 0.5
        self.sizes = [s + r.randrange(4) if guard else s for s in sides]
        self.group = []
        if r.random() < 0.6:
            self.group = [r.choice([1, 2, 2, 3, 4, 4, 8, 16]) for _ in range(dims)]
            if r.random() < 0.6:
                self.sizes = [-(-s // g) * g for s, g in zip(self.sizes, self.group)]
                guard = True
        self.numbers = (sides + [1])[:3]
        if not guard:
            self.sizes = sides
        if r.random() < 0.15 and guard:
            self.offset = [r.randrange(3) for _ in range(dims)]
        count = 1
        for s in sides:
            count *= s
        self.outcome(count)
        names, extent = list('xyz')[:dims], dict(zip('xyz', ['rows', 'columns', 'inner']))
        for d, name in enumerate(names):
            self.say('%s %s = get_global_id(%d);' % (self.id, name, d))
        order, other = r.sample(names, dims), r.sample(names, dims)
        linear = lambda of: linear_of(of, extent)
        value = self.read(linear(other))
        for _ in range(r.randrange(3)):
            value = '((%s)(%s))' % (t, self.mixed(value, self.read('%s + %s' % (linear(r.sample(names, dims)), r.choice(['1', 'x', '64', 'rows'])))))
        store = 'out[%s] = %s;' % (linear(order), value)
        if guard:
            store = 'if (%s) %s' % (' && '.join('%s < %s' % (n, extent[n]) for n in names), store)
        if r.random() < 0.2 and not self.offset:
            self.say('if (get_local_id(0) > 100) return;')
        self.say(store)

    def make(self):
        kind = 'ulong' if self.id == 'size_t' else self.id
        numbers = ''.join(', %s %s' % (kind, name) for name, _ in zip(self.known, self.numbers))
        return '''// Random kernel %d.
// RUN: HEDDLE_JAM=%d heddle run %%s k %s
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF
%s%skernel void k(global const uint *restrict in, global %s *restrict out%s)
{
%s
}
''' % (self.seed, self.coarsen, self.launch().arguments(), self.maker(), self.attribute, self.t, numbers, '\n'.join(self.lines))


def linear_of(names, extent):
    at = names[0]
    for n in names[1:]:
        at = '(%s) * %s + %s' % (at, extent[n], n)
    return at
