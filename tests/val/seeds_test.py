#!/usr/bin/env python3
"""Each normative statement of four extensions that a validator can judge: a module that breaks it and one that keeps it.

  tests/val/seeds_test.py [--build build] [-v]

Extensions: SPV_KHR_untyped_pointers (with what it changes), SPV_INTEL_variable_length_array,
SPV_EXT_shader_atomic_float_min_max, SPV_INTEL_usm_storage_classes. A row has the statement, the rule that speaks, and
lines that break and keep it; they stand in the module HEAD or SHADER, in its function, or with `global` before it.
SPDX-License-Identifier: MIT
"""
import argparse, concurrent.futures, json, os, subprocess, sys, tempfile

HEAD = """OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability Int8
OpCapability Int16
OpCapability Int64
OpCapability Float16
OpCapability Float64
OpCapability Vector16
OpCapability GenericPointer
OpCapability UntypedPointersKHR
OpCapability VariableLengthArrayINTEL
OpCapability UntypedVariableLengthArrayINTEL
OpCapability USMStorageClassesINTEL
CAPABILITY
OpExtension "SPV_KHR_untyped_pointers"
OpExtension "SPV_INTEL_variable_length_array"
OpExtension "SPV_INTEL_usm_storage_classes"
OpExtension "SPV_EXT_shader_atomic_float_min_max"
OpExtension "SPV_EXT_shader_atomic_float_add"
%std = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
DECORATION
%void = OpTypeVoid
%bool = OpTypeBool
%char = OpTypeInt 8 0
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%half = OpTypeFloat 16
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%f2 = OpTypeVector %float 2
%f4 = OpTypeVector %float 4
%h4 = OpTypeVector %half 4
%u2 = OpTypeVector %uint 2
%u4 = OpTypeVector %uint 4
%0 = OpConstant %uint 0
%1 = OpConstant %uint 1
%2 = OpConstant %uint 2
%4 = OpConstant %uint 4
%l0 = OpConstant %ulong 0
%l4 = OpConstant %ulong 4
%x = OpConstant %float 1
%d = OpConstant %double 1
%h = OpConstant %half 1
%x4 = OpConstantNull %f4
%hx4 = OpConstantNull %h4
%true = OpConstantTrue %bool
%array = OpTypeArray %uint %4
%pair = OpTypeStruct %uint %float
%gp = OpTypePointer CrossWorkgroup %uint
%gfp = OpTypePointer CrossWorkgroup %float
%ghp = OpTypePointer CrossWorkgroup %half
%gdp = OpTypePointer CrossWorkgroup %double
%gcp = OpTypePointer CrossWorkgroup %char
%wp = OpTypePointer Workgroup %uint
%fp = OpTypePointer Function %uint
%ffp = OpTypePointer Function %float
%fvp = OpTypePointer Function %void
%ap = OpTypePointer Generic %uint
%afp = OpTypePointer Generic %float
%dp = OpTypePointer DeviceOnlyINTEL %uint
%dfp = OpTypePointer DeviceOnlyINTEL %float
%hp = OpTypePointer HostOnlyINTEL %uint
%ug = OpTypeUntypedPointerKHR CrossWorkgroup
%uw = OpTypeUntypedPointerKHR Workgroup
%uf = OpTypeUntypedPointerKHR Function
%uc = OpTypeUntypedPointerKHR UniformConstant
%ua = OpTypeUntypedPointerKHR Generic
%ud = OpTypeUntypedPointerKHR DeviceOnlyINTEL
%fn = OpTypeFunction %void %gp %gfp %ghp %gdp %gcp %ug %uw %ua %ap %dp %hp %ud %ulong %u2
GLOBAL
%f = OpFunction %void None %fn
%g = OpFunctionParameter %gp
%gf = OpFunctionParameter %gfp
%gh = OpFunctionParameter %ghp
%gd = OpFunctionParameter %gdp
%gc = OpFunctionParameter %gcp
%p = OpFunctionParameter %ug
%w = OpFunctionParameter %uw
%a = OpFunctionParameter %ua
%at = OpFunctionParameter %ap
%dt = OpFunctionParameter %dp
%ht = OpFunctionParameter %hp
%du = OpFunctionParameter %ud
%n = OpFunctionParameter %ulong
%n2 = OpFunctionParameter %u2
%l = OpLabel
%v = OpVariable %fp Function
%vf = OpVariable %ffp Function
%vu = OpUntypedVariableKHR %uf Function %f4
BODY
OpReturn
OpFunctionEnd
"""

SHADER = """OpCapability Shader
OpCapability Int64
OpCapability UntypedPointersKHR
CAPABILITY
OpExtension "SPV_KHR_untyped_pointers"
OpExtension "SPV_KHR_storage_buffer_storage_class"
OpExtension "SPV_KHR_workgroup_memory_explicit_layout"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %f "f" INTERFACE
OpExecutionMode %f LocalSize 1 1 1
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 1 Offset 4
OpDecorate %run ArrayStride 4
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
DECORATION
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%0 = OpConstant %uint 0
%1 = OpConstant %uint 1
%minus = OpConstant %int -1
%4 = OpConstant %uint 4
%run = OpTypeRuntimeArray %uint
%block = OpTypeStruct %uint %run
%plain = OpTypeStruct %uint %uint
%us = OpTypeUntypedPointerKHR StorageBuffer
%uw = OpTypeUntypedPointerKHR Workgroup
%uf = OpTypeUntypedPointerKHR Function
%up = OpTypeUntypedPointerKHR Private
%array = OpTypeArray %uint %4
%fn = OpTypeFunction %void
%buffer = OpUntypedVariableKHR %us StorageBuffer %block
GLOBAL
%f = OpFunction %void None %fn
%l = OpLabel
BODY
OpReturn
OpFunctionEnd
"""

U = 'SPV_KHR_untyped_pointers: '
V = 'SPV_INTEL_variable_length_array: '
A = 'SPV_EXT_shader_atomic_float_min_max: '
S = 'SPV_INTEL_usm_storage_classes: '
CHAINS = ('UntypedAccessChainKHR', 'UntypedInBoundsAccessChainKHR', 'UntypedPtrAccessChainKHR', 'UntypedInBoundsPtrAccessChainKHR')
ATOMICS = ('IAdd', 'ISub', 'SMin', 'UMin', 'SMax', 'UMax', 'And', 'Or', 'Xor')
OPENCL = (('fract', '%float', '%x', ''), ('frexp', '%float', '%x', ''), ('lgamma_r', '%float', '%x', ''),
          ('modf', '%float', '%x', ''), ('remquo', '%float', '%x %x', ''), ('sincos', '%float', '%x', ''))

# statement, rule that the first lines break, lines that break it, lines that keep it
KERNEL = [
    (U + 'a variable has no Generic storage', 'memory.variable-generic', 'global %b = OpUntypedVariableKHR %ua Generic %uint',
     'global %b = OpUntypedVariableKHR %ug CrossWorkgroup %uint'),
    (U + "a variable has its type's storage class", 'memory.variable-storage', 'global %b = OpUntypedVariableKHR %ug Workgroup %uint',
     'global %b = OpUntypedVariableKHR %uw Workgroup %uint'),
    (U + "a variable's type is an untyped pointer", 'memory.variable-type', '%b = OpUntypedVariableKHR %fp Function %uint',
     '%b = OpUntypedVariableKHR %uf Function %uint'),
    (U + 'Data Type in Function', 'untyped.data-type', '%b = OpUntypedVariableKHR %uf Function', '%b = OpUntypedVariableKHR %uf Function %f4'),
    (U + 'Data Type in Workgroup', 'untyped.data-type', 'global %b = OpUntypedVariableKHR %uw Workgroup',
     'global %b = OpUntypedVariableKHR %uw Workgroup %array'),
    (U + 'an initializer is of Data Type', 'memory.initializer-type', 'global %b = OpUntypedVariableKHR %ug CrossWorkgroup %uint %x',
     'global %b = OpUntypedVariableKHR %ug CrossWorkgroup %uint %1'),
    (U + 'an initializer is a constant or a global variable', 'memory.initializer', '%b = OpUntypedVariableKHR %uf Function %ulong %n',
     '%b = OpUntypedVariableKHR %uf Function %ulong %l4'),
    (U + 'load: any type through untyped, its own through typed', 'memory.load-type', '%r = OpLoad %float %g', '%r = OpLoad %float %p'),
    (U + 'store: any type through untyped, its own through typed', 'memory.store-type', 'OpStore %g %x', 'OpStore %p %x'),
    (U + 'a load goes through a pointer', 'memory.pointer', '%r = OpLoad %float %n', '%r = OpLoad %f4 %p Aligned 4'),
    (U + 'copies: at least one side is typed', 'memory.copy-untyped', 'OpCopyMemory %p %w', 'OpCopyMemory %p %g'),
    (U + 'copies: two typed sides are of one type', 'memory.copy-type', 'OpCopyMemory %g %gf', 'OpCopyMemory %g %g'),
    (U + 'OpCopyMemorySized takes two untyped sides', 'memory.copy-size', 'OpCopyMemorySized %p %w %x', 'OpCopyMemorySized %p %w %l4'),
    (U + 'comparisons: one storage class', 'memory.pointer-storage', '%r = OpPtrEqual %bool %p %w', '%r = OpPtrEqual %bool %p %g'),
    (U + 'comparisons: two typed pointers are of one type', 'memory.pointer-types', '%r = OpPtrNotEqual %bool %g %gf', '%r = OpPtrNotEqual %bool %g %g'),
    (U + 'differences: the same type', 'memory.pointer-types', '%r = OpPtrDiff %ulong %p %g', '%r = OpPtrDiff %ulong %p %p'),
    (U + 'OpPtrCastToGeneric gives Generic', 'memory.cast-result', '%r = OpPtrCastToGeneric %ug %w', '%r = OpPtrCastToGeneric %ua %w'),
    (U + 'OpPtrCastToGeneric takes Workgroup, CrossWorkgroup or Function', 'memory.cast-operand', '%r = OpPtrCastToGeneric %ua %a',
     '%r = OpPtrCastToGeneric %ua %vu'),
    (U + 'OpGenericCastToPtr gives no Generic', 'memory.cast-result', '%r = OpGenericCastToPtr %ua %a', '%r = OpGenericCastToPtr %ug %a'),
    (U + 'OpGenericCastToPtr takes Generic', 'memory.cast-operand', '%r = OpGenericCastToPtr %uw %p', '%r = OpGenericCastToPtr %gp %a'),
    (U + 'OpGenericCastToPtr: two typed pointers to one type', 'memory.cast-pointee', '%r = OpGenericCastToPtr %gfp %at',
     '%r = OpGenericCastToPtr %gp %at'),
    (U + "OpGenericCastToPtrExplicit gives Storage's class", 'memory.cast-storage', '%r = OpGenericCastToPtrExplicit %ug %a Workgroup',
     '%r = OpGenericCastToPtrExplicit %uw %a Workgroup'),
    (U + 'OpGenericCastToPtrExplicit takes Generic', 'memory.cast-operand', '%r = OpGenericCastToPtrExplicit %ug %p CrossWorkgroup',
     '%r = OpGenericCastToPtrExplicit %ug %at CrossWorkgroup'),
    (U + 'OpGenericCastToPtrExplicit: two typed pointers to one type', 'memory.cast-pointee',
     '%r = OpGenericCastToPtrExplicit %gfp %at CrossWorkgroup', '%r = OpGenericCastToPtrExplicit %gp %at CrossWorkgroup'),
    (U + 'OpBitcast needs another type', 'convert.bitcast-same', '%r = OpBitcast %ug %p', '%r = OpBitcast %gp %p'),
    (U + 'OpBitcast of pointers: pointers and integers', 'convert.bitcast-pointer', '%r = OpBitcast %double %p', '%r = OpBitcast %ulong %p'),
    (U + 'OpBitcast of pointers: integer vectors from 1.5', 'convert.bitcast-pointer', '%r = OpBitcast %f2 %p', '%r = OpBitcast %u2 %p'),
    (U + 'lifetimes are of Function storage', 'control.lifetime-pointer', 'OpLifetimeStart %p 0', 'OpLifetimeStart %vu 0'),
    (U + 'OpAtomicLoad: its own type through typed', 'atomic.pointee', '%r = OpAtomicLoad %uint %gf %1 %0', '%r = OpAtomicLoad %uint %p %1 %0'),
    (U + 'OpAtomicStore: its own type through typed', 'atomic.pointee', 'OpAtomicStore %g %1 %0 %x', 'OpAtomicStore %p %1 %0 %1'),
    (U + 'OpAtomicExchange: its own type through typed', 'atomic.pointee', '%r = OpAtomicExchange %uint %gf %1 %0 %1',
     '%r = OpAtomicExchange %uint %p %1 %0 %1'),
    (U + 'OpAtomicExchange: Value is of Result Type', 'atomic.value', '%r = OpAtomicExchange %uint %p %1 %0 %l4',
     '%r = OpAtomicExchange %uint %p %1 %0 %4'),
    (U + 'OpAtomicCompareExchange: its own type through typed', 'atomic.pointee',
     '%r = OpAtomicCompareExchange %uint %gf %1 %0 %0 %1 %0', '%r = OpAtomicCompareExchange %uint %p %1 %0 %0 %1 %0'),
    (U + 'OpAtomicCompareExchange: Comparator is of Result Type', 'atomic.comparator',
     '%r = OpAtomicCompareExchange %uint %p %1 %0 %0 %1 %l0', '%r = OpAtomicCompareExchange %uint %p %1 %0 %0 %2 %0'),
    (U + 'OpAtomicIIncrement: its own type through typed', 'atomic.pointee', '%r = OpAtomicIIncrement %uint %gf %1 %0',
     '%r = OpAtomicIIncrement %uint %w %2 %0'),
    (U + 'OpAtomicIDecrement: its own type through typed', 'atomic.pointee', '%r = OpAtomicIDecrement %uint %gf %1 %0',
     '%r = OpAtomicIDecrement %uint %a %1 %0'),
    (U + 'OpUntypedPrefetchKHR: CrossWorkgroup', 'untyped.prefetch-storage', 'OpUntypedPrefetchKHR %w %l4', 'OpUntypedPrefetchKHR %p %l4'),
    (U + 'OpUntypedPrefetchKHR: Num Bytes is an integer', 'untyped.prefetch-bytes', 'OpUntypedPrefetchKHR %p %x', 'OpUntypedPrefetchKHR %p %n'),
    (U + 'OpUntypedPrefetchKHR: RW is 0 or 1', 'untyped.prefetch-range', 'OpUntypedPrefetchKHR %p %l4 %2', 'OpUntypedPrefetchKHR %p %l4 %1'),
    (U + 'OpUntypedPrefetchKHR: RW is a constant', 'untyped.prefetch-operand', 'OpUntypedPrefetchKHR %p %l4 %n', 'OpUntypedPrefetchKHR %p %l4 %0'),
    (U + 'OpUntypedPrefetchKHR: Locality is 0 to 3', 'untyped.prefetch-range', 'OpUntypedPrefetchKHR %p %l4 %0 %4',
     'OpUntypedPrefetchKHR %p %l4 %0 %2'),
    (U + 'OpUntypedPrefetchKHR: Locality is an integer constant', 'untyped.prefetch-operand', 'OpUntypedPrefetchKHR %p %l4 %0 %x',
     'OpUntypedPrefetchKHR %p %l4 %0 %0'),
    (U + 'OpUntypedPrefetchKHR: Cache Type is 0 or 1', 'untyped.prefetch-range', 'OpUntypedPrefetchKHR %p %l4 %0 %0 %2',
     'OpUntypedPrefetchKHR %p %l4 %0 %0 %1'),
    (U + 'prefetch of OpenCL.std takes typed pointers', 'std.prefetch-untyped', '%r = OpExtInst %void %std prefetch %p %l4',
     '%r = OpExtInst %void %std prefetch %g %l4'),
    (U + 'vloadn', 'std.pointee', '%r = OpExtInst %f4 %std vloadn %l0 %g 4', '%r = OpExtInst %f4 %std vloadn %l0 %p 4'),
    (U + 'vstoren', 'std.pointee', '%r = OpExtInst %void %std vstoren %x4 %l0 %g', '%r = OpExtInst %void %std vstoren %x4 %l0 %p'),
    (U + 'vload_half', 'std.pointee', '%r = OpExtInst %float %std vload_half %l0 %g', '%r = OpExtInst %float %std vload_half %l0 %p'),
    (U + 'vload_halfn', 'std.pointee', '%r = OpExtInst %f4 %std vload_halfn %l0 %g 4', '%r = OpExtInst %f4 %std vload_halfn %l0 %p 4'),
    (U + 'vloada_halfn', 'std.pointee', '%r = OpExtInst %f4 %std vloada_halfn %l0 %g 4', '%r = OpExtInst %f4 %std vloada_halfn %l0 %p 4'),
    (U + 'vstore_half', 'std.pointee', '%r = OpExtInst %void %std vstore_half %x %l0 %g', '%r = OpExtInst %void %std vstore_half %x %l0 %p'),
    (U + 'vstore_half_r', 'std.pointee', '%r = OpExtInst %void %std vstore_half_r %x %l0 %g RTE',
     '%r = OpExtInst %void %std vstore_half_r %x %l0 %p RTE'),
    (U + 'vstore_halfn', 'std.pointee', '%r = OpExtInst %void %std vstore_halfn %x4 %l0 %g', '%r = OpExtInst %void %std vstore_halfn %x4 %l0 %p'),
    (U + 'vstore_halfn_r', 'std.pointee', '%r = OpExtInst %void %std vstore_halfn_r %x4 %l0 %g RTE',
     '%r = OpExtInst %void %std vstore_halfn_r %x4 %l0 %p RTE'),
    (U + 'vstorea_halfn', 'std.pointee', '%r = OpExtInst %void %std vstorea_halfn %x4 %l0 %g', '%r = OpExtInst %void %std vstorea_halfn %x4 %l0 %p'),
    (U + 'vstorea_halfn_r', 'std.pointee', '%r = OpExtInst %void %std vstorea_halfn_r %x4 %l0 %g RTE',
     '%r = OpExtInst %void %std vstorea_halfn_r %x4 %l0 %p RTE'),
    (V + 'the result is a pointer of storage class Function', 'vla.storage', '%s = OpSaveMemoryINTEL %uf\n%r = OpVariableLengthArrayINTEL %gp %n',
     '%s = OpSaveMemoryINTEL %uf\n%r = OpVariableLengthArrayINTEL %fp %n'),
    (V + 'elements have a concrete type', 'vla.element', '%s = OpSaveMemoryINTEL %uf\n%r = OpVariableLengthArrayINTEL %fvp %n',
     '%s = OpSaveMemoryINTEL %uf\n%r = OpVariableLengthArrayINTEL %ffp %n'),
    (V + 'Length is an integer scalar', 'vla.length', '%s = OpSaveMemoryINTEL %uf\n%r = OpVariableLengthArrayINTEL %fp %n2',
     '%s = OpSaveMemoryINTEL %uf\n%r = OpVariableLengthArrayINTEL %fp %4'),
    (V + 'an untyped array is an untyped pointer of storage class Function', 'vla.result',
     '%s = OpSaveMemoryINTEL %uf\n%r = OpUntypedVariableLengthArrayINTEL %fp %uint %n',
     '%s = OpSaveMemoryINTEL %uf\n%r = OpUntypedVariableLengthArrayINTEL %uf %uint %n'),
    (V + "an untyped array's elements have a concrete type", 'vla.element',
     '%s = OpSaveMemoryINTEL %uf\n%r = OpUntypedVariableLengthArrayINTEL %uf %void %n',
     '%s = OpSaveMemoryINTEL %uf\n%r = OpUntypedVariableLengthArrayINTEL %uf %pair %n'),
    (V + "an untyped array's Length is an integer scalar", 'vla.length',
     '%s = OpSaveMemoryINTEL %uf\n%r = OpUntypedVariableLengthArrayINTEL %uf %uint %x',
     '%s = OpSaveMemoryINTEL %uf\n%r = OpUntypedVariableLengthArrayINTEL %uf %uint %4'),
    (V + 'a save is a pointer of storage class Function', 'vla.save-result', '%s = OpSaveMemoryINTEL %ug', '%s = OpSaveMemoryINTEL %fp'),
    (V + 'a restore takes what a save has returned', 'vla.restore-save', 'OpRestoreMemoryINTEL %v', '%s = OpSaveMemoryINTEL %uf\nOpRestoreMemoryINTEL %s'),
    (V + 'an array is dominated by a save', 'vla.save', '%r = OpVariableLengthArrayINTEL %fp %n\n%s = OpSaveMemoryINTEL %uf',
     '%s = OpSaveMemoryINTEL %uf\n%r = OpVariableLengthArrayINTEL %fp %n'),
    (V + 'an untyped array is dominated by a save', 'vla.save',
     '%r = OpUntypedVariableLengthArrayINTEL %uf %uint %n\n%s = OpSaveMemoryINTEL %uf',
     '%s = OpSaveMemoryINTEL %uf\n%r = OpUntypedVariableLengthArrayINTEL %uf %uint %n'),
    (V + 'a save in one arm dominates nothing behind the branch', 'vla.save',
     'OpSelectionMerge %m None\nOpBranchConditional %true %t %m\n%t = OpLabel\n%s = OpSaveMemoryINTEL %uf\nOpBranch %m\n%m = OpLabel\n'
     '%r = OpVariableLengthArrayINTEL %fp %n',
     'OpSelectionMerge %m None\nOpBranchConditional %true %t %m\n%t = OpLabel\n%s = OpSaveMemoryINTEL %uf\n'
     '%r = OpVariableLengthArrayINTEL %fp %n\nOpBranch %m\n%m = OpLabel'),
    (S + 'to CrossWorkgroup: the result is CrossWorkgroup', 'usm.result-storage', '%r = OpPtrCastToCrossWorkgroupINTEL %hp %dt',
     '%r = OpPtrCastToCrossWorkgroupINTEL %gp %dt'),
    (S + 'to CrossWorkgroup: the result is a typed pointer', 'usm.result', '%r = OpPtrCastToCrossWorkgroupINTEL %ug %dt',
     '%r = OpPtrCastToCrossWorkgroupINTEL %gp %ht'),
    (S + 'to CrossWorkgroup: from DeviceOnlyINTEL or HostOnlyINTEL', 'usm.operand-storage', '%r = OpPtrCastToCrossWorkgroupINTEL %gp %g',
     '%r = OpPtrCastToCrossWorkgroupINTEL %gp %ht'),
    (S + 'to CrossWorkgroup: the same pointee', 'usm.pointee', '%r = OpPtrCastToCrossWorkgroupINTEL %gfp %dt',
     '%r = OpPtrCastToCrossWorkgroupINTEL %gp %dt'),
    (S + 'from CrossWorkgroup: the result is DeviceOnlyINTEL or HostOnlyINTEL', 'usm.result-storage', '%r = OpCrossWorkgroupCastToPtrINTEL %gp %g',
     '%r = OpCrossWorkgroupCastToPtrINTEL %hp %g'),
    (S + 'from CrossWorkgroup: the operand is CrossWorkgroup', 'usm.operand-storage', '%r = OpCrossWorkgroupCastToPtrINTEL %hp %dt',
     '%r = OpCrossWorkgroupCastToPtrINTEL %dp %g'),
    (S + 'from CrossWorkgroup: typed pointers', 'usm.operand', '%r = OpCrossWorkgroupCastToPtrINTEL %dp %p',
     '%r = OpCrossWorkgroupCastToPtrINTEL %dp %g'),
    (S + 'from CrossWorkgroup: the same pointee', 'usm.pointee', '%r = OpCrossWorkgroupCastToPtrINTEL %dfp %g',
     '%r = OpCrossWorkgroupCastToPtrINTEL %dp %g'),
]
for c in CHAINS:
    e = '%l0 ' if 'Ptr' in c else ''
    KERNEL += [
        (U + c + ': the result is an untyped pointer', 'chain.result', '%%r = Op%s %%gp %%array %%p %s%%1' % (c, e),
         '%%r = Op%s %%ug %%array %%p %s%%1' % (c, e)),
        (U + c + ": the result has Base's storage class", 'chain.storage', '%%r = Op%s %%uw %%array %%p %s%%1' % (c, e),
         '%%r = Op%s %%ug %%array %%g %s%%1' % (c, e)),
        (U + c + ': Base Type is a type and no pointer', 'chain.base-type', '%%r = Op%s %%ug %%gp %%p %s%%1' % (c, e),
         '%%r = Op%s %%ug %%pair %%p %s%%1' % (c, e)),
        (U + c + ': Base is a pointer', 'chain.base', '%%r = Op%s %%ug %%array %%n %s%%1' % (c, e),
         '%%r = Op%s %%ug %%array %%p %s%%n' % (c, e)),
        (U + c + ': indexes walk Base Type', 'chain.depth', '%%r = Op%s %%ug %%array %%p %s%%1 %%1' % (c, e),
         '%%r = Op%s %%ug %%f4 %%p %s%%1' % (c, e)),
        (U + c + ': members are chosen by constants', 'chain.struct-index', '%%r = Op%s %%ug %%pair %%p %s%%n' % (c, e),
         '%%r = Op%s %%ug %%pair %%p %s%%0' % (c, e)),
    ]
for c in ATOMICS:
    KERNEL += [(U + 'OpAtomic%s: its own type through typed' % c, 'atomic.pointee', '%%r = OpAtomic%s %%uint %%gf %%1 %%0 %%1' % c,
                '%%r = OpAtomic%s %%uint %%p %%1 %%0 %%1' % c),
               (U + 'OpAtomic%s: Value is of Result Type' % c, 'atomic.value', '%%r = OpAtomic%s %%uint %%p %%1 %%0 %%l4' % c,
                '%%r = OpAtomic%s %%uint %%w %%2 %%0 %%1' % c)]
for name, result, operands, _ in OPENCL:
    wrong = '%gf' if name in ('frexp', 'lgamma_r', 'remquo') else '%g'
    KERNEL += [(U + name, 'std.int-operand' if wrong == '%gf' else 'std.pointee', '%%r = OpExtInst %s %%std %s %s %s' % (result, name, operands, wrong),
                '%%r = OpExtInst %s %%std %s %s %%p' % (result, name, operands))]
for op in ('FMin', 'FMax'):
    for bits, t, pointer, value in ((16, '%half', '%gh', '%h'), (32, '%float', '%gf', '%x'), (64, '%double', '%gd', '%d')):
        line = '%%r = OpAtomic%sEXT %s %s %%1 %%0 %s' % (op, t, pointer, value)
        other = {16: 32, 32: 64, 64: 16}[bits]
        KERNEL += [(A + 'OpAtomic%sEXT of %d bits needs its capability' % (op, bits), 'atomic.capability',
                    'capability AtomicFloat%dMinMaxEXT\n%s' % (other, line), 'capability AtomicFloat%dMinMaxEXT\n%s' % (bits, line))]
    use = 'capability AtomicFloat32MinMaxEXT\n'
    KERNEL += [
        (A + 'OpAtomic%sEXT: the result is a float' % op, 'atomic.result', use + '%%r = OpAtomic%sEXT %%uint %%g %%1 %%0 %%1' % op,
         use + '%%r = OpAtomic%sEXT %%float %%p %%1 %%0 %%x' % op),
        (A + 'OpAtomic%sEXT: Value is of Result Type' % op, 'atomic.value', use + '%%r = OpAtomic%sEXT %%float %%gf %%1 %%0 %%d' % op,
         use + '%%r = OpAtomic%sEXT %%float %%gf %%1 %%0 %%x' % op),
        (A + 'OpAtomic%sEXT: Pointer points to Result Type' % op, 'atomic.pointee', use + '%%r = OpAtomic%sEXT %%float %%g %%1 %%0 %%x' % op,
         use + '%%r = OpAtomic%sEXT %%float %%gf %%1 %%0 %%x' % op),
        (A + 'OpAtomic%sEXT: a valid memory scope' % op, 'scope.type', use + '%%r = OpAtomic%sEXT %%float %%gf %%x %%0 %%x' % op,
         use + '%%r = OpAtomic%sEXT %%float %%gf %%2 %%0 %%x' % op),
    ]

GRAPHICS = [
    (U + 'Data Type in Private', 'untyped.data-type', 'global %b = OpUntypedVariableKHR %up Private',
     'global %b = OpUntypedVariableKHR %up Private %array'),
    (U + 'signed constant indexes of logical pointers are not negative', 'chain.negative', '%r = OpUntypedAccessChainKHR %us %block %buffer %1 %minus',
     '%r = OpUntypedAccessChainKHR %us %block %buffer %1 %0'),
    (U + 'OpUntypedArrayLengthKHR gives a 32-bit unsigned integer', 'memory.length-result', '%r = OpUntypedArrayLengthKHR %int %block %buffer 1',
     '%r = OpUntypedArrayLengthKHR %uint %block %buffer 1'),
    (U + 'OpUntypedArrayLengthKHR: a Block that ends in a run-time array', 'memory.length-array',
     '%r = OpUntypedArrayLengthKHR %uint %plain %buffer 1', '%r = OpUntypedArrayLengthKHR %uint %block %buffer 1'),
    (U + 'OpUntypedArrayLengthKHR: the last member', 'memory.length-member', '%r = OpUntypedArrayLengthKHR %uint %block %buffer 0',
     '%r = OpUntypedArrayLengthKHR %uint %block %buffer 1'),
    (U + 'a variable holds no logical pointer without variable pointers', 'memory.variable-pointer',
     '%b = OpUntypedVariableKHR %uf Function %us', '%b = OpUntypedVariableKHR %uf Function %uint'),
    (U + 'explicit layout of Workgroup: all or none is a Block', 'entry.workgroup-untyped',
     'capability WorkgroupMemoryExplicitLayoutKHR\ninterface %b %c\ndecoration OpDecorate %b Aliased\nglobal %b = OpUntypedVariableKHR %uw Workgroup '
     '%wb\nglobal %c = OpUntypedVariableKHR %uw Workgroup %array',
     'capability WorkgroupMemoryExplicitLayoutKHR\ninterface %b %c\nglobal %b = OpUntypedVariableKHR %uw Workgroup %wb\n'
     'global %c = OpUntypedVariableKHR %uw Workgroup %wb'),
]


def module(head, lines):
    parts = {'global': [], 'capability': [], 'decoration': [], 'interface': [], 'body': []}
    for line in lines.split('\n'):
        word, _, rest = line.partition(' ')
        if word in parts:
            parts[word].append(rest)
        else:
            parts['body'].append(line)
    if any('%wb' in line for line in parts['global']):
        parts['decoration'] += ['OpDecorate %wb Block', 'OpMemberDecorate %wb 0 Offset 0']
        parts['global'].insert(0, '%wb = OpTypeStruct %uint')
    return (head.replace('CAPABILITY', '\n'.join('OpCapability ' + c for c in parts['capability']))
            .replace('INTERFACE', '%buffer ' + ' '.join(parts['interface'])).replace('DECORATION', '\n'.join(parts['decoration']))
            .replace('GLOBAL', '\n'.join(parts['global'])).replace('BODY', '\n'.join(parts['body'])))


def errors(heddle, folder, name, text):
    path = os.path.join(folder, name + '.spvasm')
    with open(path, 'w') as f:
        f.write(text)
    p = subprocess.run([heddle, 'val', '--json', '--env', 'universal1.6', path], capture_output=True)
    try:
        return [(d['rule'], d['message']) for d in json.loads(p.stdout) if d['severity'] == 'error']
    except ValueError:
        return [('?', p.stdout.decode() + p.stderr.decode())]


def main():
    a = argparse.ArgumentParser()
    a.add_argument('--build', default='build')
    a.add_argument('-v', action='store_true')
    a = a.parse_args()
    heddle, failures = os.path.abspath(os.path.join(a.build, 'heddle')), []
    rows = [(HEAD, row) for row in KERNEL] + [(SHADER, row) for row in GRAPHICS]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        def judge(numbered):
            i, (head, (statement, rule, wrong, right)) = numbered
            broken = errors(heddle, folder, 'w%d' % i, module(head, wrong))
            kept = errors(heddle, folder, 'r%d' % i, module(head, right))
            said = []
            if [r for r, _ in broken] != [rule]:
                said.append('%s: %s, not %s' % (statement, broken or 'accepted', rule))
            if kept:
                said.append('%s: kept, and yet %s' % (statement, kept))
            return said
        for said, (_, row) in zip(pool.map(judge, enumerate(rows)), rows):
            failures += said
            if a.v:
                print('failed' if said else 'passed', row[0])
    for failure in failures:
        print('FAILED:', failure)
    print('%d passed, %d failed, 0 skipped' % (2 * len(rows) - len(failures), len(failures)))
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
