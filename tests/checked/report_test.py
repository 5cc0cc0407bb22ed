#!/usr/bin/env python3
"""What reports of checked runs show: report_test.py [--build FOLDER]. Ends with a line of counts.

SPDX-License-Identifier: MIT
"""
import argparse, itertools, json, os, pty, re, shutil, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def report(build, folder, kernel, end, *words, entry='bad'):
    """Contents of a report, and what standard error says."""
    path = os.path.join(folder, 'report' + end)
    p = subprocess.run([build + '/heddle', 'check', os.path.join(HERE, kernel), entry, '--no-print', '--report', path, *words],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)
    with open(path, encoding='utf-8') as f:
        return f.read(), p.stderr


# What is written behind the end stands in line 3 of source.cl.
MODULE = '''               OpCapability Kernel
               OpCapability Addresses
{extension}               OpMemoryModel Physical64 OpenCL
               OpEntryPoint Kernel %bad "bad"
       %file = OpString "source.cl"
       %name = OpString "named"
       %void = OpTypeVoid
        %u32 = OpTypeInt 32 0
         %gp = OpTypePointer CrossWorkgroup %u32
         %fn = OpTypeFunction %void %gp
         %u1 = OpConstant %u32 1
         %u3 = OpConstant %u32 3
        %u16 = OpConstant %u32 16
{module}        %bad = OpFunction %void None %fn
        %out = OpFunctionParameter %gp
      %entry = OpLabel
{place}         %at = OpInBoundsPtrAccessChain %gp %out %u16
               OpStore %at %u1 Aligned 4
               OpReturn
               OpFunctionEnd
'''
LINE = '               OpLine %file 3 11\n'
SOURCE = '        %src = OpExtInst %void %set DebugSource %file\n'
FUNCTION = '''         %cu = OpExtInst %void %set DebugCompilationUnit 100 4 %src OpenCL_C
         %ty = OpExtInst %void %set DebugTypeFunction None %void
      %scope = OpExtInst %void %set DebugFunction %name %ty %src 1 1 %cu %name None 1 %bad
'''
# What tells of the line, extensions, instructions before the function and in it, and what a report says then.
PRODUCERS = [
    ('OpLine', '', '', LINE, 'source.cl:3:11: error:', 'function bad'),
    ('OpenCL.DebugInfo.100', '        %set = OpExtInstImport "OpenCL.DebugInfo.100"\n', SOURCE + FUNCTION,
     '      %begin = OpExtInst %void %set DebugScope %scope\n' + LINE, 'source.cl:3:11: error:', 'function named'),
    ('NonSemantic.Shader.DebugInfo.100', '               OpExtension "SPV_KHR_non_semantic_info"\n'
     '        %set = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"\n', SOURCE,
     '       %line = OpExtInst %void %set DebugLine %src %u3 %u3 %u3 %u3\n', 'source.cl:3:3: error:', 'function bad')]


def producers(build, folder):
    path = os.path.join(folder, 'lines.spvasm')
    for what, extension, module, place, first, function in PRODUCERS:
        with open(path, 'w') as f:
            f.write(MODULE.format(extension=extension, module=module, place=place))
        text, _ = report(build, folder, path, '.txt', '--global', '1', '--arg', 'i32[16]')
        yield 'lines of ' + what, text.startswith(first) and function in text, text


PARTS = '''#line 10 "first \\"part\\", größer.cl"
void helper(global int *p) {
    p[64] = 1;
}
#line 1 "second.cl"
// the kernel

kernel void bad(global int *out) {
    helper(out);
# 9
    out[99] = 2;
}
'''


def parts(build, folder):
    """Sources that name their parts, as programs of several strings do."""
    path = os.path.join(folder, 'parts.cl')
    with open(path, 'w', encoding='utf-8') as f:
        f.write(PARTS)
    text, _ = report(build, folder, path, '.txt', '--global', '1', '--arg', 'i32[16]')
    lines = text.splitlines()
    yield 'a part and its line', lines[0].startswith('first "part", größer.cl:11:11: error:') and lines[1].strip() == 'p[64] = 1;', text
    second = [i for i, line in enumerate(lines) if line.startswith('second.cl:9:13: error:')]
    yield 'a line with another number', second and lines[second[0] + 1].strip() == 'out[99] = 2;', text


def on_terminal(build, **env):
    """What a report looks like where standard error is a terminal; None where there can be none."""
    env = {**{name: value for name, value in os.environ.items() if name != 'NO_COLOR'}, **env}
    try:
        ours, theirs = pty.openpty()
    except OSError:
        return None
    p = subprocess.Popen([build + '/heddle', 'check', os.path.join(HERE, 'global_bounds.cl'), 'bad', '--no-print', '--global',
                          '17', '--arg', 'i32[16]'], stdout=subprocess.DEVNULL, stderr=theirs, env=env)
    os.close(theirs)
    text = b''
    try:
        while part := os.read(ours, 65536):
            text += part
    except OSError: # Linux says so when the other end is closed
        pass
    os.close(ours)
    p.wait(300)
    return text.decode()


# Beside a multiple of four, 24 bytes apart, and 72 in the second half.
AGAIN = '''kernel void bad(global char *out) {
    int i = get_global_id(0);
    *(global int *)(out + i * 24 * (1 + i / 32 * 2) + i % 2) = i;
}
'''


def again(build, folder):
    """Further occurrences of one defect: in the picture of the first, or in their own."""
    path = os.path.join(folder, 'again.cl')
    with open(path, 'w') as f:
        f.write(AGAIN)
    launch = ['--local', '16', '--arg', 'i8[8192]=fill:7']
    page, _ = report(build, folder, path, '.html', '--global', '4', *launch)
    yield 'one picture shows what is near', '<h4>' not in page and page.count('class="in mine"') == 5 and page.count('class="in also" title') == 4, page
    yield 'it tells them apart', 'accessed another time' in page, page
    page, _ = report(build, folder, path, '.html', '--global', '16', *launch)
    heads = re.findall(r'<h4>Also by (work-item \(\d+, 0, 0\)).*argument 0 .*</h4>', page)
    yield 'what is away has its own', heads == [f'work-item ({i}, 0, 0)' for i in (5, 9, 13)] and page.count('<figure class=memory>') == 4, (heads, page)
    page, _ = report(build, folder, path, '.html', '--global', '64', *launch)
    yield 'a few of many', page.count('<figure class=memory>') == 8 and 'Only the first 8 places in memory are shown' in page, page


def names(build, folder):
    """A report calls a file what its user called it, wherever the command runs; the compiler leaves out the folders that a name
    shares with the current one."""
    build = os.path.abspath(build)
    with open(os.path.join(folder, 'far.cl'), 'w') as f:
        f.write('kernel void bad(global int *o) { o[get_global_id(0) + 5] = 1; }\n')
    os.makedirs(os.path.join(folder, 'some', 'where'), exist_ok=True)
    for cwd, name in (('some', folder + '/far.cl'), ('some/where', folder + '/far.cl'), ('.', folder + '/far.cl'), ('some', '../far.cl'), ('.', 'far.cl')):
        p = subprocess.run([build + '/heddle', 'check', name, '--global', '1', '--arg', 'i32[2]', '--no-print'],
                           cwd=os.path.join(folder, cwd), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
        yield 'in %s %s has its name' % (cwd, name), p.stdout.startswith(name + ':1:') if 'source.compiler' not in p.stdout else None, p.stdout


def cases(build, folder):
    yield from again(build, folder)
    yield from producers(build, folder)
    yield from parts(build, folder)
    shown, plain = on_terminal(build), on_terminal(build, NO_COLOR='1')
    yield 'colours on a terminal', shown and '\x1b[' in shown and '[check.out-of-bounds]' in shown, shown
    yield 'none with NO_COLOR', plain and '\x1b[' not in plain and '[check.out-of-bounds]' in plain, plain
    buffer = ['--global', '17', '--local', '17', '--arg', 'i32[16]=fill:7']
    text, _ = report(build, folder, 'global_bounds.cl', '.txt', *buffer)
    lines = text.splitlines()
    yield 'the source line', lines[1].strip() == 'out[get_global_id(0)] = 1;', text
    column = int(re.match(r'.*:(\d+): error', lines[0]).group(1))
    yield 'a caret under the column', lines[2] == ' ' * (4 + column - 1) + '^', text
    page, _ = report(build, folder, 'global_bounds.cl', '.html', *buffer)
    yield 'the page is one whole', page.startswith('<!doctype html>') and not re.search(r'src=|href=(?!"#d\d+")|url\(|<link|<script', page), page
    yield 'the page has the source', '<b class=error>' in page and '<em>^</em>' in page and 'out[get_global_id(0)] = 1;' in page, page
    yield 'the source is annotated', re.search(r'<pre>.*<em>\^</em> <a class=error href="#d1">1 write of 4 bytes', page, re.S), page
    yield 'the page has a summary', re.search(r'<a href="#d1">1</a></td><td>check.out-of-bounds</td>', page), page
    yield 'the page shows the memory', page.count('class="out mine" title="byte 64"') == 1, page
    yield 'its values', '<i class="in" title="byte 60">07</i>' in page, page
    yield 'values beside the bytes', re.search(r'title="byte 60">07</i>.*<small>7 7 7 7 &middot; 9.80909e-45 ', page), page
    yield 'it has dark colours', '@media(prefers-color-scheme:dark)' in page and 'color-scheme:light dark' in page, page
    yield 'the page shows the work-group', page.count('<i class=mine title="16, 0, 0">') == 1, page
    path = os.path.join(folder, 'own.html')
    with open(os.devnull, 'w') as null:
        code = subprocess.run([build + '/heddle', 'check', os.path.join(HERE, 'global_bounds.cl'), 'bad', '--no-print', '--html',
                               path, *buffer], stdout=null, stderr=subprocess.PIPE, text=True, timeout=300)
    with open(path, encoding='utf-8') as f:
        own = f.read()
    yield '--html is that page', own == page and code.returncode == 1 and '[check.out-of-bounds]' in code.stderr, own
    text, _ = report(build, folder, 'global_bounds.cl', '.html', '--global', '17', '--local', '17', '--arg', 'i32[16]=undefined')
    yield 'bytes without a value', '<i class="un" title="byte 60"></i>' in text and '<i class="in" ' not in text, text
    text, _ = report(build, folder, 'race_local.cl', '.html', '--global', '64', '--local', '64', '--arg', 'i32[64]')
    yield 'both sides of a race', '<i class=other ' in text and '<a class=other' in text and 'other side' in text and ', by work-item' in text, text
    text, _ = report(build, folder, 'barrier_left.cl', '.txt', '--global', '8', '--local', '8', '--arg', 'i32[8]')
    yield 'the other side of a write is a read', 'read by several work-items in bad at ' in text and \
        text.split('read by several', 1)[1].splitlines()[3].strip().split(' = ')[1].startswith('OpLoad'), text
    text, _ = report(build, folder, 'race_groups.cl', '.txt', '--global', '8', '--local', '4', '--arg', 'i32[4]')
    yield 'the other group of a race', 'by work-item (0, 0, 0), local (0, 0, 0), group (0, 0, 0)' in text, text
    source = os.path.join(folder, 'lines.cl')
    with open(source, 'w') as f:
        f.write('kernel void lines(global int *a)\n{\n    int i = get_global_id(0);\n    if (i < 3)\n        a[i] = 1 < 2;\n'
                '    if (i > 99)\n        a[i] = 2;\n' + '\n' * 20 + '    a[i] += 3;\n}\n')
    launch = ['--global', '8', '--arg', 'i32[8]', '--counts', os.path.join(folder, 'lines.json')]
    text, _ = report(build, folder, source, '.html', *launch, entry='lines')
    yield 'lines and how often they ran', all(re.search(r'<s> +%d +%d</s> ' % row, text) for row in ((4, 8), (5, 3), (28, 8))), text
    yield 'lines that never ran', re.search(r'<s> +7 +0</s> <b class=never> +a\[i\] = 2;</b>', text) and ': 7 of 8 lines ran' in text, text
    yield 'lines without instructions', '<s>    1' + ' ' * 13 + '</s> kernel void lines(' in text and '&#8942;' in text and '<s>   15 ' not in text, text
    text, _ = report(build, folder, source, '.html', *launch[:-2], entry='lines')
    yield 'not without counts', 'How often lines ran' not in text, text
    called = ['--global', '8', '--arg', 'i32[8]=range']
    text, _ = report(build, folder, 'pointer_passed.cl', '.sarif', '--cl', '-O0', *called)
    run = json.loads(text)['runs'][0]
    found = [r for r in run['results'] if r['ruleId'] == 'check.out-of-bounds']
    yield 'SARIF says how to mend it', 'Hint: ' in found[0]['message']['text'] and 'by work-item' in found[0]['message']['text'], text
    yield 'SARIF has the calls', len(found[0]['stacks'][0]['frames']) >= 1, text
    yield 'SARIF has help for rules', all('help' in r for r in run['tool']['driver']['rules']), text
    spaced = shutil.copy(os.path.join(HERE, 'pointer_passed.cl'), os.path.join(folder, 'two words.cl'))
    text, _ = report(build, folder, spaced, '.sarif', '--cl', '-O0', *called)
    yield 'SARIF names files by URI', '/two%20words.cl"' in text and '/two words.cl"' not in text, text
    text, _ = report(build, folder, 'pointer_passed.cl', '.json', '--cl', '-O0', *called)
    one = json.loads(text)[0]
    yield 'JSON has names', one['variable'] == 'a' and one['kernel'] == 'bad' and one['function'] == 'fill' and one['calls'], text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default='build')
    o = parser.parse_args()
    passed = failed = skipped = 0
    with tempfile.TemporaryDirectory() as folder:
        for what, holds, shown in itertools.chain(cases(o.build, folder), names(o.build, folder)):
            if holds is None:
                skipped += 1
                continue
            passed, failed = passed + bool(holds), failed + (not holds)
            if not holds:
                print('failed: %s\n%s' % (what, shown[:3000]))
    print('%d passed, %d failed, %d skipped' % (passed, failed, skipped))
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
