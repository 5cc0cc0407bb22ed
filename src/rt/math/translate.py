#!/usr/bin/env python3
"""Translate the kernels of rt/math from C into the operations that codegen/ puts into kernels.

    translate.py PREPROCESSED inline.def math.def > gen/mathcode.h

A kernel is a function marked HD_KERNEL: declarations, assignments, expressions, a return; no
branches or loops, calls only of other kernels and of what BUILTINS names. So the same text is the C
library's vector code, which the tests compare with MPFR, and the code inside compiled kernels.
Tables are arrays of sixteen, looked up by an index's last four bits.
Operations have the meaning that C gives them without contraction; `?:`, && and || evaluate both
sides, which no operation here minds.

SPDX-License-Identifier: MIT
"""
import re
import struct
import sys

# C type: operation type, is signed, rank of the usual conversions.
TYPES = {'_Bool': ('B', False, 0), 'int': ('I32', True, 1), 'int32_t': ('I32', True, 1),
         'unsigned': ('I32', False, 2), 'uint32_t': ('I32', False, 2), 'int64_t': ('I64', True, 3),
         'uint64_t': ('I64', False, 4), 'float': ('F32', True, 5), 'double': ('F64', True, 6)}
BITS = {'B': 1, 'I32': 32, 'I64': 64, 'F32': 32, 'F64': 64}
NAMES = {'int32_t': 'int', 'uint32_t': 'unsigned'}
# Function of C: operation, operand types, result type.
BUILTINS = {}
for _suffix, _type in (('', 'double'), ('f', 'float')):
    for _name, _op in (('fabs', 'FABS'), ('sqrt', 'SQRT'), ('floor', 'FLOOR'), ('trunc', 'TRUNC'),
                       ('rint', 'RINT')):
        BUILTINS[_name + _suffix] = (_op, [_type], _type)
    BUILTINS['copysign' + _suffix] = ('COPYSIGN', [_type] * 2, _type)
    for _name in ('fma', '__builtin_fma'):
        BUILTINS[_name + _suffix] = ('FMA', [_type] * 3, _type)
    BUILTINS['mad' + _suffix] = ('MAD', [_type] * 3, _type)
    # Without a jump for C compilers to thread, with for this one.
    BUILTINS[('s' if _suffix else 'w') + '_pick'] = ('SELECT', ['_Bool', _type, _type], _type)
    # p 2^n for a whole n, rounded once, as AVX-512 has it.
    BUILTINS[('s' if _suffix else 'w') + '_scale'] = ('SCALE', [_type] * 2, _type)
    # x, or the limit with its sign where x is larger or NaN; x less the nearest whole number, sixteenth.
    BUILTINS[('s' if _suffix else 'w') + '_range'] = ('RANGE', [_type] * 2, _type)
    BUILTINS[('s' if _suffix else 'w') + '_reduce'] = ('REDUCE', [_type], _type)
    BUILTINS[('s' if _suffix else 'w') + '_reduce_16'] = ('REDUCE16', [_type], _type)
BUILTINS.update({'w_scale_whole': ('SCALEF', ['double'] * 2, 'double'),
                 's_guess_rsqrt': ('RSQRTE', ['float'], 'float'),
                 'w_guess_rsqrt': ('RSQRTE', ['double'], 'double'),
                 's_guess_inverse': ('INVERSEE', ['float'], 'float'),
                 'w_guess_inverse': ('INVERSEE', ['double'], 'double'),
                 's_getmant': ('GETMANT', ['float'], 'float'), 'w_getmant': ('GETMANT', ['double'], 'double'),
                 's_getexp': ('GETEXP', ['float'], 'float'), 'w_getexp': ('GETEXP', ['double'], 'double'),
                 'hd_f32_bits': ('CAST', ['float'], 'unsigned'),
                 'hd_f32_from': ('CAST', ['unsigned'], 'float'),
                 'hd_f64_bits': ('CAST', ['double'], 'uint64_t'),
                 'hd_f64_from': ('CAST', ['uint64_t'], 'double')})
OPS = ['ARG', 'CONST', 'FADD', 'FSUB', 'FMUL', 'FDIV', 'FMA', 'MAD', 'FNEG', 'FABS', 'SQRT', 'FLOOR',
       'TRUNC', 'RINT', 'COPYSIGN', 'SCALE', 'SCALEF', 'RSQRTE', 'INVERSEE', 'GETMANT', 'GETEXP', 'RANGE', 'REDUCE', 'REDUCE16', 'FEQ', 'FNE', 'FLT', 'FLE', 'IEQ', 'INE', 'ULT', 'ULE',
       'SLT', 'SLE', 'SELECT', 'ADD', 'SUB', 'MUL', 'AND', 'OR', 'XOR', 'SHL', 'LSHR', 'ASHR', 'CAST',
       'FPEXT', 'FPTRUNC', 'SITOFP', 'UITOFP', 'SEXT', 'ZEXT', 'INARROW', 'LOOKUP', 'NATIVE']
LOOKUPS = {'s_lookup': ('float', 'uint32_t'), 'w_lookup': ('double', 'uint64_t')}
# Kernels of one operand that have another form, NAME_native, for AVX-512: code has the one or the other.
NATIVE = [p + n for p in ('s_', 'w_') for n in ('mant', 'expo', 'root', 'inverse', 'part', 'within_one', 'e_to', 'two_to',
                                                'ten_to')]
MOST_OPS = 512
KINDS, HOW = ['F16', 'F32', 'F64'], ['FULL', 'PLAIN', 'FAST']
TOKEN = re.compile(r'\s+|(0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*(?:[pP][+-]?\d+)?[fFuUlL]*|'
                   r'\d+\.?\d*(?:[eE][+-]?\d+)?[fFuUlL]*|\w+|<<=?|>>=?|<=|>=|==|!=|&&|\|\||[-+*/&|^]=|'
                   r'[-+*/%&|^~!<>=?:;,(){}.\[\]])')


class Wrong(Exception):
    pass


class Value:
    def __init__(self, node, ctype):
        self.node, self.ctype = node, NAMES.get(ctype, ctype)


class Program:
    """One kernel as a list of operations; equal ones are there once."""

    def __init__(self):
        self.ops, self.known = [], {}

    def add(self, op, kind, *args):
        key = (op, kind) + args
        if key not in self.known:
            self.known[key] = len(self.ops)
            self.ops.append(key)
        return self.known[key]

    def const(self, kind, bits):
        return self.add('CONST', kind, bits & ((1 << BITS[kind]) - 1))

    def constant(self, node):
        op = self.ops[node]
        return op[2] if op[0] == 'CONST' else None


def float_bits(kind, x):
    try:
        return struct.unpack('<I' if kind == 'F32' else '<Q',
                             struct.pack('<f' if kind == 'F32' else '<d', x))[0]
    except OverflowError:
        return 0x7f800000 | (0x80000000 if x < 0 else 0)


def float_of(kind, bits):
    return struct.unpack('<f' if kind == 'F32' else '<d', struct.pack('<I' if kind == 'F32' else '<Q', bits))[0]


class Kernels:
    """The functions of a preprocessed file."""

    def __init__(self, text):
        self.functions, self.arrays = {}, {}
        for m in re.finditer(r'static const (float|double) (\w+)\[16\] = \{([^}]*)\};', text):
            kind = TYPES[m.group(1)][0]
            self.arrays[m.group(2)] = [float_bits(kind, float.fromhex(x.strip().rstrip('f')))
                                       for x in m.group(3).split(',') if x.strip()]
        for m in re.finditer(r'HD_KERNEL\s+(\w+)\s+(\w+)\(([^)]*)\)\s*\{', text):
            depth, end = 1, m.end()
            while depth:
                depth += {'{': 1, '}': -1}.get(text[end], 0)
                end += 1
            params = []
            for p in m.group(3).split(','):
                words = re.findall(r'\w+|\*', p)
                params.append((words[0], words[-1], '*' in words))
            tokens = [t for t in TOKEN.findall(text[m.end():end - 1]) if t]
            self.functions[m.group(2)] = (m.group(1), params, tokens)

    def call(self, program, name, args):
        """args: Values, or for pointers the (names, name) that they point to."""
        result, params, tokens = self.functions[name]
        body = Body(self, program, tokens, name)
        for (ctype, pname, is_pointer), a in zip(params, args):
            body.names[pname] = a if is_pointer else body.convert(a, ctype)
            body.pointers |= {pname} if is_pointer else set()
            body.types[pname] = ctype
        return body.convert(body.run(), result)


class Body:
    def __init__(self, kernels, program, tokens, name):
        self.kernels, self.p, self.t, self.at, self.name = kernels, program, tokens, 0, name
        self.names, self.types, self.pointers = {}, {}, set()

    # ---- statements ----
    def peek(self, ahead=0):
        return self.t[self.at + ahead] if self.at + ahead < len(self.t) else ''

    def take(self, want=None):
        token = self.peek()
        if want is not None and token != want:
            raise Wrong('%s: %r where %r is expected, at …%s' % (self.name, token, want, ' '.join(self.t[max(0, self.at - 8):self.at + 4])))
        self.at += 1
        return token

    def run(self):
        while self.at < len(self.t):
            if self.peek() == 'return':
                self.take()
                v = self.expression()
                self.take(';')
                return v
            if self.peek() == 'const':
                self.take()
            if self.peek() in TYPES:
                self.declaration(self.take())
            elif self.peek() == '(' and self.peek(1) == 'void':
                while self.take() != ';':
                    pass
            else:
                self.assignment()
        raise Wrong('%s: no return' % self.name)

    def declaration(self, ctype):
        while True:
            name = self.take()
            self.types[name] = ctype
            self.names[name] = None
            if self.peek() == '=':
                self.take()
                self.names[name] = self.convert(self.expression(), ctype)
            if self.take() == ';':
                return

    def assignment(self):
        through = self.peek() == '*'
        if through:
            self.take()
        name = self.take()
        how = self.take()
        v = self.expression()
        if how != '=':
            v = self.binary(how[:-1], self.names[name], v)
        self.take(';')
        if through:
            names, other = self.names[name]
            names[other] = self.convert(v, self.types[name])
        else:
            self.names[name] = self.convert(v, self.types[name])

    # ---- expressions ----
    LEVELS = [['||'], ['&&'], ['|'], ['^'], ['&'], ['==', '!='], ['<', '>', '<=', '>='], ['<<', '>>'],
              ['+', '-'], ['*', '/']]

    def expression(self):
        c = self.level(0)
        if self.peek() != '?':
            return c
        self.take()
        x = self.expression()
        self.take(':')
        y = self.expression()
        ctype = self.common(x, y)
        x, y = self.convert(x, ctype), self.convert(y, ctype)
        return self.select(self.truth(c), x, y)

    def level(self, n):
        if n == len(self.LEVELS):
            return self.unary()
        x = self.level(n + 1)
        while self.peek() in self.LEVELS[n]:
            op = self.take()
            x = self.binary(op, x, self.level(n + 1))
        return x

    def unary(self):
        t = self.peek()
        if t == '-':
            self.take()
            x = self.unary()
            kind = TYPES[x.ctype][0]
            if kind[0] != 'F':
                return self.binary('-', Value(self.p.const(kind, 0), x.ctype), x)
            c = self.p.constant(x.node)
            if c is not None:
                return Value(self.p.const(kind, c ^ 1 << (BITS[kind] - 1)), x.ctype)
            return Value(self.p.add('FNEG', kind, x.node), x.ctype)
        if t == '+':
            self.take()
            return self.unary()
        if t == '!':
            self.take()
            x = self.truth(self.unary())
            return Value(self.p.add('XOR', 'B', x.node, self.p.const('B', 1)), '_Bool')
        if t == '~':
            self.take()
            x = self.unary()
            return self.binary('^', x, Value(self.p.const(TYPES[x.ctype][0], -1), x.ctype))
        if t == '*':
            self.take()
            names, other = self.names[self.take()]
            return names[other]
        if t == '(' and self.peek(1) in TYPES and self.peek(2) == ')':
            ctype = self.peek(1)
            self.at += 3
            return self.convert(self.unary(), ctype)
        return self.primary()

    def primary(self):
        t = self.take()
        if t == '(':
            v = self.expression()
            self.take(')')
            return v
        if t[0].isdigit():
            return self.number(t)
        if self.peek() == '(':
            return self.call(t)
        v = self.names.get(t)
        if v is None:
            raise Wrong('%s: %s has no value' % (self.name, t))
        return v

    def number(self, t):
        is_hex = t[:2].lower() == '0x'
        if ('p' in t.lower() if is_hex else ('.' in t or 'e' in t)):
            is_float = t[-1] in 'fF'
            t = t.rstrip('fFlL') if not is_hex else t.rstrip('fFlL') if t[-1] in 'fFlL' else t
            x = float.fromhex(t) if is_hex else float(t)
            kind, ctype = ('F32', 'float') if is_float else ('F64', 'double')
            return Value(self.p.const(kind, float_bits(kind, x)), ctype)
        digits = t.rstrip('uUlL')
        x = int(digits, 0)
        is_unsigned = 'u' in t[len(digits):].lower()
        is_long = 'l' in t[len(digits):].lower() or x >= (1 << 32 if is_unsigned or is_hex else 1 << 31)
        if not is_unsigned and is_hex and x >= 1 << (63 if is_long else 31):
            is_unsigned = True
        ctype = ('uint64_t' if is_unsigned else 'int64_t') if is_long else \
            ('unsigned' if is_unsigned else 'int')
        return Value(self.p.const(TYPES[ctype][0], x), ctype)

    def call(self, name):
        self.take('(')
        if name in ('__builtin_inff', '__builtin_inf'):
            self.take(')')
            return Value(self.p.const('F32', 0x7f800000), 'float')
        args = []
        if name in LOOKUPS:
            result, index = LOOKUPS[name]
            array = self.take()
            self.take(',')
            if array not in self.kernels.arrays:
                raise Wrong('%s: %s is no table' % (self.name, array))
            at = self.convert(self.expression(), index)
            self.take(')')
            return Value(self.p.add('LOOKUP', TYPES[result][0], at.node, array), result)
        while self.peek() != ')':
            if args:
                self.take(',')
            if self.peek() == '&':
                self.take()
                args.append((self.names, self.take()))
            elif self.peek() in self.pointers and self.peek(1) in (',', ')'):
                args.append(self.names[self.take()])
            else:
                args.append(self.expression())
        self.take(')')
        if name in BUILTINS:
            op, operands, result = BUILTINS[name]
            nodes = [self.convert(a, t).node for a, t in zip(args, operands)]
            return self.fold(op, result, nodes)
        if name in NATIVE:
            ctype = self.kernels.functions[name][0]
            x = self.convert(args[0], ctype)
            return Value(self.p.add('NATIVE', TYPES[ctype][0], x.node, name, name + '_native'), ctype)
        if name not in self.kernels.functions:
            raise Wrong('%s calls %s, which is no kernel' % (self.name, name))
        return self.kernels.call(self.p, name, args)

    def fold(self, op, ctype, nodes):
        kind = TYPES[ctype][0]
        c = self.p.constant(nodes[0])
        if op == 'CAST' and c is not None:
            return Value(self.p.const(kind, c), ctype)
        return Value(self.p.add(op, kind, *nodes), ctype)

    # ---- meaning ----
    def common(self, x, y):
        best = max((x.ctype, y.ctype), key=lambda t: TYPES[t][2])
        return best if TYPES[best][2] > 0 or x.ctype == y.ctype == '_Bool' else 'int'

    def truth(self, x):
        if x.ctype == '_Bool':
            return x
        kind = TYPES[x.ctype][0]
        zero = self.p.const(kind, 0)
        return Value(self.p.add('FNE' if kind[0] == 'F' else 'INE', 'B', x.node, zero), '_Bool')

    def select(self, c, x, y):
        if x.node == y.node:
            return x
        known = self.p.constant(c.node)
        if known is not None:
            return x if known else y
        return Value(self.p.add('SELECT', TYPES[x.ctype][0], c.node, x.node, y.node), x.ctype)

    def convert(self, x, ctype):
        ctype = NAMES.get(ctype, ctype)
        if x.ctype == ctype:
            return x
        (a, is_signed, _), b = TYPES[x.ctype], TYPES[ctype][0]
        c = self.p.constant(x.node)
        if b == 'B':
            return self.truth(x)
        if a == b:
            return Value(x.node, ctype)
        if a == 'B':
            one = self.p.const(b, float_bits(b, 1.0) if b[0] == 'F' else 1)
            return self.select(x, Value(one, ctype), Value(self.p.const(b, 0), ctype))
        if c is not None and a[0] == 'I':
            c -= (1 << BITS[a]) if is_signed and c >> (BITS[a] - 1) else 0
            return Value(self.p.const(b, float_bits(b, float(c)) if b[0] == 'F' else c), ctype)
        if c is not None and b[0] == 'F':
            return Value(self.p.const(b, float_bits(b, float_of(a, c))), ctype)
        if a[0] == 'F' and b[0] == 'F':
            op = 'FPEXT' if b == 'F64' else 'FPTRUNC'
        elif a[0] == 'I' and b[0] == 'F':
            op = 'SITOFP' if is_signed else 'UITOFP'
        elif a[0] == 'I':
            op = 'INARROW' if BITS[b] < BITS[a] else ('SEXT' if is_signed else 'ZEXT')
        else:
            raise Wrong('%s: a float becomes an integer, which has no meaning for all values' % self.name)
        return Value(self.p.add(op, b, x.node), ctype)

    def binary(self, op, x, y):
        if op in ('&&', '||'):
            x, y, op = self.truth(x), self.truth(y), op[0]
        if op in ('<<', '>>'):
            ctype = x.ctype if TYPES[x.ctype][2] else 'int'
            x, y = self.convert(x, ctype), self.convert(y, ctype)
            if self.p.constant(y.node) is None:
                raise Wrong('%s: a shift by no constant' % self.name)
            name = 'SHL' if op == '<<' else ('ASHR' if TYPES[ctype][1] else 'LSHR')
            c = self.p.constant(x.node)
            if c is not None and name != 'ASHR':
                n = self.p.constant(y.node)
                return Value(self.p.const(TYPES[ctype][0], c << n if op == '<<' else c >> n), ctype)
            return Value(self.p.add(name, TYPES[ctype][0], x.node, y.node), ctype)
        ctype = self.common(x, y)
        if ctype == '_Bool' and op not in ('&', '|', '^'):
            ctype = 'int'
        x, y = self.convert(x, ctype), self.convert(y, ctype)
        kind, is_signed, _ = TYPES[ctype]
        if op in ('==', '!=', '<', '<=', '>', '>='):
            a, b = x.node, y.node
            if op[0] == '>':
                a, b, op = b, a, '<' + op[1:]
            sort = 'F' if kind[0] == 'F' else ('I' if op in ('==', '!=') else ('S' if is_signed else 'U'))
            name = sort + {'==': 'EQ', '!=': 'NE', '<': 'LT', '<=': 'LE'}[op]
            return Value(self.p.add(name, 'B', a, b), '_Bool')
        return self.arithmetic(op, x, y, kind, ctype)

    def arithmetic(self, op, x, y, kind, ctype):
        a, b = self.p.constant(x.node), self.p.constant(y.node)
        if kind[0] == 'F':
            if a is not None and b is not None:
                u, v = float_of(kind, a), float_of(kind, b)
                if op != '/' or v != 0.0:
                    r = {'+': lambda: u + v, '-': lambda: u - v, '*': lambda: u * v, '/': lambda: u / v}[op]()
                    return Value(self.p.const(kind, float_bits(kind, r)), ctype)
            name = {'+': 'FADD', '-': 'FSUB', '*': 'FMUL', '/': 'FDIV'}[op]
        else:
            if a is not None and b is not None and op != '/':
                r = {'+': a + b, '-': a - b, '*': a * b, '&': a & b, '|': a | b, '^': a ^ b}[op]
                return Value(self.p.const(kind, r), ctype)
            name = {'+': 'ADD', '-': 'SUB', '*': 'MUL', '&': 'AND', '|': 'OR', '^': 'XOR'}[op]
        return Value(self.p.add(name, kind, x.node, y.node), ctype)


def needed(program, roots):
    keep, todo = set(), list(roots)
    while todo:
        n = todo.pop()
        if n in keep:
            continue
        keep.add(n)
        op = program.ops[n]
        if op[0] not in ('ARG', 'CONST'):
            todo += [n for n in op[2:] if isinstance(n, int)]
    return sorted(keep)


class Tables:
    def __init__(self, kernels):
        self.kernels, self.ops, self.programs, self.pool, self.arrays, self.made = kernels, [], [], {}, {}, {}

    def literal(self, bits):
        return self.pool.setdefault(bits, len(self.pool))

    def add(self, kernel, covered):
        """Returns the program's number."""
        if (kernel, covered) in self.made:
            return self.made[kernel, covered]
        p = Program()
        params = self.kernels.functions[kernel][1]
        args = [Value(p.add('ARG', TYPES[c][0], i), c) for i, (c, _, _) in enumerate(params)]
        result = self.kernels.call(p, kernel, args).node
        good = self.kernels.call(p, covered, args).node if covered else None
        order = needed(p, [result] + ([] if good is None else [good]))
        if len(order) > MOST_OPS:
            raise Wrong('%s has %d operations, more than %d' % (kernel, len(order), MOST_OPS))
        place = {n: i for i, n in enumerate(order)}
        ops = []
        for n in order:
            op, kind, *rest = p.ops[n]
            if op == 'CONST':
                rest = [self.literal(rest[0])]
            elif op != 'ARG':
                rest = [place[r] if isinstance(r, int) else self.named(op, r) for r in rest]
            ops.append((op, kind, (rest + [0, 0, 0])[:3], kernel))
        first = len(self.ops) # programs that it names came before
        self.ops += ops
        self.programs.append((first, len(order), place[result], 0xffff if good is None else place[good], kernel))
        self.made[kernel, covered] = len(self.programs)
        return len(self.programs)

    def named(self, op, name):
        """The number of a table or a program."""
        return self.arrays.setdefault(name, len(self.arrays)) if op == 'LOOKUP' else self.add(name, '')


def main():
    text, rows, maths = (open(f).read() for f in sys.argv[1:4])
    tables = Tables(Kernels(text))
    index = re.findall(r'^MATH\((\w+),', maths, re.M)
    chosen = {}
    for name, kind, how, kernel, covered in re.findall(
            r'^INLINE\((\w+),\s*(\w+),\s*(\w+),\s*(\w*),\s*(\w*)\)', rows, re.M):
        fn = index.index(name)
        if how == 'TABLE':
            chosen.update({(fn, KINDS.index(kind), h): 0 for h in range(len(HOW))})
        else:
            chosen[fn, KINDS.index(kind), HOW.index(how)] = tables.add(kernel, covered)
    for (fn, kind, how), number in list(chosen.items()):
        if kind == 1:
            chosen.setdefault((fn, 0, how), number)
    soft = [tables.add(p + 'fma_soft', '') for p in ('s_', 'w_')]
    print('/* Made by rt/math/translate.py. */')
    print('#define SOFT_FMA_S %d\n#define SOFT_FMA_W %d' % tuple(soft))
    print('#define MATHCODE_MOST %du /* operations of one program */' % MOST_OPS)
    print('enum {%s, HD_MATHOP_COUNT};' % ', '.join('HD_MATHOP_' + o for o in OPS))
    print('static const HdMathOp mathcode_ops[] = {')
    for op, kind, rest, kernel in tables.ops:
        print('{HD_MATHOP_%s, HD_MATHTYPE_%s, {%d, %d, %d}},' % (op, kind, *rest))
    print('};\nstatic const uint64_t mathcode_constants[] = {%s};' %
          ', '.join('0x%xu' % b for b in tables.pool))
    print('static const uint64_t mathcode_tables[][16] = {')
    for name in tables.arrays:
        print('{%s}, /* %s */' % (', '.join('0x%xu' % b for b in tables.kernels.arrays[name]), name))
    print('};')
    print('static const HdMathProgram mathcode_programs[] = {\n{0},')
    for first, count, result, covered, kernel in tables.programs:
        print('{%d, %d, %d, %d}, /* %s */' % (first, count, result, covered, kernel))
    print('};\nstatic const uint16_t mathcode_chosen[%d][3][3] = {' % len(index))
    for (fn, kind, how), number in sorted(chosen.items()):
        print('[%d][%d][%d] = %d,' % (fn, kind, how, number))
    print('};')


try:
    main()
except Wrong as e:
    sys.exit('translate.py: %s' % e)
