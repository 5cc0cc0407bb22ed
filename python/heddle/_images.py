"""Images and samplers that kernels and shaders are given.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

import dataclasses
import enum
from typing import Optional, Sequence


class ChannelOrder(enum.IntEnum):
    """Which channels texels have, as in the OpenCL API."""

    R, A, RG, RA, RGB, RGBA, BGRA, ARGB, INTENSITY, LUMINANCE = range(0x10B0, 0x10BA)
    RGBX, DEPTH, DEPTH_STENCIL = range(0x10BC, 0x10BF)
    SRGBA, SBGRA, ABGR = range(0x10C1, 0x10C4)


class ChannelType(enum.IntEnum):
    """What a channel is, as in the OpenCL API."""

    SNORM_INT8, SNORM_INT16, UNORM_INT8, UNORM_INT16 = range(0x10D0, 0x10D4)
    UNORM_SHORT_565, UNORM_SHORT_555, UNORM_INT_101010 = range(0x10D4, 0x10D7)
    SIGNED_INT8, SIGNED_INT16, SIGNED_INT32 = range(0x10D7, 0x10DA)
    UNSIGNED_INT8, UNSIGNED_INT16, UNSIGNED_INT32 = range(0x10DA, 0x10DD)
    HALF_FLOAT, FLOAT, UNORM_INT24 = range(0x10DD, 0x10E0)
    UNORM_INT_101010_2 = 0x10E0
    UNORM_INT_2_101010 = 0x10E5  # this and what follows are of shaders alone
    UNSIGNED_INT_2_101010, FLOAT_10_11_11, SIGNED_INT64, UNSIGNED_INT64 = range(0x48444C11, 0x48444C15)


class Addressing(enum.IntEnum):
    """What a sampler reads outside of an image, as in the OpenCL API."""

    NONE, CLAMP_TO_EDGE, CLAMP, REPEAT, MIRRORED_REPEAT = range(0x1130, 0x1135)


@dataclasses.dataclass(frozen=True)
class Image:
    """An argument that is an image in writable memory; `size` is width, height, depth."""

    memory: object
    size: Sequence[int]
    order: ChannelOrder = ChannelOrder.RGBA
    type: ChannelType = ChannelType.UNORM_INT8
    layers: int = 0
    levels: int = 1
    samples: int = 1
    row_pitch: int = 0
    slice_pitch: int = 0


@dataclasses.dataclass(frozen=True)
class Sampler:
    """An argument that is a sampler."""

    normalized: bool = False
    addressing: Addressing = Addressing.NONE
    linear: bool = False
    mixes_levels: bool = False


class Address(enum.IntEnum):
    """What a shader's sampler reads outside of an image, as in the Vulkan API."""

    REPEAT, MIRRORED_REPEAT, CLAMP_TO_EDGE, CLAMP_TO_BORDER, MIRROR_CLAMP_TO_EDGE = range(5)


class Compare(enum.IntEnum):
    """How a reference is compared with texels, as in the Vulkan API."""

    NEVER, LESS, EQUAL, LESS_OR_EQUAL, GREATER, NOT_EQUAL, GREATER_OR_EQUAL, ALWAYS = range(8)


class Border(enum.IntEnum):
    """The colour of a border, as in the Vulkan API."""

    (FLOAT_TRANSPARENT_BLACK, INT_TRANSPARENT_BLACK, FLOAT_OPAQUE_BLACK, INT_OPAQUE_BLACK,
     FLOAT_OPAQUE_WHITE, INT_OPAQUE_WHITE) = range(6)


class Reduction(enum.IntEnum):
    """What is made of several texels, as in the Vulkan API."""

    WEIGHTED_AVERAGE, MIN, MAX = range(3)


@dataclasses.dataclass(frozen=True)
class ShaderSampler:
    """A sampler with everything that those of shaders have; bound to one."""

    magnify_linear: bool = False
    minify_linear: bool = False
    mixes_levels: bool = False
    address: Sequence[Address] = (Address.REPEAT,) * 3
    compare: Optional[Compare] = None
    border: Border = Border.FLOAT_TRANSPARENT_BLACK
    reduction: Reduction = Reduction.WEIGHTED_AVERAGE
    unnormalized: bool = False
    lod_bias: float = 0.0
    min_lod: float = 0.0
    max_lod: float = 1000.0
