"""Shaders on lavapipe, for comparison: the host beside this file, and its results beside Heddle's.

SPDX-License-Identifier: MIT
"""
import glob
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../tools'))
import served

LACKS = 77


class Lacking(Exception):
    """There is no host, no driver, or the driver cannot run the module."""


def environment():
    """Lavapipe alone, so that nobody's graphics card is asked, and without its disk cache."""
    env = dict(os.environ, MESA_SHADER_CACHE_DISABLE='true')
    if 'VK_ICD_FILENAMES' not in env and 'VK_DRIVER_FILES' not in env:
        found = glob.glob('/usr/share/vulkan/icd.d/lvp_icd*.json') + glob.glob('/usr/local/share/vulkan/icd.d/lvp_icd*.json')
        if not found:
            raise Lacking('lavapipe (Debian: mesa-vulkan-drivers)')
        env['VK_ICD_FILENAMES'] = found[0]
    return env


class Peer:
    """Both engines of a built tree."""

    def __init__(self, build):
        self.heddle = os.path.join(os.path.abspath(build), 'heddle')
        self.host = os.path.join(os.path.abspath(build), 'tests/vulkan/vulkan_host')
        if not os.path.exists(self.host):
            raise Lacking('the Vulkan host (Debian: libvulkan-dev, before make tests)')
        self.env = environment()

    def on_lavapipe(self, arguments, timeout=300):
        """What the host prints, as JSON. Lacking: it cannot run that."""
        p = subprocess.run([self.host, *arguments, '--json'], capture_output=True, text=True, env=self.env, timeout=timeout)
        if p.returncode == LACKS:
            raise Lacking(p.stderr.strip())
        return self.result(p)

    def on_heddle(self, arguments, timeout=300):
        return self.result(served.run([self.heddle, 'run', *arguments, '--json'], capture_output=True, text=True, timeout=timeout))

    @staticmethod
    def result(p):
        if p.returncode != 0:
            raise RuntimeError(f'{" ".join(p.args)}\nexit status {p.returncode}\n{p.stderr}')
        return json.loads(p.stdout)


def is_near(a, b, tolerance):
    if a == b:
        return True
    if isinstance(a, str) or isinstance(b, str):   # infinities, NaN
        return False
    return abs(a - b) <= tolerance * max(1, abs(a), abs(b))


def differences(ours, theirs, tolerance=0):
    """[(binding, place, our value, the peer's)]"""
    found = []
    if len(ours['args']) != len(theirs['args']):
        return [('all', 0, len(ours['args']), len(theirs['args']))]
    for a, b in zip(ours['args'], theirs['args']):
        name = '%u.%u' % (a['set'], a['binding']) + ('[%u]' % a['element'] if a['element'] else '')
        found += [(name, i, x, y) for i, (x, y) in enumerate(zip(a['values'], b['values'])) if not is_near(x, y, tolerance)]
        if len(a['values']) != len(b['values']):
            found.append((name, 'count', len(a['values']), len(b['values'])))
    return found
