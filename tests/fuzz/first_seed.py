"""The seed that a random test begins with.

A new one for each run by hand. `make test` sets HEDDLE_TEST_SEED (tools/test.py), so that a change is judged by the same kernels as
the state before it.
SPDX-License-Identifier: MIT
"""
import os, random


def first_seed(below=1 << 30):
    asked = os.environ.get('HEDDLE_TEST_SEED')
    return int(asked) % below if asked else random.SystemRandom().randrange(below)
