"""Observers of checked runs.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

import ctypes
import dataclasses
import enum
from typing import Any, Callable, Dict, Optional, Tuple

from . import _native
from ._place import Place, _place
from ._report import _text


class AccessKind(enum.IntEnum):
    """What an instruction does with memory."""

    LOAD = 0
    STORE = 1
    ATOMIC_LOAD = 2
    ATOMIC = 3


@dataclasses.dataclass(eq=False)
class ObservedLaunch:
    """A launch, from its beginning to its end. `data` is the observer's."""

    kernel: str
    global_offset: Tuple[int, ...]
    global_size: Tuple[int, ...]
    local_size: Tuple[int, ...]
    data: Any = None


@dataclasses.dataclass(eq=False)
class ObservedGroup:
    """A work-group, from its beginning to its end. `lanes` of its work-items execute an instruction
    together at most. `data` is the observer's."""

    launch: ObservedLaunch
    id: Tuple[int, ...]
    size: Tuple[int, ...]
    lanes: int
    data: Any = None


@dataclasses.dataclass(frozen=True)
class ObservedInstruction:
    """An instruction, and the linear local ids of the work-items that execute it together."""

    opcode: str
    place: Place
    items: Tuple[int, ...]


@dataclasses.dataclass(frozen=True)
class Access:
    """What an instruction accesses in memory of one storage class: so many bytes at each address,
    by the linear local id of the work-item."""

    kind: AccessKind
    storage: str
    bytes: int
    addresses: Dict[int, int]


class Observer:
    """Looks on at checked runs: `Checker(observer=...)` calls the methods that a subclass has.

    Groups run on several threads at once, unless a run has `threads=1`; calls about one group are
    in order. What a method raises ends no run: run() raises the first such exception afterwards.
    """

    def launch_begins(self, launch: ObservedLaunch) -> None:
        """A launch begins."""

    def launch_ends(self, launch: ObservedLaunch) -> None:
        """It has ended."""

    def group_begins(self, group: ObservedGroup) -> None:
        """A work-group begins."""

    def group_ends(self, group: ObservedGroup) -> None:
        """It has ended."""

    def instruction(self, group: ObservedGroup, instruction: ObservedInstruction) -> None:
        """Work-items are about to execute an instruction."""

    def access(self, group: ObservedGroup, instruction: ObservedInstruction,
               access: Access) -> None:
        """They access memory."""

    def barrier(self, group: ObservedGroup) -> None:
        """All work-items of the group have come to a barrier."""


def _items(first: int, lanes: int) -> Tuple[int, ...]:
    return tuple(first + i for i in range(64) if lanes >> i & 1)


def _instruction(p: Any) -> ObservedInstruction:
    return ObservedInstruction(_text(p.opcode) or "", _place(p.place),
                               _items(p.first_item, p.lanes))


def _access(first: int, p: Any) -> Access:
    return Access(AccessKind(p.kind), _text(p.storage) or "", p.bytes,
                  {first + i: p.address[i] for i in range(64) if p.lanes >> i & 1})


class _Observing:
    """An observer as the library calls it. Launches and groups are the same objects as long as
    they run."""

    def __init__(self, observer: Observer) -> None:
        self.observer = observer
        self.error: Optional[BaseException] = None
        self.launches: Dict[int, ObservedLaunch] = {}
        self.groups: Dict[int, ObservedGroup] = {}
        self.native = _native.Observer()
        wraps = {"launch_begins": self._launch_begins, "launch_ends": self._launch_ends,
                 "group_begins": self._group_begins, "group_ends": self._group_ends,
                 "barrier": self._barrier, "instruction": self._instruction,
                 "access": self._access}
        for name, wrap in wraps.items():
            is_own = getattr(type(observer), name) is not getattr(Observer, name)
            if is_own or name in ("launch_begins", "launch_ends", "group_begins", "group_ends"):
                kind = dict(_native.Observer._fields_)[name]
                setattr(self.native, name, kind(self._guarded(wrap)))

    def _guarded(self, function: Callable[..., None]) -> Callable[..., None]:
        def call(_user: Optional[int], *arguments: Any) -> None:
            try:
                function(*arguments)
            except BaseException as error:  # no exception passes through C
                if self.error is None:
                    self.error = error
        return call

    def raise_error(self) -> None:
        error, self.error = self.error, None
        if error is not None:
            raise error

    def _launch_begins(self, p: Any) -> None:
        at, it = ctypes.addressof(p.contents), p.contents
        dims = it.work_dim
        self.launches[at] = ObservedLaunch(_text(it.kernel) or "", tuple(it.global_offset[:dims]),
                                           tuple(it.global_size[:dims]),
                                           tuple(it.local_size[:dims]))
        self.observer.launch_begins(self.launches[at])

    def _launch_ends(self, p: Any) -> None:
        self.observer.launch_ends(self.launches.pop(ctypes.addressof(p.contents)))

    def _group_begins(self, p: Any) -> None:
        at, it = ctypes.addressof(p.contents), p.contents
        dims = it.launch.contents.work_dim
        self.groups[at] = ObservedGroup(self.launches[ctypes.addressof(it.launch.contents)],
                                        tuple(it.id[:dims]), tuple(it.size[:dims]), it.lanes)
        self.observer.group_begins(self.groups[at])

    def _group_ends(self, p: Any) -> None:
        self.observer.group_ends(self.groups.pop(ctypes.addressof(p.contents)))

    def _group(self, p: Any) -> ObservedGroup:
        return self.groups[ctypes.addressof(p.contents)]

    def _barrier(self, group: Any) -> None:
        self.observer.barrier(self._group(group))

    def _instruction(self, group: Any, instruction: Any) -> None:
        self.observer.instruction(self._group(group), _instruction(instruction.contents))

    def _access(self, group: Any, instruction: Any, access: Any) -> None:
        self.observer.access(self._group(group), _instruction(instruction.contents),
                             _access(instruction.contents.first_item, access.contents))
