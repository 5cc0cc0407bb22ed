#!/usr/bin/env python3
"""heddle strip, spec and diff: what they write and say. [--build FOLDER]

Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import os
import sys

import harness

MODULE = '''OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability Int8
OpExtension "SPV_KHR_non_semantic_info"
%std = OpExtInstImport "OpenCL.std"
%say = OpExtInstImport "NonSemantic.DebugPrintf"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %main "main"
%file = OpString "main.cl"
%format = OpString "%d"
OpSource OpenCL_C 300000 %file
OpName %main "main"
OpName %count "count"
OpModuleProcessed "by hand"
OpDecorate %count SpecId 3
OpDecorate %flag SpecId 4
OpDecorate %small SpecId 5
OpDecorate %real SpecId 6
%void = OpTypeVoid
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%s8 = OpTypeInt 8 0
%f64 = OpTypeFloat 32
%v2 = OpTypeVector %u32 2
%count = OpSpecConstant %u32 7
%flag = OpSpecConstantTrue %bool
%small = OpSpecConstant %s8 1
%real = OpSpecConstant %f64 1.5
%both = OpSpecConstantComposite %v2 %count %count
%sum = OpSpecConstantOp %u32 IAdd %count %count
%ptr = OpTypePointer CrossWorkgroup %u32
%fn = OpTypeFunction %void %ptr
%main = OpFunction %void None %fn
%p = OpFunctionParameter %ptr
%entry = OpLabel
OpLine %file 3 1
%old = OpLoad %u32 %p Aligned 4
%dbg = OpExtInst %void %say DebugPrintf %format %old
%new = OpIAdd %u32 %old %count
OpStore %p %new Aligned 4
OpNoLine
OpReturn
OpFunctionEnd
'''


def main():
    with harness.Tool() as t:
        check, run = t.check, t.run
        path = t.path

        def made(*args):
            """The text of what a command wrote, which has to be valid."""
            out = path('out.spv')
            code, _, said = run(*args, '-o', out)
            check(code == 0, f'{args[0]} {args[1:]}: {said}')
            check(run('val', out)[0] == 0, f'{args[0]} {args[1:]}: the result is valid')
            return run('dis', '--no-indent', '--raw-id', out)[1]

        source = path('m.spvasm', MODULE)
        text = made('strip', source)
        for gone in ('OpName', 'OpLine', 'OpNoLine', 'OpSource', 'OpString', 'OpModuleProcessed',
                     'NonSemantic', 'DebugPrintf', 'SPV_KHR_non_semantic_info'):
            check(gone not in text, f'strip leaves out {gone}')
        check('OpDecorate' in text and 'OpenCL.std' in text, 'strip keeps the rest')
        text = made('strip', '--names', source)
        check('OpName' not in text and 'OpLine' in text and 'DebugPrintf' in text, 'strip --names')
        text = made('strip', '--debug', source)
        check('OpName' in text and 'OpLine' not in text and '"main.cl"' not in text and
              '"%d"' in text, 'strip --debug keeps strings that something uses')
        text = made('strip', '--nonsemantic', source)
        check('OpLine' in text and 'DebugPrintf' not in text, 'strip --nonsemantic')

        code, text, _ = run('spec', source)
        check(code == 0 and '3 count: ' in text and len(text.splitlines()) == 4, 'spec lists')
        text = made('spec', source, 'count=9', '4=false', '5=254', '6=0x1p-3')
        for want in (' 9\n', 'OpSpecConstantFalse', ' 254\n', ' 0.125\n'):
            check(want in text, f'spec writes {want!r}')
        text = made('spec', '--freeze', source, 'count=9')
        check('SpecId' not in text and 'OpSpecConstant ' not in text and
              'OpConstantComposite' in text and 'OpSpecConstantOp' in text, 'spec --freeze')
        for wrong in ('nothing=1', '77=1', '4=maybe', '3=x'):
            code, _, said = run('spec', source, wrong, '-o', path('no.spv'))
            check(code == 1 and said != '' and not os.path.exists(path('no.spv')), f'spec {wrong}')
        code, _, said = run('spec', source, '3=1', 'count=2', '-o', path('no.spv'))
        check(code == 1 and '[spec.twice]' in said, 'a constant that is set twice')

        # A group of decorations: whose SpecId two constants have, and one of whose targets goes.
        shared = path('shared.spvasm', MODULE.replace('OpDecorate %count SpecId 3', 'OpDecorate %group SpecId 3\n'
                      'OpDecorate %group UserSemantic "set"\n%group = OpDecorationGroup\nOpGroupDecorate %group %count %other').replace(
                          '%flag = ', '%other = OpSpecConstant %u32 8\n%flag = '))
        check(run('spec', shared)[1].count('3 ') == 2, 'spec lists both of a group')
        text = made('spec', shared, '3=9')
        check(text.count('OpSpecConstant %') == 4 and text.count(' 9\n') == 2 and ' SpecId 3' in text, f'spec sets both of a group: {text}')
        text = made('spec', '--freeze', shared, '3=9')
        check('SpecId' not in text and text.count(' 9\n') == 2 and 'UserSemantic' in text and 'OpGroupDecorate' in text,
              f'spec --freeze of a group: {text}')
        for targets, left in (('%p %dbg', 1), ('%dbg', 0)):
            code, _, said = run('strip', path('of.spvasm', MODULE.replace('%void =', f'OpDecorate %group Volatile\n%group = OpDecorationGroup\n'
                                              f'OpGroupDecorate %group {targets}\n%void =')), '-o', path('out.spv'))
            text = run('dis', '--no-indent', '--raw-id', path('out.spv'))[1]
            check(code == 0 and run('val', path('out.spv'))[0] == 0 and text.count('Volatile') == text.count('OpGroupDecorate') == left,
                  f'strip of what a group decorates: {said}{text}')

        renumbered = path('r.spvasm', MODULE.replace('%void = OpTypeVoid\n', '').replace(
            '%u32 = OpTypeInt', '%void = OpTypeVoid\n%u32 = OpTypeInt'))
        stripped = path('out2.spv')
        run('strip', '--names', source, '-o', stripped)
        check(run('diff', source, source)[:2] == (0, ''), 'a module does not differ from itself')
        wrong = path('w.spvasm', MODULE.replace('OpDecorate %count', 'OpDecorate %nothing Volatile\nOpDecorate %count'))
        check(run('diff', wrong, wrong)[:2] == (0, ''), 'nor does one with an id that nothing defines')
        code, text, _ = run('diff', source, stripped)
        lines = [t for t in text.splitlines() if t[0] in '+-' and t[:3] not in ('+++', '---')]
        check(code == 1 and len(lines) == 2 and all('OpName' in t for t in lines),
              'diff shows the names that strip took')
        code, text, _ = run('diff', source, renumbered)
        check(code == 1 and text.count('\n- ') == 1 and text.count('\n+ ') == 1,
              'a declaration that moved is two lines')
        changed = path('c.spvasm', MODULE.replace('%new = OpIAdd', '%new = OpISub'))
        code, text, _ = run('diff', '-U', '0', source, changed)
        check(code == 1 and text.count('\n- ') == 1 and text.count('\n+ ') == 1 and
              'OpISub' in text, 'an instruction that changed leaves its users alone')
        set_anew = path('s.spv')
        run('spec', source, '3=8', '4=false', '-o', set_anew)
        code, text, _ = run('diff', '-U', '0', source, set_anew)
        lines = [t for t in text.splitlines() if t[0] in '+-' and t[:3] not in ('+++', '---')]
        check(code == 1 and len(lines) == 4 and all('= OpSpecConstant' in t for t in lines),
              f'a constant with another default is the same constant: {text}')
        frozen = path('f.spv')
        run('spec', '--freeze', source, '-o', frozen)
        code, text, _ = run('diff', '-U', '0', source, frozen)
        lines = [t for t in text.splitlines() if t[0] in '+-' and t[:3] not in ('+++', '---')]
        check(code == 1 and [line for line in lines if 'count' in line] == [
            '- OpDecorate %count SpecId 3', '- %count = OpSpecConstant %uint 7', '- %16 = OpSpecConstantComposite %v2uint %count %count',
            '+ %count = OpConstant %uint 7', '+ %28 = OpConstantComposite %v2uint %count %count'], f'a constant is the same by its name: {text}')
        # Bytes behind the end of a string are shown; what the string names is what it was.
        padded = path('p.spvasm', MODULE.replace('%std = OpExtInstImport "OpenCL.std"', '%std = OpExtInstImport !0x6e65704f !0x732e4c43 !0x7f006474'))
        code, text, _ = run('diff', '-U', '0', source, padded)
        check(code == 1 and text.splitlines()[-2:] == ['- %1 = OpExtInstImport "OpenCL.std"',
                                                       '+ %1 = OpExtInstImport "OpenCL.std" ; behind the string\'s end: 7f'], text)
        check(run('diff', '-', '-')[0] == 2, 'standard input is one module')
        check(run('diff', '--quiet', source, changed)[:2] == (1, ''), 'diff --quiet')
        check(run('diff', source)[0] == 2, 'diff needs two files')
        check(run('diff', source, path('gone.spv'))[0] == 3, 'a missing file')
        check(run('strip', '--what', source)[0] == 2 and run('spec', '--what')[0] == 2, 'usage')
    return t.end()


if __name__ == '__main__':
    sys.exit(main())
