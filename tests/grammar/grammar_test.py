#!/usr/bin/env python3
"""The generated tables against Khronos' grammar: grammar_test.py [--build FOLDER].

Compares what <build>/tests/grammar/grammar_dump says of every
instruction, operand kind, enumerant and extended instruction with the JSON files in HEDDLE_SPIRV_JSON
(/work/shared/spirv). What those files leave out of the capabilities that others imply, which the
extensions' documents say, is expected. Ends with a line of counts; all is skipped where the JSON
files are not there.

SPDX-License-Identifier: MIT
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JSON = pathlib.Path(os.environ.get('HEDDLE_SPIRV_JSON', '/work/shared/spirv'))
SETS = {'opencl.std.100': 'OpenCL.std', 'glsl.std.450': 'GLSL.std.450',
        'opencl.debuginfo.100': 'OpenCL.DebugInfo.100', 'debuginfo': 'DebugInfo',
        'nonsemantic.debugprintf': 'NonSemantic.DebugPrintf',
        'nonsemantic.clspvreflection': 'NonSemantic.ClspvReflection',
        'nonsemantic.shader.debuginfo.100': 'NonSemantic.Shader.DebugInfo.100'}
# Later revisions than the JSON's.
LATER = ('ext NonSemantic.Shader.DebugInfo.100 DebugTypeVectorIdEXT',
         'ext NonSemantic.Shader.DebugInfo.100 DebugTypeCooperativeMatrixKHR',
         # of llvm-spirv's extension SPV_INTEL_function_pointers, which has no document there
         'macro SpvDecoration ArgumentAttributeINTEL ', 'enum :Decoration 0 ArgumentAttributeINTEL ')
# Operands that later revisions add to instructions of the JSON's.
ADDED = {'ext NonSemantic.Shader.DebugInfo.100 DebugTypeBasic ': ('//Flags]', '//Flags;0/1//FPEncoding]')}
CLASSES = {'IdRef': 0, 'IdResultType': 1, 'IdResult': 2, 'IdScope': 3, 'IdMemorySemantics': 4,
           'LiteralInteger': 5, 'LiteralString': 6, 'LiteralFloat': 7,
           'LiteralContextDependentNumber': 8, 'LiteralExtInstInteger': 9,
           'LiteralSpecConstantOpInteger': 10, 'PairLiteralIntegerIdRef': 13,
           'PairIdRefLiteralInteger': 14, 'PairIdRefIdRef': 15}
LEFT_OUT = {'USMStorageClassesALTERA': ['Kernel'], 'GroupUniformArithmeticKHR': ['Groups'],
            'ArbitraryPrecisionIntegersALTERA': ['Int8', 'Int16'], 'BlockingPipesALTERA': ['Pipes'],
            'FPGAInvocationPipeliningAttributesALTERA': ['Kernel'],
            'RuntimeAlignedAttributeALTERA': ['Kernel'], 'MaskedGatherScatterINTEL': ['Addresses'],
            'CooperativeMatrixLayoutsARM': ['CooperativeMatrixKHR'],
            'StorageTensorArrayDynamicIndexingARM': ['TensorsARM', 'Shader'],
            'StorageTensorArrayNonUniformIndexingARM': ['TensorsARM', 'ShaderNonUniform'],
            'FragmentBarycentricKHR': ['Shader'], 'RawAccessChainsNV': ['Shader'],
            'ImageFootprintNV': ['Shader'], 'RayTracingPositionFetchKHR': ['RayTracingKHR'],
            'RayQueryPositionFetchKHR': ['RayQueryKHR']}


def version(text):
    if text == 'None':
        return 0xffffffff
    major, minor = (text or '1.0').split('.')
    return int(major) << 16 | int(minor) << 8


class Expected:
    def __init__(self):
        core = json.load(open(JSON / 'spirv.core.grammar.json'))
        self.lines = set()
        self.masks = {k['kind']: k['category'] == 'BitEnum' for k in core['operand_kinds']
                      if 'enumerants' in k}
        self.caps = {}
        for k in core['operand_kinds']:
            if k['kind'] == 'Capability':
                for e in k['enumerants']:
                    for n in [e['enumerant']] + e.get('aliases', []):
                        self.caps[n] = e['value']
        for i in core['instructions']:
            names = [i['opname']] + i.get('aliases', [])
            klass = 'Excluded' if i['class'] == '@exclude' else re.sub(r'\W', '_', i['class'])
            self.lines.add(f'inst {i["opname"]} {i["opcode"]} {klass} '
                           f'{self.operands(i.get("operands", []), {})} {self.needs(i)}')
            for n in names:
                self.lines.add(f'opname {n} {i["opcode"]}')
                self.lines.add(f'macro SpvOp {n} {i["opcode"]}')
        self.kinds(core['operand_kinds'], '', True)
        for file, name in SETS.items():
            d = json.load(open(JSON / f'extinst.{file}.grammar.json'))
            local = {k['kind']: k['category'] == 'BitEnum' for k in d.get('operand_kinds', [])}
            for i in d['instructions']:
                if 'capability' in i:
                    i['capabilities'] = [i['capability']]
                self.lines.add(f'ext {name} {i["opname"]} {i["opcode"]} '
                               f'{self.operands(i.get("operands", []), local)} {self.needs(i)}')
            self.kinds(d.get('operand_kinds', []), name, False, local)

    def operands(self, ops, local):
        out = []
        for o in ops:
            kind = o['kind']
            mask = local.get(kind, self.masks.get(kind))
            klass = CLASSES[kind] if mask is None else 12 if mask else 11
            name = re.sub(r'\s+', ' ', o.get('name', '').replace('+\n', '')).strip()
            q = {'': 0, '?': 1, '*': 2}[o.get('quantifier', '')]
            out.append(f'{klass}/{q}/{kind if mask is not None else ""}/{name}')
        return '[' + ';'.join(out) + ']'

    def needs(self, e):
        caps = list(e.get('capabilities', []))
        caps += [c for c in LEFT_OUT.get(e.get('enumerant'), []) if c not in caps]
        caps = ','.join(str(self.caps[c]) for c in caps)
        exts = ','.join(e.get('extensions', []))
        last = version(e['lastVersion']) if e.get('lastVersion') else 0xffffffff
        return (f'caps={caps} exts={exts} {version(e.get("version")):#x} {last:#x} '
                f'{int(e.get("provisional", False))}')

    def kinds(self, kinds, owner, core, local={}):
        for k in kinds:
            if 'enumerants' not in k:
                continue
            mask = k['category'] == 'BitEnum'
            for e in k['enumerants']:
                value = e['value'] if isinstance(e['value'], int) else int(e['value'], 0)
                for n in [e['enumerant']] + e.get('aliases', []):
                    self.lines.add(f'enum {"set" if owner else ""}:{k["kind"]} {int(mask)} {n} {value} '
                                   f'{self.operands(e.get("parameters", []), local)} '
                                   f'{self.needs(e)}')
                    if core and not mask:
                        self.lines.add(f'macro Spv{k["kind"]} {n} {value}')
                    elif core and value:
                        self.lines.add(f'macro Spv{k["kind"]} {n}Mask {value}')


def header_macros(text):
    """Enumerators of gen/spirv.h as the compiler has them."""
    out = set()
    for name, body in re.findall(r'typedef enum (Spv\w+) \{(.*?)\}', text, re.S):
        for ident, value in re.findall(r'(Spv\w+) = (\w+)', body):
            short = ident[len(name):]
            if not short.endswith('Shift') and short != 'MaskNone' or name == 'SpvOp':
                out.add(f'macro {name} {"Op" + short if name == "SpvOp" else short} '
                        f'{int(value, 0)}')
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default=str(ROOT / 'build'))
    build = pathlib.Path(parser.parse_args().build)
    if not (JSON / 'spirv.core.grammar.json').exists():
        print('0 passed, 0 failed, 1 skipped')
        return 0
    expected = Expected().lines
    for start, (old, new) in ADDED.items():
        expected = {x.replace(old, new) if x.startswith(start) else x for x in expected}
    names = [line.split()[1] for line in expected if line.startswith('opname ')]
    dump = subprocess.run([build / 'tests/grammar/grammar_dump'], input='\n'.join(names), capture_output=True,
                          text=True)
    if dump.returncode:
        print(f'grammar_dump: {dump.stderr}')
        return 1
    got = set(dump.stdout.splitlines())
    got |= header_macros((build / 'gen' / 'spirv.h').read_text())
    missing = expected - got
    # What is there beyond the JSON: extended sets and kinds of other sources are fine.
    known = tuple(f'ext {s} ' for s in SETS.values()) + ('inst ', 'opname ', 'macro ', 'enum :')
    surplus = {x for x in got - expected if x.startswith(known) and not x.startswith(LATER)}
    for x in sorted(missing)[:20]:
        print('failed: missing:', x)
    for x in sorted(surplus)[:20]:
        print('failed: surplus:', x)
    print(f'{len(expected) - len(missing)} passed, {len(missing) + len(surplus)} failed, 0 skipped')
    return 1 if missing or surplus else 0


if __name__ == '__main__':
    sys.exit(main())
