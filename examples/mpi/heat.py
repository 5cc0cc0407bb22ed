#!/usr/bin/env python3
"""Heat in a plate, over MPI's ranks: each has some rows, a Heddle sub-device, and exchanges its edges with its neighbours.

  mpirun -n 4 python3 heat.py [--size 2048] [--steps 200]

Rank 0 compares the sum with the one that a single rank computes, and prints the throughput.
SPDX-License-Identifier: MIT
"""
import argparse, os, sys, time

import numpy as np
import pyopencl as cl
from mpi4py import MPI

SOURCE = '''
kernel void step(global const float *from, global float *to, int width)
{
    size_t x = get_global_id(0) + 1, y = get_global_id(1) + 1, at = y * width + x;

    to[at] = from[at] + 0.2f * (from[at - 1] + from[at + 1] + from[at - width] + from[at + width] - 4 * from[at]);
}
'''


class Plate:
    """Rows [first, last) of a square plate, with a row of the neighbours on each side."""

    def __init__(self, size, first, last, threads):
        platform = next(p for p in cl.get_platforms() if p.name == 'Heddle')
        device = platform.get_devices()[0]
        if threads < device.max_compute_units: # a rank has its share of the machine's processors
            device = device.create_sub_devices([cl.device_partition_property.BY_COUNTS, threads, cl.device_partition_property.BY_COUNTS_LIST_END])[0]
        self.context = cl.Context([device])
        self.queue = cl.CommandQueue(self.context)
        self.step_kernel = cl.Kernel(cl.Program(self.context, SOURCE).build(), 'step')
        self.width, self.rows = size + 2, last - first
        plate = np.zeros((self.rows + 2, self.width), np.float32)
        y, x = np.mgrid[first:last, 0:size]
        plate[1:-1, 1:-1] = (x * 7 + y * 13) % 101
        self.row_bytes = self.width * 4
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        self.now, self.next = (cl.Buffer(self.context, flags, hostbuf=plate) for _ in range(2))

    def read_row(self, row, into):
        cl.enqueue_copy(self.queue, into, self.now, src_offset=row * self.row_bytes)

    def write_row(self, row, data):
        cl.enqueue_copy(self.queue, self.now, data, dst_offset=row * self.row_bytes)

    def step(self):
        self.step_kernel(self.queue, (self.width - 2, self.rows), None, self.now, self.next, np.int32(self.width))
        self.now, self.next = self.next, self.now

    def sum(self):
        plate = np.empty((self.rows + 2, self.width), np.float32)
        cl.enqueue_copy(self.queue, plate, self.now)
        return float(plate[1:-1, 1:-1].sum(dtype=np.float64))


def exchange(comm, plate):
    """Edges to the neighbours, theirs into the rows outside of ours."""
    rank, last = comm.rank, comm.size - 1
    above, below = rank - 1 if rank > 0 else MPI.PROC_NULL, rank + 1 if rank < last else MPI.PROC_NULL
    top, bottom, from_above, from_below = (np.zeros(plate.width, np.float32) for _ in range(4))
    plate.read_row(1, top)
    plate.read_row(plate.rows, bottom)
    comm.Sendrecv(top, dest=above, recvbuf=from_below, source=below)
    comm.Sendrecv(bottom, dest=below, recvbuf=from_above, source=above)
    if above != MPI.PROC_NULL:
        plate.write_row(0, from_above)
    if below != MPI.PROC_NULL:
        plate.write_row(plate.rows + 1, from_below)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--size', type=int, default=2048)
    parser.add_argument('--steps', type=int, default=200)
    parser.add_argument('--expect', type=float, help='the sum that a run with other ranks printed')
    o = parser.parse_args()
    comm = MPI.COMM_WORLD
    node = comm.Split_type(MPI.COMM_TYPE_SHARED).size  # ranks on this machine
    first, last = o.size * comm.rank // comm.size, o.size * (comm.rank + 1) // comm.size
    plate = Plate(o.size, first, last, max(1, len(os.sched_getaffinity(0)) // node))
    plate.step_kernel.set_args(plate.now, plate.next, np.int32(plate.width))
    plate.queue.finish()
    comm.Barrier()
    start = time.perf_counter()
    for _ in range(o.steps):
        exchange(comm, plate)
        plate.step()
    plate.queue.finish()
    comm.Barrier()
    seconds = time.perf_counter() - start
    total = comm.reduce(plate.sum())
    if comm.rank == 0:
        print('%d rank%s: %.1f million cells a second, sum %.3f' % (comm.size, 's' if comm.size > 1 else '',
                                                                 o.size * o.size * o.steps / seconds / 1e6, total), flush=True)
        if o.expect is not None and abs(total - o.expect) > 1e-4 * abs(o.expect):
            sys.exit('the sum is not %.3f' % o.expect)


if __name__ == '__main__':
    main()
