#!/usr/bin/env python3
"""heddle link: imports, exports, LinkOnceODR, typed and untyped pointers, errors. [--build FOLDER]

Linked modules are judged and run by both engines. Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import sys

import harness

HEAD = 'OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n{more}' \
       'OpMemoryModel Physical64 OpenCL\n'
UNTYPED = 'OpCapability UntypedPointersKHR\nOpExtension "SPV_KHR_untyped_pointers"\n'
ONCE = 'OpExtension "SPV_KHR_linkonce_odr"\n'

# A kernel that calls f on its argument and adds the variable v.
USE = HEAD + '''OpEntryPoint Kernel %k "k" %v
OpDecorate %f LinkageAttributes "f" Import
OpDecorate %v LinkageAttributes "v" Import
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
{pointer}
%fn = OpTypeFunction %u32 %ptr
%kfn = OpTypeFunction %void %ptr
{variable}
%f = OpFunction %u32 None %fn
%fp = OpFunctionParameter %ptr
OpFunctionEnd
%k = OpFunction %void None %kfn
%p = OpFunctionParameter %ptr
%l = OpLabel
%r = OpFunctionCall %u32 %f %p
%x = OpLoad %u32 %v Aligned 4
%s = OpIAdd %u32 %r %x
OpStore %p %s Aligned 4
OpReturn
OpFunctionEnd
'''
# f(p) = *p * factor, and v = 5.
DEFINE = HEAD + '''OpDecorate %f LinkageAttributes "f" {linkage}
OpDecorate %v LinkageAttributes "v" {linkage}
%u32 = OpTypeInt 32 0
{pointer}
%c5 = OpConstant %u32 {factor}
{variable}
%fn = OpTypeFunction %u32 %ptr
%f = OpFunction %u32 None %fn
%p = OpFunctionParameter %ptr
%l = OpLabel
%x = OpLoad %u32 %p Aligned 4
%y = OpIMul %u32 %x %c5
OpReturnValue %y
OpFunctionEnd
'''
POINTERS = {'typed': '%ptr = OpTypePointer CrossWorkgroup %u32',
            'untyped': '%ptr = OpTypeUntypedPointerKHR CrossWorkgroup'}
IMPORTED = {'typed': '%v = OpVariable %ptr CrossWorkgroup',
            'untyped': '%v = OpUntypedVariableKHR %ptr CrossWorkgroup'}
EXPORTED = {'typed': '%v = OpVariable %ptr CrossWorkgroup %c5',
            'untyped': '%v = OpUntypedVariableKHR %ptr CrossWorkgroup %u32 %c5'}


def use(kind):
    return USE.format(more=UNTYPED if kind == 'untyped' else '', pointer=POINTERS[kind],
                      variable=IMPORTED[kind])


def define(kind, linkage='Export', factor=5):
    more = (UNTYPED if kind == 'untyped' else '') + (ONCE if linkage != 'Export' else '')
    return DEFINE.format(more=more, pointer=POINTERS[kind], variable=EXPORTED[kind],
                         linkage=linkage, factor=factor)


def main():
    with harness.Tool() as t:
        check, run = t.check, t.run
        out = t.path('out.spv')

        def link(*texts, options=()):
            paths = [t.path(f'{i}.spvasm', text) for i, text in enumerate(texts)]
            code, _, said = run('link', *options, '-o', out, *paths)
            return code, said

        def runs(what, texts, want):
            code, said = link(*texts)
            check(code == 0, f'{what}: links: {said}')
            code, _, said = run('val', out)
            check(code == 0, f'{what}: is valid: {said}')
            for engine in ('compiled', 'interpreted'):
                _, shown, said = run('run', out, 'k', '--engine', engine, '--global', '1', '--arg', 'u32[1]=7')
                check(f'= {want}\n' in shown, f'{what}, {engine}: {shown}{said}')

        for a in ('typed', 'untyped'):
            for b in ('typed', 'untyped'):
                runs(f'{a} use, {b} definition', (use(a), define(b)), 40)
        runs('the same function twice, once is enough',
             (use('typed'), define('typed', 'LinkOnceODR'), define('typed', 'LinkOnceODR')), 40)
        runs('an export goes before what may be merged',
             (use('typed'), define('typed', 'LinkOnceODR'), define('typed', factor=3)), 24)
        for what, texts, rule in (
                ('nothing defines it', (use('typed'),), 'link.undefined'),
                ('two define it', (use('typed'), define('typed'), define('typed')),
                 'link.duplicate'),
                ('two kernels of a name', (use('typed'), use('typed'), define('typed')),
                 'link.duplicate'),
                ('another type',
                 (use('typed'), define('typed').replace('OpTypeFunction %u32 %ptr',
                                                        'OpTypeFunction %u32 %ptr %u32').replace(
                     '%l = OpLabel', '%q = OpFunctionParameter %u32\n%l = OpLabel')),
                 'link.type'),
                ('another memory model',
                 (use('typed'), define('typed').replace('Physical64', 'Physical32')),
                 'link.memory-model')):
            code, said = link(*texts)
            check(code == 1 and f'[{rule}]' in said, f'{what}: {code}, {said}')
        check(link(use('typed'), options=('--allow-partial',))[0] == 0, '--allow-partial')
        check(link(define('typed'), options=('--create-library',))[0] == 0, '--create-library')
        check(link(use('typed'), 'OpNonsense')[0] == 1, 'text that does not assemble')
    return t.end()


if __name__ == '__main__':
    sys.exit(main())
