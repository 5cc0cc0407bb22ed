#!/usr/bin/env python3
"""Extensions are judged by what a module uses of them: the device takes modules that only declare a known name, runs the features
that it has, and names those that it lacks. [--build FOLDER]

Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tool'))
import harness  # noqa: E402

MODULE = '''               OpCapability Kernel
               OpCapability Addresses
               OpCapability Int64
{capabilities}{extensions}               OpMemoryModel Physical64 OpenCL
               OpEntryPoint Kernel %k "k" %v
{modes}{decorations}       %void = OpTypeVoid
       %bool = OpTypeBool
        %u32 = OpTypeInt 32 0
        %u64 = OpTypeInt 64 0
        %f32 = OpTypeFloat 32
        %ptr = OpTypePointer CrossWorkgroup %u32
         %fn = OpTypeFunction %void %ptr
          %7 = OpConstant %u32 7
          %1 = OpConstant %u32 1
          %v = OpVariable %ptr CrossWorkgroup %1
{types}          %k = OpFunction %void None %fn
          %p = OpFunctionParameter %ptr
      %entry = OpLabel
{code}               OpStore %p %7 Aligned 4
               OpReturn
               OpFunctionEnd
'''

# Names, and the capabilities that the device lacks.
NAMES = {
    'SPV_AMD_gpu_shader_half_float': [], 'SPV_EXT_image_raw10_raw12': [], 'SPV_INTEL_arithmetic_fence': [],
    'SPV_INTEL_complex_float_mul_div': [], 'SPV_INTEL_global_variable_decorations': [], 'SPV_INTEL_optimization_hints': [],
    'SPV_INTEL_sigmoid': [], 'SPV_INTEL_subgroup_requirements': [], 'SPV_QCOM_bfloat16_muladd': [], 'SPV_QCOM_subgroup_size': [],
    'SPV_INTEL_bfloat16_arithmetic': [], 'SPV_INTEL_subgroup_matrix_multiply_accumulate_float4': [],
    'SPV_INTEL_subgroup_matrix_multiply_accumulate_float8': [],
    'SPV_EXT_cooperative_matrix_maintenance1': ['CooperativeMatrixConversionsEXT', 'CooperativeMatrixReductionsEXT',
                                                'CooperativeMatrixPerElementOperationsEXT', 'CooperativeMatrixGetCoordinateEXT'],
    'SPV_HUAWEI_cluster_culling_shader': ['ClusterCullingShadingHUAWEI'], 'SPV_HUAWEI_subpass_shading': ['SubpassShadingHUAWEI'],
    'SPV_INTEL_16bit_atomics': ['AtomicBFloat16AddINTEL', 'AtomicBFloat16MinMaxINTEL', 'AtomicInt16CompareExchangeINTEL',
                                'Int16AtomicsINTEL', 'AtomicBFloat16LoadStoreINTEL'],
    'SPV_INTEL_device_barrier': ['DeviceBarrierINTEL'],
    'SPV_INTEL_float4': ['Float4E2M1INTEL', 'Float4E2M1CooperativeMatrixINTEL'],
    'SPV_INTEL_fp_conversions': ['FloatConversionsFtoFINTEL', 'FloatConversionsFtoSINTEL'],
    'SPV_INTEL_hw_thread_queries': ['HWThreadQueryINTEL'],
    'SPV_INTEL_joint_matrix': ['CooperativeMatrixCheckedInstructionsINTEL', 'CooperativeMatrixOffsetInstructionsINTEL',
                               'CooperativeMatrixPrefetchINTEL', 'CooperativeMatrixInvocationInstructionsINTEL',
                               'CooperativeMatrixTF32ComponentTypeINTEL', 'CooperativeMatrixBFloat16ComponentTypeINTEL'],
    'SPV_INTEL_subgroup_scaled_matrix_multiply_accumulate': ['SubgroupScaledMatrixMultiplyAccumulateINTEL'],
    'SPV_INTEL_token_type': ['TokenTypeINTEL'],
}

# What runs: names, capabilities, modes, decorations, types, code.
RUNS = {
    'hints': (['SPV_INTEL_optimization_hints'], ['ExpectAssumeKHR'], '', '', '', '''          %b = OpIEqual %bool %7 %7
               OpAssumeTrueKHR %b
          %x = OpExpectKHR %u32 %7 %7
'''),
    'fence': (['SPV_INTEL_arithmetic_fence'], ['ArithmeticFenceEXT'], '', '', '          %f = OpConstant %f32 1\n',
              '          %x = OpArithmeticFenceEXT %f32 %f\n'),
    'decorations': (['SPV_INTEL_global_variable_decorations'], ['GlobalVariableDecorationsINTEL'], '',
                    '''               OpDecorate %v HostAccessLegacyINTEL 3 "v"
               OpDecorate %v InitModeLegacyINTEL 1
               OpDecorate %v ImplementInCSRINTEL 1
''', '', ''),
    'size': (['SPV_INTEL_subgroup_requirements'], ['SubgroupRequirementsINTEL', 'SubgroupDispatch'],
             '               OpExecutionMode %k NamedSubgroupSizeINTEL 1\n', '', '', ''),
}

# What is refused where it is used, by this name.
MULTIPLY = '''          %d = OpSubgroupMatrixMultiplyAccumulateINTEL %f32 %32 %7 %7 %f {}
'''
REFUSED = {
    'Float8': (['SPV_INTEL_subgroup_matrix_multiply_accumulate', 'SPV_INTEL_subgroup_matrix_multiply_accumulate_float8'],
               'MatrixAPackedFloat8E4M3INTEL|MatrixBPackedFloat8E4M3INTEL'),
    'Float4': (['SPV_INTEL_subgroup_matrix_multiply_accumulate', 'SPV_INTEL_subgroup_matrix_multiply_accumulate_float4'],
               'MatrixAPackedFloat4E2M1INTEL|MatrixBPackedFloat4E2M1INTEL'),
}


def main():
    with harness.Tool() as t:
        def module(extensions=(), capabilities=(), modes='', decorations='', types='', code=''):
            return t.path('m.spvasm', MODULE.format(capabilities=''.join(f'               OpCapability {c}\n' for c in capabilities),
                                                    extensions=''.join(f'               OpExtension "{e}"\n' for e in extensions),
                                                    modes=modes, decorations=decorations, types=types, code=code))

        def run(file):
            code, out, err = t.run('run', file, 'k', '--global', '1', '--arg', 'u32[1]=0')
            return code, out + err

        for name, lacking in NAMES.items():
            code, text = run(module([name]))
            t.check(code == 0 and 'u32[1] = 7' in text, f'{name} alone: {code} {text}')
            for capability in lacking:
                code, text = run(module([name], [capability]))
                t.check(code != 0 and capability in text and 'needs.environment-capability' in text,
                        f'{name} {capability}: {code} {text}')
        for what, parts in RUNS.items():
            code, text = run(module(*parts))
            t.check(code == 0 and 'u32[1] = 7' in text and 'warning' not in text, f'{what}: {code} {text}')
        for what, (names, operand) in REFUSED.items():
            code, text = run(module(names, ['SubgroupMatrixMultiplyAccumulateINTEL', 'SubgroupDispatch'],
                                    '               OpExecutionMode %k SubgroupSize 16\n', '',
                                    '          %f = OpConstant %f32 1\n         %32 = OpConstant %u32 32\n', MULTIPLY.format(operand)))
            t.check(code != 0 and operand.split('|')[0] in text, f'{what}: {code} {text}')
        code, text = run(module(['SPV_INTEL_no_such_thing']))
        t.check(code != 0 and 'SPV_INTEL_no_such_thing' in text and 'needs.environment-extension' in text, f'unknown: {code} {text}')
        code, out, err = t.run('val', '--env', 'opencl3.0', module(['SPV_INTEL_sigmoid']))
        t.check(code != 0 and 'needs.environment-extension' in out + err, f'an environment without it: {code} {out} {err}')
    return t.end()


if __name__ == '__main__':
    sys.exit(main())
