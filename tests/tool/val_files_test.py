#!/usr/bin/env python3
"""heddle val over many files: folders, order, counts, exit codes, threads. [--build FOLDER]

Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import json
import os
import pty
import shutil
import subprocess
import sys

import harness

HEAD = 'OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n' \
       'OpMemoryModel Physical64 OpenCL\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n' \
       '%u32 = OpTypeInt 32 0\n%c = OpConstant %u32 1\n'
BAD = '%x{n} = OpFAdd %u32 %c %c\n'
FUNCTION = '%f{n} = OpFunction %void None %fn\n%l{n} = OpLabel\n{body}OpReturn\nOpFunctionEnd\n'


def on_terminal(command):
    """What a command prints on a terminal, and its exit code; None where there are no terminals."""
    try:
        ours, other = pty.openpty()
    except OSError:
        return None
    p = subprocess.Popen(command, stdout=other, stderr=other, stdin=subprocess.DEVNULL)
    os.close(other)
    said = b''
    try:
        while part := os.read(ours, 4096):
            said += part
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    return p.wait(), said.decode(errors='replace')


def main():
    with harness.Tool() as t:
        check, run = t.check, t.run
        write, folder = t.path, t.folder

        def val(*args, stdin=None):
            return run('val', *args, stdin=stdin)

        good = write('a/good.spvasm', HEAD + FUNCTION.format(n=0, body=''))
        bad = write('a/b/bad.spvasm', HEAD + FUNCTION.format(n=0, body=BAD.format(n=0)))
        write('a/notes.txt', 'no module')
        for jobs in ('1', '4'):
            code, _, text = val('-j', jobs, folder)
            check(code == 1 and text.count('[arith.result]') == 1, f'-j {jobs}: one finding')
            check(text.endswith('2 files: 1 valid (0 with warnings), 1 invalid, 0 not read\n'),
                  f'-j {jobs}: the line of counts')
        for n in range(60):
            write(f'many/{n}.spvasm', HEAD + FUNCTION.format(n=0, body=BAD.format(n=0) if n == 31 else ''))
        shown = on_terminal([t.heddle, 'val', os.path.join(folder, 'many'), '-j'])
        if shown is None:
            t.skipped += 1
        else:
            code, said = shown
            check(code == 1 and '] 1 of 60, 0 invalid\r' in said and '] 60 of 60, 1 invalid\r\x1b[K' in said, f'a progress bar that goes away: {said}')
            check(said.endswith('60 files: 59 valid (0 with warnings), 1 invalid, 0 not read\r\n'), f'and a summary: {said[-200:]}')
        check(' of 60, ' not in val(os.path.join(folder, 'many'))[2], 'no bar where there is no terminal')
        shutil.rmtree(os.path.join(folder, 'many'))
        check(val(good)[0] == 0 and val(good)[2] == '', 'one valid file says nothing')
        check(val('-j', '2', good, good)[0] == 0, 'valid files give 0')
        check(val('-j2', good, good)[0] == 0, 'a letter and its value may be one word')
        for args in ((folder, good, '-j'), ('-j', folder, good), ('-j', '0', folder, good)):
            check(val(*args)[2].endswith('3 files: 2 valid (0 with warnings), 1 invalid, 0 not read\n'), f'{args}: a count may be missing')
        check(val('-j', '2000', good)[0] == 2, 'a count that is too large')
        check(val(good, bad, os.path.join(folder, 'gone.spv'))[0] == 3, 'a missing file gives 3')
        source = write('c.cl', 'kernel void k(global double *p)\n{\n    p[0] = 1.0;\n}\n')
        if shutil.which('clang-22'):
            check(val('--device', 'default', good, source)[0] == 0, 'OpenCL C')
            code, _, said = val('--env', 'opencl3.0', '--ext', 'none', '--cl', '-g', source)
            check(code == 1 and 'Float64' in said, f'OpenCL C for what it does not fit: {said}')
            code, _, said = val('--cl', '-DX=(', '--cl', '-Werror', write('d.cl', 'kernel void k() { X }'))
            check(code == 1 and 'source.compile' in said, f'OpenCL C that is wrong: {said}')
        check(val('--nonsense', good)[0] == 2, 'wrong usage gives 2')
        check(val('-', stdin=HEAD)[0] == 0, 'standard input')
        check(val('--quiet', bad) == (1, '', f'{bad}: invalid\n'), '--quiet names the file')
        findings = json.loads(val('--json', good, bad, bad)[1])
        check([f['rule'] for f in findings] == ['arith.result'] * 2, '--json of several files')
        check(json.loads(val('--json', good)[1]) == [], '--json of nothing')
        sarif = json.loads(val('--sarif', bad, bad)[1])['runs'][0]
        check(len(sarif['results']) == 2 and len(sarif['tool']['driver']['rules']) == 1,
              '--sarif of several files')
        lined = write('lined.spvasm', HEAD.replace('%void', '%file = OpString "from here.cl"\n%void', 1) +
                      FUNCTION.format(n=0, body='OpLine %file 3 7\n' + BAD.format(n=0)))
        source = json.loads(val('--sarif', lined)[1])['runs'][0]['results'][0]['relatedLocations'][0]['physicalLocation']
        check(source['artifactLocation']['uri'] == 'from%20here.cl' and source['region']['startLine'] == 3,
              f'--sarif names the source that debug information does: {source}')
        # Functions of one module at once: the same findings in the same order.
        large = write('large.spvasm', HEAD + ''.join(
            FUNCTION.format(n=n, body=BAD.format(n=n) if n % 1000 == 7 else '')
            for n in range(20000)))
        one, four = val('--json', large), val('--json', '-j', '4', large)
        check(one == four and len(json.loads(one[1])) == 20, 'functions checked at once')
        check(val('--json', '--limit', '3', large)[1] == val('--json', '--limit', '3', '-j', '4',
                                                              large)[1], 'with a limit')
        # An id that is not defined is reported where it is used first, whoever comes to it first.
        unknown = write('unknown.spvasm', HEAD + ''.join(
            FUNCTION.format(n=n, body='%y{0} = OpCopyObject %u32 %nobody\n'.format(n)
                            if n % 5000 == 7 else '')
            for n in range(20000)))
        one, four = val('--json', unknown), val('--json', '-j', '4', unknown)
        check(one == four and [f['rule'] for f in json.loads(one[1])] == ['id.undefined'],
              'an unknown id in many functions')
        code, _, text = val('--device', 'there is no such device', good)
        check(code == 3 and text != '', 'an unknown device gives 3')
    return t.end()


if __name__ == '__main__':
    sys.exit(main())
