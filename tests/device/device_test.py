#!/usr/bin/env python3
"""heddle val --device: what a device of any driver says is what modules are judged by. [--build FOLDER] [-v]

A driver of the test's own (fake_driver.c) reports odd versions, extensions and answers; of the drivers that are installed,
or that DEVICE_DRIVERS names (libraries or .icd files, with colons between), every device is asked, and judged by must be
what it says. Ends with a line of counts; what is not installed is skipped.
SPDX-License-Identifier: MIT
"""
import glob
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tool'))
import harness  # noqa: E402

NAME, VERSION, PROFILE, EXTENSIONS, IL = 0x102B, 0x102F, 0x102E, 0x1030, 0x105B
IMAGES, DOUBLES, SUBGROUPS, GENERIC, PIPES = 0x1016, 0x1032, 0x105C, 0x1069, 0x1071
MEMORY_ATOMICS, FENCES = 0x1063, 0x1064
SPIRV_EXTENSIONS, SPIRV_CAPABILITIES = 0x12BA, 0x12BB
HALF, DOUBLE, SUBGROUP, IMAGE, EXPECT = 9, 10, 58, 13, 5629


def module(*capabilities, version='1.0', extensions=(), body=''):
    head = ''.join(f'OpCapability {c}\n' for c in ('Kernel', 'Addresses', 'Linkage') + capabilities)
    return (version, head + ''.join(f'OpExtension "{e}"\n' for e in extensions) +
            'OpMemoryModel Physical64 OpenCL\n' + body)


ATOMIC = '''%u32 = OpTypeInt 32 0
%p = OpTypePointer CrossWorkgroup %u32
%scope = OpConstant %u32 {scope}
%order = OpConstant %u32 {order}
%void = OpTypeVoid
%fn = OpTypeFunction %void %p
%f = OpFunction %void None %fn
%a = OpFunctionParameter %p
%e = OpLabel
%x = OpAtomicIIncrement %u32 %a %scope %order
OpReturn
OpFunctionEnd
'''
PLAIN = module()
HALVES = module('Float16')
DOUBLES_OF = module('Float64')
GROUPS = module('SubgroupDispatch', version='1.1')
SUBGROUP_SCOPE = module(version='1.1', body=ATOMIC.format(scope=3, order=0))
DEVICE_SCOPE = module(version='1.1', body=ATOMIC.format(scope=1, order=0))
SEQUENTIAL = module(version='1.1', body=ATOMIC.format(scope=2, order=0x210))
IMAGES_OF = module('ImageBasic')
PIPES_OF = module('Pipes')
GENERIC_OF = module('GenericPointer', version='1.1')
NEW = module(version='1.6')
EXPECTS = module('ExpectAssumeKHR', extensions=['SPV_KHR_expect_assume'])
BLOCKS = module('SubgroupBufferBlockIOINTEL', extensions=['SPV_INTEL_subgroups'])

BASE = {('s', NAME): 'Odd device', ('s', VERSION): 'OpenCL 3.0 odd', ('s', PROFILE): 'FULL_PROFILE',
        ('s', IL): 'SPIR-V_1.2', ('s', EXTENSIONS): 'cl_khr_il_program', ('n', IMAGES): 1, ('n', GENERIC): 1,
        ('n', PIPES): 1, ('n', MEMORY_ATOMICS): 0x7f, ('n', FENCES): 0x7f}

# What the device says besides, a module, and whether it is valid there.
CASES = [
    ({}, PLAIN, True), ({}, NEW, False), ({('s', IL): 'SPIR-V_1.0 SPIR-V_1.6 SPIR-V_1.3'}, NEW, True),
    ({('s', IL): 'SPIR-V_1.4'}, NEW, False),
    # Versions that are not known are the nearest below.
    ({('s', VERSION): 'OpenCL 3.9 future', ('s', IL): 'SPIR-V_1.6'}, NEW, True),
    ({('s', VERSION): 'OpenCL 4.0 future', ('s', IL): 'SPIR-V_1.9'}, NEW, True),
    ({('s', VERSION): 'OpenCL 1.1 old'}, GENERIC_OF, False), ({('s', VERSION): 'OpenCL 2.1 old'}, GENERIC_OF, True),
    # Extensions, also with names that nobody knows.
    ({}, HALVES, False), ({('s', EXTENSIONS): 'cl_odd_thing cl_khr_fp16  cl_khr_icd'}, HALVES, True),
    ({('s', EXTENSIONS): 'cl_khr_fp16x'}, HALVES, False),
    ({}, DOUBLES_OF, False), ({('s', EXTENSIONS): 'cl_khr_fp64'}, DOUBLES_OF, True),
    ({('n', DOUBLES): 0x3f}, DOUBLES_OF, True),
    ({}, EXPECTS, False), ({('s', EXTENSIONS): 'cl_khr_expect_assume'}, EXPECTS, True),
    # What a version has and a device may lack.
    ({}, IMAGES_OF, True), ({('n', IMAGES): 0}, IMAGES_OF, False),
    ({}, PIPES_OF, True), ({('n', PIPES): 0}, PIPES_OF, False), ({('e', PIPES): -30, ('n', PIPES): None}, PIPES_OF, True),
    ({}, GENERIC_OF, True), ({('n', GENERIC): 0}, GENERIC_OF, False),
    ({}, SUBGROUP_SCOPE, False), ({('n', SUBGROUPS): 16}, SUBGROUP_SCOPE, True),
    ({}, DEVICE_SCOPE, True), ({('n', MEMORY_ATOMICS): 0x11}, DEVICE_SCOPE, False),
    ({}, SEQUENTIAL, True), ({('n', MEMORY_ATOMICS): 0x33}, SEQUENTIAL, False),
    # cl_khr_spirv_queries: what is listed is there, and what is not listed is not.
    ({('s', EXTENSIONS): 'cl_khr_spirv_queries', ('u', SPIRV_CAPABILITIES): '4 5 6'}, PLAIN, True),
    ({('s', EXTENSIONS): 'cl_khr_spirv_queries', ('u', SPIRV_CAPABILITIES): '4 5 6'}, IMAGES_OF, False),
    ({('s', EXTENSIONS): 'cl_khr_spirv_queries', ('u', SPIRV_CAPABILITIES): '4 6'}, PLAIN, False),
    ({('s', EXTENSIONS): 'cl_khr_spirv_queries', ('u', SPIRV_CAPABILITIES): f'4 5 6 {HALF}'}, HALVES, True),
    ({('s', EXTENSIONS): 'cl_khr_spirv_queries', ('u', SPIRV_CAPABILITIES): '4 5 6 5569',
      ('a', SPIRV_EXTENSIONS): 'SPV_INTEL_subgroups SPV_ODD_thing'}, BLOCKS, True),
    ({('s', EXTENSIONS): 'cl_khr_spirv_queries', ('u', SPIRV_CAPABILITIES): '4 5 6',
      ('a', SPIRV_EXTENSIONS): 'SPV_INTEL_subgroups'}, BLOCKS, False),
    ({('s', EXTENSIONS): 'cl_khr_spirv_queries', ('a', SPIRV_EXTENSIONS): 'SPV_KHR_expect_assume'}, EXPECTS, True),
]

# Devices that cannot be judged by: exit code 3 and a sentence.
REFUSED = [({('s', IL): ''}, 'takes no SPIR-V'), ({('s', IL): None}, 'takes no SPIR-V'),
           ({('s', IL): 'SPIR-V_2.0 PTX_7'}, 'takes no SPIR-V'), ({('s', VERSION): 'odd'}, "version is 'odd'"),
           ({('s', VERSION): None}, 'version is')]


def write_answers(path, changes):
    with open(path, 'w') as f:
        for (kind, number), value in {**BASE, **changes}.items():
            if value is not None:
                f.write(f'{kind} {number:x} {value}\n')


def assemble(t, name, kind):
    version, text = kind
    out = t.path(name + '.spv')
    subprocess.run([t.heddle, 'as', '--target-env', 'spv' + version, t.path(name + '.spvasm', text), '-o', out], check=True)
    return out


def describe(changes):
    return ', '.join(f'{number:#x} is {value!r}' for (_, number), value in changes.items()) or 'the plain device'


def fake_devices(t, driver):
    answers = t.path('answers')
    environment = {**os.environ, 'OCL_ICD_VENDORS': driver, 'OCL_ICD_FILENAMES': '', 'FAKE_DEVICE': answers}

    def val(*args):
        p = subprocess.run([t.heddle, 'val', '--no-color', *args], env=environment, capture_output=True, text=True)
        return p.returncode, p.stdout, p.stdout + p.stderr

    write_answers(answers, {})
    code, out, said = val('--device', 'list')
    if 'Odd device' not in out:
        print('skipped: no ICD loader that takes a driver by OCL_ICD_VENDORS:', said.strip())
        t.skipped += 1
        return
    t.check(code == 0 and out == "default: Heddle's own device\n" 'Fake platform: Odd device: OpenCL 3.0 odd, SPIR-V_1.2\n', f'--device list: {said}')
    for n, (changes, kind, valid) in enumerate(CASES):
        write_answers(answers, changes)
        code, _, said = val('--device', 'ODD DEV' if n % 2 else 'fake plat', assemble(t, f'case{n}', kind))
        t.check(code == (0 if valid else 1), f'{describe(changes)}: {kind[1]!r} gives {code}: {said}')
    for changes, sentence in REFUSED:
        write_answers(answers, changes)
        code, _, said = val('--device', 'odd', assemble(t, 'plain', PLAIN))
        t.check(code == 3 and sentence in said, f'{describe(changes)} gives {code}: {said}')


def installed():
    """Drivers to ask, each alone."""
    named = os.environ.get('DEVICE_DRIVERS')
    if named is not None:
        return [d for d in named.split(':') if d]
    return sorted(glob.glob('/etc/OpenCL/vendors/*.icd'))


def installed_devices(t):
    """Each device that takes SPIR-V accepts a plain module, and the modules of one version above its highest are not."""
    for driver in installed():
        environment = {**os.environ, 'OCL_ICD_VENDORS': driver}

        def heddle(*args):
            p = subprocess.run([t.heddle, *args], env=environment, capture_output=True, text=True, timeout=120)
            return p.returncode, p.stdout, p.stdout + p.stderr

        code, out, said = heddle('val', '--device', 'list')
        lines = out.splitlines()[1:]  # behind Heddle's own
        if code != 0 or not lines:
            print(f'skipped: {driver}: {said.strip()}')
            t.skipped += 1
        for line in lines:
            platform, rest = line.split(': ', 1)
            plain = assemble(t, 'plain', PLAIN)
            if rest.endswith('no SPIR-V'):
                code, _, said = heddle('val', '--device', platform, plain)
                t.check(code == 3 and 'takes no SPIR-V' in said, f'{line}: {said}')
                continue
            code, _, said = heddle('val', '--device', platform, plain)
            t.check(code == 0, f'{line}: a plain module gives {code}: {said}')
            for version in range(7):
                wanted = 0 if any(f'SPIR-V_1.{v}' in rest for v in range(version, 7)) else 1
                code, _, said = heddle('val', '--device', platform, assemble(t, 'new', module(version=f'1.{version}')))
                t.check(code == wanted, f'{line}: SPIR-V 1.{version} gives {code}: {said}')


def main():
    with harness.Tool() as t:
        fake_devices(t, os.path.join(os.path.dirname(t.heddle), 'tests', 'device', 'fake_driver.so'))
        installed_devices(t)
    return t.end()


if __name__ == '__main__':
    sys.exit(main())
