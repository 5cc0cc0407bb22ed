"""What this machine's processor has, for tests of code that only some can run.

SPDX-License-Identifier: MIT
"""


def has(feature):
    """Does Linux name it among the processor's features? `avx512`: any of those."""
    try:
        with open('/proc/cpuinfo') as info:
            return feature in info.read()
    except OSError:
        return False
