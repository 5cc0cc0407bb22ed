"""Counts and coverage of checked runs.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

import ctypes
import dataclasses
from typing import Any, Callable, Dict, List, Optional, Tuple

from . import _native
from ._report import _Report, _text


@dataclasses.dataclass(frozen=True)
class InstructionCount:
    """How often an instruction of the module ran: "OpLoad", "OpExtInst fma", "OpFunctionCall f"."""

    opcode: str
    function: str
    source: Optional[str]
    line: int
    column: int
    byte: int
    count: int


@dataclasses.dataclass(frozen=True)
class Bytes:
    """Bytes of memory that were accessed."""

    loaded: int
    stored: int
    atomic: int


@dataclasses.dataclass(frozen=True)
class KernelCounts:
    """What the runs of a kernel did, added up over work-items.

    `opcodes` begins with the most frequent one; the keys of `bytes` are storage classes. `code` has
    all instructions of the program, also those that did not run.
    """

    kernel: str
    launches: int
    work_items: int
    instructions: int
    opcodes: Dict[str, int]
    bytes: Dict[str, Bytes]
    code: List[InstructionCount]


@dataclasses.dataclass(frozen=True)
class BranchCount:
    """A way out of a branch: how many work-items took it; None if none came to the branch.

    `block` says which branch of its line it is, `edge` which way.
    """

    source: str
    line: int
    block: int
    edge: int
    count: Optional[int]


def _array(kind: Any, function: Callable[..., int], *arguments: Any) -> List[Any]:
    """What the library returns as an array, copied."""
    found, count = ctypes.POINTER(kind)(), ctypes.c_size_t()
    with _Report() as report:
        report.check(function(*arguments, ctypes.byref(found), ctypes.byref(count)))
    try:
        return [kind.from_buffer_copy(found[i]) for i in range(count.value)]
    finally:
        _native.lib().heddle_free(found)


def _instruction(i: Any) -> InstructionCount:
    return InstructionCount(_text(i.opcode) or "", _text(i.place.function) or "",
                            _text(i.place.source), i.place.line, i.place.column, i.place.byte,
                            i.count)


def _kernel(handle: Any, index: int) -> KernelCounts:
    lib = _native.lib()
    k = lib.heddle_counts_kernel(handle, index)
    opcodes = _array(_native.OpcodeCount, lib.heddle_counts_opcodes, handle, index)
    memory = _array(_native.MemoryCount, lib.heddle_counts_memory, handle, index)
    code = _array(_native.InstructionCount, lib.heddle_counts_instructions, handle, index)
    return KernelCounts(_text(k.kernel) or "", k.launches, k.work_items, k.instructions,
                        {_text(o.opcode) or "": o.count for o in opcodes},
                        {_text(m.storage) or "": Bytes(m.loaded, m.stored, m.atomic)
                         for m in memory}, [_instruction(i) for i in code])


def _kernels(handle: Any) -> List[KernelCounts]:
    count = _native.lib().heddle_counts_kernel_count(handle)
    return [_kernel(handle, i) for i in range(count)]


def _lines(handle: Any) -> Dict[Tuple[str, int], int]:
    lines: Dict[Tuple[str, int], int] = {}
    for line in _array(_native.LineCount, _native.lib().heddle_coverage_lines, handle):
        place = (_text(line.source) or "", line.line)
        lines[place] = lines.get(place, 0) + line.count
    return lines


def _branches(handle: Any) -> List[BranchCount]:
    found = _array(_native.BranchCount, _native.lib().heddle_coverage_branches, handle)
    return [BranchCount(_text(b.source) or "", b.line, b.block, b.edge,
                        b.count if b.is_reached else None) for b in found]
