"""Kernels out of Csmith's programs: their global variables become a structure of each work-item's own, which starts from other
values in each; their functions get a pointer to it; their checked arithmetic is written here, as both compilers understand it.

SPDX-License-Identifier: MIT
"""
import random, re, shutil, subprocess, tempfile

from random_flow import SOURCE, PER

OPTIONS = '''--no-volatiles --no-volatile-pointers --no-bitfields --no-packed-struct --no-argc --no-unions --no-inline-function --concise --quiet
--max-array-dim 2 --max-array-len-per-dim 5'''.split()
TYPES = '''typedef char int8_t; typedef short int16_t; typedef int int32_t; typedef long int64_t;
typedef uchar uint8_t; typedef ushort uint16_t; typedef uint uint32_t; typedef ulong uint64_t;
'''
INTEGER = re.compile(r'static (const )?(u?int(?:8|16|32|64)_t) (g_\d+)((?:\[\d+\])*) = ')
SAFE = re.compile(r'\bsafe_(\w+?)_func_(u?int)(8|16|32|64)_t_([su])(?:_([su]))?\b')
OPERATORS = {'add': '+', 'sub': '-', 'mul': '*', 'div': '/', 'mod': '%', 'lshift': '<<', 'rshift': '>>'}


def is_there():
    return shutil.which('csmith') is not None


def safe(name):
    """A function of Csmith's checked arithmetic, without anything that C leaves open. What it returns where Csmith's would find
    an overflow does not matter: both compilers get this."""
    m = SAFE.fullmatch(name)
    what, sign, bits = m[1], m[2], int(m[3])
    t, wide = '%s%d_t' % (sign, bits), 'ulong' if bits == 64 else 'uint'
    if what == 'unary_minus':
        return 'static %s %s(%s a)\n{\n    return (%s)(0 - (%s)a);\n}\n' % (t, name, t, t, wide)
    if what in ('add', 'sub', 'mul'):
        value = '(%s)((%s)a %s (%s)b)' % (t, wide, OPERATORS[what], wide)
    elif what in ('div', 'mod'):
        value = '(b == 0%s) ? a : (%s)(a %s b)' % (' || b == -1' if sign == 'int' else '', t, OPERATORS[what])
    else:
        value = '(%s)(%s %s (b & %d))' % (t, '(%s)a' % wide if what == 'lshift' else 'a', OPERATORS[what], bits - 1)
    right = t if what in ('add', 'sub', 'mul', 'div', 'mod') else 'int' if m[5] == 's' else 'uint'
    return 'static %s %s(%s a, %s b)\n{\n    return %s;\n}\n' % (t, name, t, right, value)


class Csmith:
    """Kernel k<number>, out of the program that Csmith makes of the number."""
    barriers, helpers, per = False, True, PER

    def __init__(self, number):
        self.number, r = number, random.Random(number)
        self.local = r.choice([5, 16, 17, 32, 48, 64])
        self.total = max(64, self.local) // self.local * self.local
        self.shape = ['--max-funcs', str(r.randrange(2, 6)), '--max-block-depth', str(r.randrange(2, 5)), '--max-block-size', str(r.randrange(2, 5)),
                      '--max-expr-complexity', str(r.randrange(2, 8)), '--max-pointer-depth', str(r.randrange(1, 3))]

    def function(self):
        with tempfile.TemporaryDirectory() as folder:  # it leaves a file where it runs
            text = subprocess.run(['csmith', '--seed', str(self.number)] + OPTIONS + self.shape, cwd=folder,
                                  stdout=subprocess.PIPE, text=True, check=True).stdout
        text = re.sub(r'^(//|#include|static long __undefined).*\n', '', text, flags=re.M)
        text = text[:text.index('int main (void)')]
        text = re.sub(r'\b((?:0x)?[0-9A-Fa-f]+)(U?)LL\b', r'\1\2L', text)
        text = re.sub(r'\b(S\d+|func_\d+|lbl_\d+)\b', lambda m: 'k%d_%s' % (self.number, m[1]), text)
        globals_, rest = self.split(text)
        rest = re.sub(r'\bg_(\d+)\b', r'(G->g_\1)', rest)
        rest = re.sub(r'\b(static [^;={]*?\bk\d+_func_\d+)\((void|)', lambda m: '%s(struct k%d_G *G%s' % (m[1], self.number, '' if m[2] else ', '), rest)
        rest = re.sub(r'(?<!\w)(k\d+_func_\d+)\((?!struct k\d+_G)(\)?)', lambda m: '%s(G%s' % (m[1], ')' if m[2] else ', '), rest)
        rest = re.sub(r'\bgoto (\w+);', r'{ TICK; goto \1; }', rest)
        rest = re.sub(r'^(\s*)(for \(.*\))\n\s*\{ ?', r'\1\2\n\1{ TICK;', rest, flags=re.M)
        names = sorted({m[0] for m in SAFE.finditer(rest)})
        functions = ''.join('#ifndef HAS_%s\n#define HAS_%s\n%s#endif\n' % (n, n, safe(n)) for n in names)
        types = '#if defined(__OPENCL_VERSION__) && !defined(CSMITH_TYPES)\n#define CSMITH_TYPES\n%s#endif\n' % TYPES
        is_struct = re.search(r'^static [^(]*\bk\d+_S\d+\s+k\d+_func_1\(', rest, flags=re.M)
        return types + functions + rest.replace('@GLOBALS@', self.structure(globals_)) + self.kernel(globals_, is_struct)

    def split(self, text):
        """[(type and stars, name, dimensions, initial value)] of the variables, and the rest with a mark in their place."""
        found = []
        def take(m):
            declaration, value = m[1].rsplit(' = ', 1) if m[1].count(' = ') == 1 else m[1].split(' = ', 1)
            name = re.search(r'\bg_\d+', declaration)[0]
            before, after = declaration.split(name, 1)
            found.append((before, name, after, value))
            return '@GLOBALS@' if len(found) == 1 else ''
        rest = re.sub(r'^static ([^;(]*\bg_\d+(?:\[\d+\])* = .*);$', take, text, flags=re.M)
        if not found:
            rest = rest.replace('\nstatic ', '\n@GLOBALS@\nstatic ', 1)
        return found, rest

    def structure(self, globals_):
        members = ''.join('    %s%s%s;\n' % (before, name, after) for before, name, after, _ in globals_)
        return 'struct k%d_G {\n%s    uint used;\n};\n' % (self.number, members)

    def kernel(self, globals_, is_struct):
        """The variables start from other values in each work-item, and all of them are summed up at the end."""
        start = ''.join('        %s,\n' % re.sub(r'&(g_\d+)', r'&own.\1', value) for _, _, _, value in globals_)
        change, add = [], []
        for k, (before, name, after, _) in enumerate(globals_):
            m = re.fullmatch(r'(const )?(u?int(?:8|16|32|64)_t) ', before)
            if not m:
                continue
            dims = [int(d) for d in re.findall(r'\[(\d+)\]', after)]
            loops = ''.join('for (uint x%d = 0; x%d < %d; x%d++) ' % (d, d, n, d) for d, n in enumerate(dims))
            element = 'own.' + name + ''.join('[x%d]' % d for d in range(len(dims)))
            if not m[1] and k % 3 != 2:
                change.append('    %sif ((seed >> %d) & 1) %s ^= (%s)(seed >> %d);\n' % (loops, k % 30, element, m[2], (5 * k) % 24))
            add.append('    %ssum = sum * 31 + (ulong)%s;\n' % (loops, element))
        return ('kernel void k%d(global const uint *in, global uint *out)\n{\n    uint i = get_global_id(0), seed = in[i & %d] & in[(i + 77) & %d];\n'
                '    struct k%d_G own = {\n%s        0\n    };\n%s    ulong sum = %sk%d_func_1(&own)%s;\n%s    out[%d * i] = (uint)sum;\n'
                '    out[%d * i + 1] = (uint)(sum >> 32);\n}\n' % (self.number, SOURCE - 1, SOURCE - 1, self.number, start, ''.join(change),
                                                                  '(' if is_struct else '(ulong)', self.number, ', 0)' if is_struct else '', ''.join(add),
                                                                  PER, PER))
