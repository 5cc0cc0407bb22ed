#!/usr/bin/env python3
"""What other validators are known to miss, each by name: modules that are wrong and right there.

  tests/val/gaps_test.py [--build build]
SPDX-License-Identifier: MIT
"""
import argparse, json, os, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import seeds_test

KERNEL = """OpCapability Kernel
OpCapability Addresses
{caps}OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %f "f"
%void = OpTypeVoid
%bool = OpTypeBool
%char = OpTypeInt 8 0
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%u2 = OpTypeVector %uint 2
%1 = OpConstant %uint 1
%2 = OpConstant %uint 2
%3 = OpConstant %uint 3
%0 = OpConstant %uint 0
%c = OpConstant %char 1
%x = OpConstant %float 1
%n2 = OpConstantNull %u2
%gp = OpTypePointer CrossWorkgroup %uint
%fn = OpTypeFunction %void %gp
%f = OpFunction %void None %fn
%p = OpFunctionParameter %gp
%l = OpLabel
{body}
OpReturn
OpFunctionEnd
"""


def caps(*names, extensions=()):
    return ''.join('OpCapability %s\n' % n for n in names) + ''.join('OpExtension "%s"\n' % e for e in extensions)


def kernel(body, *names, extensions=()):
    return KERNEL.format(caps=caps('Int8', *names, extensions=extensions), body=body)


def seed(lines):
    return seeds_test.module(seeds_test.HEAD, lines)


UNIFORM = ('Groups', 'GroupUniformArithmeticKHR')
UNIFORM_EXT = ('SPV_KHR_uniform_group_instructions',)
ADD = 'capability AtomicFloat%dAddEXT\n%%r = OpAtomicFAddEXT %s %s %%1 %%0 %s'
# gap, environment, extensions, SPIR-V version, wrong module, its rule, right module, and where it differs the right one's extensions
GAPS = [
    ('the per-width capability of float atomics in Kernel modules', 'universal1.6', None, '1.6', seed(ADD % (32, '%double', '%gd', '%d')),
     'atomic.capability', seed(ADD % (64, '%double', '%gd', '%d')), None),
    ('the per-width capability of float minima', 'universal1.6', None, '1.6',
     seed('capability AtomicFloat32MinMaxEXT\n%r = OpAtomicFMinEXT %half %gh %1 %0 %h'), 'atomic.capability',
     seed('capability AtomicFloat16MinMaxEXT\n%r = OpAtomicFMinEXT %half %gh %1 %0 %h'), None),
    ('variable-length arrays: dominance by a save', 'universal1.6', None, '1.6', seed('%r = OpVariableLengthArrayINTEL %fp %n'), 'vla.save',
     seed('%s = OpSaveMemoryINTEL %uf\n%r = OpVariableLengthArrayINTEL %fp %n'), None),
    ('variable-length arrays: types', 'universal1.6', None, '1.6', seed('%s = OpSaveMemoryINTEL %uf\n%r = OpVariableLengthArrayINTEL %gp %n'),
     'vla.storage', seed('%s = OpSaveMemoryINTEL %uf\n%r = OpVariableLengthArrayINTEL %fp %n'), None),
    ('variable-length arrays: Length', 'universal1.6', None, '1.6', seed('%s = OpSaveMemoryINTEL %uf\n%r = OpVariableLengthArrayINTEL %fp %x'),
     'vla.length', seed('%s = OpSaveMemoryINTEL %uf\n%r = OpVariableLengthArrayINTEL %fp %1'), None),
    ('USM storage classes: the conversion to CrossWorkgroup', 'universal1.6', None, '1.6', seed('%r = OpPtrCastToCrossWorkgroupINTEL %gfp %dt'),
     'usm.pointee', seed('%r = OpPtrCastToCrossWorkgroupINTEL %gp %dt'), None),
    ('USM storage classes: the conversion from CrossWorkgroup', 'universal1.6', None, '1.6', seed('%r = OpCrossWorkgroupCastToPtrINTEL %gp %g'),
     'usm.result-storage', seed('%r = OpCrossWorkgroupCastToPtrINTEL %dp %g'), None),
    ("OpUntypedPrefetchKHR's operands", 'universal1.6', None, '1.6', seed('OpUntypedPrefetchKHR %p %l4 %0 %4'), 'untyped.prefetch-range',
     seed('OpUntypedPrefetchKHR %p %l4 %1 %2 %1'), None),
    ('vloadn of untyped pointers is valid', 'universal1.6', None, '1.6', seed('%r = OpExtInst %f4 %std vloadn %l0 %g 4'), 'std.pointee',
     seed('%r = OpExtInst %f4 %std vloadn %l0 %p 4'), None),
    ('vstoren of untyped pointers is valid', 'universal1.6', None, '1.6', seed('%r = OpExtInst %void %std vstoren %x4 %l0 %g'), 'std.pointee',
     seed('%r = OpExtInst %void %std vstoren %x4 %l0 %p'), None),
    ('OpLifetimeStart of untyped pointers', 'universal1.6', None, '1.6', seed('OpLifetimeStart %p 0'), 'control.lifetime-pointer',
     seed('OpLifetimeStart %vu 16\nOpLifetimeStop %vu 16'), None),
    ('generic casts of untyped pointers', 'universal1.6', None, '1.6', seed('%r = OpPtrCastToGeneric %ua %a'), 'memory.cast-operand',
     seed('%r = OpPtrCastToGeneric %ua %w\n%q = OpGenericCastToPtr %uw %r'), None),
    ('types of SPV_KHR_uniform_group_instructions: integers', 'opencl3.0', 'cl_khr_work_group_uniform_arithmetic', '1.2',
     kernel('%r = OpGroupIMulKHR %float %2 Reduce %x', *UNIFORM, extensions=UNIFORM_EXT), 'group.result',
     kernel('%r = OpGroupIMulKHR %uint %2 Reduce %1', *UNIFORM, extensions=UNIFORM_EXT), None),
    ('types of SPV_KHR_uniform_group_instructions: bools', 'opencl3.0', 'cl_khr_work_group_uniform_arithmetic', '1.2',
     kernel('%r = OpGroupLogicalAndKHR %uint %2 Reduce %1', *UNIFORM, extensions=UNIFORM_EXT), 'group.result',
     kernel('%r = OpGroupBitwiseAndKHR %uint %2 Reduce %1', *UNIFORM, extensions=UNIFORM_EXT), None),
    ('OpExtension naming an OpenCL extension', 'opencl3.0', 'cl_khr_fp16', '1.2', kernel('', 'Float16', extensions=('cl_khr_fp16',)),
     'needs.extension-name', kernel('', 'Float16'), None),
    ('SPIR-V above 1.2 in OpenCL environments', 'opencl2.2', None, '1.3', kernel(''), 'needs.module-version', kernel(''), 'opencl3.0'),
    ('a profile per extension', 'opencl3.0', 'none', '1.3', kernel('%b = OpGroupNonUniformElect %bool %3', 'GroupNonUniform'),
     'needs.environment-capability', kernel('%b = OpGroupNonUniformElect %bool %3', 'GroupNonUniform'), '+cl_khr_subgroup_non_uniform_vote'),
    ('scope Subgroup', 'opencl3.0', 'none', '1.2', kernel('OpControlBarrier %3 %3 %0'), 'scope.execution-subgroup',
     kernel('OpControlBarrier %3 %3 %0'), '+cl_khr_subgroups'),
    ('scope Subgroup without extension, sub-groups being optional in 3.0', 'opencl3.0', None, '1.2', kernel('OpControlBarrier %3 %3 %0'),
     'scope.execution-subgroup', kernel('OpControlBarrier %2 %2 %0'), None),
]


def errors(heddle, folder, env, extensions, version, text):
    path = os.path.join(folder, 'gap.spv')
    p = subprocess.run([heddle, 'as', '--target-env', 'spv' + version, '-o', path, '-'], input=text.encode(), capture_output=True)
    if p.returncode:
        return [p.stderr.decode()]
    p = subprocess.run([heddle, 'val', '--json', '--env', env] + (['--ext', extensions] if extensions else []) + [path], capture_output=True)
    return [d['rule'] for d in json.loads(p.stdout) if d['severity'] == 'error']


def main():
    a = argparse.ArgumentParser()
    a.add_argument('--build', default='build')
    a = a.parse_args()
    heddle, failures = os.path.abspath(os.path.join(a.build, 'heddle')), []
    with tempfile.TemporaryDirectory() as folder:
        for gap, env, extensions, version, wrong, rule, right, other in GAPS:
            found = set(errors(heddle, folder, env, extensions, version, wrong))
            if found != {rule}:
                failures.append('%s: %s, not %s' % (gap, sorted(found), rule))
            found = errors(heddle, folder, other if other and other[0] != '+' else env,
                           other[1:] if other and other[0] == '+' else extensions, version, right)
            if found:
                failures.append('%s: right, and yet %s' % (gap, found))
    for failure in failures:
        print('FAILED:', failure)
    print('%d passed, %d failed, 0 skipped' % (2 * len(GAPS) - len(failures), len(failures)))
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
