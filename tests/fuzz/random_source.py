"""Random kernels in OpenCL C, without anything that is undefined: integers wrap, indexes and shifts are masked, floats are
exact or rounded once.

SPDX-License-Identifier: MIT
"""
import os, random, subprocess

from random_module import Launch

TYPES = {'uchar': 1, 'ushort': 2, 'uint': 4, 'ulong': 8}
SOURCE = 1024
ODD_WIDTHS = 'SPV_ALTERA_arbitrary_precision_integers'


class Source:
    """A kernel `k`. subgroups: with operations of sub-groups, where all of one come. barriers: with barriers. talks: with some
    elsewhere, too, so that results depend on which lanes are together."""

    talks = False
    # What a subclass adds: functions, variables of the kernel, and what of them is in the result.
    functions, more_variables, more_sums = '', '', ''

    def __init__(self, seed):
        self.seed, self.r = seed, random.Random(seed)
        r = self.r
        self.subgroups, self.barriers = seed % 4 == 1, seed % 3 == 0
        self.local = r.choice([16, 24, 32, 7])
        self.groups = r.randrange(1, 4)
        self.lines, self.depth, self.loops, self.names, self.budget = [], 1, 0, 0, 30
        self.variables, self.made = [], None

    def compiled(self, level, folder, engine):
        """The module that clang-22 makes of it, without the passes that its back end gets wrong (src/clc/clc.c); None where
        its back end cannot select an instruction of it, or where its passes make
        integers of odd widths (168850773 at -O2: i3), which it gives 8 bits that carry unless it may say so."""
        path = os.path.join(folder, 'random_%d_%d' % (self.seed, os.getpid()))
        with open(path + '.cl', 'w') as out:
            out.write(self.text())
        try:
            p = subprocess.run([os.environ.get('HEDDLE_CLANG', 'clang-22'), '-target', 'spirv64', '-cl-std=CL3.0', level,
                                '-ffp-contract=off', '-w', '-mllvm', '--disable-lsr', '-mllvm', '-indvars-widen-indvars=false',
                                '-mllvm', '--spirv-ext=+' + ODD_WIDTHS,
                                '-Xclang', '-finclude-default-header',
                                '-fno-crash-diagnostics', '-c', path + '.cl', '-o', path + '.spv'],
                               stderr=subprocess.PIPE, text=True, errors='replace', timeout=120)
            if p.returncode != 0 and 'PLEASE submit a bug report' in p.stderr:
                return None
            if p.returncode != 0:
                raise RuntimeError('seed %d at %s: %s' % (self.seed, level, p.stderr[:2000]))
            with open(path + '.spv', 'rb') as f:
                words = f.read()
            return None if ODD_WIDTHS.encode() in words else words
        finally:
            for name in (path + '.cl', path + '.spv'):
                if os.path.exists(name):
                    os.remove(name)

    def launch(self):
        n = self.local * self.groups
        return Launch([n], [self.local], [(4, SOURCE, self.seed), (8, n, None), (4, 4, None)])

    def say(self, text):
        self.lines.append('    ' * self.depth + text)

    def name(self, start):
        self.names += 1
        return '%s%d' % (start, self.names)

    # ---- expressions
    def leaf(self, t):
        r, kind = self.r, self.r.random()
        if kind < 0.2:
            return '(%s)%s' % (t, r.choice(['0', '1', '3', '7', '255', '65521', '0x80000000u', '%du' % r.randrange(1 << 32)]))
        if kind < 0.3:
            return '(%s)i' % t
        if kind < 0.4:
            return '(%s)in[%s]' % (t, self.index())
        if kind < 0.5:
            return '(%s)own[%s]' % (t, r.choice(['%d' % r.randrange(8), '%s & 7' % self.variable()]))
        if kind < 0.55:
            return '(%s)pair.%s' % (t, r.choice(['a', 'b', 'c[%s & 3]' % self.variable()]))
        if kind < 0.6:
            return '(%s)v.%s' % (t, r.choice('xyzw'))
        return '(%s)%s' % (t, self.variable())

    def index(self):
        r = self.r
        return r.choice(['i', 'i + %d' % r.randrange(500), '3 * i + %d' % r.randrange(100), '%s & 1023' % self.variable(),
                         '(uchar)(i + %d)' % r.randrange(256), '(uint)(%s %% 900) + (uint)i' % self.variable()])

    def variable(self):
        return self.r.choice(self.variables)[1]

    def expr(self, t, depth=2):
        r = self.r
        if depth == 0 or r.random() < 0.2:
            return self.leaf(t)
        kind, bits = r.random(), TYPES[t] * 8
        a, b = self.expr(t, depth - 1), self.expr(t, depth - 1)
        if kind < 0.5:
            return '(%s)(%s %s %s)' % (t, a, r.choice(['+', '-', '*', '&', '|', '^'] if t != 'ushort' else ['+', '-', '&', '|', '^']), b)
        if kind < 0.6:
            return '(%s)(%s %s (%s & %d))' % (t, a, r.choice(['<<', '>>'] if bits >= 32 else ['>>']), b, bits - 1)
        if kind < 0.7:
            return '(%s)(%s %s (%s | 1))' % (t, a, r.choice(['/', '%']), b)
        if kind < 0.8:
            return '(%s)(%s ? %s : %s)' % (t, self.condition(), a, b)
        if kind < 0.9:
            return '%s(%s, %s)' % (r.choice(['min', 'max', 'add_sat', 'sub_sat', 'hadd', 'mul_hi', 'rotate', 'abs_diff']), a, b)
        if kind < 0.95 and bits >= 32:
            other = r.choice(['int', 'long', 'short', 'char'])
            return '(%s)(%s)%s' % (t, other, a)
        return '(%s)%s(%s)' % (t, r.choice(['clz', 'popcount', '~']), a)

    def condition(self):
        r, t = self.r, self.r.choice(list(TYPES))
        if r.random() < 0.3:
            return '(%s & %d) == %d' % (self.variable(), r.choice([1, 3]), r.randrange(2))
        if r.random() < 0.2:
            return r.choice(['f %s g', 'f %s 100.0f', 'h %s w', 'h %s (half)0.5f', 'e %s (double)f', 'hv.y %s hv.z']) % r.choice(
                ['<', '>=', '!='])
        return '%s %s %s' % (self.expr(t, 1), r.choice(['<', '>', '==', '!=', '<=']), self.expr(t, 1))

    # ---- statements
    def block(self, count):
        known = len(self.variables)
        self.depth += 1
        for _ in range(count):
            self.statement()
        self.depth -= 1
        del self.variables[known:]

    def statement(self):
        r, kind = self.r, self.r.random()
        self.budget -= 1
        deep = self.depth < 4 and self.budget > 0
        if kind < 0.14 and deep:
            self.say('if (%s) {' % self.condition())
            self.block(r.randrange(1, 4))
            if r.random() < 0.5:
                self.say('} else {')
                self.block(r.randrange(1, 4))
            self.say('}')
        elif kind < 0.24 and deep and self.loops < 2:
            self.loop()
        elif kind < 0.3 and deep:
            self.switch()
        elif kind < 0.34 and self.loops:
            self.say('if (%s) %s;' % (self.condition(), r.choice(['break', 'continue'])))
        elif kind < 0.42:
            self.say('own[%s & 7] %s %s;' % (self.variable(), r.choice(['=', '+=', '^=']), self.expr('uint')))
        elif kind < 0.46:
            self.say('%s %s %s;' % (r.choice(['pair.a', 'pair.b', 'pair.c[%s & 3]' % self.variable(), 'other.a', 'other.c[1]']),
                                    r.choice(['=', '+=']), self.expr('uint')))
        elif kind < 0.49:
            self.say(r.choice(['pair = other;', 'other = pair;', 'v = v.wzyx;', 'v.xy += v.zw;', 'v = v * 3u + own[2];',
                               'v ^= (uint4)(%s);' % self.expr('uint', 1),
                               '{ struct both *p = %s ? &pair : &other; p->c[2] += %s; }' % (self.condition(), self.variable()),
                               '{ uint x = own[1], y = own[%s & 7]; own[%s & 7] = x; own[1] = y; }' % (
                                   self.variable(), self.variable())]))
        elif kind < 0.51:
            self.say(r.choice(['h = h * (half)0.5f + (half)(%s & 255);' % self.variable(), 'w = h - w;', 'h = sqrt(fabs(w));',
                               'w = (half)%s;' % self.variable(), 'w = fma(h, (half)1.25f, w);', 'hv = hv.yzwx * h;',
                               'hv = fma(hv, hv.wzyx, (half4)(w));', 'h = hv.x + hv.w;', 'hv.s%d = w;' % r.randrange(4),
                               'f = (float)h;', 'h = (half)f;', 'w = (half)e;', 'e = e * 0.5 + (double)(%s & 255);' % self.variable(),
                               'e = fma(e, 1.25, (double)h);', 'hv = fmax(hv, (half4)(5, 1, 2, 3));']))
        elif kind < 0.53:
            self.say(r.choice(['bytes = bytes * (uchar)3 + bytes.s76543210;', 'bytes.s%d = (uchar)%s;' % (
                r.randrange(8), self.variable()), 'words = words.yx - (short)%s;' % self.variable(),
                               'words = (short2)(bytes.s1, words.x) << (short)3;', 'bytes.lo = bytes.hi ^ (uchar)%s;' % self.variable(),
                               'v.x += bytes.s5 + (uint)words.y;', 'bytes = min(bytes, bytes.s12345670);']))
        elif kind < 0.57:
            self.say(r.choice(['f = f * 0.5f + (float)(%s & 255);' % self.variable(), 'g = f - g;', 'f = sqrt(fabs(g));',
                               'g = (float)%s;' % self.variable(), 'g = fma(f, 1.25f, g);']))
        elif kind < 0.61:
            self.say('atomic_%s(&total[%d], (uint)%s);' % (*r.choice([('add', 0), ('xor', 1), ('max', 2), ('min', 3)]), self.variable()))
        elif kind < 0.66:
            t, v = r.choice(self.assignable())
            self.say('%s = (%s)help(%s, %s);' % (v, t, self.variable(), r.choice(['own', 'own + 3'])))
        elif kind < 0.78:
            t, v = r.choice(list(TYPES)), self.name('x')
            self.say('%s %s = %s;' % (t, v, self.expr(t)))
            self.variables.append((t, v))
        else:
            t, v = r.choice(self.assignable())
            self.say('%s = %s;' % (v, self.expr(t)))

    def loop(self):
        r, c = self.r, self.name('n')
        count = r.choice(['%s & 7' % self.variable(), '%d' % r.randrange(1, 6), 'i % 5'])
        self.loops += 1
        kind = r.randrange(3)
        if kind == 0:
            self.say('for (uint %s = 0, end = %s; %s < end; %s++) {' % (c, count, c, c))
        elif kind == 1:
            self.say('for (uint %s = (uint)(%s) + 1; %s != 0; %s--) {' % (c, count, c, c))
        else:
            self.say('uint %s = 0;' % c)
            self.say('while (%s++ < 6 && %s) {' % (c, self.condition()))
        self.variables.append(('uint', '(uint)(%s + 0)' % c))  # only to be read
        self.block(r.randrange(1, 4))
        self.variables.pop()
        self.say('}')
        self.loops -= 1

    def switch(self):
        r = self.r
        self.say('switch (%s & 7) {' % self.variable())
        loops, self.loops = self.loops, 0
        for value in r.sample(range(8), r.randrange(1, 5)):
            self.say('case %d: {' % value)
            self.block(r.randrange(1, 3))
            self.say('}')
            if r.random() < 0.7:
                self.say('    break;')
        if r.random() < 0.7:
            self.say('default: {')
            self.block(1)
            self.say('}')
        self.loops = loops
        self.say('}')

    def assignable(self):
        """Counters of loops are not."""
        return [(t, v) for t, v in self.variables if not v.startswith('(')]

    def together(self):
        """What all of a group do, where they all come."""
        r, v = self.r, self.r.choice(self.assignable())[1]
        if self.subgroups and r.random() < 0.5:
            t = r.choice(['uint', 'ulong'])
            self.say('%s ^= sub_group_%s((%s)%s);' % (v, r.choice(['reduce_add', 'scan_inclusive_max', 'scan_exclusive_add',
                                                                   'reduce_min']), t, self.variable()))
        if not self.barriers:
            return
        around = r.random() < 0.6
        if around:
            c = self.name('r')
            self.say('for (uint %s = 0; %s < %s; %s++) {' % (c, c, r.choice(['3', 'in[9] % 4', 'get_group_id(0) + 1']), c))
            self.depth += 1
        guarded = r.random() < 0.4
        if guarded:
            self.say('if (in[get_group_id(0) + %d] & 3) {' % r.randrange(99))
            self.depth += 1
        self.say('barrier(CLK_LOCAL_MEM_FENCE);')
        self.say('shared[l] = (uint)%s;' % self.variable())
        self.say('barrier(CLK_LOCAL_MEM_FENCE);')
        self.say('%s += shared[(l + %d) %% %d];' % (v, r.randrange(self.local), self.local))
        if guarded:
            self.depth -= 1
            self.say('}')
        known = len(self.variables)
        for _ in range(r.randrange(2)):
            self.statement()
        if around:
            self.depth -= 1
            self.say('}')
            del self.variables[known:]

    def text(self):
        if self.made is None:
            self.made = self.make()
        return self.made

    def make(self):
        r = self.r
        self.variables = [('ulong', 'a'), ('uint', 'b'), ('ushort', 'c'), ('uchar', 'd')]
        for _ in range(r.randrange(2, 4)):
            for _ in range(r.randrange(2, 6)):
                self.statement()
            self.together()
        body = '\n'.join(self.lines)
        inline = r.choice(['', '__attribute__((noinline)) '])
        extra = '    local uint shared[%d];\n' % self.local
        sums = ' + '.join('(ulong)%s' % v for _, v in self.assignable()[:8])
        return '''// Random kernel %d.
// RUN: heddle run %%s k %s
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define BITS(as, x, nine) as(isnan(x) ? nine : x)
struct both { uint a; ushort b; uint c[4]; };
%sstatic uint help(uint x, uint *p)
{
    if (x & 1)
        return p[x & 3] + 5;
    for (uint n = 0; n < (x & 7); n++)
        p[1] += p[n & 3] ^ n;
    return x * 3;
}
%skernel void k(global const uint *in, global ulong *out, global uint *total)
{
%s    uint i = get_global_id(0), l = get_local_id(0);
    ulong a = i * 0x9e3779b97f4a7c15ul;
    uint b = in[i];
    ushort c = (ushort)(b >> 7);
    uchar d = (uchar)b;
    uint own[8] = {b, i, 3, 4, 5, 6, 7, 8};
    struct both pair = {1, 2, {3, 4, 5, 6}}, other = {b, 7, {i, 8, 9, 10}};
    uint4 v = (uint4)(b, i, 77, 99);
    float f = (float)(b & 1023), g = 3.0f;
    half h = (half)(b & 1023), w = (half)0.1f;
    half4 hv = (half4)(h, w, 3, 4);
    double e = (double)b;
    uchar8 bytes = as_uchar8(a);
    short2 words = as_short2(b);
%s%s
    for (uint n = 0; n < 8; n++)
        a = a * 31 + own[n];
    for (uint n = 0; n < 4; n++)
        a = a * 31 + pair.c[n] + other.c[n];
    a = a * 31 + pair.a + pair.b + other.a + other.b;
    a = a * 31 + v.x + 3 * v.y + 5 * v.z + 7 * v.w + BITS(as_uint, f, 9.0f) + 11ul * BITS(as_uint, g, 9.0f);
    a = a * 31 + BITS(as_ushort, h, (half)9) + 3ul * BITS(as_ushort, w, (half)9) + BITS(as_ulong, e, 9.0);
    for (uint n = 0; n < 4; n++)
        a = a * 31 + BITS(as_ushort, hv[n], (half)9);
    a = a * 31 + as_ulong(bytes) + as_uint(words);
%s    out[i] = a * 17 + %s;
}
''' % (self.seed, self.launch().arguments(), inline, self.functions, extra, self.more_variables, body, self.more_sums, sums)
