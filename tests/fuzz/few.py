"""What the seed of a program chooses where not all of its forms are compiled: compiling is most of the time, and more programs find
more than more forms of a program.

SPDX-License-Identifier: MIT
"""
import os, random, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../tools'))
import processor

OPTIMISE = os.environ.get('HEDDLE_OPTIMISE', '1')


def levels_of(number, levels):
    """One level, the first of two twice as often."""
    return [random.Random('level%d' % number).choice([levels[0], levels[0], levels[1]])]


def usual(widths):
    """Those of up to two of the machine's vectors of 32 bits: what comes after takes LLVM minutes for large kernels, as 32 lanes do
    without AVX-512."""
    most = 32 if processor.has('avx512') else 16
    return [w for w in widths if w <= most] or widths


def widths_of(choice, widths):
    """Two usual widths of those behind the first, and at times the first."""
    widths = usual(widths)
    return choice.sample(widths[1:], min(2, len(widths) - 1)) + widths[:1] * (len(widths) == 1 or choice.random() < 0.25)


def is_quick(number):
    """Is it compiled without LLVM's optimisations, in less than half of the time?"""
    return random.Random('quick%d' % number).random() < 0.875


def be_quick(quick):
    """Programs that are opened from now on are compiled without LLVM's optimisations, or with them where the caller has them."""
    os.environ['HEDDLE_OPTIMISE'] = '0' if quick else OPTIMISE


def open_quick(engine, words, quick):
    """A program of Heddle, whose kernels are compiled with LLVM's optimisations or without."""
    be_quick(quick)
    return engine.open(words)
