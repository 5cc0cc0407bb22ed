#!/usr/bin/env python3
"""Every rule of the validator and the reader is broken by a test and has an example that keeps it.

  tests/val/rules_test.py [--build build]

The rules are what tools/rules.py finds in the sources. Those that are not the validator's, or that no module can show,
stand in tests/val/rules.txt with the test that shows them, or the reason why none can; a test that does not name its rule
and an entry that is not needed any more are errors, too. Modules that text
with comments cannot say (unknown opcodes, enormous ones, words that are no instruction) are in the table below.
SPDX-License-Identifier: MIT
"""
import argparse, itertools, json, os, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tools'))
import rules
import served

HEAD = """OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
%std = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%u1 = OpConstant %uint 1
%f1 = OpConstant %float 1
%fn = OpTypeFunction %void
%bfn = OpTypeFunction %void %bool
"""
BODY = HEAD + '%f = OpFunction %void None %fn\n%l = OpLabel\n{}\nOpReturn\nOpFunctionEnd\n'
SWITCH = BODY.format('OpSelectionMerge %m None\nOpSwitch %u1 %m{}\n%m = OpLabel')
SHADER = """OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%bool = OpTypeBool
%true = OpConstantTrue %bool
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%l = OpLabel
"""


def structs(depth):
    return HEAD + '%d0 = OpTypeStruct %uint\n' + ''.join('%%d%d = OpTypeStruct %%uint %%d%d\n' % (i, i - 1) for i in range(1, depth))


def globals_(count):
    return HEAD + '%p = OpTypePointer CrossWorkgroup %uint\n%null = OpConstantNull %uint\n' + ''.join(
        '%%g%d = OpVariable %%p CrossWorkgroup %%null\n' % i for i in range(count))


def locals_(count):
    text = BODY.format(''.join('%%v%d = OpVariable %%p Function\n' % i for i in range(count)))
    return text.replace('%fn =', '%p = OpTypePointer Function %uint\n%fn =', 1)


def selections(depth):
    text = ''.join('OpSelectionMerge %%m%d None\nOpBranchConditional %%true %%t%d %%m%d\n%%t%d = OpLabel\n' % (i, i, i, i)
                   for i in range(depth))
    text += ''.join('OpBranch %%m%d\n%%m%d = OpLabel\n' % (i, i) for i in reversed(range(depth)))
    return SHADER + text + 'OpReturn\nOpFunctionEnd\n'


DECORATED = HEAD.replace('%void =', '\n'.join(['OpDecorate %g CPacked'] * 100 + ['%g = OpDecorationGroup',
                                                                            'OpGroupDecorate %g{}', '%packed = OpTypeStruct',
                                                                            '%void =']), 1)

# rule, environment, SPIR-V version to assemble for, a module that breaks it, one like it that does not
CASES = [
    ('needs.opcode', 'universal1.2', '1.2', HEAD.replace('%bool = ', '!0x0001fff0\n%bool = '), HEAD),
    ('needs.module-version', 'opencl1.2', '1.2', HEAD, None),
    ('needs.module-version', 'universal1.1', '1.2', HEAD, None),
    ('needs.import', 'universal1.2', '1.2', HEAD.replace('OpMemory', '!0x0004000b %some !0x656d6f53 !0\nOpMemory'), HEAD),
    ('module.ext-inst', 'universal1.2', '1.2', BODY.format('%x = OpExtInst %float %std !9999 %f1'),
     BODY.format('%x = OpExtInst %float %std fabs %f1')),
    ('module.import', 'universal1.2', '1.2', BODY.format('%x = OpExtInst %float !9 !0 %f1'),
     BODY.format('%x = OpExtInst %float %std acos %f1')),
    ('module.spec-op', 'universal1.2', '1.2', HEAD + '%x = OpSpecConstantOp %uint !1 %u1\n',
     HEAD + '%x = OpSpecConstantOp %uint SNegate %u1\n'),
    ('type.struct-members', 'universal1.2', '1.2', HEAD + '%s = OpTypeStruct' + ' %uint' * 16384 + '\n',
     HEAD + '%s = OpTypeStruct' + ' %uint' * 16383 + '\n'),
    ('type.function-parameters', 'universal1.2', '1.2', HEAD + '%s = OpTypeFunction %void' + ' %uint' * 256 + '\n',
     HEAD + '%s = OpTypeFunction %void' + ' %uint' * 255 + '\n'),
    ('type.pointee', 'opencl3.0', '1.2', HEAD + '%p = OpTypePointer Function %u1\n',
     HEAD + '%p = OpTypePointer Function %uint\n'),
    ('constant.spec-op-operand', 'universal1.2', '1.2', HEAD + '%x = OpSpecConstantOp %uint IAdd %u1 %std\n',
     HEAD + '%x = OpSpecConstantOp %uint IAdd %u1 %u1\n'),
    ('control.cases', 'universal1.2', '1.2', SWITCH.format(''.join(' %d %%m' % i for i in range(16384))),
     SWITCH.format(''.join(' %d %%m' % i for i in range(16383)))),
    ('module.limit', 'universal1.2', '1.2', DECORATED.format(' %packed' * 100), DECORATED.format(' %packed')),
    ('type.struct-depth', 'universal1.2', '1.2', structs(256), structs(255)),
    ('layout.variable-count', 'universal1.2', '1.2', globals_(65536), globals_(65535)),
    ('layout.variable-count', 'universal1.2', '1.2', locals_(524288), locals_(524287)),
    ('cfg.nesting-depth', 'universal1.2', '1.2', selections(1024), selections(1023)),
    ('layout.nested-function', 'universal1.2', '1.2',
     BODY.format('OpReturn\n%g = OpFunction %void None %fn\n%l2 = OpLabel'),
     BODY.format('OpReturn\nOpFunctionEnd\n%g = OpFunction %void None %fn\n%l2 = OpLabel')),
]


def validate(heddle, folder, env, version, text):
    path = os.path.join(folder, 'rule.spv')
    p = served.run([heddle, 'as', '--target-env', 'spv' + version, '-o', path, '-'], input=text.encode(),
                       capture_output=True)
    if p.returncode != 0:
        return p.stderr.decode()
    p = served.run([heddle, 'val', '--json', '--env', env, path], capture_output=True)
    return [d['rule'] for d in json.loads(p.stdout) if d['severity'] == 'error']


def check_cases(heddle, fail):
    with tempfile.TemporaryDirectory() as folder:
        for rule, env, version, wrong, right in CASES:
            found = validate(heddle, folder, env, version, wrong)
            if rule not in found:
                fail('%s: %s was found' % (rule, found))
            if right is not None:
                found = validate(heddle, folder, env, version, right)
                if found:
                    fail('%s: the module that keeps it breaks %s' % (rule, found))
        path = os.path.join(folder, 'bytes.spv')
        with open(path, 'wb') as f:
            f.write(b'\x03\x02\x23\x07\x00\x00\x01\x00\x00')
        p = served.run([heddle, 'val', '--json', path], capture_output=True)
        if json.loads(p.stdout)[0]['rule'] not in ('module.bytes', 'module.header'):
            fail('module.bytes: ' + p.stdout.decode())
    return len(CASES) + 1


def where_of(text):
    """The folders and files at the head of an entry."""
    return tuple(itertools.takewhile(lambda word: os.path.exists(word), text.split()))


def check_rules(fail):
    entries = rules.listed()
    used = set()
    found = rules.collect().values()
    shown = {case[0] for case in CASES if case[4] is not None}
    for rule in found:
        entry, where = rules.entry_of(rule.name, entries)
        test, wrong, right = rules.found_examples(rule)
        good = rule.name in shown or bool(wrong and right)
        if entry is None and not good:
            fail('%s: %s' % (rule.name, 'no test breaks it' if not rule.tests else 'no test keeps it, beside ' + test))
        if entry is not None:
            used.add(entry)
            if not where.startswith('guard: ') and not any(t.startswith(where_of(where)) for t, _ in rule.tests):
                fail('%s: no test of %s names it' % (rule.name, where))
            if rule.tests and where.startswith('guard: '):
                fail('%s: %s shows it, so it is not a guard' % (rule.name, rule.tests[0][0]))
            if good and '*' not in entry:
                fail('%s is in tests/val/rules.txt, which is not needed any more' % rule.name)
        if not any(rule.sections) and entry is None:
            fail('%s: no section of a specification' % rule.name)
    for pattern, _ in entries:
        if pattern not in used:
            fail('tests/val/rules.txt: there is no rule %s' % pattern)
    return len(found)


def check_explained(heddle, fail):
    """`heddle explain` shows each rule whole: what it says, its section, examples that differ in more than names."""
    for name in rules.unexplained():
        fail('%s: a sentence, section or example is missing, or tests/val/examples.txt names what is not a rule' % name)
    names = list(rules.collect())
    said = served.run([heddle, 'explain'] + names, capture_output=True, text=True).stdout
    for what in ('says', 'section', 'wrong', 'right', 'checked in', 'tested in'):
        if said.count('\n  %-11s' % what) != len(names):
            fail('heddle explain shows %d times "%s" for %d rules' % (said.count('\n  %-11s' % what), what, len(names)))
    return len(names) + 6


def main():
    a = argparse.ArgumentParser()
    a.add_argument('--build', default='build')
    a = a.parse_args()
    failures = []
    heddle = os.path.abspath(os.path.join(a.build, 'heddle'))
    os.chdir(ROOT)
    total = check_cases(heddle, failures.append) + check_rules(failures.append)
    total += check_explained(heddle, failures.append)
    for failure in failures:
        print('FAILED:', failure)
    print('%d passed, %d failed, 0 skipped' % (total - len(failures), len(failures)))
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
