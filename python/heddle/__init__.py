"""SPIR-V modules of OpenCL and Vulkan: read, written, validated, linked, run and checked by libheddle.

A module is `bytes`, in either endianness on the way in and in the host's on the way out. Errors are
exceptions (`Error` and its subclasses) that carry every finding.

SPDX-License-Identifier: MIT
"""
from ._checker import Checker, Defect, Form, WorkItem
from ._counts import BranchCount, Bytes, InstructionCount, KernelCounts
from ._images import (Address, Addressing, Border, ChannelOrder, ChannelType, Compare, Image, Reduction,
                      Sampler, ShaderSampler)
from ._launch import Local, address
from ._modules import (assemble, check, compile, diff, disassemble, driver, library_version, link, lower,
                       specialize, strip, validate)
from ._observer import Access, AccessKind, ObservedGroup, ObservedInstruction, ObservedLaunch, Observer
from ._place import Place
from ._program import BindingInfo, BindingKind, Program
from ._report import BadInput, Error, Finding, Severity, Unsupported
from ._view import EntryPoint, Function, Header, Instruction, Module, Operand, OperandKind

__version__ = "0.1.0"
__all__ = [
    "Access", "AccessKind", "Address", "Addressing", "BadInput", "BindingInfo", "BindingKind", "Border", "BranchCount", "Bytes",
    "ChannelOrder", "ChannelType", "Checker", "Compare", "Defect", "EntryPoint", "Error", "Finding", "Form",
    "Function", "Header", "Image", "Instruction", "InstructionCount", "KernelCounts", "Local", "Module",
    "ObservedGroup", "ObservedInstruction", "ObservedLaunch", "Observer", "Operand", "OperandKind", "Place", "Program",
    "Reduction", "Sampler", "Severity", "ShaderSampler", "Unsupported", "WorkItem", "address", "assemble",
    "check", "compile", "diff", "disassemble", "driver", "library_version", "link", "lower", "specialize",
    "strip", "validate",
]

for _name in __all__:  # the files they stand in are nobody's business: tracebacks say heddle.BadInput
    globals()[_name].__module__ = __name__
