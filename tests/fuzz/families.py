#!/usr/bin/env python3
"""Which families of control flow the random kernels have: what a generator cannot make, it cannot test.

  tests/fuzz/families.py [--build build] [--count N] [--seed S] [GENERATOR …]

Generators: module (random_module.py), source, rows, shapes, and the kinds of flow_test.py. Of each loop of each kernel, as the compiler gets it
(sources: as clang-22 leaves them), it is told where its way out lies, by dominance and post-dominance of the branches in it; a
kernel counts once in each family. Written for docs/testing.md.
SPDX-License-Identifier: MIT
"""
import argparse, collections, os, re, subprocess, sys, tempfile

from engine import Engine, Failure
from random_csmith import Csmith, is_there
from random_flow import HEAD, KINDS
from random_module import Module
from random_rows import Rows
from random_shapes import Shapes
from random_source import Source

SOURCES = {'source': Source, 'rows': Rows, 'shapes': Shapes}
ID = re.compile(r'%[\w.]+')
END = '(end)'


class Graph:
    """Blocks of a function, from its text."""

    def __init__(self, lines):
        self.next, self.barriers, block = {}, set(), None
        for line in lines:
            words = line.split()
            if len(words) > 2 and words[2] == 'OpLabel':
                block = words[0]
            elif words and words[0] in ('OpBranch', 'OpBranchConditional', 'OpSwitch'):
                ids = ID.findall(line)
                self.next[block] = list(dict.fromkeys(ids if words[0] == 'OpBranch' else ids[1:]))
            elif words and words[0] in ('OpReturn', 'OpReturnValue', 'OpUnreachable', 'OpKill'):
                self.next[block] = [END]
            elif 'OpControlBarrier' in line:
                self.barriers.add(block)
        self.entry = next(iter(self.next))
        self.next = {b: self.next[b] for b in self.reached(self.entry, self.next)}
        self.before = collections.defaultdict(list)
        for b, targets in self.next.items():
            for t in targets:
                self.before[t].append(b)
        self.dom = self.dominators(self.entry, self.next, self.before)
        self.post = self.dominators(END, self.before, self.next) if END in self.before else {}

    def leads(self, start, end, within):
        """Is there a way that stays in these blocks?"""
        return start in within and end in self.reached(start, {b: [t for t in self.next[b] if t in within] for b in within})

    @staticmethod
    def reached(start, edges):
        seen, todo = {start: True}, [start]
        while todo:
            for t in edges.get(todo.pop(), []):
                if t not in seen and t != END:
                    seen[t] = True
                    todo.append(t)
        return list(seen)

    @staticmethod
    def dominators(start, edges, back):
        """Sets, by fixed point: the graphs are small."""
        order, todo = {start: True}, [start]
        while todo:
            for t in edges.get(todo.pop(), []):
                if t not in order:
                    order[t] = True
                    todo.append(t)
        dom = {b: set(order) for b in order}
        dom[start], changed = {start}, True
        while changed:
            changed = False
            for b in order:
                if b != start:
                    new = set.intersection(*[dom[p] for p in back[b] if p in dom]) | {b}
                    changed, dom[b] = changed or new != dom[b], new
        return dom

    def components(self):
        """Strongly connected parts with a cycle, and those within them without their header; (blocks, entries)."""
        found, work = [], [list(self.next)]
        while work:
            blocks = set(work.pop())
            for part in strong(blocks, self.next):
                if len(part) == 1 and part[0] not in self.next[part[0]]:
                    continue
                part = set(part)
                entries = [b for b in part if b == self.entry or any(p not in part for p in self.before[b])]
                entries = entries or [b for b in part if any(p not in blocks for p in self.before[b])] or [next(iter(part))]
                found.append((part, entries, len(blocks) < len(self.next)))
                work.append(part - {entries[0]})
        return found


def strong(blocks, edges):
    """Tarjan's, without recursion."""
    index, low, on, stack, parts, count = {}, {}, set(), [], [], 0
    for root in blocks:
        if root in index:
            continue
        todo = [(root, iter([t for t in edges[root] if t in blocks]))]
        index[root] = low[root] = count
        count += 1
        stack.append(root)
        on.add(root)
        while todo:
            b, targets = todo[-1]
            for t in targets:
                if t not in index:
                    index[t] = low[t] = count
                    count += 1
                    stack.append(t)
                    on.add(t)
                    todo.append((t, iter([u for u in edges[t] if u in blocks])))
                    break
                if t in on:
                    low[b] = min(low[b], index[t])
            else:
                todo.pop()
                if todo:
                    low[todo[-1][0]] = min(low[todo[-1][0]], low[b])
                if low[b] == index[b]:
                    part = []
                    while not part or part[-1] != b:
                        part.append(stack.pop())
                        on.discard(part[-1])
                    parts.append(part)
    return parts


def families(graph):
    """Names of what a function has."""
    found = set()
    for part, entries, is_inner in graph.components():
        header = entries[0]
        leaving = [b for b in part if any(t not in part for t in graph.next[b])]
        targets = {t for b in leaving for t in graph.next[b] if t not in part}
        latches = [b for b in part if header in graph.next[b]]
        found.add('loop')
        found.add('ways out: none' if not leaving else 'ways out: one' if len(leaving) == 1 else 'ways out: several')
        found |= {'goes to several places'} if len(targets) > 1 else set()
        found |= {'several back edges'} if len(latches) > 1 else set()
        found |= {'irreducible'} if len(entries) > 1 else set()
        found |= {'inner loop'} if is_inner else set()
        found |= {'barrier in loop'} if part & graph.barriers else set()
        if END in targets:
            found.add('returns out of the loop')
        branches = [b for b in part if len([t for t in graph.next[b] if t in part]) > 1]
        for b in leaving:
            if b != header and not all(b in graph.dom[l] for l in latches):
                found.add('way out in one side of a branch')
        for d in branches:
            sides = [t for t in graph.next[d] if t in part]
            out = [any(s in graph.dom[b] and s != header for b in leaving) for s in sides]
            found |= {'way out in one side only'} if any(out) and not all(out) else set()
            found |= {'way out in both sides'} if all(out) else set()
            meeting = graph.post.get(d, set()) - {d}
            near = [m for m in meeting if all(m == o or o in graph.post.get(m, set()) for o in meeting)]
            if near and near[0] in part and near[0] != header and not all(graph.leads(s, near[0], part - {header}) for s in sides):
                found.add('sides meet in one of them, over the back edge')
            if near and near[0] not in part:
                found.add('sides meet behind the loop')
            if not near:
                found.add('sides never meet')
            if part & graph.barriers and any(len([t for t in graph.next[x] if t in part]) > 1 for x in part):
                found.add('branch in a loop with a barrier')
        if part & graph.barriers and len(latches) > 1:
            found.add('several back edges around a barrier')
    if any(graph.next[b] and len(graph.next[b]) > 2 for b in graph.next):
        found.add('switch')
    return found


def functions(text):
    lines = []
    for line in text.splitlines():
        if ' OpFunction ' in line:
            lines = []
        elif 'OpFunctionEnd' in line:
            if any('OpLabel' in l for l in lines):
                yield lines
        else:
            lines.append(line)


def module_of(engine, generator, seed):
    """The text of a module; None if there is none."""
    if generator == 'module':
        return Module(seed, seed % 2 == 1, seed % 6 in (2, 5)).text()
    if generator in SOURCES:
        with tempfile.TemporaryDirectory() as folder:
            words = SOURCES[generator](seed).compiled('-O2', folder, engine)
    else:
        k = Csmith(seed) if generator == 'csmith' else KINDS[generator](seed)
        words = engine.compiled(HEAD + k.function(), '')
    if words is None:
        return None
    return subprocess.run([os.path.join(engine.build, 'heddle'), 'dis', '-'], input=words, stdout=subprocess.PIPE, check=True).stdout.decode()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default='build')
    parser.add_argument('--count', type=int, default=100)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('generators', nargs='*', default=['module', *SOURCES, *KINDS] + ['csmith'] * is_there())
    o = parser.parse_args()
    engine, table = Engine(o.build), {}
    for generator in o.generators:
        counts = table[generator] = collections.Counter()
        for seed in range(o.seed, o.seed + o.count):
            try:
                text = module_of(engine, generator, seed)
            except Failure:
                text = None
            counts.update({f for lines in functions(text or '') for f in families(Graph(lines))})
    names = sorted({f for counts in table.values() for f in counts})
    print('| of %d kernels | %s |\n| --- |%s' % (o.count, ' | '.join(table), ' --- |' * len(table)))
    for name in names:
        print('| %s | %s |' % (name, ' | '.join(str(table[g][name]) for g in table)))


if __name__ == '__main__':
    sys.exit(main())
