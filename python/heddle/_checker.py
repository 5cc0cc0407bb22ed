"""Checked runs and their defects.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

import ctypes
import dataclasses
import enum
import html
import os
from typing import Callable, Dict, List, Optional, Sequence, Tuple, Union

from . import _native
from ._counts import BranchCount, KernelCounts, _branches, _kernels, _lines
from ._launch import _HEAPS, Argument, Bindings, Sizes, _argument, _Dispatch, _Launch
from ._observer import Observer, _Observing
from ._place import Place, _place
from ._program import Program
from ._report import Severity, _number, _Report, _take_text, _text


class Form(enum.IntEnum):
    """Forms of a report."""

    TEXT = 0
    COLOUR = 1
    JSON = 2
    SARIF = 3
    HTML = 4


@dataclasses.dataclass(frozen=True)
class WorkItem:
    """Which work-item did it."""

    global_id: Tuple[int, ...]
    local_id: Tuple[int, ...]
    group_id: Tuple[int, ...]
    subgroup: int
    lane: int


@dataclasses.dataclass(frozen=True)
class Defect:
    """One place where a kernel does what it must not, and how often it did."""

    severity: Severity
    rule: str
    message: str
    kernel: Optional[str]
    variable: Optional[str]
    memory: Optional[str]
    hint: Optional[str]
    place: Place
    item: Optional[WorkItem]
    other: Optional[str]
    other_place: Optional[Place]
    other_item: Optional[WorkItem]
    address: int
    bytes: int
    count: int

    def __str__(self) -> str:
        place = f"{self.place.source}:{self.place.line}: " if self.place.source else ""
        return f"{place}{self.severity.name.lower()}: {self.message} [{self.rule}]"


def _item(i: _native.WorkItem) -> Optional[WorkItem]:
    return WorkItem(tuple(i.global_id), tuple(i.local_id), tuple(i.group_id), i.subgroup,
                    i.lane) if i.is_known else None


def _defect(d: _native.Defect) -> Defect:
    has_other = d.other is not None
    return Defect(Severity(d.severity), _text(d.rule) or "", _text(d.message) or "",
                  _text(d.kernel), _text(d.variable), _text(d.memory), _text(d.hint),
                  _place(d.place), _item(d.item), _text(d.other),
                  _place(d.other_place) if has_other else None,
                  _item(d.other_item) if has_other else None, d.address, d.bytes, d.count)


class Checker:
    """Runs kernels in the reference interpreter and collects what they do wrong.

    Found are accesses out of bounds, data races, uses of values that do not exist, divergent
    barriers and other undefined behaviour. Each place is reported once, and the run goes on where
    it can. Memory that arguments point to is kept alive as long as the checker. With `counts` it
    counts how often instructions, lines and branches run. An `observer` is told of each instruction
    and each access.
    """

    def __init__(self, *, counts: bool = False, observer: Optional[Observer] = None) -> None:
        self._handle: Optional[int] = _native.lib().heddle_check_open()
        self._kept: List[object] = []
        self._known: Dict[int, int] = {}
        if not self._handle:
            raise MemoryError
        if counts:
            _native.lib().heddle_counts_begin(self._handle)
        self._observing = _Observing(observer) if observer is not None else None
        if self._observing is not None:
            _native.lib().heddle_check_observe(self._handle,
                                               ctypes.byref(self._observing.native))

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle:
            _native.lib().heddle_check_close(handle)
            self._handle = None

    def __repr__(self) -> str:
        found = [d.severity for d in self.defects]
        errors = found.count(Severity.ERROR)
        notes = len(found) - errors
        return (f"<heddle.Checker: {errors} error{'s' * (errors != 1)}, "
                f"{notes} note{'s' * (notes != 1)}>")

    def __str__(self) -> str:
        return self.report() or repr(self)

    def _repr_html_(self) -> str:
        """The report in a notebook: a page of its own, so that its style stays there."""
        page = html.escape(self.report(Form.HTML), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 0"></iframe>'

    def memory(self, value: object, name: Optional[str] = None, *, undefined: bool = False,
               read_only: bool = False, write_only: bool = False) -> None:
        """Declare memory that kernels may touch: a writable buffer.

        run() declares what arguments point to, with values and for reading and writing. What is
        `undefined` has no values until it is written.
        """
        at, size = self._memory(value)
        self._declare(at, size, name, undefined | read_only << 1 | write_only << 2)

    def wrote(self, value: object) -> None:
        """The host has written all of this memory: it has values now."""
        _native.lib().heddle_check_wrote(self._handle, *self._memory(value))

    def reads(self, value: object) -> None:
        """The host is about to read all of this memory: what has no value is a defect."""
        _native.lib().heddle_check_reads(self._handle, *self._memory(value))

    def forget(self, value: object) -> None:
        """This memory is gone: later accesses are defects."""
        at, _ = self._memory(value)
        _native.lib().heddle_check_forget(self._handle, at)
        self._known.pop(at, None)

    def _memory(self, value: object) -> Tuple[int, int]:
        kept: List[object] = []
        argument = _argument(value, kept, "memory")
        if argument.size != 0 or not argument.value:
            raise TypeError("memory must be a writable buffer")
        self._kept += kept
        return argument.value, len(kept[-1])  # type: ignore[arg-type]

    def _declare(self, at: int, size: int, name: Optional[str], flags: int) -> None:
        with _Report() as report:
            report.check(_native.lib().heddle_check_memory(
                self._handle, at, size, name.encode() if name is not None else None, flags))
        self._known[at] = size

    def _declare_new(self, memory: "ctypes.Array[ctypes.c_char]", name: Optional[str]) -> None:
        at = ctypes.addressof(memory)
        if self._known.get(at) != len(memory):
            self._declare(at, len(memory), name, 0)

    def _start(self, function: Callable[..., int], program: Program, run: Union[_Launch, _Dispatch],
               seconds: int, seed: int) -> str:
        """Give a run to the library; what it printed."""
        self._kept += [*run.kept, program]
        options = _native.CheckOptions(_number(seconds, "seconds"), _number(seed, "seed"))
        with _Report() as report:
            report.check(function(self._handle, program._handle, ctypes.byref(run.native),
                                  ctypes.byref(options), report.handle))
        if self._observing is not None:
            self._observing.raise_error()
        return run.text()

    def run(self, program: Program, kernel: Optional[str], arguments: Sequence[Argument],
            global_size: Sizes, *, local_size: Optional[Sizes] = None,
            global_offset: Optional[Sizes] = None, subgroup_size: int = 0, threads: int = 0,
            seconds: int = 0, seed: int = 0) -> str:
        """Run a kernel checked; otherwise as Program.run().

        A work-group may run for so many `seconds` (0: any time); another `seed` is another order of
        work-groups and sub-groups. Defects are no errors: see `defects`.
        """
        launch = _Launch(kernel, arguments, global_size, local_size, global_offset, True,
                         subgroup_size, threads)
        for memory in launch.memory:
            self._declare_new(memory, None)
        return self._start(_native.lib().heddle_check_run, program, launch, seconds, seed)

    def dispatch(self, program: Program, shader: Optional[str], bindings: Bindings, groups: Sizes, *,
                 push: bytes = b"", subgroup_size: int = 0, threads: int = 0, seconds: int = 0,
                 seed: int = 0) -> str:
        """Run a compute shader checked; otherwise as Program.dispatch(), and as run()."""
        run = _Dispatch(shader, bindings, groups, push, True, subgroup_size, threads)
        for place, memory in run.memory.items():
            self._declare_new(memory, "%s[%s]" % place if place[0] in _HEAPS else
                              "binding " + ".".join(map(str, place)))
        return self._start(_native.lib().heddle_check_dispatch, program, run, seconds, seed)

    @property
    def defects(self) -> List[Defect]:
        """All that was found, notes and warnings included."""
        lib = _native.lib()
        return [_defect(lib.heddle_check_get(self._handle, i))
                for i in range(lib.heddle_check_count(self._handle))]

    @property
    def counts(self) -> List[KernelCounts]:
        """What each kernel did; the same for any number of threads, sub-group size and seed."""
        return _kernels(self._handle)

    @property
    def lines(self) -> Dict[Tuple[str, int], int]:
        """How often lines of sources ran: by source and number of the line."""
        return _lines(self._handle)

    @property
    def branches(self) -> List[BranchCount]:
        """How often work-items took the ways out of branches, by source and line."""
        return _branches(self._handle)

    def write_coverage(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Write lines and branches as a tracefile of lcov."""
        with _Report() as report:
            report.check(_native.lib().heddle_coverage_write(self._handle, os.fsencode(path),
                                                             report.handle))

    def report(self, form: Form = Form.TEXT, file: Optional[str] = None) -> str:
        """All defects as people or programs read them; `file` names what ran."""
        return _take_text(_native.lib().heddle_check_text(
            self._handle, os.fsencode(file) if file is not None else None, form))
