#!/usr/bin/env python3
"""Makes a module smaller as long as what is wrong with it stays wrong.

  tests/fuzz/reduce.py FILE.spvasm OUT.spvasm COMMAND …

COMMAND is run with a candidate's path in place of FILE, and exits with 0 when the candidate still shows the fault; it
should look at no more than that. tests/fuzz/reduce.py --differ WIDTH[,dispatch][,fibers][,calls][,overlap] FILE OUT [--build build]
is short for: this way to compile it (overlap: HEDDLE_APART=0) and the interpreter do not agree (the file's RUN line has sizes and
arguments). What is tried: branches that go one way only, statements left out, values replaced by zero, what nobody uses dropped;
but what counts the rounds of a loop stays, or it would never end.
SPDX-License-Identifier: MIT
"""
import os, re, subprocess, sys, tempfile

ID = re.compile(r'%[A-Za-z0-9_]+')
TYPED = re.compile(r'^(%\w+) = (Op\w+) (%\w+)')
STEP = re.compile(r'^(%\w+) = Op(?:IAdd|ISub) %\w+ (%\w+) %\w+')
KEPT = ('OpLabel', 'OpFunction', 'OpFunctionParameter', 'OpPhi', 'OpVariable', 'OpUntypedVariableKHR')


class Text:
    """Lines of a module, without comments; `head` keeps those."""

    def __init__(self, lines):
        self.lines = lines

    def tidy(self):
        """Blocks that nobody reaches go, and what phis say of them; then what nobody uses."""
        lines = drop_blocks(self.lines)
        while True:
            used = {}
            for l in lines:
                names = ID.findall(l.split(' = ', 1)[-1] if ' = ' in l else l)
                if not l.startswith(('OpDecorate', 'OpName')):
                    for n in names:
                        used[n] = used.get(n, 0) + 1
            def needed(l):
                if l.startswith('OpDecorate'):
                    return ID.findall(l)[0] in alive
                m = re.match(r'(%\w+) = (Op\w+)', l)
                return not m or m[2] in ('OpLabel', 'OpFunction', 'OpFunctionParameter') or m[1] in used or \
                    'Atomic' in m[2] or m[2] == 'OpFunctionCall'
            alive = {m[1] for l in lines for m in [re.match(r'(%\w+) = ', l)] if m}
            kept = [l for l in lines if needed(l)]
            if len(kept) == len(lines):
                return Text(kept)
            lines = kept


def blocks_of(lines):
    """(first, behind the last, label, targets) of all blocks, and where functions begin."""
    found, label, start = [], None, 0
    for at, l in enumerate(lines):
        m = re.match(r'(%\w+) = OpLabel', l)
        if m:
            label, start = m[1], at
        elif l.startswith(('OpBranch', 'OpSwitch', 'OpReturn', 'OpUnreachable', 'OpKill')):
            ids = ID.findall(l)
            targets = ids if l.startswith('OpBranch ') else ids[1:] if l.startswith(('OpBranchC', 'OpSwitch')) else []
            found.append((start, at + 1, label, targets))
    return found


def drop_blocks(lines):
    blocks = blocks_of(lines)
    by_label = {b[2]: b for b in blocks}
    entries, pending = set(), False
    for l in lines:
        pending = pending or ' = OpFunction ' in l
        m = re.match(r'(%\w+) = OpLabel', l)
        if m and pending:
            entries.add(m[1])
            pending = False
    reached, todo = set(entries), list(entries)
    while todo:
        for t in by_label[todo.pop()][3]:
            if t not in reached:
                reached.add(t)
                todo.append(t)
    edges = {(b[2], t) for b in blocks for t in b[3] if b[2] in reached}
    out, at = [], 0
    for start, end, label, _ in blocks:
        out += lines[at:start]
        at = end
        if label in reached:
            for l in lines[start:end]:
                if ' = OpPhi ' in l:
                    words = l.split()
                    pairs = [(v, p) for v, p in zip(words[4::2], words[5::2]) if (p, label) in edges]
                    l = ' '.join(words[:4] + [x for pair in pairs for x in pair])
                out.append(l)
    return out + lines[at:]


def steps(lines):
    """The lines that bring loops to their ends: a phi and what it becomes, a step away; a variable's load, step and store."""
    made = {l.split(' ', 1)[0]: l for l in lines if ' = ' in l}
    kept = set()
    for l in lines:
        m = STEP.match(l)
        before = made.get(m[2], '') if m else ''
        if ' = OpPhi ' in before and m[1] in before.split():
            kept |= {l, before}
        elif ' = OpLoad ' in before:
            stores = {s for s in lines if s.split()[:3] == ['OpStore', ID.findall(before)[2], m[1]]}
            kept |= stores | {l, before} if stores else set()
    return kept


class Reducer:
    def __init__(self, head, text, out, test):
        self.head, self.text, self.out, self.test = head, text, out, test
        self.tries = 0

    def attempt(self, lines):
        """Take the lines when they still show the fault."""
        try:
            candidate = Text(lines).tidy()
        except KeyError:
            return False
        if len('\n'.join(candidate.lines)) >= len('\n'.join(self.text.lines)):
            return False
        with tempfile.NamedTemporaryFile('w', suffix='.spvasm', delete=False) as f:
            f.write('\n'.join(self.head + candidate.lines) + '\n')
        self.tries += 1
        good = self.test(f.name)
        if good:
            self.text = candidate
            os.replace(f.name, self.out)
        else:
            os.unlink(f.name)
        return good

    def chunks(self, choose, change):
        """Change lines that `choose` names, many at a time, then fewer; never what counts rounds."""
        size = max(1, sum(map(choose, self.text.lines)) // 2)
        while True:
            at = 0
            while True:
                kept = steps(self.text.lines)
                places = [k for k, l in enumerate(self.text.lines) if choose(l) and l not in kept]
                if at >= len(places):
                    break
                some = set(places[at:at + size])
                lines = list(self.text.lines)
                before = len(lines)
                changed = change(lines, some)
                if changed is None or not self.attempt(changed):
                    at += size
            if size == 1:
                return
            size = max(1, size // 4)

    def remove(self, lines, some):
        return [l for k, l in enumerate(lines) if k not in some]

    def one_way(self, which):
        def change(lines, some):
            for k in some:
                ids = ID.findall(lines[k])[1:]
                lines[k] = 'OpBranch ' + ids[which % len(ids)]
            return lines
        return change

    def zero(self, lines, some):
        """Values become constants."""
        names, add = {}, []
        for k in some:
            m = TYPED.match(lines[k])
            names[m[1]] = '%zero_' + m[3][1:]
            if not any(l.startswith(names[m[1]] + ' =') for l in lines + add):
                add.append('%s = OpConstantNull %s' % (names[m[1]], m[3]))
        lines = [l for k, l in enumerate(lines) if k not in some and not
                 (l.startswith('OpDecorate') and ID.findall(l)[0] in names)]
        lines = [ID.sub(lambda m: names.get(m[0], m[0]), l) for l in lines]
        first = next(k for k, l in enumerate(lines) if ' = OpFunction ' in l)
        return lines[:first] + add + lines[first:]

    def run(self):
        def value(l):
            m = TYPED.match(l)
            return m and m[2] not in KEPT + ('OpFunctionCall',) and not m[2].startswith(('OpType', 'OpConstant')) and \
                '%t_p_' not in m[3] and '%t_up_' not in m[3] and '_ptr_' not in m[3]
        while True:
            before = len(self.text.lines)
            branch = lambda l: l.startswith(('OpBranchC', 'OpSwitch'))
            self.chunks(branch, self.one_way(1))
            self.chunks(branch, self.one_way(0))
            self.chunks(lambda l: l.startswith(('OpStore', 'OpControlB', 'OpCopyMem', 'OpRestore')) or '= OpAtomic' in l or
                        '= OpFunctionCall' in l, self.remove)
            self.chunks(lambda l: bool(value(l)), self.zero)
            self.chunks(lambda l: ' = OpPhi ' in l, self.zero)
            if len(self.text.lines) == before:
                return


def differs(build, spec):
    """A test for a way to compile."""
    width, *flags = spec.split(',')
    heddle = os.path.join(build, 'heddle')
    variables = dict(os.environ, HEDDLE_CACHE='0', HEDDLE_APART='0' if 'overlap' in flags else '1')

    def outcome(path, words, more):
        try:
            p = subprocess.run([heddle, 'run', path, *words, '--threads', '1', '--width', width, *more], timeout=60,
                               capture_output=True, text=True, env=variables)
        except subprocess.TimeoutExpired:
            return None
        return [l for l in p.stdout.splitlines() if l.startswith('arg ')] if p.returncode == 0 else None

    def test(path):
        words = next(re.findall(r'RUN: heddle run %s (.*)', l)[0].split() for l in open(path) if 'RUN: ' in l)
        want = outcome(path, words, ['--engine', 'interpreted'])
        return want is not None and outcome(path, words, ['--' + f for f in flags if f != 'overlap']) not in (want, None)
    return test


def main():
    args, build = sys.argv[1:], 'build'
    if '--build' in args:
        at = args.index('--build')
        build = args[at + 1]
        del args[at:at + 2]
    if args and args[0] == '--differ':
        test = differs(build, args[1])
        args = args[2:]
    elif len(args) > 2:
        command = args[2:]
        test = lambda path: subprocess.run([w.replace('FILE', path) for w in command], stdout=subprocess.DEVNULL,
                                           stderr=subprocess.DEVNULL).returncode == 0
    if len(args) < 2:
        sys.exit(__doc__)
    lines = [l.rstrip('\n').strip() for l in open(args[0])]
    head = [l for l in lines if l.startswith(';')]
    r = Reducer(head, Text([l.split(' ; ')[0] for l in lines if l and not l.startswith(';')]), args[1], test)
    if not test(args[0]):
        sys.exit('%s does not show the fault' % args[0])
    r.run()
    print('%d lines after %d tries' % (len(r.text.lines), r.tries))


if __name__ == '__main__':
    main()
