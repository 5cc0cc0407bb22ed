#!/usr/bin/env python3
"""A picture of a trace that HEDDLE_TRACE wrote: a row for each thread and queue.

  bench/trace_picture.py TRACE.json OUT.svg [--from MS] [--to MS]

Times are from the first event on. Spans that lie in others are drawn below them.
SPDX-License-Identifier: MIT
"""
import argparse, json, os, sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from picture import _rect, _text

COLOURS = {'api': '#3465a4', 'queue': '#cc6600', 'launch': '#75507b', 'groups': '#4e9a06', 'build': '#068488', 'cache': '#a40000'}
LEFT, WIDTH, HEIGHT, TOP = 110, 900, 16, 64


def rows(spans):
    """Each span with how many it lies in."""
    ends = []
    for e in sorted(spans, key=lambda e: (e['ts'], -e['dur'])):
        while ends and ends[-1] <= e['ts'] + 0.0005:
            ends.pop()
        yield len(ends), e
        ends.append(e['ts'] + e['dur'])


def label(e):
    args = e.get('args', {})
    return e['name'] + (' ' + args['kernel'] if 'kernel' in args and e['cat'] != 'groups' else '')


def draw(found, first, last):
    spans = [e for e in found if e['ph'] == 'X']
    start = min(e['ts'] for e in spans)
    end = start + last * 1000 if last else max(e['ts'] + e['dur'] for e in spans)
    start += first * 1000
    spans = [e for e in spans if e['ts'] + e['dur'] > start and e['ts'] < end]
    names = {e['tid']: e['args']['name'] for e in found if e['name'] == 'thread_name'}
    order = sorted({e['tid'] for e in spans}, key=lambda tid: (tid in names, min(e['ts'] for e in spans if e['tid'] == tid)))
    scale, y, body, threads = WIDTH / (end - start), TOP, [], 0
    for tid in order:
        threads += tid not in names
        body.append(_text(LEFT - 8, y + 12, names.get(tid, 'thread %d' % threads), 'end'))
        deepest = 0
        for depth, e in rows([e for e in spans if e['tid'] == tid]):
            x0, x1 = max(0, (e['ts'] - start) * scale), min(WIDTH, (e['ts'] + e['dur'] - start) * scale)
            body.append(_rect(LEFT + x0, y + depth * HEIGHT, x1 - x0 - (0.5 if x1 - x0 > 2 else 0), HEIGHT - 2, COLOURS[e['cat']]))
            if x1 - x0 > 6.4 * len(label(e)):
                body.append(_text(LEFT + x0 + 3, y + depth * HEIGHT + 11, label(e), size=10, colour='white'))
            deepest = max(deepest, depth)
        y += (deepest + 1) * HEIGHT + 8
    head = [_text(12, 20, 'A program with Heddle, %.1f ms' % ((end - start) / 1000), size=15)]
    shown = {e['cat'] for e in spans}
    for i, (category, colour) in enumerate((c, colour) for c, colour in COLOURS.items() if c in shown):
        head += [_rect(12 + 100 * i, 30, 11, 11, colour), _text(27 + 100 * i, 40, category)]
    return ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d"><rect width="100%%" height="100%%" fill="white"/>%s</svg>\n'
            % (LEFT + WIDTH + 20, y + 6, '\n'.join(head + body)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('trace')
    parser.add_argument('out')
    parser.add_argument('--from', dest='first', type=float, default=0)
    parser.add_argument('--to', dest='last', type=float, default=0)
    o = parser.parse_args()
    with open(o.trace) as f:
        found = json.load(f)
    with open(o.out, 'w', encoding='utf-8') as f:
        f.write(draw(found, o.first, o.last))


if __name__ == '__main__':
    main()
