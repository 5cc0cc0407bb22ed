#!/usr/bin/env python3
"""Print docs/passes.md, made from the rows of src/ir/passes.def.

  tools/passes_md.py            print it
  tools/passes_md.py --write    write docs/passes.md
  tools/passes_md.py --check    say whether docs/passes.md is current

SPDX-License-Identifier: MIT
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROWS = os.path.join(ROOT, 'src/ir/passes.def')
PAGE = os.path.join(ROOT, 'docs/passes.md')
HEAD = """\
# Passes over lane IR

Made by `tools/passes_md.py --write` from the rows of [src/ir/passes.def](../src/ir/passes.def); do not edit. How a
pass is added: [add-a-pass.md](add-a-pass.md).

Phases run in this order, and the passes of a phase in the order of the second table.

| phase | how its passes run | purpose |
| --- | --- | --- |
"""
MIDDLE = """
| pass | function | phases | needs | what it does |
| --- | --- | --- | --- | --- |
"""
TAIL = """
"required": later stages rely on the pass, so neither `HEDDLE_PASS_LIMIT` nor `HEDDLE_PASS_SKIP` leaves it out.

## Tools

- `heddle run FILE KERNEL --dump after:PASS` prints the function after each run of PASS that changed it.
- `HEDDLE_PASS_LIMIT=n` runs only the first n passes over each kernel that are not required.
  `tools/bisect_pass.py COMMAND …` finds the n at which a command begins to fail, and names the pass.
- `HEDDLE_PASS_SKIP=PASS` leaves a pass out. `bench/ablation.py` says the gain of each ([ablation.md](ablation.md)).
- `HEDDLE_VERIFY=1` verifies the lane IR after each pass. Builds with a sanitizer always do.
- `HEDDLE_TRACE=FILE` has a span for each run of a pass, with its number, its function and whether it changed something
  ([tracing.md](tracing.md)).
"""
HOW = {'BY_CALLER': 'by its caller', 'ONCE': 'once each', 'THEN_CLEAN': 'once each, then CLEANUP',
       'CHANGE_CLEAN': 'once each, then CLEANUP if something changed', 'UNTIL_IDLE': 'once each, until one changes nothing',
       'FIXPOINT': 'repeated until none changes anything', 'EACH_DEPTH': 'until it changes nothing, with CLEANUP after each run'}
NEEDS = {'REQUIRED': 'required', 'TIDIES': 'changes start no new round', 'KERNEL': 'a kernel', 'WIDE_CPU': 'a processor of 8 lanes or more',
         'CALLED_TOO': 'kernels and functions that are called', 'BARRIERS': 'barriers', 'ONE_SUBGROUP': 'groups of one sub-group',
         'SUBGROUPS': 'groups of several sub-groups', 'MANY_SLOTS': 'much storage', 'NOTHING': '',
         'WORD_MASKS': 'a processor without masks for bytes'}


def rows(kind):
    text = re.sub(r'/\*.*?\*/', '', open(ROWS, encoding='utf-8').read(), flags=re.S)
    for m in re.finditer(r'^%s\(([^"]*?),\s*((?:"[^"]*"\s*)+)\)' % kind, text, re.M):
        yield [' '.join(word.split()) for word in m.group(1).split(',')] + [''.join(re.findall('"([^"]*)"', m.group(2)))]


def words(text, names):
    return ', '.join(filter(None, (names.get(word.strip(), word.strip()) for word in text.split('|'))))


def page():
    phases = ['| %s | %s | %s |' % (name, HOW[how], what) for name, how, what in rows('PHASE')]
    passes = ['| %s | `%s` | %s | %s | %s |' % (name, function, words(phase, {}), words(needs, NEEDS) or '–', what)
              for name, function, phase, needs, what in rows('(?:OWN_)?PASS')]
    return HEAD + '\n'.join(phases) + '\n' + MIDDLE + '\n'.join(passes) + '\n' + TAIL


def current():
    return os.path.exists(PAGE) and open(PAGE, encoding='utf-8').read() == page()


def main():
    if '--check' in sys.argv:
        print('docs/passes.md is current' if current() else 'docs/passes.md is not current: tools/passes_md.py --write')
        return 0 if current() else 1
    if '--write' in sys.argv:
        with open(PAGE, 'w', encoding='utf-8') as f:
            f.write(page())
    else:
        sys.stdout.write(page())
    return 0


if __name__ == '__main__':
    sys.exit(main())
