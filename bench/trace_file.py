#!/usr/bin/env python3
"""How a trace's text gets into its file: written, or copied to a mapping that grows in steps.

  bench/trace_file.py [--folder FOLDER] [--turns 5]

Both in turns; prints the medians of processor time for an event of 130 bytes. Writes 64 MiB to a file in FOLDER.
SPDX-License-Identifier: MIT
"""
import argparse, mmap, os, statistics, tempfile, time

ALL, EVENT = 64 << 20, 130


def write(fd, text):
    for at in range(0, ALL, len(text)):
        os.pwrite(fd, text, at)


def copy(fd, text, flags=0, step=1 << 20):
    for at in range(0, ALL, step):
        os.ftruncate(fd, at + step)
        with mmap.mmap(fd, step, mmap.MAP_SHARED | flags, offset=at) as m:
            for i in range(0, step, len(text)):
                m[i:i + len(text)] = text


WAYS = {'written': write, 'mapped': copy, 'mapped, all pages at once': lambda fd, text: copy(fd, text, getattr(mmap, 'MAP_POPULATE', 0x8000))}


def measure(path, way):
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    try:
        start = time.process_time_ns()
        way(fd, b'x' * (128 << 10)) # what 1,024 events take
        return (time.process_time_ns() - start) * EVENT / ALL
    finally:
        os.close(fd)
        os.unlink(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--folder')
    parser.add_argument('--turns', type=int, default=5)
    o = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=o.folder) as folder:
        found = [[measure(folder + '/trace', way) for way in WAYS.values()] for _ in range(o.turns)]
    for name, times in zip(WAYS, zip(*found)):
        print('%-26s %6.1f ns per event' % (name, statistics.median(times)))


if __name__ == '__main__':
    main()
