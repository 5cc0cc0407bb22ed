"""Places in programs.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

import dataclasses
from typing import Optional

from . import _native
from ._report import _text


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a defect or an instruction is, as far as it is known."""

    function: Optional[str]
    instruction: Optional[str]
    source: Optional[str]
    line: int
    column: int
    byte: Optional[int]


def _place(p: _native.Place) -> Place:
    return Place(_text(p.function), _text(p.instruction), _text(p.source), p.line, p.column,
                 None if p.byte == 2**64 - 1 else p.byte)
