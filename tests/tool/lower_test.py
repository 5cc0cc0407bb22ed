#!/usr/bin/env python3
"""heddle lower: what it writes is valid for the target, lacks what was rewritten, and computes the
same: the run tests of the families, before and after, by both engines. [--build FOLDER] [-v]

Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import glob
import os
import re
import shlex
import sys

import harness
import parted

FAMILIES = ('untyped', 'usm', 'dot', 'bit', 'atomic', 'arith', 'annotation', 'memory', 'debug', 'control', 'group',
            'subgroup', 'composite', 'constant')
# A target with the number formats, and none of what is rewritten.
EXTENSIONS = 'cl_khr_fp16,cl_khr_fp64,cl_khr_int64_base_atomics,cl_khr_int64_extended_atomics,' \
             'cl_khr_subgroups,cl_intel_subgroups'
GONE = re.compile(r'Untyped|OpAtomicF(Min|Max|Add)EXT|(DeviceOnly|HostOnly)INTEL|OpExpectKHR|'
                  r'OpAssumeTrueKHR|NoSignedWrap|NoUnsignedWrap|OpBit(Reverse|Field)|Op[SU]+Dot|'
                  r'LinkOnceODR|Weak|weak|RotateKHR|ReplicateEXT|ConstantDataKHR|OpGroupNonUniform|Subgroup[EGL]\w+Mask|OpGroup(IMul|FMul|Bitwise\w+|Logical\w+)KHR')
# Run lines that need something that has no older form.
HARD = re.compile(r'VariableLengthArray|OpUntypedArrayLength|OpUntypedGroupAsyncCopy|a layout that is not|'
                  r'that can be specialised|AbortKHR')


EXPORTED = '''OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability GroupNonUniformArithmetic
OpMemoryModel Physical64 OpenCL
OpDecorate %f LinkageAttributes "f" Export
%u32 = OpTypeInt 32 0
%c3 = OpConstant %u32 3
%fn = OpTypeFunction %u32 %u32
%f = OpFunction %u32 None %fn
%x = OpFunctionParameter %u32
%l = OpLabel
%r = OpGroupNonUniformIAdd %u32 %c3 Reduce %x
OpReturnValue %r
OpFunctionEnd
'''
MASK_CHAIN = '''OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability GroupNonUniformBallot
OpMemoryModel Physical64 OpenCL
OpDecorate %m BuiltIn SubgroupEqMask
OpDecorate %m Constant
OpDecorate %f LinkageAttributes "f" Export
%u32 = OpTypeInt 32 0
%v4 = OpTypeVector %u32 4
%pv = OpTypePointer Input %v4
%pe = OpTypePointer Input %u32
%c0 = OpConstant %u32 0
%fn = OpTypeFunction %u32
%m = OpVariable %pv Input
%f = OpFunction %u32 None %fn
%l = OpLabel
%p = OpInBoundsAccessChain %pe %m %c0
%r = OpLoad %u32 %p Aligned 4
OpReturnValue %r
OpFunctionEnd
'''


# What SPIR-V 1.4 and 1.5 brought to the core: pointers compared and subtracted, copies with memory operands
# for both sides, pointers cast from and to vectors.
NEWER = '''OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability Int16
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpDecorate %in MaxByteOffset 64
OpDecorate %sum NoSignedWrap
%void = OpTypeVoid
%bool = OpTypeBool
%u16 = OpTypeInt 16 0
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%v2 = OpTypeVector %u32 2
%three = OpTypeStruct %u32 %u32 %u32
%p = OpTypePointer CrossWorkgroup %u32
%p3 = OpTypePointer CrossWorkgroup %three
%c0 = OpConstant %u32 0
%c1 = OpConstant %u32 1
%z1 = OpConstant %u64 1
%z2 = OpConstant %u64 2
%z3 = OpConstant %u64 3
%z4 = OpConstant %u64 4
%z5 = OpConstant %u64 5
%z6 = OpConstant %u64 6
%z7 = OpConstant %u64 7
%fn = OpTypeFunction %void %p %p
%k = OpFunction %void None %fn
%in = OpFunctionParameter %p
%out = OpFunctionParameter %p
%l = OpLabel
%a0 = OpBitcast %p3 %in
%a3 = OpPtrAccessChain %p3 %a0 %z3
%d = OpPtrDiff %u64 %a0 %a3
%sum = OpIAdd %u32 %c0 %c0
%d32 = OpUConvert %u32 %d
%e16 = OpPtrDiff %u16 %a3 %a0
%e32 = OpUConvert %u32 %e16
%same = OpPtrEqual %bool %a0 %a3
%other = OpPtrNotEqual %bool %in %out
%s32 = OpSelect %u32 %same %c1 %c0
%o32 = OpSelect %u32 %other %c1 %c0
%o1 = OpPtrAccessChain %p %out %z1
%o2 = OpPtrAccessChain %p %out %z2
%o3 = OpPtrAccessChain %p %out %z3
%o4 = OpPtrAccessChain %p %out %z4
%o5 = OpPtrAccessChain %p %out %z5
%o6 = OpPtrAccessChain %p %out %z6
%o7 = OpPtrAccessChain %p %out %z7
OpStore %out %d32 Aligned 4
OpStore %o1 %e32 Aligned 4
OpStore %o2 %s32 Aligned 4
OpStore %o3 %o32 Aligned 4
OpCopyMemory %o4 %in Aligned 4 Volatile|Aligned 4
OpCopyMemorySized %o5 %in %z4 Aligned|Nontemporal 4 Aligned 4
%bits = OpBitcast %v2 %out
%back = OpBitcast %p %bits
%b6 = OpPtrAccessChain %p %back %z6
OpStore %b6 %e32 Aligned 4
%phalf = OpPtrDiff %u64 %o7 %out
%ph = OpUConvert %u32 %phalf
OpStore %o7 %ph Aligned 4
OpReturn
OpFunctionEnd
'''
NEWER_RUN = ('k', '--global', '1', '--arg', 'u32[16]=' + ','.join(map(str, range(1, 17))), '--arg', 'u32[8]=zeros')
NEWER_RESULT = 'arg 1: u32[8] = 4294967293, 3, 0, 1, 1, 1, 3, 7'


# Pointers to the memory of the device without types, to that of the host with one.
UNTYPED_USM = '''OpCapability Kernel
OpCapability Addresses
OpCapability UntypedPointersKHR
OpCapability USMStorageClassesINTEL
OpExtension "SPV_KHR_untyped_pointers"
OpExtension "SPV_INTEL_usm_storage_classes"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%u = OpTypeInt 32 0
%c3 = OpConstant %u 3
%pd = OpTypeUntypedPointerKHR DeviceOnlyINTEL
%ph = OpTypePointer HostOnlyINTEL %u
%ft = OpTypeFunction %void %pd %ph
%k = OpFunction %void None %ft
%o = OpFunctionParameter %pd
%h = OpFunctionParameter %ph
%l = OpLabel
%x = OpLoad %u %h Aligned 4
%q = OpUntypedPtrAccessChainKHR %pd %u %o %c3
OpStore %q %x Aligned 4
OpStore %o %x Aligned 4
OpReturn
OpFunctionEnd
'''
# A table of addresses.
TABLE = '''OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability ExpectAssumeKHR
OpExtension "SPV_KHR_expect_assume"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k" %t %a
%void = OpTypeVoid
%bool = OpTypeBool
%true = OpConstantTrue %bool
%u = OpTypeInt 32 0
%ul = OpTypeInt 64 0
%c2 = OpConstant %u 2
%c1 = OpConstant %ul 1
%z = OpConstantNull %ul
%v1 = OpConstant %u 10
%v2 = OpConstant %u 20
%arr = OpTypeArray %u %c2
%ini = OpConstantComposite %arr %v1 %v2
%pa = OpTypePointer CrossWorkgroup %arr
%p = OpTypePointer CrossWorkgroup %u
%b = OpVariable %p CrossWorkgroup %v2
%a = OpVariable %pa CrossWorkgroup %ini
%e0 = OpSpecConstantOp %p InBoundsAccessChain %a %z
%e1 = OpSpecConstantOp %p InBoundsAccessChain %a %c1
%tab = OpTypeArray %p %c2
%ptab = OpTypePointer CrossWorkgroup %tab
%it = OpConstantComposite %tab %e0 %e1
%t = OpVariable %ptab CrossWorkgroup %it
%pp = OpTypePointer CrossWorkgroup %p
%ft = OpTypeFunction %void %p
%k = OpFunction %void None %ft
%o = OpFunctionParameter %p
%l = OpLabel
OpAssumeTrueKHR %true
%q = OpInBoundsAccessChain %pp %t %c1
%r = OpLoad %p %q Aligned 8
%x = OpLoad %u %r Aligned 4
OpStore %o %x Aligned 4
OpReturn
OpFunctionEnd
'''
CLUSTER = '''OpCapability Kernel
OpCapability Addresses
OpCapability GroupNonUniformClustered
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformRotateKHR
OpExtension "SPV_KHR_subgroup_rotate"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%u = OpTypeInt 32 0
%c1 = OpConstant %u 1
%c3 = OpConstant %u 3
%size = OpConstant %u {size}
%p = OpTypePointer CrossWorkgroup %u
%ft = OpTypeFunction %void %p
%k = OpFunction %void None %ft
%o = OpFunctionParameter %p
%l = OpLabel
%x = OpLoad %u %o Aligned 4
%r = OpGroupNonUniform{operation} %size
OpStore %o %r Aligned 4
OpReturn
OpFunctionEnd
'''


# What goes, and what stays, has its decorations from groups: masks of sub-groups, hints; a layout.
GROUPED = '''OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability GroupNonUniformBallot
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k" %m %n
OpDecorate %g BuiltIn SubgroupEqMask
OpDecorate %gn BuiltIn SubgroupLtMask
OpDecorate %c Constant
OpDecorate %w NoSignedWrap
OpDecorate %mb MaxByteOffset 64
%g = OpDecorationGroup
%gn = OpDecorationGroup
%c = OpDecorationGroup
%w = OpDecorationGroup
%mb = OpDecorationGroup
OpGroupDecorate %g %m
OpGroupDecorate %gn %n
OpGroupDecorate %c %m %n
OpGroupDecorate %w %s %s2
OpGroupDecorate %mb %out
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%v4 = OpTypeVector %u32 4
%pv = OpTypePointer Input %v4
%p = OpTypePointer CrossWorkgroup %u32
%fn = OpTypeFunction %void %p
%m = OpVariable %pv Input
%n = OpVariable %pv Input
%k = OpFunction %void None %fn
%out = OpFunctionParameter %p
%l = OpLabel
%x = OpLoad %v4 %m Aligned 16
%y = OpLoad %v4 %n Aligned 16
%x0 = OpCompositeExtract %u32 %x 0
%y0 = OpCompositeExtract %u32 %y 0
%s = OpIAdd %u32 %x0 %y0
%s2 = OpIAdd %u32 %s %y0
OpStore %out %s2 Aligned 4
OpReturn
OpFunctionEnd
'''
STRIDE = '''OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability UntypedPointersKHR
OpExtension "SPV_KHR_untyped_pointers"
OpMemoryModel Physical64 OpenCL
OpDecorate %g ArrayStride 4
%g = OpDecorationGroup
OpGroupDecorate %g %arr
%u32 = OpTypeInt 32 0
%c4 = OpConstant %u32 4
%arr = OpTypeArray %u32 %c4
%s = OpTypeStruct %u32 %arr
%p = OpTypeUntypedPointerKHR CrossWorkgroup
%v = OpUntypedVariableKHR %p CrossWorkgroup %s
'''


# Operations of SPIR-V 1.3's sub-groups: operands behind the scope, type of result and operand.
def subgroup_operations():
    yield 'bool', 'Elect', ''
    for vote in ('All', 'Any'):
        yield 'bool', vote, '%odd'
    for kind, value in (('u32', '%x'), ('f32', '%xf'), ('u32', '%c3')):
        yield 'bool', 'AllEqual', value, kind
    for kind, value in (('u8', '%x8'), ('u32', '%x'), ('u64', '%x64'), ('f32', '%xf'), ('v2', '%xv')):
        yield kind, 'Broadcast', f'{value} %c1'
        if kind != 'v2':
            yield kind, 'BroadcastFirst', value
    yield 'v4', 'Ballot', '%odd'
    for bit in ('InverseBallot', ):
        yield 'bool', bit, '%mask'
    yield 'bool', 'BallotBitExtract', '%mask %lane'
    for operation in ('Reduce', 'InclusiveScan', 'ExclusiveScan'):
        yield 'u32', 'BallotBitCount', f'{operation} %mask'
    for find in ('LSB', 'MSB'):
        yield 'u32', 'BallotFind' + find, '%found'
    for kind, value in (('u8', '%x8'), ('u32', '%x'), ('f32', '%xf'), ('u64', '%x64')):
        yield kind, 'Shuffle', f'{value} %turned'
        yield kind, 'ShuffleXor', f'{value} %c1'
    yield 'u32', 'RotateKHR', '%x %c3 %c4'
    ints = ('IAdd', 'IMul', 'SMin', 'UMin', 'SMax', 'UMax', 'BitwiseAnd', 'BitwiseOr', 'BitwiseXor')
    for kind, value, names in (('u8', '%x8', ints), ('u32', '%x', ints), ('u64', '%x64', ints),
                               ('f32', '%xf', ('FAdd', 'FMul', 'FMin', 'FMax')),
                               ('bool', '%odd', ('LogicalAnd', 'LogicalOr', 'LogicalXor'))):
        for name in names:
            for operation in ('Reduce', 'InclusiveScan', 'ExclusiveScan', 'ClusteredReduce'):
                yield kind, name, f'{operation} {value}' + ' %c4' * (operation == 'ClusteredReduce')


def subgroup_module():
    """A kernel that stores the result of each operation as a number, at its number times 1000 plus the global id."""
    head = ['OpCapability Kernel', 'OpCapability Addresses', 'OpCapability Int64', 'OpCapability Int8',
            *('OpCapability GroupNonUniform' + c for c in ('', 'Vote', 'Arithmetic', 'Ballot', 'Shuffle', 'ShuffleRelative',
                                                          'Clustered', 'RotateKHR')), 'OpExtension "SPV_KHR_subgroup_rotate"',
            'OpMemoryModel Physical64 OpenCL', 'OpEntryPoint Kernel %k "k" %gid %sid', 'OpDecorate %gid BuiltIn GlobalInvocationId',
            'OpDecorate %sid BuiltIn SubgroupLocalInvocationId', '%void = OpTypeVoid', '%bool = OpTypeBool', '%u8 = OpTypeInt 8 0',
            '%u32 = OpTypeInt 32 0', '%u64 = OpTypeInt 64 0', '%f32 = OpTypeFloat 32', '%v2 = OpTypeVector %u32 2',
            '%v3 = OpTypeVector %u64 3', '%v4 = OpTypeVector %u32 4', '%pin = OpTypePointer Input %v3', '%pid = OpTypePointer Input %u32',
            '%ptr = OpTypePointer CrossWorkgroup %u32', '%kfn = OpTypeFunction %void %ptr', '%ffn = OpTypeFunction %void %ptr %u64 %u32',
            *(f'%c{n} = OpConstant %u32 {n}' for n in (0, 1, 2, 3, 4, 5, 7, 1000)), 
            '%mask = OpConstantComposite %v4 %c1000 %c7 %c1000 %c5', '%found = OpConstantComposite %v4 %c4 %c0 %c0 %c0',
            '%gid = OpVariable %pin Input', '%sid = OpVariable %pid Input']
    body, k = [], 0
    for k, (kind, name, operands, *of) in enumerate(subgroup_operations()):
        body.append(f'%r{k} = OpGroupNonUniform{name} %{kind} %c3 {operands}')
        if kind == 'bool':
            body.append(f'%n{k} = OpSelect %u32 %r{k} %c1 %c0')
        elif kind in ('u8', 'u64'):
            body.append(f'%n{k} = OpUConvert %u32 %r{k}')
        elif kind == 'f32':
            body.append(f'%n{k} = OpBitcast %u32 %r{k}')
        elif kind in ('v2', 'v4'):
            body += [f'%e{k} = OpCompositeExtract %u32 %r{k} 0', f'%d{k} = OpCompositeExtract %u32 %r{k} 1',
                     f'%n{k} = OpBitwiseXor %u32 %e{k} %d{k}']
        else:
            body.append(f'%n{k} = OpCopyObject %u32 %r{k}')
        body += [f'%k{k} = OpConstant %u64 {k * 1000}', f'%i{k} = OpIAdd %u64 %g %k{k}',
                 f'%p{k} = OpInBoundsPtrAccessChain %ptr %out %i{k}', f'OpStore %p{k} %n{k} Aligned 4']
    head += [line for line in body if 'OpConstant ' in line]
    text = head + ['%k = OpFunction %void None %kfn', '%o = OpFunctionParameter %ptr', '%kl = OpLabel', '%gids = OpLoad %v3 %gid Aligned 32',
                   '%gg = OpCompositeExtract %u64 %gids 0', '%ll = OpLoad %u32 %sid Aligned 4', '%call = OpFunctionCall %void %f %o %gg %ll',
                   'OpReturn', 'OpFunctionEnd', '%f = OpFunction %void None %ffn', '%out = OpFunctionParameter %ptr',
                   '%g = OpFunctionParameter %u64', '%lane = OpFunctionParameter %u32', '%l = OpLabel', '%g32 = OpUConvert %u32 %g',
                   '%y = OpIMul %u32 %g32 %c1000', '%x = OpBitwiseXor %u32 %y %c7', '%x8 = OpUConvert %u8 %x', '%wide = OpUConvert %u64 %x',
                   '%x64 = OpIMul %u64 %wide %wide', '%few = OpBitwiseAnd %u32 %x %c3', '%more = OpIAdd %u32 %few %c1',
                   '%xf = OpConvertUToF %f32 %more', '%bit = OpBitwiseAnd %u32 %g32 %c1', '%odd = OpIEqual %bool %bit %c1',
                   '%xv = OpCompositeConstruct %v2 %x %y', '%turned = OpBitwiseXor %u32 %lane %c3']
    return '\n'.join(text + [line for line in body if 'OpConstant ' not in line] + ['OpReturn', 'OpFunctionEnd', '']), k + 1


def check_subgroups(t, out):
    text, count = subgroup_module()
    path, new = t.path('subgroups.spvasm', text), t.path('subgroups.spv')
    t.check(t.run('as', '--target-env', 'spv1.3', path, '-o', new)[0] == 0, 'sub-groups assemble')
    code, _, said = t.run('lower', '--env', 'opencl2.1', '--ext', 'cl_khr_subgroups', new, '-o', out)
    t.check(code == 0, f'sub-groups: {said}')
    t.check('Version: 1.0' in t.run('dis', out)[1] and 'NonUniform' not in t.run('dis', out)[1], 'nothing is left of SPIR-V 1.3')
    args = ['k', '--local', '16', '--global', '32', '--arg', f'u32[{count * 1000}]=zeros', '--print', '0']
    for width in ('4', '8', '16'):
        before = t.run('run', new, *args, '--width', width)[1]
        t.check('= ' in before, 'sub-groups run')
        for engine in ('compiled', 'interpreted'):
            after = t.run('run', out, *args, '--width', width, '--engine', engine)
            a, b = (re.findall(r'[-\w]+', x.split('= ')[-1]) for x in (before, after[1]))
            wrong = sorted({n // 1000 for n, (x, y) in enumerate(zip(a, b)) if x != y} if len(a) == len(b) else {-1})
            t.check(not wrong, f'sub-groups, width {width}, {engine}: {[list(subgroup_operations())[n] for n in wrong]}{after[2]}')


def check_parted(t, out):
    """Operations that not all work-items come to, in random kernels; by both engines, as the interpreter has them before."""
    for seed in range(12):
        path = t.path('parted.spvasm', parted.kernel(seed))
        code, _, said = t.run('lower', '--env', 'opencl2.1', '--ext', 'cl_khr_subgroups', path, '-o', out)
        t.check(code == 0, f'parted {seed}: {said}')
        args = ['k', '--local', '24', '--global', '48', '--arg', 'u32[48]=zeros', '--width', ('4', '8', '16')[seed % 3], '--engine']
        before = t.run('run', path, *args, 'interpreted')
        t.check('= ' in before[1], f'parted {seed} runs: {before}')
        for engine in ('compiled', 'interpreted'):
            after = t.run('run', out, *args, engine)
            t.check(before[:2] == after[:2], f'parted {seed}, {engine}: {before}, {after}')
    # Nobody knows who calls an exported function; no variable keeps an image.
    exported = t.path('exported.spvasm', EXPORTED)
    code, _, said = t.run('lower', '--env', 'opencl2.1', '--ext', 'cl_khr_subgroups', exported, '-o', out)
    t.check(code == 1 and 'may have parted where it is called [lower.unsupported]' in said, f'an exported function: {said}')
    # Masks of sub-groups are built-in variables that are computed where they are loaded.
    chain = t.path('chain.spvasm', MASK_CHAIN)
    code, _, said = t.run('lower', '--env', 'opencl2.1', '--ext', 'cl_khr_subgroups', chain, '-o', out)
    t.check(code == 1 and 'built-in mask' in said, f'a part of a mask: {said}')


def check_weak(t, out):
    """A definition that others may replace is an export; the capability implied Linkage."""
    path = t.path('weak.spvasm', EXPORTED.replace('Linkage\nOpCapability GroupNonUniformArithmetic', 'WeakLinkageAMD').replace(
        'OpMemory', 'OpExtension "SPV_AMD_weak_linkage"\nOpMemory').replace('Export', 'WeakAMD').replace(
        'GroupNonUniformIAdd %u32 %c3 Reduce %x', 'IAdd %u32 %c3 %x'))
    t.check(t.run('val', path)[0] == 0, 'a weak definition is valid')
    code, _, said = t.run('lower', path, '-o', out)
    text = t.run('dis', out)[1]
    t.check(code == 0 and '"f" Export' in text and not GONE.search(text) and 'OpCapability Linkage' in text, f'a weak definition: {said}{text}')


def check_untyped_usm(t, out):
    """Untyped pointers to the memory of the device, for targets without one, or both, of the extensions."""
    path = t.path('usm.spvasm', UNTYPED_USM)
    args = ['k', '--global', '1', '--arg', 'u32[4]=zeros', '--arg', 'u32[1]=5']
    before = t.run('run', path, *args)
    t.check('arg 0: u32[4] = 5, 0, 0, 5\n' in before[1], f'untyped pointers of the device run: {before}')
    for extensions in ('none', 'SPV_KHR_untyped_pointers', 'SPV_INTEL_usm_storage_classes'):
        code, _, said = t.run('lower', '--ext', extensions, path, '-o', out)
        after = t.run('run', out, *args)
        t.check(code == 0 and before[:2] == after[:2], f'untyped pointers of the device, {extensions}: {said}{after}')
    text = t.run('dis', out)[1]
    t.check(text.count('OpTypePointer DeviceOnlyALTERA %uchar') <= 1, f'a type is there once: {text}')


def check_warned(t, out):
    """What is a warning for kernels is none the less lowered, and said once; interfaces are completed."""
    def lower(what, text, rules, version, *args):
        path, new = t.path('warned.spvasm', text), t.path('warned.spv')
        t.check(t.run('as', '--target-env', 'spv' + version, path, '-o', new)[0] == 0, f'{what} assembles')
        code, _, said = t.run('lower', new, '-o', out, *args)
        t.check(code == 0 and [said.count(f'[{rule}]') for rule in rules] == list(rules.values()) and
                said.count('warning:') == sum(rules.values()), f'{what}, SPIR-V {version}, {args}: {code}, {said}')
        code, _, said = t.run('val', '--env', 'opencl3.0', '--ext', 'all', out)
        t.check(code == 0, f'{what}: the result is valid: {said}')

    for version in ('1.2', '1.4', '1.6'):
        unlisted = dict([('entry.interface-missing', 1)] if version >= '1.4' else [])
        table = TABLE.replace('"k" %t %a', '"k"') if version < '1.4' else TABLE
        lower('addresses in a table', table, {'constant.constituent-spec': 2}, version)
        lower('addresses in a table that is not listed', table.replace(' %t %a', ' %a'), {'constant.constituent-spec': 2, **unlisted}, version)
        t.check('= 20\n' in t.run('run', out, 'k', '--global', '1', '--arg', 'u32[1]')[1], 'it runs')
        entry = next(line for line in t.run('dis', out)[1].splitlines() if 'OpEntryPoint' in line)
        t.check(len(entry.split('"k"')[1].split()) == (2 if version >= '1.4' else 0), f'SPIR-V {version}: {entry}')
        lower('variables in a table', table.replace('%tab %e0 %e1', '%tab %b %b').replace('1 %a ', '1 %b '), {'constant.constituent-variable': 2}, version)
        t.check('= 20\n' in t.run('run', out, 'k', '--global', '1', '--arg', 'u32[1]')[1], 'it runs')
    for size in (0, 3, 6):
        for extensions in ('cl_khr_subgroups', 'all'):
            lower(f'rotation in clusters of {size}', CLUSTER.format(size=size, operation='RotateKHR %u %c3 %x %c1'),
                  {'subgroup.cluster-power': 1}, '1.3', '--ext', extensions)
            lower(f'sum of clusters of {size}', CLUSTER.format(size=size, operation='IAdd %u %c3 ClusteredReduce %x'),
                  {'subgroup.cluster-power': 1}, '1.3', '--ext', extensions)
    lower('a rotation', CLUSTER.format(size=4, operation='RotateKHR %u %c3 %x %c1'), {}, '1.3', '--ext', 'cl_khr_subgroups')
    text = CLUSTER.format(size=4, operation='RotateKHR %u %c3 %o %c1')
    code, _, said = t.run('lower', t.path('wrong.spvasm', text), '-o', out)
    t.check(code == 1 and '[subgroup.' in said, f'what is wrong everywhere is an error: {code}, {said}')


def check_enqueue(t, out):
    """Kernels that kernels enqueue: events, and what a block captured, behind untyped pointers."""
    with open(f'{harness.ROOT}/src/ops/enqueue/tests/events.spvasm') as f:
        text = f.read()
    for old, new in (('OpCapability DeviceEnqueue\n', 'OpCapability DeviceEnqueue\nOpCapability UntypedPointersKHR\n'
                      'OpExtension "SPV_KHR_untyped_pointers"\n'),
                     ('%bytes = OpTypePointer Generic %u8', '%bytes = OpTypeUntypedPointerKHR Generic'),
                     ('%events = OpTypePointer Generic %event', '%events = OpTypeUntypedPointerKHR Generic'), ('%one %cb', '%one %cg')):
        t.check(old in text, f'the test still has {old}')
        text = text.replace(old, new)
    path = t.path('enqueue.spvasm', text)
    code, _, said = t.run('lower', path, '-o', out)
    t.check(code == 0, f'untyped pointers to events: {said}')
    for module in (path, out):
        for engine in ('compiled', 'interpreted'):
            shown = t.run('run', module, 'k', '--global', '1', '--arg', 'u32[8]=fill:9', '--arg', 'u64[2]=zeros', '--engine', engine)
            t.check('arg 0: u32[8] = 5, 1, 1, 0, 1, 0, 0, 1\n' in shown[1], f'untyped pointers to events, {engine}: {shown}')


def check_arrays(t, out):
    """Variable-length arrays have an older form when it is said how large they become."""
    for name in ('barrier', 'lengths'):
        path = f'{harness.ROOT}/src/ops/vla/tests/{name}.spvasm'
        args = ['--env', 'opencl3.0', '--ext', EXTENSIONS, path, '-o', out]
        t.check(t.run('lower', *args)[0] == 1, f'{name}: without --array-bytes')
        code, _, said = t.run('lower', '--array-bytes', '4096', *args)
        t.check(code == 0 and 'VariableLength' not in t.run('dis', out)[1], f'{name}: {said}')
        with open(path) as f:
            runs = re.findall(r'^; RUN: heddle run (.*)', f.read(), re.M)
        for line in runs:
            before = t.run('run', *shlex.split(line.replace('%s', path)))
            for engine in ('compiled', 'interpreted'):
                after = t.run('run', *shlex.split(line.replace('%s', out)), '--engine', engine)
                t.check('= ' in before[1] and before[:2] == after[:2], f'{name}, {engine}: {after}')


def check_async(t, out):
    """Copies with a stride need a type, and so the alignment of one; others go byte by byte."""
    with open(f'{harness.ROOT}/src/ops/untyped/tests/async_copy.spvasm') as f:
        text = f.read()
    runs = re.findall(r'^; RUN: heddle run (.*)', text, re.M)
    target = ('lower', '--env', 'opencl3.0', '--ext', EXTENSIONS)
    for operands, code in (('', 1), (' Aligned 2 Aligned 4', 1), (' Aligned 4 Aligned 4', 0),
                           (' Volatile|Aligned 4 Aligned 8', 0)):
        path = t.path('async.spvasm', re.sub(r'(%e1 = .*)', r'\1' + operands, text))
        got, _, said = t.run(*target, path, '-o', out)
        t.check(got == code and (code == 0 or 'aligned to it' in said), f'a copy with a stride,{operands}: {said}')
        for line in runs if code == 0 else ():
            before = t.run('run', *shlex.split(line.replace('%s', path)))
            after = t.run('run', *shlex.split(line.replace('%s', out)))
            t.check('= ' in before[1] and before[:2] == after[:2], f'a copy with a stride,{operands}: {after}')
    code, text, _ = t.run('dis', out)
    t.check('OpGroupAsyncCopy' in text, 'copies are there')


def check_newer(t, out):
    text, module = t.path('newer.spvasm', NEWER), t.path('newer.spv')
    t.check(t.run('as', '--target-env', 'spv1.6', text, '-o', module)[0] == 0, 'a module of SPIR-V 1.6 is assembled')
    for target, extensions in (('opencl2.1', 'none'), ('opencl2.1', 'all'), ('opencl2.2', 'all'), ('opencl3.0', 'all')):
        code, _, said = t.run('lower', '--env', target, '--ext', extensions, module, '-o', out)
        t.check(code == 0, f'{target}: {said}')
        text = t.run('dis', out)[1]
        old = target != 'opencl3.0'
        t.check(('NoSignedWrap' in text) == (extensions == 'all'), f'{target}, {extensions}: what wraps')
        t.check(('OpExtension "SPV_KHR_no_integer_wrap' in text) == (old and extensions == 'all'), f'{target}, {extensions}: its extension')
        t.check(('MaxByteOffset' in text) == (target != 'opencl2.1'), f'{target}: offsets')
        t.check(('OpPtrEqual' in text) != old and ('OpPtrDiff' in text) != old, f'{target}: pointers as numbers')
        t.check(('Nontemporal 4 Aligned' in text) != old, f'{target}: one set of memory operands')
        for engine in ('compiled', 'interpreted'):
            _, result, said = t.run('run', out, *NEWER_RUN, '--engine', engine)
            t.check(NEWER_RESULT in result, f'{target}, {engine}: {result}{said}')


def check_groups(t, out):
    """Decorations from groups are seen as if they were the targets' own."""
    path = t.path('grouped.spvasm', GROUPED)
    run = ['k', '--global', '2', '--width', '4', '--arg', 'u32[1]=zeros']
    code, _, said = t.run('lower', '--env', 'opencl2.1', '--ext', 'cl_khr_subgroups', path, '-o', out)
    t.check(code == 0 and t.run('run', path, *run)[1] == t.run('run', out, *run)[1] != '', f'groups: {said}')
    text = t.run('dis', '--raw-id', '--no-indent', out)[1]
    t.check(text.count('OpGroupDecorate') == text.count('OpDecorationGroup') == 2 and 'Mask' not in text and 'Signed' not in text, text)
    for stride, want in ((4, 0), (8, 1)):
        path = t.path('stride.spvasm', STRIDE.replace('Stride 4', f'Stride {stride}'))
        code, _, said = t.run('lower', '--env', 'opencl3.0', '--ext', EXTENSIONS, path, '-o', out)
        t.check(code == want and ("that is not OpenCL's" in said) == (want == 1), f'a stride of {stride} from a group: {code}, {said}')


def main():
    with harness.Tool() as t:
        check, run = t.check, t.run
        out = t.path('out.spv')
        paths = [p for family in FAMILIES
                 for p in sorted(glob.glob(f'{harness.ROOT}/src/ops/{family}/tests/*.spvasm'))]
        for path in paths:
            with open(path) as f:
                text = f.read()
            runs = re.findall(r'^; RUN: heddle run (.*)', text, re.M)
            code = '\n'.join(line for line in text.splitlines() if not line.startswith(';'))
            if not runs or not GONE.search(code):
                continue
            name = os.path.relpath(path, harness.ROOT)
            code, _, said = run('lower', '--env', 'opencl3.0', '--ext', EXTENSIONS, path,
                                        '-o', out)
            if code == 1 and HARD.search(said):
                t.skipped += 1
                if t.verbose:
                    print('no older form:', name, said.splitlines()[0])
                continue
            check(code == 0, f'{name}: {said}')
            if code:
                continue
            text = run('dis', out)[1]
            check(not GONE.search(text), f'{name}: {GONE.search(text)} is left')
            for line in runs:
                args = [a for a in shlex.split(line)]
                before = run('run', *[path if a == '%s' else a for a in args])
                for engine in ('compiled', 'interpreted'):
                    after = run('run', *[out if a == '%s' else a for a in args],
                                        '--engine', engine)
                    check(before[:2] == after[:2], f'{name}, {engine}: {args}\n'
                          f'{before[1]}{after[1]}{after[2]}')
            if t.verbose:
                print(name, len(runs), 'runs')
        check_subgroups(t, out)
        check_parted(t, out)
        check_arrays(t, out)
        check_async(t, out)
        check_newer(t, out)
        check_groups(t, out)
        wrong = t.path('wrong.spvasm', 'OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n'
                       'OpCapability VariableLengthArrayINTEL\n'
                       'OpExtension "SPV_INTEL_variable_length_array"\n'
                       'OpMemoryModel Physical64 OpenCL\n')
        check(run('lower', wrong, '-o', out)[0] == 1, 'what is left is reported')
        short = t.path('short.spvasm', 'OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n'
                       'OpCapability ConstantDataKHR\nOpExtension "SPV_KHR_constant_data"\nOpMemoryModel Physical64 OpenCL\n'
                       '%u32 = OpTypeInt 32 0\n%c4 = OpConstant %u32 4\n%a = OpTypeArray %u32 %c4\n%d = OpConstantDataKHR %a 1\n')
        code, _, said = run('lower', short, '-o', out)
        check(code == 1 and 'OpConstantDataKHR' in said, f'data that lack numbers are reported, and not rewritten: {code}, {said}')
        bad = t.path('bad.spvasm', 'OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\nOpCapability UntypedPointersKHR\n'
                     'OpExtension "SPV_KHR_untyped_pointers"\nOpMemoryModel Physical64 OpenCL\n%u32 = OpTypeInt 32 0\n%c4 = OpConstant %u32 4\n'
                     '%p = OpTypeUntypedPointerKHR CrossWorkgroup\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n'
                     '%f = OpFunction %void None %fn\n%l = OpLabel\n%q = OpUntypedPtrAccessChainKHR %p %u32 %l %c4\nOpReturn\nOpFunctionEnd\n')
        code, _, said = run('lower', bad, '-o', out)
        check(code == 1 and 'OpUntypedPtrAccessChainKHR' in said, f'what is no value is reported: {code}, {said}')
        check_weak(t, out)
        check_untyped_usm(t, out)
        check_warned(t, out)
        check_enqueue(t, out)
        check(run('lower', '--env', 'universal1.3', wrong)[0] == 2, 'not an environment')
    return t.end()


if __name__ == '__main__':
    sys.exit(main())
