#!/usr/bin/env python3
"""`heddle val … | heddle explain -`: each finding once, with its own sentence and its instruction. [--build FOLDER]

Ends with a line of counts.
SPDX-License-Identifier: MIT
"""
import sys

import harness
from exit_test import MODULE

WRONG = MODULE.replace('%p = ', '%f32 = OpTypeFloat 32\n%p = ', 1).replace('%y = OpIAdd %u32 %x %c', '%y = OpIAdd %f32 %x %c\n%z = OpIAdd %f32 %x %c\n'
                       '%w = OpFNegate %u32 %x')


def main():
    with harness.Tool() as t:
        found = t.run('val', t.path('wrong.spvasm', WRONG))[2]
        code, out, err = t.run('explain', '-', stdin=found)
        blocks = out.split('\n\n')
        t.check(code == 0 and err == '' and found.count('[arith.result]') == 3, f'{code}, {err}, {found}')
        added = [b for b in blocks if b.startswith('arith.result\n  says       the result is not an integer scalar or vector\n  section')]
        negated = [b for b in blocks if b.startswith('arith.result\n  says       the result is not a float scalar or vector\n  section')]
        t.check(len(added) == 1, f'one of each: {out}')
        t.check(all('OpIAdd' in b for b in added) and len(negated) == 1, f'their instructions: {out}')
        t.check('OpFNegate' in negated[0], f'OpFNegate: {out}')
        code, out, err = t.run('explain', '-', stdin='int a[3];\nx[i] = [arith.result]\n')
        t.check(code == 2 and out == '' and err == 'heddle explain: standard input has no finding\n', f'no finding: {out}, {err}')
        t.check(t.run('explain', 'nothing [no.rule]')[0] == 2, 'a finding of no rule')
        return t.end()


if __name__ == '__main__':
    sys.exit(main())
