#!/usr/bin/env python3
"""The generated tables against Khronos' grammar: grammar_test.py [--build FOLDER].

Compares what <build>/tests/grammar/grammar_dump says of every
instruction, operand kind, enumerant and extended instruction with the JSON files in HEDDLE_SPIRV_JSON
(shared/spirv beside the repository). What those files leave out of the capabilities that others imply, which the
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
JSON = pathlib.Path(os.environ.get('HEDDLE_SPIRV_JSON', ROOT.parent / 'shared/spirv'))
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
# Not in the JSON: of the extensions' documents in Khronos' registry (QCOM, HUAWEI), and of llvm-spirv's unregistered extensions.
BEYOND = {
    'Op': {'BFloat16MulAddQCOM': 4505, 'FSigmoidINTEL': 6168, 'TypeTokenINTEL': 6113, 'ClampConvertFToFINTEL': 6216,
           'StochasticRoundFToFINTEL': 6217, 'ClampStochasticRoundFToFINTEL': 6218, 'ClampStochasticRoundFToSINTEL': 6219,
           'ClampConvertFToSINTEL': 6424, 'CooperativeMatrixLoadCheckedINTEL': 6193, 'CooperativeMatrixStoreCheckedINTEL': 6194,
           'CooperativeMatrixConstructCheckedINTEL': 6195, 'CooperativeMatrixLoadOffsetINTEL': 6239,
           'CooperativeMatrixStoreOffsetINTEL': 6240, 'SubgroupScaledMatrixMultiplyAccumulateINTEL': 6264,
           'DispatchClusterHUAWEI': 6282, 'JointMatrixGetElementCoordINTEL': 6440, 'CooperativeMatrixApplyFunctionINTEL': 6448,
           'CooperativeMatrixPrefetchINTEL': 6449},
    'ExecutionModel': {'ClusterCullingHUAWEI': 6272},
    'ExecutionMode': {'SubgroupSizeHalfQCOM': 4507, 'SubgroupSizeFullQCOM': 4508, 'NamedSubgroupSizeINTEL': 6446},
    'CooperativeMatrixLayout': {'PackedINTEL': 2},
    'FPEncoding': {'Float4E2M1INTEL': 6214},
    'Decoration': {'HostAccessLegacyINTEL': 6147, 'InitModeLegacyINTEL': 6148, 'ImplementInCSRINTEL': 6149},
    'BuiltIn': {'SubDeviceIDINTEL': 6135, 'GlobalHWThreadIDINTEL': 6136, 'DeviceBarrierValidINTEL': 6186, 'IndexCountHUAWEI': 6274,
                'VertexCountHUAWEI': 6275, 'InstanceCountHUAWEI': 6276, 'FirstIndexHUAWEI': 6277, 'FirstVertexHUAWEI': 6278,
                'VertexOffsetHUAWEI': 6279, 'FirstInstanceHUAWEI': 6280, 'ClusterIdHUAWEI': 6281, 'ClusterShadingRateHUAWEI': 6283},
    'MatrixMultiplyAccumulateOperands': {
        'MatrixAPackedFloat8E4M3INTEL': 0x4000, 'MatrixBPackedFloat8E4M3INTEL': 0x8000, 'MatrixAPackedFloat8E5M2INTEL': 0x10000,
        'MatrixBPackedFloat8E5M2INTEL': 0x20000, 'MatrixAPackedFloat4E2M1INTEL': 0x40000, 'MatrixBPackedFloat4E2M1INTEL': 0x80000,
        'ScaleAFloat8E8M0INTEL': 0x100000, 'ScaleBFloat8E8M0INTEL': 0x200000},
    'Capability': {'BFloat16MulAddQCOM': 4504, 'SubgroupSizeQCOM': 4506, 'TokenTypeINTEL': 6112, 'HWThreadQueryINTEL': 6134,
                   'GlobalVariableDecorationsINTEL': 6146, 'SigmoidINTEL': 6167, 'DeviceBarrierINTEL': 6185,
                   'CooperativeMatrixCheckedInstructionsINTEL': 6192, 'Float4E2M1INTEL': 6212,
                   'Float4E2M1CooperativeMatrixINTEL': 6213, 'FloatConversionsFtoFINTEL': 6215, 'FloatConversionsFtoSINTEL': 6216,
                   'BFloat16ArithmeticINTEL': 6226, 'CooperativeMatrixOffsetInstructionsINTEL': 6238,
                   'AtomicBFloat16AddINTEL': 6255, 'AtomicBFloat16MinMaxINTEL': 6256, 'AtomicInt16CompareExchangeINTEL': 6260,
                   'Int16AtomicsINTEL': 6261, 'AtomicBFloat16LoadStoreINTEL': 6262,
                   'SubgroupScaledMatrixMultiplyAccumulateINTEL': 6263, 'SubpassShadingHUAWEI': 6272,
                   'ClusterCullingShadingHUAWEI': 6273, 'CooperativeMatrixPrefetchINTEL': 6411,
                   'CooperativeMatrixInvocationInstructionsINTEL': 6435, 'JointMatrixWIInstructionsINTEL': 6435,
                   'CooperativeMatrixTF32ComponentTypeINTEL': 6436, 'CooperativeMatrixBFloat16ComponentTypeINTEL': 6437,
                   'SubgroupRequirementsINTEL': 6445},
}
# Extensions that others brought under another name.
SECOND_NAMES = {'SPV_EXT_arithmetic_fence': 'SPV_INTEL_arithmetic_fence', 'SPV_KHR_expect_assume': 'SPV_INTEL_optimization_hints'}
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
        exts = ','.join(x for e_ in e.get('extensions', []) for x in (e_, SECOND_NAMES.get(e_)) if x)
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


def is_beyond(line):
    """Does a line of the dump, or a macro, say what BEYOND says?"""
    what, kind, *rest = line.split()
    if what == 'macro':
        mask = kind == 'SpvMatrixMultiplyAccumulateOperands'
        return BEYOND.get(kind[3:], {}).get(rest[0].removeprefix('Op' if kind == 'SpvOp' else '').removesuffix('Mask' if mask else '')) \
            == int(rest[1])
    if what == 'enum':
        return BEYOND.get(kind[1:], {}).get(rest[1]) == int(rest[2])
    return what in ('inst', 'opname') and BEYOND['Op'].get(kind.removeprefix('Op')) == int(rest[0])


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
    surplus = {x for x in got - expected if x.startswith(known) and not x.startswith(LATER) and not is_beyond(x)}
    beyond = {f'macro Spv{kind} {"Op" * (kind == "Op")}{name}{"Mask" * kind.endswith("Operands")} {value}'
              for kind, rows in BEYOND.items() for name, value in rows.items()}
    missing |= beyond - got
    expected |= beyond
    for x in sorted(missing)[:20]:
        print('failed: missing:', x)
    for x in sorted(surplus)[:20]:
        print('failed: surplus:', x)
    print(f'{len(expected) - len(missing)} passed, {len(missing) + len(surplus)} failed, 0 skipped')
    return 1 if missing or surplus else 0


if __name__ == '__main__':
    sys.exit(main())
