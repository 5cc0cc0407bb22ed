"""Random kernels in what OpenCL C and clang's C for this machine have in common: values of every type and size of vectors, and the
built-in functions of one correct result, which natives.h has for the machine.

Nothing in them is undefined: sums are unsigned, divisors are no zero, indexes are masked. Statements are those that compilers know by
their form, too: sums that saturate, rotations, counts of bits, remainders of polynomials.
SPDX-License-Identifier: MIT
"""
from random_flow import SOURCE, Flow

HEAD = '''#ifdef __OPENCL_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF
#define AS(t, x) as_##t(x)
#define SHIFT(x, op, y, most) ((x) op (y))
#else
#include "natives.h"
#endif
'''
FLAGS = '-w -ffp-contract=off -Xclang -ffloat16-excess-precision=none -fwrapv -fno-strict-aliasing -fno-builtin -lm'.split()

BITS = {'char': 8, 'uchar': 8, 'short': 16, 'ushort': 16, 'int': 32, 'uint': 32, 'long': 64, 'ulong': 64, 'half': 16, 'float': 32, 'double': 64}
FLOATS = ['half', 'float', 'double']
INTEGERS = [t for t in BITS if t not in FLOATS]
SIZES = [1, 2, 3, 4, 8, 16]
LOADED = ['uchar', 'short', 'uint', 'float', 'ulong']  # those that natives.h loads

# a, b, c: any of the type; p: a constant of it; u: a variable of the unsigned type
ON_INTEGERS = '''add_sat({a}, {b})|sub_sat({a}, {b})|hadd({a}, {b})|rhadd({a}, {b})|min({a}, {b})|max({a}, {b})|mul_hi({a}, {b})|mad_hi({a}, {b}, {c})
mad_sat({a}, {b}, {c})|rotate({a}, {b})|rotate({a}, {p})|clamp({a}, min({v}, {w}), max({v}, {w}))|bitselect({a}, {b}, {c})|popcount({a})|clz({a})
ctz({a})|select({a}, {b}, {c})'''.replace('\n', '|').split('|')
ON_FLOATS = '''fabs({a})|floor({a})|ceil({a})|trunc({a})|rint({a})|round({a})|sqrt({a})|logb({a})|sign({a})|copysign({a}, {known})|fmod({a}, {b})
fdim({a}, {b})|(fmin({a}, {b}) + {zero})|(fmax({a}, {b}) + {zero})|step({a}, {b})|nextafter({a}, {b})|fma({a}, {b}, {c})|-{a}
{a} + {b}|{a} - {b}|{a} * {b}|{a} / {b}|ldexp({a}, {n})|select({a}, {b}, {i})'''.replace('\n', '|').split('|')
TESTS = '''isnan({x})|isinf({x})|isfinite({x})|isnormal({x})|signbit({known})|isequal({x}, {y})|isnotequal({x}, {y})|isgreater({x}, {y})
isgreaterequal({x}, {y})|isless({x}, {y})|islessequal({x}, {y})|islessgreater({x}, {y})|isordered({x}, {y})|isunordered({x}, {y})'''.replace('\n', '|').split('|')

# A, B: unsigned variables of type U with b bits, X, Y: signed ones of type S; W: a wider unsigned type; n: less than b; c: a number.
# Values:
FORMS = '''(U)(A + B) < A ? (U)-1 : (U)(A + B); A > B ? (U)(A - B) : (U)0; (A > B) - (A < B); (X > Y) - (X < Y); A - B + (A < B)
X < (S)-c ? (S)-c : X > (S)c ? (S)c : X; (U)(X < 0 ? -(U)X : (U)X); (U)(A & -(U)A); (U)(A & (U)(A - 1)); ((U)(A & (U)(A - 1))) == 0
(U)((A << n) | (A >> ((b - n) & (b - 1)))); (U)((W)A * B >> half); A != 0 && (U)((U)((W)A * B) / A) != B; (U)((A & B) + ((A ^ B) >> 1))
(U)(((W)A + B + 1) >> 1); (X > 0) - (X < 0); (U)-(A != 0); X >> (b - 1) | 1; A / (U)c; A % (U)c; X / (S)c; X % (S)c; (S)(X | 1) / (S)-c
(A >> n) & 1 ? A : B; (A & ((U)1 << n)) == 0; A >= 97 && A <= 122; (U)((A | 32) - 97) < 26; A == 1 || A == 5 || A == 9 || A == 33
(U)((W)A << (n & 7) >> 3); (U)(A ^ (A >> 1)); (X ^ Y) < 0; (U)(ulong)(S)A; A < (U)c == X < Y; ((W)A * (W)B) % (W)c; min(max(X, (S)-c), (S)c)
(S)(uchar)A; (U)((char)X >> 1); (U)(A >> n << n); (U)((U)(A << n) >> n); (S)((S)(A << n) >> n); (U)(((W)A << half) | B) >> n
abs(X) < c ? X : Y; popcount(A) & 1; (U)(clz(A) ^ (b - 1)); (A & 1) * B'''.replace('\n', '; ').split('; ')
# And loops over x, of unsigned type U, with a count n:
LOOPS = '''while (x) { n += x & 1; x >>= 1; }
while (x) { x &= (U)(x - 1); n++; }
if (x) while (!(x & 1)) { x >>= 1; n++; }
while (x >>= 1) n++;
for (int k = 0; k < few; k++) { n = n << 1 | (x >> k & 1); }
for (int k = 0; k < 8; k++) x = x & 1 ? (U)(x >> 1) ^ (U)c : (U)(x >> 1);
for (int k = 0; k < 8; k++) x = x >> (b - 1) ? (U)(x << 1) ^ (U)c : (U)(x << 1);
for (int k = 0; k < 16; k++) more[k] = (uchar)x;
switch (x & 7) { case 0: n = 7; break; case 1: n = c; break; case 2: n = 9; break; case 3: n = 123456; break; case 5: n = 1; break; default: n = i; }
for (int k = 0; k < 16; k++) more[k] = bytes[k];
for (int k = 0; k < 8; k++) more[k] = bytes[15 - k] + more[k + 8];
for (int k = 15; k > 0; k--) more[k] = more[k - 1]; more[0] = (uchar)x;
for (int k = 0; k < 16; k++) n += bytes[k] > more[k] ? bytes[k] : more[k];
for (int k = 0; k < 8; k++) n += (uint)(x >> k & 1) * bytes[k];
for (U k = x & 7; k != 0; k--) n += k * (U)c;'''.split('\n')


def unsigned(base):
    return base if base[0] == 'u' else 'u' + base


def signed(base):
    return base.lstrip('u')


def name(t):
    return t[0] + (str(t[1]) if t[1] > 1 else '')


def whole(t):
    """Integers of a float's size, as comparisons give them."""
    return {16: 'short', 32: 'int', 64: 'long'}[BITS[t[0]]] if t[0] in FLOATS else signed(t[0]), t[1]


class Natives(Flow):
    """Kernel k<number>."""
    barriers = False
    bases = INTEGERS

    def __init__(self, number):
        super().__init__(number)
        self.variables, self.needs = [], []

    # ---- the kernel
    def function(self):
        r = self.r
        self.variables = [(('uint', 1), 'i'), (('uint', 1), 'b'), (('ulong', 1), 'a'), (('int', 4), 'w'), (('uchar', 16), 'z')]
        for base in self.bases:
            if base in FLOATS:
                self.fresh((base, 1), self.special(base))
        for _ in range(r.randrange(5, 14)):
            self.statement()
        self.per = len(self.variables) + 1
        ends = [self.folded(t, v) for t, v in self.variables] + [
            'h = 0; for (int n = 0; n < 8; n++) h = h * 31 + mem[n];\n    for (int n = 0; n < 4; n++)\n        '
            'h = h * 31 + st[n].a + st[n].b * 3 + (ulong)st[n].v.s0 + 5 * (ulong)st[n].v.s2 + st[n].l;']
        stores = '\n'.join('    %s\n    out[%d * i + %d] = (uint)(h ^ h >> 32);' % (end, self.per, k) for k, end in enumerate(ends))
        return '%sstruct st%d { uchar a; bool b; int3 v; ulong l; };\n%s' % (''.join(self.needs), self.number, self.kernel(stores))

    def kernel(self, stores):
        word = 'in[(i + %%d) & %d]' % (SOURCE - 1)
        return '''kernel void k%d(global const uint *in, global uint *out)
{
    uint i = get_global_id(0), b = %s;
    ulong a = (ulong)%s * 0x9e3779b97f4a7c15ul, h;
    int4 w = {(int)%s, (int)%s, (int)i, 7};
    uchar16 z = {(uchar)i, (uchar)b, 3, 4, 5, (uchar)%s, 7, 8, 9, (uchar)a, 11, 12, 13, 14, (uchar)%s, 16};
    ulong mem[8] = {1, i, b, a, 5, 6, 7, 8};
    uchar bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, more[16] = {9, 8, 7};
    struct st%d st[4] = {{1, 1, {1, 2, 3}, 4}, {(uchar)i, 0, {4, (int)i, 6}, b}, {3, 1, {7, 8, (int)b}, i}, {4, 0, {10, 11, 12}, a}};
%s
%s
}
''' % (self.number, word % 0, word % 1, word % 2, word % 3, word % 4, word % 5, self.number, '\n'.join(self.lines), stores)

    def folded(self, t, v):
        """All components of a variable in `h`; NaNs are alike."""
        bits = whole(t)
        if t[0] in FLOATS:
            v = 'AS(%s, %s)' % (name(bits), self.known(t, v))
        if t[1] == 1:
            return 'h = (ulong)%s;' % v
        return '{ %s end = %s; h = 0; %s }' % (name(bits if t[0] in FLOATS else t), v,
                                              ' '.join('h = h * 31 + (ulong)end.s%x;' % c for c in range(t[1])))

    # ---- values
    def type(self):
        return self.r.choice(self.bases), self.r.choice([1, 1] + SIZES)

    def known(self, t, v):
        """A variable with 0 in place of NaNs, whose bits OpenCL C leaves open."""
        return '(%s != %s ? %s : %s)' % (v, v, self.splat(t, 0), v)

    @staticmethod
    def splat(t, number):
        return '((%s)(%s)%s)' % (name(t), t[0], number)

    def special(self, base):
        bits = {'half': 'half', 'float': 'float', 'double': 'double'}[base]
        numbers = ['0.0', '-0.0', '1.0', '-1.5', '0.1', '3.0', '1e30', '-7e-30', '65504.0', '6e-8', '2147483648.0', '1e-41', '-255.5', '0.5']
        return self.r.choice(['(%s)%s' % (bits, self.r.choice(numbers)), '(%s)(1.0f / 0.0f)' % bits, '(%s)%s' % (bits, self.scalar())])

    def literal(self, t):
        r, bits = self.r, BITS[t[0]]
        if t[0] in FLOATS:
            e = self.special(t[0])
        else:
            e = '(%s)%dul' % (t[0], r.choice([0, 1, 2, 3, 7, r.randrange(1 << bits), (1 << bits) - 1, 1 << (bits - 1), (1 << (bits - 1)) - 1,
                                              r.randrange(256)]) & ((1 << bits) - 1))
        return '((%s)%s)' % (name(t), e) if t[1] == 1 else '((%s)(%s))' % (name(t), e)

    def scalar(self):
        """An integer variable."""
        return self.r.choice([v for t, v in self.variables if t[1] == 1 and t[0] not in FLOATS])

    def variable(self, t):
        """One of exactly this type, new if there is none."""
        some = [v for of, v in self.variables if of == t]
        return self.r.choice(some) if some else self.local_of(t)

    def local_of(self, t):
        return self.fresh(t, self.leaf(t), False)

    def leaf(self, t):
        some = [v for of, v in self.variables if of == t]
        if some and self.r.random() < 0.8:
            return self.r.choice(some)
        if self.r.random() < 0.75:
            of, v = self.r.choice(self.variables)
            return self.converted(of, v, t)
        return self.literal(t)

    def fresh(self, t, e, is_kept=True):
        v = self.name('x')
        self.say('%s %s = %s;' % (name(t), v, e))
        if is_kept:
            self.variables.append((t, v))
        return v

    # ---- conversions
    def converted(self, of, v, t):
        """A variable as a value of another type."""
        r = self.r
        if of == t:
            return v
        if of[1] == t[1]:
            return self.convert(of, v, t)
        if t[1] == 1:
            e = '%s.s%x' % (v, r.randrange(of[1]))
            if r.random() < 0.3:
                e = '%s[%s & %d]' % (v, self.scalar(), {2: 1, 3: 1, 4: 3, 8: 7, 16: 15}[of[1]])
            return self.convert((of[0], 1), e, t)
        if of[1] == 1:
            return '((%s)%s)' % (name(t), self.convert(of, v, (t[0], 1)))
        return self.convert((of[0], t[1]), self.shuffled(of, v, t[1]), t)

    def shuffled(self, of, v, n):
        """Some n components of a variable."""
        r = self.r
        if n in (2, 4, 8) and n * 2 == of[1] and r.random() < 0.4:
            return '%s.%s' % (v, r.choice(['lo', 'hi', 'even', 'odd']))
        at = [r.randrange(of[1]) for _ in range(n)]
        if r.random() < 0.5:
            return '%s.s%s' % (v, ''.join('%x' % k for k in at))
        if r.random() < 0.3 and n != 3 and of[1] != 3:
            self.need('SHUFFLE(%d, %d, %s, %s)' % (n, of[1], of[0], unsigned(whole(of)[0])))
            return 'shuffle(%s, (%s%d){%s})' % (v, unsigned(whole(of)[0]), n, ', '.join(map(str, at)))
        return '__builtin_shufflevector(%s, %s, %s)' % (v, v, ', '.join(map(str, at)))

    def convert(self, of, e, t):
        """The same number of components of another type: by C's means, or a function of OpenCL C."""
        r, is_float, to_float = self.r, of[0] in FLOATS, t[0] in FLOATS
        if of[0] == t[0]:
            return e
        if is_float and not to_float:
            return self.named(of, e, t, '_sat' + r.choice(['', '_rte', '_rtz', '_rtp', '_rtn']))
        if r.random() < 0.5:
            suffix = r.choice(['', '', '_rte', '_rtz', '_rtp', '_rtn']) if to_float else r.choice(['', '_sat'])
            return self.named(of, e, t, suffix)
        return '((%s)%s)' % (t[0], e) if t[1] == 1 else '__builtin_convertvector(%s, %s)' % (e, name(t))

    def named(self, of, e, t, suffix):
        """A function for the machine is made with its vectors."""
        f = 'convert_%s%s' % (name(t), suffix)
        n = '%d, ' % t[1] if t[1] > 1 else ''
        way = 'N' if t[1] > 1 else '1'
        if t[0] not in FLOATS and of[0] not in FLOATS and not suffix:
            self.need('WRAP_%s(%s, %s%s, %s)' % (way, f, n, t[0], of[0]))
        else:
            mode = suffix[-1] if suffix[-3:-1] == 'rt' else 'e' if t[0] in FLOATS else 'z'
            self.need("CONVERT_%s(%s, %s%s, %s, '%s')" % (way, f, n, t[0], of[0], mode))
        return '%s(%s)' % (f, e)

    def need(self, macro):
        guard = 'HAS_' + ''.join(c if c.isalnum() else '_' for c in macro)
        text = '#if !defined(__OPENCL_VERSION__) && !defined(%s)\n#define %s\n%s\n#endif\n' % (guard, guard, macro)
        if text not in self.needs:
            self.needs.append(text)

    # ---- expressions
    def cast(self, t, e):
        """Bits of an integer as another of its size."""
        return '((%s)%s)' % (t[0], e) if t[1] == 1 else 'AS(%s, %s)' % (name(t), e)

    def expr(self, t, depth):
        if depth <= 0 or self.r.random() < 0.1:
            return self.leaf(t)
        return '(%s)' % (self.of_floats(t, depth) if t[0] in FLOATS else self.of_integers(t, depth))

    def fill(self, form, t, depth):
        known = self.known(t, self.variable(t)) if '{known}' in form else ''
        return form.format(a=self.expr(t, depth - 1), b=self.expr(t, depth - 1) if '{b}' in form else '', c=self.leaf(t), p=self.literal(t),
                           v=self.variable(t) if '{v}' in form else '', w=self.variable(t) if '{w}' in form else '', zero=self.splat(t, 0), known=known,
                           x=self.leaf(t), y=self.leaf(t), n=self.small(t[1]), i=self.leaf(whole(t)))

    def small(self, n):
        t = ('int', n)
        return '(%s & %s) - %s' % (self.leaf(t), self.splat(t, 127), self.splat(t, 60))

    def of_floats(self, t, depth):
        r, x = self.r, self.r.random()
        if x < 0.6:
            return self.fill(r.choice(ON_FLOATS), t, depth)
        if x < 0.75:
            other = self.type()
            return self.converted(other, self.fresh(other, self.expr(other, depth - 1), False), t)
        if x < 0.85:
            bits = whole(t)
            quiet = {16: 0x200, 32: 0x400000, 64: 1 << 51}[BITS[t[0]]]  # a signalling NaN may or may not be one to fmin
            return 'AS(%s, (%s)(%s | %s))' % (name(t), name(bits), self.leaf(bits), self.splat(bits, quiet))
        return '%s ? %s : %s' % (self.condition_of(t), self.expr(t, depth - 1), self.leaf(t))

    def condition_of(self, t):
        """What chooses between two of a type."""
        if t[1] == 1:
            return self.condition()
        return '(%s %s %s)' % (self.expr(t, 1), self.r.choice(['<', '>', '==', '!=', '<=', '>=']), self.leaf(t))

    def condition(self):
        r, t = self.r, (self.r.choice(self.bases), 1)
        if r.random() < 0.15:
            v = self.variable((r.choice(['char', 'short', 'int', 'long']), r.choice(SIZES[1:])))
            return '%s(%s)' % (r.choice(['any', 'all']), v)
        return '(%s %s %s)' % (self.expr(t, 1), r.choice(['<', '>', '==', '!=', '<=', '>=']), self.expr(t, 1))

    def of_integers(self, t, depth):
        r = self.r
        ways = [self.arithmetic] * 4 + [self.shift, self.divide, self.choose, self.convertible, self.bits_of, self.not_of] + [self.built_in] * 4
        ways += [self.form] * 4 + [self.reduced] if t[1] == 1 else [self.shuffle2, self.compared]
        if set(FLOATS) & set(self.bases):
            ways += [self.tested] * 3 + [self.float_bits]
        return r.choice(ways)(t, depth)

    def arithmetic(self, t, depth):
        """In an unsigned type, and for single ones of two bytes at most in uint: a product of two ushorts is an int's."""
        u = (unsigned(t[0]), t[1])
        if t[1] == 1 and BITS[t[0]] < 32:
            u = ('uint', 1)
        a, b = (self.expr((unsigned(t[0]), t[1]), depth - 1) for _ in range(2))
        if t[1] == 1:
            a, b = '(%s)%s' % (u[0], a), '(%s)%s' % (u[0], b)
        return self.cast(t, '(%s %s %s)' % (a, self.r.choice('+-*&|^'), b))

    def shift(self, t, depth):
        """By any number; OpenCL C takes it modulo the bits of what is shifted."""
        op = self.r.choice(['<<', '>>'])
        of = (unsigned(t[0]), t[1]) if op == '<<' else t
        a, most = self.expr(of, depth - 1), BITS[t[0]] - 1
        if t[1] == 1 and most < 31:
            a, most = '(%s)%s' % ('uint' if op == '<<' else 'int', a), 31
        return self.cast(t, 'SHIFT(%s, %s, %s, %s)' % (a, op, self.leaf(t), most if t[1] == 1 else self.splat(t, most)))

    def divide(self, t, depth):
        by = self.leaf(t)
        if t[0][0] != 'u':  # the least number by -1 has no result
            by = '(%s & %s)' % (by, self.splat(t, '%dul' % ((1 << (BITS[t[0]] - 1)) - 1)))
        by = '(%s | %s)' % (by, self.splat(t, 1))
        return self.cast(t, '(%s %s %s)' % (self.expr(t, depth - 1), self.r.choice('/%'), by))

    def choose(self, t, depth):
        return self.cast(t, '(%s ? %s : %s)' % (self.condition_of(t), self.expr(t, depth - 1), self.leaf(t)))

    def compared(self, t, depth):
        return self.cast(t, self.condition_of((self.r.choice([t[0], signed(t[0]), unsigned(t[0])]), t[1])))

    def convertible(self, t, depth):
        other = self.type()
        return self.converted(other, self.fresh(other, self.expr(other, depth - 1), False), t)

    def bits_of(self, t, depth):
        """Of a vector with another number of components."""
        size = BITS[t[0]] * t[1]
        some = [(b, n) for b in INTEGERS for n in SIZES if BITS[b] * n == size and 3 not in (n, t[1])]
        return 'AS(%s, %s)' % (name(t), self.leaf(self.r.choice(some))) if some else self.leaf(t)

    def float_bits(self, t, depth):
        some = [b for b in FLOATS if BITS[b] == BITS[t[0]] and b in self.bases]
        if not some:
            return self.leaf(t)
        of = (some[0], t[1])
        return 'AS(%s, %s)' % (name(t), self.known(of, self.variable(of)))

    def tested(self, t, depth):
        """Of floats of the same size, or what a test of single ones gives."""
        of = (self.r.choice([b for b in FLOATS if BITS[b] == BITS[t[0]] or t[1] == 1] or ['float']), t[1])
        return self.cast(t, self.fill(self.r.choice(TESTS), of, 1)) if BITS[of[0]] == BITS[t[0]] or t[1] == 1 else self.leaf(t)

    def not_of(self, t, depth):
        if self.r.random() < 0.5:
            return '(%s)~%s' % (t[0], self.expr(t, depth - 1)) if t[1] == 1 else '~%s' % self.expr(t, depth - 1)
        return self.cast(t, '-%s' % self.expr((unsigned(t[0]), t[1]), depth - 1))

    def built_in(self, t, depth):
        r, s, u = self.r, (signed(t[0]), t[1]), (unsigned(t[0]), t[1])
        x = r.random()
        if x < 0.1:
            of = r.choice([s, u])
            return self.cast(t, r.choice(['abs(%s)' % self.leaf(of), 'abs_diff(%s, %s)' % (self.expr(of, depth - 1), self.leaf(of))]))
        if x < 0.2 and BITS[t[0]] > 8:
            half = {'short': 'char', 'int': 'short', 'long': 'int'}[s[0]]
            high = half if t == s else 'u' + half
            return 'upsample(%s, %s)' % (self.leaf((high, t[1])), self.leaf(('u' + half, t[1])))
        if x < 0.25 and BITS[t[0]] == 32:
            least = ['%s & %s' % (self.leaf(t), self.splat(t, 0x7fff)) for _ in range(3)]
            return r.choice(['mul24(%s, %s)' % tuple(least[:2]), 'mad24(%s, %s, %s)' % tuple(least)])
        if x < 0.3:
            f = r.choice(['fshl', 'fshr'])
            return self.cast(t, '__builtin_elementwise_%s(%s, %s, %s)' % (f, *[self.cast(u, self.leaf(u)) for _ in range(3)]))
        if x < 0.35:
            return '__builtin_elementwise_bitreverse(%s)' % self.cast(t, self.expr(t, depth - 1))
        return self.cast(t, self.fill(r.choice(ON_INTEGERS), t, depth))

    def form(self, t, depth):
        r, base = self.r, unsigned(self.r.choice(INTEGERS))
        bits = BITS[base]
        words = {'A': self.variable((base, 1)), 'B': self.variable((base, 1)), 'X': self.variable((signed(base), 1)), 'Y': self.variable((signed(base), 1)),
                 'U': base, 'S': signed(base), 'W': 'uint' if bits < 32 else 'ulong', 'b': bits, 'half': bits if bits < 64 else 13,
                 'c': r.choice([3, 5, 7, 10, 13, 16, 60, 64, 100, 127]), 'n': '(%s & %d)' % (self.scalar(), bits - 1)}
        return '(%s)(%s)' % (t[0], replaced(r.choice(FORMS), words))

    def reduced(self, t, depth):
        of, f = (t[0], self.r.choice([2, 4, 8, 16])), self.r.choice(['add', 'mul', 'and', 'or', 'xor', 'min', 'max'])
        if f in ('add', 'mul'):
            of = (unsigned(t[0]), of[1])
        return '(%s)__builtin_reduce_%s(%s)' % (t[0], f, self.expr(of, depth - 1))

    def shuffle2(self, t, depth):
        a, b, n = self.expr(t, depth - 1), self.leaf(t), t[1]
        if n == 3 or self.r.random() < 0.5:
            return '__builtin_shufflevector(%s, %s, %s)' % (a, b, ', '.join(str(self.r.randrange(2 * n)) for _ in range(n)))
        mask = (unsigned(t[0]), n)
        self.need('SHUFFLE2(%d, %d, %s, %s)' % (n, n, t[0], mask[0]))
        return 'shuffle2(%s, %s, %s)' % (a, b, self.leaf(mask))

    # ---- statements
    def statement(self):
        r, x = self.r, self.r.random()
        if x < 0.35:
            t = self.type()
            self.fresh(t, self.expr(t, r.randrange(1, 4)))
        elif x < 0.55:
            t, v = r.choice(self.variables)
            self.say('%s = %s;' % (v, self.expr(t, r.randrange(1, 4)))) if v != 'i' else None
        elif x < 0.59:
            self.known_loop()
        elif x < 0.63:
            self.component()
        elif x < 0.84 and self.depth < 3:
            r.choice([self.counted, self.branch, self.switch])()
        else:
            r.choice([self.memory, self.loaded, self.structure, self.copied])()

    def inner(self, count):
        known = len(self.variables)
        self.depth += 1
        for _ in range(count):
            self.statement()
        self.depth -= 1
        del self.variables[known:]

    def counted(self):
        n = self.name('n')
        self.say('for (int %s = 0; %s < %d; %s++) {' % (n, n, self.r.randrange(1, 20), n))
        self.inner(self.r.randrange(1, 3))
        self.say('}')

    def branch(self):
        self.say('if (%s) {' % self.condition())
        self.inner(self.r.randrange(1, 3))
        self.say('}')

    def switch(self):
        r, t = self.r, (self.r.choice(INTEGERS), 1)
        e = self.expr(t, 2)
        self.say('switch ((%s)(%s)) {' % (t[0], '%s %% 5' % e if r.random() < 0.7 else e))
        for v in r.sample(range(0 if t[0][0] == 'u' else -4, 5), 3):
            self.say('case %d: {' % v)
            self.inner(1)
            self.say('}' + ' break;' * (r.random() < 0.7))
        self.say('}')

    def known_loop(self):
        r, base = self.r, unsigned(self.r.choice(INTEGERS))
        x, n, bits = self.fresh((base, 1), self.expr((base, 1), 1)), self.fresh(('uint', 1), '0'), BITS[base]
        self.say(replaced(r.choice(LOOPS), {'x': x, 'n': n, 'U': base, 'b': bits, 'few': min(bits, 32), 'c': '%dul' % (r.randrange(1 << bits) | 1)}))
        self.say('%s += more[%s & 15] + more[3];' % (n, x))

    def component(self):
        some = [(t, v) for t, v in self.variables if t[1] in (2, 4, 8, 16)]
        if some:
            t, v = self.r.choice(some)
            self.say('%s[%s & %d] = %s;' % (v, self.scalar(), t[1] - 1, self.expr((t[0], 1), 1)))

    def memory(self):
        self.say('mem[%s & 7] %s %s;' % (self.scalar(), self.r.choice(['=', '+=', '^=']), self.expr(('ulong', 1), 1)))

    def loaded(self):
        """Vectors that are aligned as their components."""
        r, base, n = self.r, self.r.choice([b for b in LOADED if b in self.bases]), self.r.choice(SIZES[1:])
        if n * BITS[base] > 256:
            n = 4 if BITS[base] < 64 else 2
        some = self.name('some')
        self.say('{ %s %s[24] = {%s, %s, 3};' % (base, some, self.leaf((base, 1)), self.leaf((base, 1))))
        self.say('vstore%d(%s, %d, %s + %d);' % (n, self.leaf((base, n)), r.randrange(16 // n if n < 16 else 1), some, r.randrange(8 if n < 16 else 7)))
        loaded = 'vload%d(0, %s + (%s & 7)).s%x' % (n, some, self.scalar(), r.randrange(n))
        self.say('mem[%s & 7] += %s; }' % (self.scalar(), self.convert((base, 1), loaded, ('ulong', 1))))

    def structure(self):
        self.say('{ struct st%d q = st[%s & 3]; q.a += (uchar)%s; q.v ^= %s; q.b = !q.b; st[(%s + 1) & 3] = q; }' % (
            self.number, self.scalar(), self.scalar(), self.expr(('int', 3), 1), self.scalar()))

    def copied(self):
        r = self.r
        self.say('bytes[%s & 15] = (uchar)%s;' % (self.scalar(), self.expr(('uchar', 1), 1)))
        self.say('__builtin_memcpy(more + %d, bytes + %d, %d); mem[2] += more[3] + more[9] * 256;' % (
            r.randrange(7), r.randrange(8), r.choice([1, 2, 3, 4, 5, 7, 8])))


class Reals(Natives):
    """With floats among them."""
    bases = INTEGERS + FLOATS * 3


def replaced(form, words):
    """A form with its letters replaced."""
    out, word = [], ''
    for c in form + '\0':
        if c.isalnum() or c == '_':
            word += c
            continue
        out.append(str(words.get(word, word)))
        word = ''
        out.append(c)
    return ''.join(out)[:-1]


KINDS = {'natives': Natives, 'reals': Reals}
