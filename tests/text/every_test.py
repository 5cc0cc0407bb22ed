#!/usr/bin/env python3
"""Every instruction, enumerant, alias and extended instruction of the grammar, as text and as words: every_test.py [--build
FOLDER].

For each, the words are made here, from what <build>/tests/grammar/grammar_dump says of its operands, and so is the
text: the assembler must give these words, the disassembler this text (with the main name where an alias was written).
Instructions come with their required operands only, with each optional one, and with repeated ones twice; enumerants
where an operand takes them, with their parameters. Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import argparse
import pathlib
import re
import struct
import subprocess
import sys

from corpus_test import NO_HEADER, PRESERVE, ROOT, Server

ID, TYPE, RESULT, SCOPE, SEMANTICS, INTEGER, STRING, FLOAT, TYPED, EXT, SPEC, ENUM, MASK, LIT_ID, ID_LIT, ID_ID = range(16)
VERSION = 0x10600
# What every text begins with: types and values that others need.
HEAD = [('%1 = OpTypeInt 32 0', [0x40015, 1, 32, 0]), ('%2 = OpTypeFloat 32', [0x30016, 2, 32]),
        ('%3 = OpConstant %1 7', [0x4002b, 1, 3, 7])]
NEW = 200  # the result id
SPEC_OPS = '''SConvert FConvert SNegate Not IAdd ISub IMul UDiv SDiv UMod SRem SMod ShiftRightLogical
    ShiftRightArithmetic ShiftLeftLogical BitwiseOr BitwiseXor BitwiseAnd VectorShuffle CompositeExtract CompositeInsert
    LogicalOr LogicalAnd LogicalNot LogicalEqual LogicalNotEqual Select IEqual INotEqual ULessThan SLessThan
    UGreaterThan SGreaterThan ULessThanEqual SLessThanEqual UGreaterThanEqual SGreaterThanEqual QuantizeToF16
    ConvertFToS ConvertSToF ConvertFToU ConvertUToF UConvert ConvertPtrToU ConvertUToPtr GenericCastToPtr
    PtrCastToGeneric Bitcast FNegate FAdd FSub FMul FDiv FRem FMod AccessChain InBoundsAccessChain PtrAccessChain
    InBoundsPtrAccessChain CooperativeMatrixLengthKHR'''.split()


class Grammar:
    """What grammar_dump says."""

    def __init__(self, program):
        def ask(names):
            return subprocess.run([program], input='\n'.join(names), capture_output=True, text=True, check=True).stdout

        self.insts, self.kinds, self.sets, self.aliases, self.main = {}, {}, {}, {}, {}
        for line in (ROOT / 'src/grammar/instructions.grammar').read_text().splitlines():
            if match := re.match(r'\s+\d+ (Op\w+).* =(\S+)$', line):
                self.aliases[match.group(1)] = match.group(2).split(',')
        for line in ask([]).splitlines():
            what, rest = line.split(' ', 1)
            operands = [self.operand(o) for o in re.search(r'\[(.*?)\] caps=', rest).group(1).split(';') if o]
            words = rest.split(' ')
            if what == 'inst':
                self.insts[words[0]] = int(words[1]), words[2], operands
            elif what == 'enum':
                kind = words[0].split(':')[1]
                self.kinds.setdefault(kind, []).append((words[2], int(words[3]), operands))
                self.main.setdefault((kind, words[3]), words[2])
            else:
                self.sets.setdefault(words[0], []).append((words[1], int(words[2]), operands))

    @staticmethod
    def operand(text):
        klass, quantifier, kind, *_ = text.split('/')
        return int(klass), int(quantifier), kind

    def simple(self, kind):
        """An enumerant without parameters (or else the first)."""
        all_ = self.kinds[kind]
        return next((e for e in all_ if not e[2]), all_[0])


class Writer:
    """An instruction's text and words, operand by operand."""

    def __init__(self, grammar, want=None):
        self.g, self.want, self.used = grammar, want, False
        self.text, self.words, self.result, self.queue = [], [], None, []

    def id(self, number=3):
        self.text.append(f'%{number}')
        self.words.append(number)

    def put(self, klass, kind=''):
        if klass in (ID, SCOPE, SEMANTICS):
            self.id()
        elif klass == TYPE:
            self.id(1)
        elif klass == RESULT:
            self.result = NEW
            self.words.append(NEW)
        elif klass == INTEGER or klass == TYPED:
            self.text.append('8')
            self.words.append(8)
        elif klass == STRING:
            self.text.append('"a \\"b\\" c"')
            self.words += struct.unpack('<2I', b'a "b" c\0')
        elif klass == FLOAT:
            self.text.append('1.5')
            self.words += struct.unpack('<I', struct.pack('<f', 1.5))
        elif klass in (ENUM, MASK):
            name, value, parameters = self.g.simple(kind)
            if self.want and self.want[0] == kind and not self.used:
                name, value, parameters = self.want[1]
                self.used = True
            self.text.append(name)
            self.words.append(value)
            return parameters
        elif klass in (LIT_ID, ID_LIT, ID_ID):
            for half in {LIT_ID: (INTEGER, ID), ID_LIT: (ID, INTEGER), ID_ID: (ID, ID)}[klass]:
                self.put(half)
        return []

    def operands(self, operands, optional, repeat):
        for klass, quantifier, kind in operands:
            if quantifier == 1 and optional > 0:
                optional -= 1
            elif quantifier == 1:
                break
            for _ in range(repeat if quantifier == 2 else 1):
                self.operands(self.put(klass, kind), optional, repeat)

    def done(self, name, opcode):
        text = ' '.join([name] + self.text)
        return ((f'%{self.result} = ' if self.result else '') + text,
                [opcode | (len(self.words) + 1) << 16] + self.words)


def instructions(g):
    """(label, text, words, text that comes back)"""
    for name, (opcode, klass, operands) in g.insts.items():
        seen = set()
        optional = sum(q == 1 for _, q, _ in operands)
        for count, repeat in [(n, r) for n in range(optional + 1) for r in (0, 1, 2)]:
            w = Writer(g)
            if any(k in (EXT, SPEC) for k, _, _ in operands):
                break
            w.operands(operands, count, repeat)
            text, words = w.done(name, opcode)
            if name == 'OpExtInstImport':
                text, words[2:] = text.split('"')[0] + '"OpenCL.std"', struct.unpack('<3I', b'OpenCL.std\0\0')
                words[0] = 11 | 5 << 16
            if text not in seen and name not in ('OpTypeInt', 'OpTypeFloat'):
                yield name, text, words
            if not seen:
                for alias in g.aliases.get(name, []):
                    yield alias, re.sub(rf'\b{name}\b', alias, text, count=1), words, text
            seen.add(text)


def host_of(g, kind, seen=()):
    """Operands of an instruction that take a kind, with what leads to it: (name, operands) or None."""
    for name, (opcode, klass, operands) in g.insts.items():
        if any(k == kind for _, _, k in operands):
            return name, opcode, operands, None
    for other, values in g.kinds.items():
        for e in values:
            if other not in seen and any(k == kind for _, _, k in e[2]):
                host = host_of(g, other, seen + (kind,))
                if host:
                    return host[0], host[1], host[2], (other, e)
    return None


def enumerants(g):
    for kind, values in g.kinds.items():
        host = host_of(g, kind)
        if host is None:
            continue
        name, opcode, operands, through = host
        for value in values:
            w = Writer(g, (kind, value))
            if through:  # the parameter of another enumerant

                class Through(Writer):
                    def put(self, klass, k=''):
                        if k == through[0] and not self.passed:
                            self.passed = True
                            self.text.append(through[1][0])
                            self.words.append(through[1][1])
                            return through[1][2]
                        return super().put(klass, k)
                w = Through(g, (kind, value))
                w.passed = False
            w.operands(operands, 9, 1)
            if w.used:
                text, words = w.done(name, opcode)
                if (kind, value[0]) == ('FPEncoding', 'BFloat16KHR'):  # which is for 16 bits
                    text, words[2] = text.replace(' 8 ', ' 16 '), 16
                main = g.main[kind, str(value[1])]
                yield f'{kind} {value[0]}', text, words, re.sub(rf'(?<= ){value[0]}(?= |$)', main, text)


def extended(g):
    for name, insts in g.sets.items():
        padded = name.encode() + b'\0' * (4 - len(name) % 4)
        import_ = (f'%9 = OpExtInstImport "{name}"', [11 | (2 + len(padded) // 4) << 16, 9,
                                                     *struct.unpack(f'<{len(padded) // 4}I', padded)])
        for ext, number, operands in insts:
            for optional in {0, sum(q == 1 for _, q, _ in operands)}:
                w = Writer(g)
                w.id(1)
                w.words.append(NEW)
                w.result = NEW
                w.id(9)
                w.text.append(ext)
                w.words.append(number)
                w.operands(operands, optional, 1)
                text, words = w.done('OpExtInst', 12)
                yield f'{name} {ext}', text, words, text, import_


def spec_ops(g):
    for name in SPEC_OPS:
        opcode, _, operands = g.insts['Op' + name]
        w = Writer(g)
        w.id(1)
        w.words.append(NEW)
        w.result = NEW
        w.text.append(name)
        w.words.append(opcode)
        w.operands(operands[2:], 0, 1)
        text, words = w.done('OpSpecConstantOp', 52)
        yield f'OpSpecConstantOp {name}', text, words


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default=str(ROOT / 'build'))
    build = pathlib.Path(parser.parse_args().build)
    g = Grammar(build / 'tests/grammar/grammar_dump')
    server = Server(str(build / 'tests/text/text_serve'))
    passed = failed = 0
    def judge(label, text, words, back=None, import_=None):
        nonlocal passed, failed
        head = HEAD + ([import_] if import_ else [])
        source = '\n'.join([t for t, _ in head] + [text, ''])
        want = [x for _, w in head for x in w] + words
        status, line, column, out = server.ask(b'a', PRESERVE, VERSION, source.encode())
        got = list(struct.unpack(f'<{len(out) // 4}I', out))[5:]
        problem = None
        if status:
            problem = f'rejected at {line}:{column}'
        elif got != want:
            problem = f'gives {got[-len(words):]}, not {words}'
        else:
            status, _, _, shown = server.ask(b'd', NO_HEADER, 0, out)
            again = server.ask(b'a', PRESERVE, VERSION, shown)[3]
            shown = shown.decode().splitlines()[-1]
            if status:
                problem = 'is not disassembled'
            elif again != out:
                problem = f'its text gives other words: {shown}'
            elif shown != (back or text):
                problem = f'comes back as {shown}'
        passed += problem is None
        failed += problem is not None
        if problem:
            print(f'failed: {label}: {text}: {problem}')

    for case in instructions(g):
        judge(*case)
    for case in enumerants(g):
        judge(*case)
    for case in extended(g):
        judge(*case)
    for case in spec_ops(g):
        judge(*case)
    print(f'{passed} passed, {failed} failed, 0 skipped')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
