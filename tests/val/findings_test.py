#!/usr/bin/env python3
"""How the validator says what it finds: everything at once, in the order of the module, nothing twice, up to a limit.

  tests/val/findings_test.py [--build build]

And its warnings: docs/warnings.md names each, each has a test, and they leave the exit code alone.
SPDX-License-Identifier: MIT
"""
import argparse, glob, json, os, random, re, struct, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEAD = """OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpMemoryModel Physical64 OpenCL
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%1 = OpConstant %uint 1
%x = OpConstant %float 1
%true = OpConstantTrue %bool
%fn = OpTypeFunction %void
"""
# An instruction that is wrong, with its rule; the first operand of each is right where it stands.
WRONG = [('%{n} = OpIAdd %float %1 %1', 'arith.result'), ('%{n} = OpFAdd %float %1 %x', 'arith.operand'),
         ('%{n} = OpSelect %uint %1 %1 %1', 'compare.select-condition'), ('%{n} = OpLogicalNot %uint %true', 'compare.result'),
         ('%{n} = OpConvertUToF %uint %1', 'convert.result')]


class Test:
    def __init__(self, heddle, folder):
        self.heddle, self.folder, self.passed, self.failures = heddle, folder, 0, []

    def check(self, fine, what):
        self.passed += bool(fine)
        if not fine:
            self.failures.append(what)

    def val(self, text, *options):
        """(exit code, findings, what is said in text)"""
        path = os.path.join(self.folder, 'module.spvasm')
        with open(path, 'w') as f:
            f.write(text)
        command = [self.heddle, 'val', '--env', 'universal1.6', *options]
        p = subprocess.run(command + ['--json', path], capture_output=True, text=True)
        said = subprocess.run(command + ['--no-color', path], capture_output=True, text=True)
        return p.returncode, json.loads(p.stdout), said.stdout + said.stderr


def check_bound(test):
    """A constant whose type is no id of the module is one mistake."""
    path = os.path.join(test.folder, 'module.spv')
    text = os.path.join(test.folder, 'module.spvasm')
    with open(text, 'w') as f:
        f.write(HEAD)
    subprocess.run([test.heddle, 'as', text, '-o', path], check=True)
    with open(path, 'rb') as f:
        data = f.read()
    words = list(struct.unpack('<%dI' % (len(data) // 4), data))
    at = words.index(4 << 16 | 43)  # OpConstant
    words[at + 1] = 99999
    with open(path, 'wb') as f:
        f.write(struct.pack('<%dI' % len(words), *words))
    p = subprocess.run([test.heddle, 'val', '--json', path], capture_output=True, text=True)
    rules = [d['rule'] for d in json.loads(p.stdout)]
    test.check(p.returncode == 1 and rules == ['module.id-bound'], 'a type above the bound: %s' % rules)


def check_order(test):
    """Many mistakes of many rules, in functions and before them: each is found, in the order of the lines."""
    rng = random.Random(7)
    for _ in range(8):
        lines, wanted = HEAD.rstrip('\n').split('\n'), []
        lines.append('%early = OpConstantComposite %uint %1 %1')
        wanted.append(len(lines))
        for f in range(rng.randrange(2, 5)):
            lines += ['%%f%d = OpFunction %%void None %%fn' % f, '%%l%d = OpLabel' % f]
            for k in range(rng.randrange(3, 9)):
                text, _ = rng.choice(WRONG)
                lines.append(text.replace('{n}', 'v%d_%d' % (f, k)))
                wanted.append(len(lines))
                lines.append('%%w%d_%d = OpIAdd %%uint %%1 %%1' % (f, k))
            lines += ['OpReturn', 'OpFunctionEnd']
        code, findings, said = test.val('\n'.join(lines) + '\n')
        places = [d['line'] for d in findings]
        test.check(code == 1 and places == wanted, 'findings at lines %s, not %s' % (places, wanted))
        test.check([int(n) for n in re.findall(r'module\.spvasm:(\d+):', said)] == wanted, 'the same as text: ' + said[:400])
        for limit in (1, 2, len(wanted) - 1, len(wanted), len(wanted) + 5):
            code, findings, _ = test.val('\n'.join(lines) + '\n', '--limit', str(limit))
            test.check(code == 1 and [d['line'] for d in findings] == wanted[:limit], '--limit %d' % limit)


def check_limit(test):
    """A limit leaves the first by place, whichever pass finds them: what bodies break, and what ids do, which is looked at before."""
    lines = HEAD.rstrip('\n').split('\n') + ['%small = OpTypeInt 8 0']
    for f in range(60):
        lines += ['%%f%d = OpFunction %%void None %%fn' % f, '%%l%d = OpLabel' % f]
        for k in range(6):
            lines.append('%%a%d_%d = OpIAdd %%uint %%x %%1' % (f, k) if (f < 40) == (k < 5) else
                         '%%b%d_%d = OpIAdd %%uint %%none%d_%d %%1' % (f, k, f, k))
        lines += ['OpReturn', 'OpFunctionEnd']
    text = '\n'.join(lines) + '\n'
    _, everything, _ = test.val(text)
    wanted = [(d['line'], d['rule']) for d in everything]
    test.check(len(wanted) == 361 and wanted == sorted(wanted), 'one finding a line: %d' % len(wanted))
    for limit in (1, 2, 5, 100, 360, 361, 400):
        for threads in ('1', '3'):
            _, findings, said = test.val(text, '--limit', str(limit), '-j', threads)
            test.check([(d['line'], d['rule']) for d in findings] == wanted[:limit], '--limit %d -j %s: the first by place' % (limit, threads))
            test.check((limit >= 361) != ('%d more errors not shown' % (361 - limit) in said), '--limit %d: what is not shown' % limit)


def check_cascades(test):
    """Whatever rests on a definition that is wrong is not wrong again for that."""
    body = '%f = OpFunction %void None %fn\n%l = OpLabel\n{}OpReturn\nOpFunctionEnd\n'
    for text, rule in WRONG:
        uses = ''.join('%%u%d = OpIAdd %%uint %%bad %%bad\n%%t%d = OpFAdd %%float %%bad %%x\n%%p%d = OpSelect %%float %%true %%bad %%bad\n'
                       % (k, k, k) for k in range(3))
        _, findings, _ = test.val(HEAD + body.format(text.replace('%{n}', '%bad') + '\n' + uses))
        test.check([d['rule'] for d in findings] == [rule], '%s has %s' % (rule, [d['rule'] for d in findings]))
    for wrong in ('%t = OpTypeVector %void 4', '%t = OpTypeArray %uint %x', '%t = OpTypeStruct %1', '%t = OpTypePointer Function %1'):
        uses = '%p = OpTypePointer CrossWorkgroup %t\n%n = OpConstantNull %t\n%f2 = OpTypeFunction %void %t %p\n'
        code, findings, _ = test.val(HEAD + wrong + '\n' + uses + '%f = OpFunction %void None %f2\n%a = OpFunctionParameter %t\n'
                                     '%b = OpFunctionParameter %p\n%l = OpLabel\n%c = OpLoad %t %b\nOpStore %b %c\nOpReturn\nOpFunctionEnd\n')
        test.check(code == 1 and len(findings) == 1 and findings[0]['instruction'].startswith('%'),
                   '%s: %s' % (wrong, [(d['rule'], d['message']) for d in findings]))
    _, findings, _ = test.val(HEAD + body.format('%a = OpIAdd %uint %nothing %1\n%b = OpIAdd %uint %nothing %1\n%c = OpIAdd %uint %a %b\n'))
    test.check([d['rule'] for d in findings] == ['id.undefined'], 'an id that nothing defines: %s' % [d['rule'] for d in findings])
    for branch in ('OpBranch %gone', 'OpBranchConditional %true %l2 %gone', 'OpLoopMerge %gone %l2 None\nOpBranch %l2'):
        _, findings, _ = test.val(HEAD + '%f = OpFunction %void None %fn\n%l = OpLabel\n' + branch + '\n%l2 = OpLabel\nOpReturn\nOpFunctionEnd\n')
        test.check([d['rule'] for d in findings] == ['id.undefined'], 'a label that nothing defines: %s' % [d['rule'] for d in findings])
    _, findings, _ = test.val(HEAD.replace('OpCapability Linkage\n', '').replace('%void =', 'OpExecutionMode %f LocalSize 1 1 1\n%void =')
                              + body.format(''))
    test.check([d['rule'] for d in findings] == ['entry.none'], 'no entry point for modes: %s' % [d['rule'] for d in findings])
    path = os.path.join(test.folder, 'gone.spv')
    with open(path, 'wb') as f: # three constants of a type that is not there
        f.write(struct.pack('<5I', 0x07230203, 0x10000, 0, 9, 0) + struct.pack('<2I', 2 << 16 | 17, 6)
                + b''.join(struct.pack('<4I', 4 << 16 | 43, 7, k, 1) for k in (1, 2, 3)))
    p = subprocess.run([test.heddle, 'val', '--json', path], capture_output=True, text=True)
    test.check([d['rule'] for d in json.loads(p.stdout)] == ['module.literal-type'], 'constants of no type: ' + p.stdout)


def check_warnings(test):
    rules = set()
    for path in glob.glob(os.path.join(ROOT, 'src/val/*.c')) + glob.glob(os.path.join(ROOT, 'src/ops/*/*_rule*.c')):
        text = open(path, encoding='utf-8').read()
        rules |= set(re.findall(r'hd_val_warn\(\s*v, &?in,\s*"([a-z-]+\.[a-z-]+)"', text))
        if 'to_build ? hd_val_warn' in text:
            rules |= set(re.findall(r'to_build \? hd_val_warn : hd_val_fail\)\(\s*v, &?in, "([a-z-]+\.[a-z-]+)"', text))
    page = open(os.path.join(ROOT, 'docs/warnings.md'), encoding='utf-8').read()
    named = set(re.findall(r'`([a-z-]+\.[a-z-]+)`', page))
    tests = ''.join(open(p, encoding='utf-8').read() for p in glob.glob(os.path.join(ROOT, 'src/ops/*/tests/*.spvasm')) +
                    glob.glob(os.path.join(ROOT, 'tests/val/**/*.spvasm'), recursive=True))
    test.check(len(rules) > 20, 'warnings were found in the sources')
    for rule in sorted(rules | named):
        test.check(rule in rules and rule in named, '%s: in the sources and in docs/warnings.md' % rule)
        test.check('warning: ' + rule in tests or rule in ('builtin.type', 'entry.builtin-twice', 'entry.interface-missing', 'scope.memory-invocation'), '%s: no test expects this warning' % rule)
    code, findings, _ = test.val(HEAD + '%0 = OpConstant %uint 0\n%f = OpFunction %void None %fn\n%l = OpLabel\n%a = OpUDiv %uint %1 %0\n'
                                 'OpReturn\nOpFunctionEnd\n')
    test.check(code == 0 and [(d['severity'], d['rule']) for d in findings] == [('warning', 'arith.zero-divisor')], 'a warning alone is valid')


def main():
    a = argparse.ArgumentParser()
    a.add_argument('--build', default='build')
    a = a.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        test = Test(os.path.abspath(os.path.join(a.build, 'heddle')), folder)
        check_order(test)
        check_bound(test)
        check_limit(test)
        check_cascades(test)
        check_warnings(test)
    for failure in test.failures:
        print('FAILED:', failure)
    print('%d passed, %d failed, 0 skipped' % (test.passed, len(test.failures)))
    return 1 if test.failures else 0


if __name__ == '__main__':
    sys.exit(main())
