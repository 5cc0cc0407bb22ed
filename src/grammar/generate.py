#!/usr/bin/env python3
"""Turn the compact grammar beside this file into C: generate.py <dir of .grammar> <outdir>.

Writes spirv.h (Khronos' names for numbers), opix.h (dense opcode index), extinst.h (extended
instructions) and tables.c (what grammar/tables.h declares). How a row reads stands at the head of
each .grammar file.

SPDX-License-Identifier: MIT
"""
import pathlib
import re
import sys

CLASSES = {
    'id': 'HD_OPERAND_ID', 'type': 'HD_OPERAND_TYPE_ID', 'result': 'HD_OPERAND_RESULT',
    'scope': 'HD_OPERAND_SCOPE_ID', 'semantics': 'HD_OPERAND_SEMANTICS_ID',
    'int': 'HD_OPERAND_INTEGER', 'str': 'HD_OPERAND_STRING', 'float': 'HD_OPERAND_FLOAT',
    'typed': 'HD_OPERAND_TYPED_LITERAL', 'extinst': 'HD_OPERAND_EXT_INST',
    'specop': 'HD_OPERAND_SPEC_OP', 'int+id': 'HD_OPERAND_PAIR_LITERAL_ID',
    'id+int': 'HD_OPERAND_PAIR_ID_LITERAL', 'id+id': 'HD_OPERAND_PAIR_ID_ID',
}
# Operands that are one word whatever stands around them.
WORD_CLASSES = {'HD_OPERAND_ID', 'HD_OPERAND_TYPE_ID', 'HD_OPERAND_RESULT', 'HD_OPERAND_SCOPE_ID',
                'HD_OPERAND_SEMANTICS_ID', 'HD_OPERAND_INTEGER'}
QUANTIFIERS = {'': 'HD_ONCE', '?': 'HD_OPTIONAL', '*': 'HD_ANY_NUMBER'}
OPERAND = re.compile(r'([A-Za-z][\w+]*)([?*]?)(?:\(([^)]*)\))?')
TOKEN = re.compile(r'\S+?\([^)]*\)|\S+')


class Row:
    """One instruction or enumerant."""

    def __init__(self, number, name, tokens):
        self.number, self.name = number, name
        self.operands, self.caps, self.exts, self.aliases = [], [], [], []
        self.low, self.high, self.provisional = '0x00010000', 'UINT32_MAX', False
        self.klass = None
        for t in tokens:
            if t[0] == '+':
                self.caps = t[1:].split(',')
            elif t[0] == '@':
                self.exts = t[1:].split(',')
            elif t[0] == '=':
                self.aliases = t[1:].split(',')
            elif t == '!':
                self.provisional = True
            elif re.fullmatch(r'v(-|\d\.\d(-\d\.\d)?)', t):
                self.versions(t[1:])
            else:
                m = OPERAND.fullmatch(t)
                if not m:
                    raise ValueError(f'cannot read "{t}"')
                self.operands.append((m[1], m[2], m[3] or ''))

    def versions(self, text):
        word = lambda v: '0x%08x' % (int(v[0]) << 16 | int(v[2]) << 8)
        if text == '-':
            self.low = 'HD_VERSION_NONE'
            return
        ends = text.split('-')
        self.low = word(ends[0])
        if len(ends) > 1:
            self.high = word(ends[1])


class Kind:
    def __init__(self, name, is_mask, owner):
        self.name, self.is_mask, self.owner, self.rows = name, is_mask, owner, []

    def ident(self):
        return (ident(self.owner.name) + '_' if self.owner else '') + self.name


class Set:
    def __init__(self, name):
        self.name, self.rows = name, []


def ident(name):
    return re.sub(r'\W', '_', name)


class Grammar:
    def __init__(self, folder):
        self.classes, self.insts, self.kinds, self.sets, self.extra = [], [], [], [], []
        for path in sorted(folder.glob('*.grammar')):
            self.read(path)
        self.insts.sort(key=lambda r: r.number)
        self.kinds.sort(key=lambda k: k.owner is not None)
        for k in self.kinds:
            k.rows.sort(key=lambda r: r.number)
        for s in self.sets:
            s.rows.sort(key=lambda r: r.number)
        self.kind_index = {(k.owner, k.name): i for i, k in enumerate(self.kinds)}
        self.cap = {}
        for r in self.kind('Capability').rows:
            for n in [r.name] + r.aliases:
                self.cap[n] = r.number
        exts = set(self.extra)
        for rows in [self.insts] + [k.rows for k in self.kinds] + [s.rows for s in self.sets]:
            for r in rows:
                exts.update(r.exts)
        self.exts = sorted(exts)
        self.ext_index = {e: i for i, e in enumerate(self.exts)}

    def kind(self, name):
        return next(k for k in self.kinds if k.owner is None and k.name == name)

    def read(self, path):
        owner, rows, klass = None, None, None
        for n, line in enumerate(path.read_text().splitlines(), 1):
            words = line.split()
            if not words or line[0] == '#':
                continue
            try:
                if line[0] != ' ':
                    if words[0] == 'class':
                        klass, rows = words[1], self.insts
                        self.classes.append(klass)
                    elif words[0] == 'set':
                        owner, klass = Set(words[1]), None
                        self.sets.append(owner)
                        rows = owner.rows
                    elif words[0] in ('enum', 'mask'):
                        k = Kind(words[1], words[0] == 'mask', owner)
                        self.kinds.append(k)
                        rows, klass = k.rows, None
                    elif words[0] == 'extensions':
                        rows = None
                    else:
                        raise ValueError(f'unknown heading "{words[0]}"')
                elif rows is None:
                    self.extra.append(words[0])
                else:
                    head, _, tail = line.partition(' : ')
                    number, name = head.split()
                    row = Row(int(number, 0), name, TOKEN.findall(tail))
                    row.klass = klass
                    rows.append(row)
            except ValueError as e:
                sys.exit(f'{path}:{n}: {e}')


def spirv_name(kind, name):
    return f'Spv{kind.name}{name}'


def write_spirv(g, out):
    w = ['/* Made by grammar/generate.py: Khronos\' names for the numbers of SPIR-V. */',
         '#ifndef HD_GEN_SPIRV_H', '#define HD_GEN_SPIRV_H', '',
         '#define SpvMagicNumber 0x07230203u', '#define SpvVersion 0x00010600u',
         '#define SpvOpCodeMask 0xffffu', '#define SpvWordCountShift 16u', '',
         'typedef enum SpvOp {']
    for r in g.insts:
        w += [f'    Spv{n} = {r.number},' for n in [r.name] + r.aliases]
    w += ['} SpvOp;']
    for k in g.kinds:
        if k.owner:
            continue
        w += ['', f'typedef enum Spv{k.name} {{']
        for r in k.rows:
            for n in [r.name] + r.aliases:
                if not k.is_mask:
                    w.append(f'    {spirv_name(k, n)} = {r.number},')
                elif r.number:
                    w.append(f'    {spirv_name(k, n)}Shift = {r.number.bit_length() - 1},')
                    w.append(f'    {spirv_name(k, n)}Mask = {r.number:#x},')
        if k.is_mask:
            w.append(f'    Spv{k.name}MaskNone = 0,')
        w.append(f'}} Spv{k.name};')
        if k.is_mask:
            w.append(f'typedef Spv{k.name} Spv{k.name}Mask;')
    w += ['', 'enum HdInstClass {'] + [f'    HD_CLASS_{ident(c)},' for c in g.classes]
    w += ['    HD_CLASS_COUNT', '};', '', 'enum HdExtension {']
    w += [f'    HD_EXT_{e},' for e in g.exts] + ['    HD_EXT_COUNT', '};', '']
    w += ['enum HdExtSet {', '    HD_EXTSET_UNKNOWN,']
    w += [f'    HD_EXTSET_{ident(s.name)},' for s in g.sets] + ['    HD_EXTSET_COUNT', '};', '']
    w += ['enum HdKindIndex {'] + [f'    HD_KIND_{k.ident()},' for k in g.kinds]
    w += ['    HD_KIND_COUNT', '};', '', '#endif', '']
    (out / 'spirv.h').write_text('\n'.join(w))


def write_opix(g, out):
    w = ['/* Made by grammar/generate.py: dense index of opcodes. */', '#ifndef HD_GEN_OPIX_H',
         '#define HD_GEN_OPIX_H', '', 'enum HdOpix {', '    HD_OPIX_NONE,']
    w += [f'    HD_OPIX_{r.name[2:]},' for r in g.insts]
    w += ['    HD_OPIX_COUNT,', '    /* other names */']
    w += [f'    HD_OPIX_{a[2:]} = HD_OPIX_{r.name[2:]},' for r in g.insts for a in r.aliases]
    w += ['};', '', '#endif', '']
    (out / 'opix.h').write_text('\n'.join(w))


def write_extinst(g, out):
    prefixes = {'OpenCL.std': 'OpenCLstd_', 'GLSL.std.450': 'GLSLstd450'}
    w = ['/* Made by grammar/generate.py: numbers of extended instructions. */',
         '#ifndef HD_GEN_EXTINST_H', '#define HD_GEN_EXTINST_H']
    for s in g.sets:
        prefix = prefixes.get(s.name, re.sub(r'\W', '', s.name))
        w += ['', f'enum HdExtInst_{ident(s.name)} {{']
        w += [f'    {prefix}{r.name} = {r.number},' for r in s.rows] + ['};']
        for k in g.kinds:
            if k.owner is s:
                w += ['', f'enum Hd{k.ident()} {{']
                w += [f'    {prefix}{k.name}_{n} = {r.number:#x},'
                      for r in k.rows for n in [r.name] + r.aliases] + ['};']
    w += ['', '#endif', '']
    (out / 'extinst.h').write_text('\n'.join(w))


def fnv(text, seed=0):
    h = 0x811c9dc5 ^ seed
    for b in text.encode():
        h = (h ^ b) * 0x01000193 & 0xffffffff
    return h ^ h >> 15


def mix(value, kind):
    return ((value * 0x9e3779b1 ^ kind * 0x85ebca6b) & 0xffffffff) >> 15


def hashed(name, keys):
    """An open-addressed table of (index + 1) for keys (text, seed)."""
    return slots_of(name, [(i, fnv(text, seed)) for i, (text, seed) in enumerate(keys)])


def slots_of(name, hashes):
    """The same for (index, hash)."""
    room = 1
    while room < len(hashes) * 2:
        room *= 2
    slots = [0] * room
    for i, h in hashes:
        at = h & (room - 1)
        while slots[at]:
            at = (at + 1) & (room - 1)
        slots[at] = i + 1
    return numbers(f'const uint16_t hd_gram_{name}_slots[{room}]', slots) + [
        f'const uint32_t hd_gram_{name}_mask = {room - 1};']


def numbers(head, values):
    w = [head + ' = {']
    for i in range(0, len(values), 16):
        w.append('    ' + ', '.join(map(str, values[i:i + 16])) + ',')
    return w + ['};']


class Pool:
    """Slices of one array, equal ones stored once."""

    def __init__(self, name):
        self.name, self.items, self.at = name, [], {}

    def slice(self, items):
        if not items:
            return 'NULL'
        key = tuple(items)
        if key not in self.at:
            self.at[key] = len(self.items)
            self.items += key
        return f'{self.name} + {self.at[key]}'


class Tables:
    def __init__(self, g):
        self.g = g
        self.operands, self.caps, self.exts = Pool('operands'), Pool('caps'), Pool('exts')

    def operand(self, op, owner):
        word, quantifier, name = op
        klass, kind = CLASSES.get(word), 0
        if klass is None:
            kind = self.g.kind_index.get((owner, word))
            if kind is None:
                kind = self.g.kind_index.get((None, word))
            if kind is None:
                sys.exit(f'no operand kind "{word}"')
            klass = 'HD_OPERAND_MASK' if self.g.kinds[kind].is_mask else 'HD_OPERAND_ENUM'
        return f'{{{klass}, {QUANTIFIERS[quantifier]}, {kind}, "{name}"}}'

    def slice(self, row, owner=None):
        return self.operands.slice([self.operand(o, owner) for o in row.operands])

    def needs(self, r):
        caps = self.caps.slice([str(self.g.cap[c]) for c in r.caps])
        exts = self.exts.slice([str(self.g.ext_index[e]) for e in r.exts])
        return (f'{{{caps}, {exts}, {len(r.caps)}, {len(r.exts)}, '
                f'{"true" if r.provisional else "false"}, {r.low}, {r.high}}}')


def form(row):
    """An HdForm: how far the operands are single words that need no grammar to be told apart."""
    ids, prefix, left = 0, 0, list(row.operands)
    words = [o[0] for o in row.operands]
    while left and left[0][1] == '' and prefix < 30:
        klass = CLASSES.get(left[0][0])
        if klass not in WORD_CLASSES:
            break
        prefix += 1
        if klass != 'HD_OPERAND_INTEGER':
            ids |= 1 << prefix
        left.pop(0)
    if not left:
        tail = 'NONE'
    elif left[0][1] == '':
        tail = 'WALK'
    elif len(left) == 1 and left[0][1] == '*':
        klass = CLASSES.get(left[0][0])
        tail = ('PAIRS' if klass == 'HD_OPERAND_PAIR_ID_ID' else
                'INTEGERS' if klass == 'HD_OPERAND_INTEGER' else
                'IDS' if klass in WORD_CLASSES else 'OPTIONAL')
    else:
        tail = 'OPTIONAL'
    if any(o[1] == '' for o in left):
        tail = 'WALK'
    at = lambda word: words.index(word) + 1 if word in words else 0
    is_type = 'true' if row.name.startswith('OpType') else 'false'
    return (f'    {{{ids}u, {prefix}, HD_TAIL_{tail}, {at("type")}, {at("result")}, '
            f'{is_type}, {len(row.name)}}}, /* {row.name} */')


def write_tables(g, out):
    t, w = Tables(g), []
    insts, ops = ['    {0},'], []
    for i, r in enumerate(g.insts, 1):
        words = [o[0] for o in r.operands]
        flag = lambda word: 'true' if word in words else 'false'
        insts.append(f'    {{"{r.name}", {r.number}, HD_CLASS_{ident(r.klass)}, '
                     f'{len(r.operands)}, {flag("type")}, {flag("result")}, {t.slice(r)}, '
                     f'{t.needs(r)}}},')
        ops += [(n, i) for n in [r.name] + r.aliases]
    enumerants, kinds, keys, values = [], [], [], {}
    for i, k in enumerate(g.kinds):
        first = len(enumerants)
        for r in k.rows:
            values.setdefault((i, r.number), len(enumerants))
            for n in [r.name] + r.aliases:
                enumerants.append(f'    {{"{n}", {r.number}u, {len(r.operands)}, '
                                  f'{t.slice(r, k.owner)}, {t.needs(r)}}},')
                keys.append((n, i))
        mask = 'true' if k.is_mask else 'false'
        kinds.append(f'    {{"{k.name}", {mask}, {len(enumerants) - first}, '
                     f'hd_gram_enumerants + {first}}},')
    ext_insts, sets, ext_keys = [], ['    {"", 0, 0, NULL},'], []
    for i, s in enumerate(g.sets, 1):
        sets.append(f'    {{"{s.name}", {len(s.name)}, {len(s.rows)}, hd_gram_ext_insts + {len(ext_insts)}}},')
        for r in s.rows:
            ext_insts.append(f'    {{"{r.name}", {r.number}, {len(r.operands)}, {t.slice(r, s)}, '
                             f'{t.needs(r)}}},')
            ext_keys.append((r.name, i))
    by_opcode = [0] * (g.insts[-1].number + 1)
    for i, r in enumerate(g.insts, 1):
        by_opcode[r.number] = i

    w += ['/* Made by grammar/generate.py. */', '#include "grammar/tables.h"', '']
    w += ['static const HdOperand operands[] = {'] + [f'    {o},' for o in t.operands.items] + ['};']
    w += numbers('static const uint16_t caps[]', t.caps.items)
    w += numbers('static const uint16_t exts[]', t.exts.items)
    w += ['const HdGramInst hd_gram_insts[HD_OPIX_COUNT] = {'] + insts + ['};']
    w += ['const HdForm hd_gram_forms[HD_OPIX_COUNT] = {', '    {0, 0, HD_TAIL_WALK, 0, 0, false, 0},']
    w += [form(r) for r in g.insts] + ['};']
    w += ['const HdEnumerant hd_gram_enumerants[] = {'] + enumerants + ['};']
    w += ['const HdKind hd_gram_kinds[] = {'] + kinds + ['};']
    w += [f'const size_t hd_gram_kind_count = {len(kinds)};']
    w += numbers('const uint16_t hd_gram_enumerant_kind[]', [k for _, k in keys])
    w += ['const HdExtInst hd_gram_ext_insts[] = {'] + ext_insts + ['};']
    w += ['const HdExtSetTable hd_gram_extsets[] = {'] + sets + ['};']
    w += numbers('const uint16_t hd_gram_ext_inst_set[]', [s for _, s in ext_keys])
    w += ['const char *const hd_gram_extension_names[] = {'] + [f'    "{e}",' for e in g.exts]
    w += ['};', 'const HdGramName hd_gram_op_names[] = {']
    w += [f'    {{"{n}", {i}}},' for n, i in ops] + ['};']
    w += numbers('const uint16_t hd_gram_by_opcode[]', by_opcode)
    w += [f'const uint32_t hd_gram_opcode_end = {len(by_opcode)};']
    w += hashed('op', [(n[2:], 0) for n, _ in ops])
    w += hashed('enumerant', keys)
    w += slots_of('value', [(at, mix(value, kind)) for (kind, value), at in values.items()])
    w += hashed('ext_inst', ext_keys)
    w += hashed('extension', [(e, 0) for e in g.exts])
    (out / 'tables.c').write_text('\n'.join(w) + '\n')


def main():
    if len(sys.argv) != 3:
        sys.exit('usage: generate.py <dir of .grammar> <outdir>')
    out = pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    g = Grammar(pathlib.Path(sys.argv[1]))
    write_spirv(g, out)
    write_opix(g, out)
    write_extinst(g, out)
    write_tables(g, out)


if __name__ == '__main__':
    main()
