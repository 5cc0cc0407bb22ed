"""bench/picture.py -- pictures of ratios and shares, as SVG, for the benchmarks here.

SPDX-License-Identifier: MIT
"""
import math
from xml.sax.saxutils import escape

COLOURS = ["#3465a4", "#cc6600", "#4e9a06", "#75507b"]
LABEL, WIDTH, BAR, GAP, TOP = 300, 560, 11, 9, 70


def _text(x, y, text, anchor="start", size=12, colour="#222"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-family="sans-serif" font-size="{size}" fill="{colour}" '
            f'text-anchor="{anchor}">{escape(text)}</text>')


def _rect(x, y, width, height, colour):
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.5):.1f}" height="{height}" fill="{colour}"/>'


def _write(path, title, names, groups, place, ticks, zero):
    """groups: (label, {name: value}); place maps a value to a distance from the left edge of the field."""
    y, body = TOP, []
    for label, values in groups:
        height = max(1, len(names)) * BAR
        body.append(_text(LABEL - 8, y + height / 2 + 4, label, "end"))
        for i, name in enumerate(names):
            value = values.get(name)
            if value is None:
                continue
            low, high = sorted((place(zero), place(value)))
            body.append(_rect(LABEL + low, y + i * BAR, high - low, BAR - 1, COLOURS[i % len(COLOURS)]))
            body.append(_text(LABEL + place(value) + (3 if place(value) >= place(zero) else -3), y + i * BAR + 9, f"{value:.2g}",
                              "start" if place(value) >= place(zero) else "end", 9, "#555"))
        y += height + GAP
    head = [_text(12, 22, title, size=15)]
    for i, name in enumerate(names):
        head.append(_rect(12 + 130 * i, 34, 12, 12, COLOURS[i % len(COLOURS)]))
        head.append(_text(30 + 130 * i, 45, name))
    for tick in ticks:
        x = LABEL + place(tick)
        strong = tick == zero
        head.append(f'<line x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{y}" stroke="{"#444" if strong else "#ddd"}"/>')
        head.append(_text(x, TOP - 10, f"{tick:g}", "middle", 10, "#555"))
    with open(path, "w", encoding="utf-8") as f:
        f.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{LABEL + WIDTH + 60}" height="{y + 10}">'
                '<rect width="100%" height="100%" fill="white"/>' + "\n".join(head + body) + "</svg>\n")


def _names(groups):
    names = []
    for _, values in groups:
        names += [n for n in values if n not in names]
    return names


def draw_ratios(path, title, groups):
    """Bars from 1, on a logarithmic scale."""
    logs = [math.log2(v) for _, values in groups for v in values.values() if v and v > 0]
    low, high = math.floor(min(logs + [-1])), math.ceil(max(logs + [1]))
    place = lambda v: (math.log2(v) - low) / (high - low) * WIDTH
    step = max(1, (high - low) // 12)
    ticks = sorted({0, *range(low, high + 1, step)})
    _write(path, title, _names(groups), groups, place, [2.0 ** t for t in ticks], 1.0)


def draw_shares(path, title, groups):
    """Bars from 0 to 1, and beyond where something is better than what it is compared with."""
    most = max([v for _, values in groups for v in values.values() if v] + [1.0])
    most = min(most, 2.0)
    place = lambda v: min(v, most) / most * WIDTH
    _write(path, title, _names(groups), groups, place, [0, 0.25, 0.5, 0.75, 1.0] + ([1.5, 2.0] if most > 1.5 else []), 0)
