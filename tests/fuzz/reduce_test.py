#!/usr/bin/env python3
"""tests/fuzz/reduce.py: what is not asked for goes, what counts the rounds of a loop stays.

  tests/fuzz/reduce_test.py [--build build]

Ends with `N passed, N failed, N skipped`.
SPDX-License-Identifier: MIT
"""
import os, subprocess, sys, tempfile

HEAD = '''; RUN: heddle run %s k --global 1 --local 1 --arg u32[1]=zeros
%u32 = OpTypeInt 32 0
%c0 = OpConstant %u32 0
%c1 = OpConstant %u32 1
%k = OpFunction %void None %kind
%out = OpFunctionParameter %pointer
%entry = OpLabel
'''
PHIS = HEAD + '''OpBranch %head
%head = OpLabel
%n = OpPhi %u32 %c0 %entry %next %head
%next = OpIAdd %u32 %n %c1
%wanted = OpIMul %u32 %n %n
%unwanted = OpNot %u32 %wanted
OpStore %out %unwanted
OpStore %out %wanted
%more = OpULessThan %bool %next %c1
OpBranchConditional %more %head %end
%end = OpLabel
OpReturn
OpFunctionEnd
'''
VARIABLE = HEAD + '''%fuel = OpVariable %pointer Function %c1
OpBranch %head
%head = OpLabel
%n = OpLoad %u32 %fuel
%next = OpISub %u32 %n %c1
OpStore %fuel %next
%unwanted = OpNot %u32 %n
OpStore %out %unwanted
%wanted = OpIMul %u32 %n %n
OpStore %out %wanted
%more = OpINotEqual %bool %next %c0
OpBranchConditional %more %head %end
%end = OpLabel
OpReturn
OpFunctionEnd
'''


def reduced(folder, text):
    """What is left when a multiplication, a loop and no more are asked for."""
    paths = [os.path.join(folder, name) for name in ('from.spvasm', 'to.spvasm')]
    with open(paths[0], 'w') as f:
        f.write(text)
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'reduce.py')
    subprocess.run([sys.executable, script, *paths, 'grep', '-qzP', r'OpIMul(.*\n)*OpBranchConditional', 'FILE'], check=True,
                   stdout=subprocess.DEVNULL)
    with open(paths[1]) as f:
        return f.read()


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text, kept in [('phis', PHIS, ['%n = OpPhi', '%next = OpIAdd %u32 %n %c1', 'OpIMul']),
                                 ('variable', VARIABLE, ['%n = OpLoad', '%next = OpISub', 'OpStore %fuel %next', 'OpIMul'])]:
            got = reduced(folder, text)
            fine = all(k in got for k in kept) and 'OpNot' not in got
            passed, failed = passed + fine, failed + (not fine)
            if not fine:
                print('FAILED %s:\n%s' % (name, got))
    print('%d passed, %d failed, 0 skipped' % (passed, failed))
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
