#!/usr/bin/env python3
"""heddle link: imports, exports, LinkOnceODR, typed and untyped pointers, errors. [--build FOLDER]

Linked modules are judged and run by both engines. Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import re
import sys

import harness

HEAD = 'OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n{more}' \
       'OpMemoryModel Physical64 OpenCL\n'
UNTYPED = 'OpCapability UntypedPointersKHR\nOpExtension "SPV_KHR_untyped_pointers"\n'
ONCE = 'OpExtension "SPV_KHR_linkonce_odr"\n'
WEAK = 'OpCapability WeakLinkageAMD\nOpExtension "SPV_AMD_weak_linkage"\n'

ALIASING = HEAD.format(more='OpCapability MemoryAccessAliasingINTEL\nOpExtension "SPV_INTEL_memory_access_aliasing"\n') + '''%d = OpAliasDomainDeclINTEL
%s = OpAliasScopeDeclINTEL %d
%list = OpAliasScopeListDeclINTEL %s
%u32 = OpTypeInt 32 0
'''

# A variable that starts with its number and a pointer to another module's, or to none.
RING = HEAD + '''OpDecorate %x LinkageAttributes "{x}" Export
{decoration}%u32 = OpTypeInt 32 0
%number = OpConstant %u32 {number}
%zero = OpConstant %u32 0
%p32 = OpTypePointer CrossWorkgroup %u32
%node = OpTypeStruct %u32 %p32
%pn = OpTypePointer CrossWorkgroup %node
{next}
%start = OpSpecConstantComposite %node %number %to
%x = OpVariable %pn CrossWorkgroup %start
'''


def ring(x, y):
    return RING.format(more='', x=x, number=ord(x), decoration=f'OpDecorate %y LinkageAttributes "{y}" Import\n' if y else '',
                       next='%y = OpVariable %pn CrossWorkgroup\n%to = OpSpecConstantOp %p32 InBoundsAccessChain %y %zero' if y
                       else '%to = OpConstantNull %p32')


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
# Structures that begin alike.
CONTINUED = HEAD.format(more='OpCapability LongCompositesINTEL\nOpExtension "SPV_INTEL_long_composites"\n') + \
    '''%1 = OpTypeInt 32 0
%2 = OpTypeFloat 32
%3 = OpTypeStruct %1
OpTypeStructContinuedINTEL %2
%4 = OpTypeStruct %1
OpTypeStructContinuedINTEL %1
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
    more = (UNTYPED if kind == 'untyped' else '') + {'Export': '', 'LinkOnceODR': ONCE, 'WeakAMD': WEAK}[linkage]
    more = ''.join(sorted(more.splitlines(True)))  # capabilities precede extensions
    return DEFINE.format(more=more, pointer=POINTERS[kind], variable=EXPORTED[kind],
                         linkage=linkage, factor=factor)


def grouped(text, *names, more=''):
    """Linkage of those names from groups of decorations, that decorate something else as well."""
    for name in names:
        line = next(line for line in text.splitlines() if line.startswith(f'OpDecorate %{name} Linkage'))
        text = text.replace(line, line.replace(f'%{name}', f'%{name}group') + f'{more}\n%{name}group = OpDecorationGroup\n'
                            f'OpName %{name}group "{name}group"\nOpGroupDecorate %{name}group %{name}')
    names = [line for line in text.splitlines() if line.startswith('OpName')]
    text = '\n'.join(line for line in text.splitlines() if not line.startswith('OpName')) + '\n'
    return text.replace('OpDecorate', '\n'.join(names) + '\nOpDecorate', 1)


def own(kind, linkage='LinkOnceODR', factor=5):
    """The definition, one that may give way, and the kernel that uses it, in one module."""
    kernel = '%k = ' + use(kind).split('%k = ')[1]
    text = define(kind, linkage, factor).replace('OpMemoryModel Physical64 OpenCL\n',
                                               'OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k "k"\n')
    return text.replace('%fn = ', '%void = OpTypeVoid\n%kfn = OpTypeFunction %void %ptr\n%fn = ') + (
        kernel.replace('%p ', '%kp ').replace('%p\n', '%kp\n').replace('%l = ', '%kl = ').replace('%x', '%kx'))


# A kernel k(p) that stores what h() gives, and adds its own global id; h() uses a variable, one whose address another
# variable holds, and the global id.
CALLS = HEAD.format(more='OpCapability Int64\n') + '''OpEntryPoint Kernel %k "k" %id
OpDecorate %h LinkageAttributes "h" Import
OpDecorate %id BuiltIn GlobalInvocationId
OpName %id "gid"
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%v3 = OpTypeVector %u64 3
%in = OpTypePointer Input %v3
%ptr = OpTypePointer CrossWorkgroup %u32
%hfn = OpTypeFunction %u32
%kfn = OpTypeFunction %void %ptr
%id = OpVariable %in Input
%h = OpFunction %u32 None %hfn
OpFunctionEnd
%k = OpFunction %void None %kfn
%p = OpFunctionParameter %ptr
%l = OpLabel
%g = OpLoad %v3 %id Aligned 32
%x = OpCompositeExtract %u64 %g 0
%to = OpInBoundsPtrAccessChain %ptr %p %x
%n = OpUConvert %u32 %x
%r = OpFunctionCall %u32 %h
%s = OpIAdd %u32 %r %n
OpStore %to %s Aligned 4
OpReturn
OpFunctionEnd
'''
CALLED = HEAD.format(more='OpCapability Int64\n') + '''OpDecorate %h LinkageAttributes "h" Export
OpDecorate %id LinkageAttributes "__spirv_BuiltInGlobalInvocationId" Import
OpDecorate %id Constant
OpDecorate %id BuiltIn GlobalInvocationId
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%v3 = OpTypeVector %u64 3
%in = OpTypePointer Input %v3
%ptr = OpTypePointer CrossWorkgroup %u32
%pptr = OpTypePointer CrossWorkgroup %ptr
%fn = OpTypeFunction %u32
%c100 = OpConstant %u32 100
%c1000 = OpConstant %u32 1000
%id = OpVariable %in Input
%a = OpVariable %ptr CrossWorkgroup %c100
%b = OpVariable %ptr CrossWorkgroup %c1000
%to = OpVariable %pptr CrossWorkgroup %b
%other = OpVariable %ptr CrossWorkgroup %c100
%h = OpFunction %u32 None %fn
%l = OpLabel
%r = OpFunctionCall %u32 %deep
OpReturnValue %r
OpFunctionEnd
%deep = OpFunction %u32 None %fn
%m = OpLabel
%g = OpLoad %v3 %id Aligned 32
%x = OpCompositeExtract %u64 %g 0
%n = OpUConvert %u32 %x
%av = OpLoad %u32 %a Aligned 4
%bp = OpLoad %ptr %to Aligned 8
%bv = OpLoad %u32 %bp Aligned 4
%s = OpIAdd %u32 %av %bv
%t = OpIAdd %u32 %s %n
OpReturnValue %t
OpFunctionEnd
'''


# Modules whose variables have the addresses of each other's: the kernel's `ta` points to vb, `tb` of the other to va; each is before the
# variable of its own module in one form, behind it in the other. A structure points to itself. Declared in lines of a file.
ADDRESSES = HEAD.format(more='OpCapability Int64\n') + '{entry}' + '''%file = OpString "a.cl"
OpDecorate %own LinkageAttributes "v{own}" {linkage}
OpDecorate %other LinkageAttributes "v{other}" Import
OpDecorate %table LinkageAttributes "t{own}" Export
{names}%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
OpTypeForwardPointer %pnode CrossWorkgroup
%node = OpTypeStruct %u32 %pnode
%pnode = OpTypePointer CrossWorkgroup %node
%ptr = OpTypePointer CrossWorkgroup %u32
%c2 = OpConstant %u32 2
%n = OpConstant %u32 {number}
%z = OpConstantNull %u64
%arr = OpTypeArray %ptr %c2
%parr = OpTypePointer CrossWorkgroup %arr
'''
TABLE = '''OpLine %file 7 1
%addr = OpSpecConstantOp %ptr InBoundsPtrAccessChain %other %z
%mine = OpSpecConstantOp %ptr InBoundsPtrAccessChain %own %z
OpLine %file 8 1
%both = OpConstantComposite %arr %addr %mine
%table = OpVariable %parr CrossWorkgroup %both
OpNoLine
'''
OWN, OTHER = '%own = OpVariable %ptr CrossWorkgroup %n\n', '%other = OpVariable %ptr CrossWorkgroup\n'
READS = '''%void = OpTypeVoid
%pptr = OpTypePointer CrossWorkgroup %ptr
%tb = OpVariable %parr CrossWorkgroup
%fn = OpTypeFunction %void %ptr
%k = OpFunction %void None %fn
%out = OpFunctionParameter %ptr
%l = OpLabel
%p0 = OpInBoundsAccessChain %pptr %table %z
%p1 = OpInBoundsAccessChain %pptr %tb %z
%q0 = OpLoad %ptr %p0 Aligned 8
%q1 = OpLoad %ptr %p1 Aligned 8
%x0 = OpLoad %u32 %q0 Aligned 4
%x1 = OpLoad %u32 %q1 Aligned 4
%y1 = OpIMul %u32 %x1 %n1000
%s = OpIAdd %u32 %x0 %y1
OpStore %out %s Aligned 4
OpReturn
OpFunctionEnd
'''


def check_addresses(t, link, runs, out):
    """Tables with addresses of what other modules define, in all orders: each is behind what it refers to."""
    for own_first in (False, True):
        for linkage in ('Export', 'WeakAMD'):
            def module(own, other, number, entry='', names='', more=''):
                lines = [OTHER, OWN, TABLE] if own_first else [OTHER, TABLE.replace(' %own', ' %other'), OWN]
                text = ADDRESSES.format(entry=entry, names=names, own=own, other=other, number=number, linkage=linkage) + ''.join(lines) + more
                return text.replace('OpCapability Linkage\n', 'OpCapability Linkage\n' + WEAK.splitlines(True)[0]).replace(
                    'OpMemoryModel', WEAK.splitlines(True)[1] + 'OpMemoryModel') if linkage == 'WeakAMD' else text
            first = module('a', 'b', 5, 'OpEntryPoint Kernel %k "k"\n', 'OpDecorate %tb LinkageAttributes "tb" Import\n',
                           READS.replace('%void =', '%n1000 = OpConstant %u32 1000\n%void =', 1))
            second = module('b', 'a', 7)
            strong = HEAD.format(more='') + 'OpDecorate %v LinkageAttributes "vb" Export\n%u32 = OpTypeInt 32 0\n%n = OpConstant %u32 9\n' \
                '%p = OpTypePointer CrossWorkgroup %u32\n%v = OpVariable %p CrossWorkgroup %n\n'
            for order in ((first, second), (second, first)):
                runs(f'addresses of each other, {linkage}, own first: {own_first}', order, 5007)
                if linkage == 'WeakAMD':
                    runs('addresses of what another module replaces', (*order, strong), 5009)
                    runs('addresses of what another module replaces, which is first', (strong, *order), 5009)
    # Many that refer to the next one, in turns.
    def chain(own, other):
        names = ''.join(f'OpDecorate %{own}{i} LinkageAttributes "{own}{i}" Export\nOpDecorate %{other}{i} LinkageAttributes "{other}{i}" Import\n' for i in range(2000))
        text = HEAD.format(more='') + names + '%u8 = OpTypeInt 8 0\n%p = OpTypePointer CrossWorkgroup %u8\n%pp = OpTypePointer CrossWorkgroup %p\n'.replace(
            '%u8 = OpTypeInt 8 0', '%u8 = OpTypeInt 32 0')
        for i in range(2000):
            text += f'%{other}{i} = OpVariable %pp CrossWorkgroup\n%c{i} = OpSpecConstantOp %p Bitcast %{other}{i}\n%{own}{i} = OpVariable %pp CrossWorkgroup %c{i}\n'
        return text
    a, b = chain('a', 'b'), chain('b', 'a').replace('%c1999 = OpSpecConstantOp %p Bitcast %a1999', '%c1999 = OpConstantNull %p')
    for i in range(1999):  # a(i) refers to b(i), b(i) to a(i + 1)
        b = b.replace(f'Bitcast %a{i}\n', f'Bitcast %next{i + 1}\n', 1)
    b = b.replace('%next', '%a')
    lines = b.splitlines(True)
    imports = [x for x in lines if re.match(r'%a\d+ = ', x)]
    rest = [x for x in lines if x not in set(imports)]
    at = next(i for i, x in enumerate(rest) if x.startswith('%c0 '))
    b = ''.join(rest[:at] + imports + rest[at:])
    code, said = link(a, b, options=('--create-library',))
    t.check(code == 0 and t.run('val', out)[0] == 0, f'a long chain of addresses: {code}, {said}, {t.run("val", out)[2][:300]}')


def check_weak(t, link, runs, out):
    """Definitions that those of other modules replace: 7 times the factor, and the factor, is 8 times the factor."""
    def forgets(what, *words):
        text = t.run('dis', out)[1]
        for word in words:
            t.check(word not in text, f'{what}: {word} is left: {text}')
        t.check(text.count('OpCapability Linkage') == 1, f'{what}: Linkage is declared')

    weak, once, strong = 'WeakAMD', 'LinkOnceODR', 'Export'
    cases = ((('typed', weak, 2),), 16), ((('typed', weak, 2), ('typed', weak, 3)), 16), \
        ((('untyped', weak, 2), ('typed', weak, 3), ('typed', weak, 4)), 16), \
        ((('typed', weak, 2), ('typed', strong, 3)), 24), ((('typed', strong, 3), ('typed', weak, 2)), 24), \
        ((('typed', weak, 2), ('untyped', strong, 3), ('typed', weak, 4)), 24), \
        ((('typed', once, 2), ('typed', weak, 3)), 24), ((('typed', weak, 3), ('typed', once, 2), ('typed', once, 2)), 24), \
        ((('typed', once, 2), ('typed', weak, 3), ('typed', strong, 4)), 32), ((('typed', strong, 4), ('typed', once, 2), ('typed', weak, 3)), 32)
    for given, want in cases:
        what = ', '.join(f'{linkage} {factor} ({kind})' for kind, linkage, factor in given)
        runs(what, (use('typed'), *(define(*one) for one in given)), want)
        forgets(what, 'Weak', 'weak', 'LinkOnceODR', 'linkonce')
        runs(what + ', used last', (*(define(*one) for one in given), use('typed')), want)
    for a in ('typed', 'untyped'):
        for b in ('typed', 'untyped'):
            runs(f'{a} weak one of the kernel\'s module, {b} export', (own(a, weak, 2), define(b, strong, 3)), 24)
            runs(f'{b} export, {a} weak one of the kernel\'s module', (define(b, strong, 3), own(a, weak, 2)), 24)
    runs('weak ones from groups', (use('typed'), grouped(define('typed', weak, 2), 'f', 'v'), grouped(define('typed', weak, 3), 'f', 'v')), 16)
    forgets('weak ones from groups', 'Weak', 'weak')
    # A capability that implies Linkage goes; Linkage stays. The name is what counts, not what is behind its end.
    implied = define('typed', weak, 2).replace('OpCapability Linkage\n', '')
    runs('Linkage is implied', (use('typed').replace('OpCapability Linkage\n', WEAK), implied), 16)
    forgets('Linkage is implied', 'Weak', 'weak')
    padded = define('typed', weak, 2).replace('"SPV_AMD_weak_linkage"', ' '.join(
        f'!0x{int.from_bytes(word, "little"):08x}' for word in (b'SPV_', b'AMD_', b'weak', b'_lin', b'kage', b'\0XYZ')))
    runs('the name of the extension has more behind its end', (use('typed'), padded), 16)
    forgets('the name of the extension has more behind its end', 'Weak', 'weak')
    # Libraries keep what may still be replaced.
    for given, left in (((weak, weak), 'WeakAMD'), ((weak, strong), 'Export'), ((once, weak), 'WeakAMD'), ((once, once), 'LinkOnceODR'),
                        ((once, strong), 'Export')):
        code, said = link(*(define('typed', linkage) for linkage in given), options=('--create-library',))
        text = t.run('dis', out)[1]
        t.check(code == 0 and text.count(f' {left}\n') == 2 == text.count('LinkageAttributes'), f'library of {given}: {said}{text}')
        t.check(('WeakLinkageAMD' in text) == ('SPV_AMD_weak_linkage' in text) == (left == weak), f'library of {given}, weak: {text}')
        t.check(('SPV_KHR_linkonce_odr' in text) == (left == once), f'library of {given}, once: {text}')
        t.check(t.run('val', out)[0] == 0, f'library of {given} is valid')
    code, said = link(define('typed', weak, 2), define('typed', weak, 3), options=('--create-library',))
    library = t.path('library.spv')
    with open(out, 'rb') as f, open(library, 'wb') as to:
        to.write(f.read())
    code, _, said = t.run('link', '-o', out, t.path('use.spvasm', use('typed')), library, t.path('strong.spvasm', define('typed', strong, 4)))
    shown = t.run('run', out, 'k', '--global', '1', '--arg', 'u32[1]=7')[1]
    t.check('= 32\n' in shown, f'a weak one of a library is replaced: {said}{shown}')
    # Two names for different things in one module, and other types.
    second = define('typed', weak).split('%fn = ')[1].split('\n', 1)[1]
    for name in 'fpxyl':
        second = re.sub(rf'%{name}\b', f'%{name}2', second)
    for linkage in (weak, strong):
        twice = define('typed', weak).replace('OpDecorate %f L', f'OpDecorate %f2 LinkageAttributes "f" {linkage}\nOpDecorate %f L') + second
        code, said = link(use('typed'), twice)
        t.check(code == 1 and "'f' is the name of several definitions" in said, f'a weak one and {linkage} in one module: {code}, {said}')
    other = define('typed', weak).replace('%u32 = OpTypeInt 32', '%u32 = OpTypeInt 8').replace('OpCapability Linkage', 'OpCapability Linkage\nOpCapability Int8')
    code, said = link(use('typed'), define('typed'), other)
    t.check(code == 1 and '[link.type]' in said, f'a weak one of another type: {code}, {said}')


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
        for a in ('typed', 'untyped'):
            for b in ('typed', 'untyped'):
                runs(f'{a} definition that may be merged, {b} one that gives way', (define(a, 'LinkOnceODR'), own(b)), 40)
        runs('an export goes before what may be merged',
             (use('typed'), define('typed', 'LinkOnceODR'), define('typed', factor=3)), 24)
        check_weak(t, link, runs, out)
        check_addresses(t, link, runs, out)
        # Linkage from groups of decorations.
        aligned = '\nOpDecorate %vgroup Alignment 4'
        runs('imports from groups', (grouped(use('typed'), 'f', 'v'), define('typed')), 40)
        check('Group' not in run('dis', out)[1], 'groups go with what they decorate')
        runs('exports from groups', (use('typed'), grouped(define('typed'), 'f', 'v')), 40)
        check('LinkageAttributes' not in run('dis', out)[1], 'a program exports nothing')
        runs('both from groups that say more', (grouped(use('typed'), 'v', more=aligned), grouped(define('typed'), 'v', more=aligned)), 40)
        text = run('dis', '--raw-id', '--no-indent', out)[1]
        check(text.count('OpDecorationGroup') == text.count(' Alignment 4') == 1 and 'LinkageAttributes' not in text,
              f'the rest of a group stays: {text}')
        runs('mergeable ones from groups', (use('typed'), grouped(define('typed', 'LinkOnceODR'), 'f', 'v'),
                                            grouped(define('typed', 'LinkOnceODR'), 'f', 'v')), 40)
        both = use('typed').replace('OpDecorate %f', 'OpDecorate %both Volatile\n%both = OpDecorationGroup\n'
                                    'OpGroupDecorate %both %v %p\nOpDecorate %f', 1)
        runs('a group of an import and others', (both, define('typed')), 40)
        text = run('dis', '--raw-id', '--no-indent', out)[1]
        applied = [line for line in text.splitlines() if line.startswith('OpGroupDecorate')]
        check(len(applied) == 1 and len(applied[0].split()) == 3, f'the import is no target any more: {applied}')
        code, said = link(grouped(use('typed'), 'f', 'v'), options=('--create-library', '--allow-partial'))
        check(code == 0 and run('val', out)[0] == 0 and run('dis', out)[1].count('Import') == 2, f'imports that stay: {said}')
        twice = grouped(define('typed'), 'f').replace('OpGroupDecorate %fgroup %f', 'OpGroupDecorate %fgroup %f %h') + (
            '%h = ' + define('typed').split('%f = ')[1].replace('%p', '%hp').replace('%l ', '%hl ').replace('%x', '%hx').replace('%y', '%hy'))
        code, said = link(use('typed'), twice)
        check(code == 1 and "'f' is the name of several definitions in" in said and '1.spvasm [' in said, f'one name for two: {code}, {said}')
        # A number of the first module's ids is that of an operand, too.
        paths = [t.path('use.spv'), t.path('define.spv')]
        for path, text in zip(paths, (use('typed'), define('typed'))):
            code, _, said = run('as', '--preserve-numeric-ids', t.path('numbers.spvasm', text.replace('%u32', '%32')), '-o', path)
            check(code == 0, f'ids of their own: {said}')
        check(run('link', '-o', out, *paths)[0] == 0, 'ids of their own: links')
        check(run('dis', out)[1].count('OpTypeInt') == 1, 'ids of their own: a type is there once')
        runs('a type that one module decorates', (use('typed'), define('typed').replace(
            'OpDecorate %f L', 'OpDecorate %u32 UserSemantic "number"\nOpDecorate %f L', 1)), 40)
        # An entry point lists what functions of other modules use, in any mixture of versions.
        for first, second in (('1.2', '1.2'), ('1.2', '1.4'), ('1.4', '1.2'), ('1.6', '1.6')):
            paths = []
            for name, text, version in (('calls', CALLS, first), ('called', CALLED, second)):
                paths.append(t.path(name + '.spv'))
                t.check(run('as', '--target-env', 'spv' + version, t.path(name + '.spvasm', text), '-o', paths[-1])[0] == 0, name)
            code, _, said = run('link', '-o', out, *paths)
            check(code == 0, f'{first} with {second}: links: {said}')
            code, _, said = run('val', '--env', 'opencl3.0', out)
            check(code == 0, f'{first} with {second}: is valid: {said}')
            text = run('dis', '--no-header', out)[1]
            listed = next(line for line in text.splitlines() if 'OpEntryPoint' in line).split('"k"')[1].split()
            check(len(listed) == len(set(listed)) == (1 if max(first, second) < '1.4' else 4), f'{first} with {second}: {listed}')
            check(text.count('BuiltIn GlobalInvocationId') == 1, f'{first} with {second}: one variable for a built-in')
            for engine in ('compiled', 'interpreted'):
                _, shown, said = run('run', out, 'k', '--engine', engine, '--global', '3', '--arg', 'u32[3]')
                check('= 1100, 1102, 1104\n' in shown, f'{first} with {second}, {engine}: {shown}{said}')
        code, said = link(use('typed'), define('typed').replace('"f"', '"g"'))
        check("'f' is used in" in said and '0.spvasm and defined in none' in said, f'files are named: {said}')
        code, said = link(use('typed'), use('typed'), define('typed'))
        check("kernel 'k' is defined in" in said and '0.spvasm and again in' in said and '1.spvasm' in said, f'both are named: {said}')
        code, said = link(use('typed'), define('typed').replace('Physical64', 'Physical32'))
        check('1.spvasm has another addressing or memory model than' in said, f'the files are named: {said}')
        for what, texts, rule in (
                ('nothing defines it', (use('typed'),), 'link.undefined'),
                ('two define it', (use('typed'), define('typed'), define('typed')),
                 'link.duplicate'),
                ('two kernels of a name', (use('typed'), use('typed'), define('typed')),
                 'link.duplicate'),
                ('a name with more behind its end', (use('typed'), use('typed').replace('"k"', '!0x4100006b'), define('typed')),
                 'link.duplicate'),
                ('another type',
                 (use('typed'), define('typed').replace('OpTypeFunction %u32 %ptr',
                                                        'OpTypeFunction %u32 %ptr %u32').replace(
                     '%l = OpLabel', '%q = OpFunctionParameter %u32\n%l = OpLabel')),
                 'link.type'),
                ('what may be merged has another type',
                 (define('typed', 'LinkOnceODR'), define('typed', 'LinkOnceODR').replace('%u32 = OpTypeInt 32', '%u32 = OpTypeInt 8').replace(
                     'OpCapability Linkage', 'OpCapability Linkage\nOpCapability Int8')),
                 'link.type'),
                ('another memory model',
                 (use('typed'), define('typed').replace('Physical64', 'Physical32')),
                 'link.memory-model')):
            code, said = link(*texts)
            check(code == 1 and f'[{rule}]' in said, f'{what}: {code}, {said}')
        binaries = []
        for i, text in enumerate((use('typed'), define('typed'))):
            binaries.append(t.path(f'many{i}.spv', ''))
            check(run('as', t.path(f'many{i}.spvasm', text), '-o', binaries[i])[0] == 0, 'assembles')
            words = bytearray(open(binaries[i], 'rb').read())
            words[12:16] = (3000000).to_bytes(4, 'little')  # the id bound
            open(binaries[i], 'wb').write(words)
        check(run('val', binaries[0])[0] == 0, 'many ids in one module')
        code, _, said = run('link', *binaries, '-o', out)
        check(code == 3 and "[link.bound]" in said, f'many ids in two: {code}, {said}')
        code, said = link(use('typed'), define('typed').replace('%y =', 'OpUnknown(65000, 3) 42 99\n%y ='))
        check(code == 3 and '[link.opcode]' in said and '1.spvasm has' in said, f'an unknown opcode: {code}, {said}')
        # Each module has as many variables as an interface can list; the kernel uses those of both.
        lists = [' '.join(f'%{x}{i}' for i in range(40000)) for x in 'ab']
        variables = ['%u32 = OpTypeInt 32 0\n%g = OpTypePointer CrossWorkgroup %u32\n%zero = OpConstant %u32 0\n' +
                     '\n'.join(f'%{x}{i} = OpVariable %g CrossWorkgroup %zero' for i in range(40000)) + '\n' for x in 'ab']
        calls = HEAD.format(more='') + f'OpEntryPoint Kernel %k "k" {lists[0]}\nOpDecorate %f LinkageAttributes "f" Import\n' + variables[0] + \
            '%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%f = OpFunction %void None %fn\nOpFunctionEnd\n' \
            '%k = OpFunction %void None %fn\n%l = OpLabel\n%r = OpFunctionCall %void %f\nOpReturn\nOpFunctionEnd\n'
        called = HEAD.format(more='') + 'OpDecorate %f LinkageAttributes "f" Export\n' + variables[1] + \
            '%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%f = OpFunction %void None %fn\n%l = OpLabel\n' + \
            '\n'.join(f'%x{i} = OpLoad %u32 %b{i} Aligned 4' for i in range(40000)) + '\nOpReturn\nOpFunctionEnd\n'
        code, said = link(calls, called)
        check(code == 3 and 'more than 65,535 words [module.length]' in said, f'an interface that is too long: {code}, {said[:300]}')
        for texts, rule in (((use('typed'),), 'undefined'), ((use('typed'), define('typed'), define('typed')), 'duplicate')):
            said = link(*texts)[1]
            check(said.count(f'[link.{rule}]') == 2 and "'f'" in said and "'v'" in said, f'all that is {rule}: {said}')
        for order in ((ring('a', 'b'), ring('b', 'a')), (ring('b', 'a'), ring('a', 'b')), (ring('b', 'c'), ring('a', 'b'), ring('c', 'a'))):
            code, said = link(*order, options=('--create-library',))
            check(code == 1 and said.count("'a' in ") == said.count("'b' in ") == 1 and '[link.cycle]' in said, f'a ring of start values: {code}, {said}')
        code, said = link(ring('b', 'c'), ring('a', 'b'), ring('c', None), options=('--create-library',))
        check(code == 0 and run('val', out)[0] == 0, f'a chain of start values: {code}, {said}')
        check(link(CONTINUED, options=('--create-library',))[0] == 0, 'composites that go on link')
        text = run('dis', '--raw-id', '--no-indent', '--no-header', out)[1]
        check(CONTINUED.split('Int 32 0\n')[1] in text, f'composites that go on differently stay apart: {text}')
        importing = [HEAD.format(more='%std = OpExtInstImport ' + std + '\n') for std in ('"OpenCL.std"', '!0x6e65704f !0x732e4c43 !0x7f006474')]
        check(link(*importing, options=('--create-library',))[0] == 0 and run('dis', out)[1].count('OpExtInstImport') == 1,
              'one import of a set, whatever is behind its name')
        check(link(ALIASING, ALIASING)[0] == 0, 'scopes of aliasing')
        code, said = run('val', '--env', 'opencl3.0', '--ext', 'all', out)[::2]
        check(code == 0, f'scopes of aliasing are annotations: {said}')
        check(link(use('typed'), options=('--allow-partial',))[0] == 0, '--allow-partial')
        check(link(define('typed'), options=('--create-library',))[0] == 0, '--create-library')
        check(link(use('typed'), 'OpNonsense')[0] == 1, 'text that does not assemble')
    return t.end()


if __name__ == '__main__':
    sys.exit(main())
