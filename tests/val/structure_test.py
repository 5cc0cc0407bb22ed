#!/usr/bin/env python3
"""Structured control flow: verdicts of `heddle val` on random graphs, beside what the specification's sentences say of them.

  tests/val/structure_test.py [--build build] [--seed N] [--count N]

`violations` goes through the sentences of SPIR-V, "Structured Control Flow" and "Validation Rules for Shader Capabilities", one
by one, with dominance as it is defined: what is reached without a block. Two readings: an edge that leaves several
constructs is judged as one way out of the innermost of them, and a conditional branch may go on to the next case without a
merge instruction (tests/val/differences.md).
SPDX-License-Identifier: MIT
"""
import argparse, json, os, random, struct, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
AT_ONCE = 250  # graphs are the functions of one module


# ---- a graph: blocks with `to` (its terminator's kind and targets) and `merge` ('loop' or 'selection', and blocks), or None ----

def successors(block):
    kind, *targets = block['to']
    return [targets[0], *targets[1]] if kind == 'switch' else targets


def structured(block):
    return sorted(set(successors(block)) | set((block['merge'] or ())[1:]))


def reached(edges, start, without=None):
    seen, stack = {start} - {without}, [start] if start != without else []
    while stack:
        for y in edges[stack.pop()]:
            if y != without and y not in seen:
                seen.add(y)
                stack.append(y)
    return seen


def back_edges(edges, branches):
    """Branches to ancestors in a depth-first search from the entry."""
    state, found = {}, set()

    def visit(x):
        state[x] = 'open'
        for y in edges[x]:
            if state.get(y) == 'open' and y in branches[x]:
                found.add((x, y))
            elif y not in state:
                visit(y)
        state[x] = 'done'
    visit(0)
    return found


def violations(blocks):
    count, bad = len(blocks), []
    branches = [sorted(set(successors(b))) for b in blocks]
    edges = [structured(b) for b in blocks]
    ends = [i for i in range(count) if not branches[i]]
    below = [set(range(count)) - reached(edges, 0, without=i) for i in range(count)]  # what each dominates
    back = back_edges(edges, branches)

    def comes_last(last, first):
        return last == first or not any(e in reached(edges, first, without=last) for e in ends)

    # "Rules for Structured Control-flow Declarations"
    heads = [i for i in range(count) if blocks[i]['merge']]
    loops = [i for i in heads if blocks[i]['merge'][0] == 'loop']
    merges = [blocks[h]['merge'][1] for h in heads]
    if len(set(merges)) != len(merges):
        bad.append('a merge block of two headers')
    bad += ['a merge block that is not dominated' for h, m in zip(heads, merges) if h == m or m not in below[h]]
    bad += ['a back edge to no loop header' for _, h in back if h not in loops]
    from_of = {}
    for h in loops:
        _, merge, target = blocks[h]['merge']
        sources = [a for a, to in back if to == h]
        if len(sources) != 1:
            bad.append('a loop header with %d back edges' % len(sources))
            continue
        from_of[h] = sources[0]
        if target == merge or target not in below[h] or sources[0] not in below[target] or not comes_last(sources[0], target):
            bad.append('a continue target in the wrong place')
    # "Validation Rules for Shader Capabilities"
    declared = set(merges) | {blocks[h]['merge'][2] for h in loops}
    for i, b in enumerate(blocks):
        selects = b['merge'] and b['merge'][0] == 'selection'
        if b['to'][0] == 'switch' and not selects:
            bad.append('a switch without a merge instruction')
    if bad:
        return bad

    # "Structured Control-flow Constructs"
    constructs, switches = [], {}
    for h in heads:
        kind, merge, *target = blocks[h]['merge']
        inside = below[h] - below[merge]
        if kind == 'loop':
            last = {x for x in below[target[0]] if comes_last(from_of[h], x)}
            constructs += [dict(kind='continue', head=target[0], blocks=last, merge=merge, loop=h),
                           dict(kind='loop', head=h, blocks=inside - last, merge=merge, next=target[0], loop=h)]
        elif blocks[h]['to'][0] == 'switch':
            cases = [dict(kind='case', head=t, blocks=below[t] - below[merge], merge=merge, switch=h)
                     for t in branches[h] if t != merge]
            switches[h] = cases
            constructs += [dict(kind='switch', head=h, blocks=inside, merge=merge), *cases]
        else:
            constructs.append(dict(kind='selection', head=h, blocks=inside, merge=merge))

    def innermost(block, kinds):
        around = [c for c in constructs if block in c['blocks'] and c['kind'] in kinds]
        # What a header heads lies in the case or continue construct that begins with it.
        return max(around, default=None, key=lambda c: (-len(below[c['head']]), c['kind'] not in ('case', 'continue'), -len(c['blocks'])))

    def may_leave(a, b):
        any_kind = innermost(a, ('selection', 'switch', 'case', 'loop', 'continue'))
        other, round_ = innermost(a, ('switch', 'case', 'loop', 'continue')), innermost(a, ('loop', 'continue'))
        return (any_kind['kind'] == 'selection' and b == any_kind['merge']
                or other and other['kind'] == 'case' and b in branches[other['switch']]
                or other and other['kind'] in ('switch', 'case') and b == other['merge']
                or round_ and round_['kind'] == 'loop' and b in (round_['merge'], round_['next'])
                or (a, b) in back or any(a == from_of[h] and b == blocks[h]['merge'][1] for h in loops))

    # "Rules for Structured Control-flow Constructs"
    for s in constructs:
        for a in s['blocks']:
            for b in branches[a]:
                if b not in s['blocks'] and not may_leave(a, b):
                    bad.append('an exit of a %s construct' % s['kind'])
                if b not in s['blocks'] and s['kind'] == 'continue' and b not in (s['loop'], s['merge']):
                    bad.append('an exit of a continue construct')
        for other in constructs:
            alone = s['kind'] == 'continue' and other['kind'] == 'loop' and s['loop'] == other['head']  # a loop of one block
            if (other is not s and other['kind'] in ('selection', 'switch', 'loop') and not alone
                    and other['head'] in s['blocks'] and other['merge'] not in s['blocks']):
                bad.append('a header without its merge block in a %s construct' % s['kind'])
        if s['kind'] in ('case', 'continue'):
            continue
        outside = [(a, b) for a in range(count) if a not in s['blocks'] for b in branches[a]]
        if any(b in s['blocks'] and b != s['head'] for _, b in outside):
            bad.append('a branch into a %s construct' % s['kind'])
        if s['kind'] == 'loop' and not s['head'] == s['next'] == from_of[s['head']]:
            if any(b == s['next'] and (a, b) not in back for a, b in outside):
                bad.append('a branch to a continue target from outside the loop')
    for h, cases in switches.items():
        bad += case_order(blocks[h], {c['head']: c for c in cases}, branches)
        bad += ['a case that is not dominated' for c in cases if c['head'] not in below[h]]
    for i, b in enumerate(blocks):
        selects = b['merge'] and b['merge'][0] == 'selection'
        case = innermost(i, ('switch', 'case', 'loop', 'continue'))
        falls = set(branches[case['switch']]) - {case['head']} if case and case['kind'] == 'case' else set()
        if b['to'][0] == 'cond' and not selects and not set(branches[i]) & (declared | falls):
            bad.append('a selection without a merge instruction')
    return bad


def case_order(block, cases, branches):
    _, default, targets = block['to']
    goes = {h: {b for a in c['blocks'] for b in branches[a] if b in cases and b not in c['blocks']} for h, c in cases.items()}
    bad = ['a case that goes on to two' for to in goes.values() if len(to) > 1]
    bad += ['two cases that go on to one' for h in cases if sum(h in to for to in goes.values()) > 1]
    places = {t: [i for i, x in enumerate(targets) if x == t] for t in set(targets) & set(cases)}
    bad += ['targets apart' for p in places.values() if p[-1] - p[0] != len(p) - 1]
    for t in places:
        for u in goes[t]:
            ways = [u] if u in places else goes[u] & set(places) if u == default else []
            bad += ['cases out of order' for w in ways if places[t][-1] + 1 != places[w][0]]
    return bad


# ---- random graphs: a structured program, then some words changed ---------------------------------------------------------

class Program:
    def __init__(self, rng):
        self.rng, self.blocks = rng, []
        entry, end = self.new(), self.new()
        self.sequence(entry, end, {}, rng.choice([1, 2, 3, 3]))
        for _ in range(rng.choice([0, 0, 1, 1, 2])):
            self.change()
        for b in self.blocks:  # what has no such terminator is another rule's
            if b['to'][0] == 'cond' and b['to'][1] == b['to'][2]:
                b['to'] = ('br', b['to'][1])
            if b['merge'] and b['to'][0] not in {'loop': ('br', 'cond'), 'selection': ('cond', 'switch')}[b['merge'][0]]:
                b['merge'] = None

    def new(self):
        self.blocks.append({'to': ('return',), 'merge': None})
        return len(self.blocks) - 1

    def set(self, block, to, merge=None):
        self.blocks[block] = {'to': to, 'merge': merge}

    def sequence(self, at, end, exits, depth):
        for _ in range(self.rng.randrange(1, 3)):
            if depth > 0 and self.rng.random() < 0.75:
                at = self.rng.choice([self.selection, self.selection, self.loop, self.switch])(at, exits, depth - 1)
        k, out = self.rng.random(), [x for x in exits.values()]
        if out and k < 0.12:
            self.set(at, ('br', self.rng.choice(out)))
        elif out and k < 0.24:
            self.set(at, ('cond', *self.rng.sample([self.rng.choice(out), end], 2)))
        else:
            self.set(at, ('return',) if k < 0.28 else ('unreachable',) if k < 0.30 else ('br', end))

    def selection(self, at, exits, depth):
        merge, a = self.new(), self.new()
        b = self.new() if self.rng.random() < 0.6 else merge
        self.set(at, ('cond', a, b), ('selection', merge))
        for x in {a, b} - {merge}:
            self.sequence(x, merge, exits, depth)
        return merge

    def loop(self, at, exits, depth):
        head, merge = self.new(), self.new()
        self.set(at, ('br', head))
        if self.rng.random() < 0.15:
            self.set(head, ('cond', head, merge), ('loop', merge, head))
            return merge
        target, body = self.new(), self.new()
        self.set(head, ('cond', body, merge) if self.rng.random() < 0.5 else ('br', body), ('loop', merge, target))
        self.sequence(body, target, {'break': merge, 'continue': target}, depth)
        last, k = target, self.rng.random()
        if k < 0.3 and depth > 0:
            last = self.rng.choice([self.selection, self.loop, self.switch])(target, {}, depth - 1)
        elif k < 0.35:
            last = self.new()
            self.set(target, ('cond', target, last), ('loop', last, target))
        self.blocks[last]['to'] = ('br', head) if self.rng.random() < 0.6 else ('cond', head, merge)
        return merge

    def switch(self, at, exits, depth):
        rng, merge = self.rng, self.new()
        cases = [self.new() for _ in range(rng.randrange(1, 4))]
        targets = [c for c in cases for _ in range(2 if rng.random() < 0.2 else 1)]
        if rng.random() < 0.1:
            targets.insert(rng.randrange(len(targets) + 1), merge)
        own = self.new() if rng.random() < 0.4 else None
        default = own if own is not None else rng.choice([merge, merge, *cases])
        self.set(at, ('switch', default, targets), ('selection', merge))
        for i, c in enumerate(cases):
            then = rng.choice(cases + [default]) if rng.random() < 0.1 else cases[i + 1] if rng.random() < 0.2 and c != cases[-1] else merge
            self.sequence(c, then, {**exits, 'switch': merge}, depth)
        if own is not None:
            self.sequence(own, merge if rng.random() < 0.6 else rng.choice(cases), {**exits, 'switch': merge}, depth)
        return merge

    def change(self):
        b, kind, other = self.rng.choice(self.blocks), self.rng.randrange(4), lambda: self.rng.randrange(1, len(self.blocks))
        what, *to = b['to']
        if kind == 0 and what == 'switch':
            to[1] = list(to[1])
            to[1][self.rng.randrange(len(to[1]))] = other()
            b['to'] = (what, *to)
        elif kind == 0:
            to = to or [0]
            to[self.rng.randrange(len(to))] = other()
            b['to'] = ('cond' if len(to) == 2 else 'br', *to)
        elif kind == 1 and b['merge']:
            merge = list(b['merge'])
            merge[self.rng.randrange(1, len(merge))] = other()
            b['merge'] = tuple(merge)
        elif kind == 2 and what in ('br', 'cond'):
            b['to'] = ('cond', to[0], other()) if what == 'br' else ('br', to[0])
        elif kind == 3:
            b['merge'] = None if b['merge'] else ('loop', other(), other()) if what == 'br' else ('selection', other())


def in_order(blocks):
    """What is reached, in reverse post-order: each block stands before those that it dominates."""
    seen, order = {0}, []
    stack = [(0, iter(structured(blocks[0])))]
    while stack:
        following = next((y for y in stack[-1][1] if y not in seen), None)
        if following is None:
            order.insert(0, stack.pop()[0])
        else:
            seen.add(following)
            stack.append((following, iter(structured(blocks[following]))))
    place = {x: i for i, x in enumerate(order)}

    def renamed(words):
        return tuple([place[y] for y in x] if isinstance(x, list) else place[x] if isinstance(x, int) else x for x in words)
    return [{'to': renamed(blocks[x]['to']), 'merge': blocks[x]['merge'] and renamed(blocks[x]['merge'])} for x in order]


# ---- as a module ------------------------------------------------------------------------------------------------------------

def op(code, *words):
    return [len(words) + 1 << 16 | code, *words]


def module(graphs):
    """Its bytes, and where each graph's function ends."""
    words = op(17, 1) + op(17, 5) + op(14, 0, 1) + op(19, 2) + op(33, 3, 2) + op(20, 4) + op(21, 5, 32, 0) + op(41, 4, 6) + op(43, 5, 7, 0)
    bound, ends = 8, []
    for blocks in graphs:
        words += op(54, 2, bound, 0, 3)
        first = bound + 1
        bound = first + len(blocks)
        for i, b in enumerate(blocks):
            words += op(248, first + i)
            kind, *to = b['to']
            if b['merge']:
                words += op({'loop': 246, 'selection': 247}[b['merge'][0]], *(first + x for x in b['merge'][1:]), 0)
            if kind == 'switch':
                words += op(251, 7, first + to[0], *(w for n, x in enumerate(to[1]) for w in (n, first + x)))
            else:
                words += op({'br': 249, 'cond': 250, 'return': 253, 'unreachable': 255}[kind], *[6] * (kind == 'cond'), *(first + x for x in to))
        words += op(56)
        ends.append(4 * (5 + len(words)))
    return struct.pack('<%dI' % (5 + len(words)), 0x07230203, 0x10500, 0, bound, 0, *words), ends


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', default=os.path.join(ROOT, 'build'))
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=4000)
    options = parser.parse_args()
    heddle, passed, failed, fine, seen = os.path.join(os.path.abspath(options.build), 'heddle'), 0, 0, 0, set()
    graphs = []
    for seed in range(options.seed, options.seed + options.count):
        blocks = in_order(Program(random.Random(seed)).blocks)
        if str(blocks) not in seen and len(blocks) <= 24:
            graphs.append(blocks)
        seen.add(str(blocks))
    for at in range(0, len(graphs), AT_ONCE):
        part = graphs[at:at + AT_ONCE]
        data, ends = module(part)
        with tempfile.NamedTemporaryFile(suffix='.spv') as f:
            f.write(data)
            f.flush()
            p = subprocess.run([heddle, 'val', '--json', '--limit', '100000', f.name], capture_output=True, text=True)
        found, first = json.loads(p.stdout), 0
        for blocks, end in zip(part, ends):
            said = [d['rule'] for d in found if first <= d['byte'] < end]
            words, first = violations(blocks), end
            fine += not words
            passed += bool(said) == bool(words)
            if bool(said) != bool(words):
                failed += 1
                print('failed:', blocks, said, words)
    if not 0.2 < fine / len(graphs) < 0.8:
        failed += 1
        print('failed: %d of %d graphs are valid' % (fine, len(graphs)))
    print(f'{passed} passed, {failed} failed, 0 skipped')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
