#!/usr/bin/env python3
"""Forces among many bodies by Dask: workers that each own a Heddle sub-device compute blocks of them.

  nbody.py [--bodies 16384] [--blocks 16] [--workers 1,2,4] [--no-kill]

For each number of workers it prints the throughput. Then one of the workers is killed in the middle: Dask starts another, its blocks
are computed again, and the result must be the same.
SPDX-License-Identifier: MIT
"""
import argparse, os, signal, sys, threading, time

try:
    import numpy as np
except ImportError:
    np = None  # main says so

SOURCE = '''
kernel void forces(global const float4 *bodies, global float4 *out, int first, int count)
{
    float4 me = bodies[first + get_global_id(0)], sum = 0;

    for (int i = 0; i < count; i++) {
        float4 d = bodies[i] - me;
        float r = d.x * d.x + d.y * d.y + d.z * d.z + 0.01f;

        sum += d * (bodies[i].w * rsqrt(r) / r);
    }
    out[get_global_id(0)] = sum;
}
'''


def bodies_of(count):
    return np.random.default_rng(7).random((count, 4), np.float32)


def device_of(threads, worker):
    """A worker's sub-device, context and kernel; made once."""
    import pyopencl as cl
    if not hasattr(worker, 'heddle'):
        device = next(p for p in cl.get_platforms() if p.name == 'Heddle').get_devices()[0]
        if threads < device.max_compute_units:
            kind = cl.device_partition_property
            device = device.create_sub_devices([kind.BY_COUNTS, threads, kind.BY_COUNTS_LIST_END])[0]
        context = cl.Context([device])
        worker.heddle = cl, cl.CommandQueue(context), cl.Kernel(cl.Program(context, SOURCE).build(), 'forces')
    return worker.heddle


def warm_up(threads, dask_worker):
    device_of(threads, dask_worker)


def forces(first, count, bodies, threads):
    """What acts on some of the bodies."""
    from dask.distributed import get_worker
    cl, queue, kernel = device_of(threads, get_worker())
    flags, context = cl.mem_flags, queue.context
    all_bodies = bodies_of(bodies)
    data = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=all_bodies)
    out = np.empty((count, 4), np.float32)
    result = cl.Buffer(context, flags.WRITE_ONLY, out.nbytes)
    kernel(queue, (count,), None, data, result, np.int32(first), np.int32(bodies))
    cl.enqueue_copy(queue, out, result)
    return out


def compute(client, o, threads):
    each = o.bodies // o.blocks
    futures = [client.submit(forces, i * each, each, o.bodies, threads, pure=False) for i in range(o.blocks)]
    return np.concatenate(client.gather(futures))


def measure(o, workers, threads, kills):
    from dask.distributed import Client, LocalCluster
    with LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, Client(cluster) as client:
        client.run(warm_up, threads)  # builds the kernel
        if kills:
            pid = list(client.run(os.getpid).values())[0]
            threading.Timer(0.3, os.kill, (pid, signal.SIGKILL)).start()
        start = time.perf_counter()
        result = compute(client, o, threads)
        seconds = time.perf_counter() - start
        if kills:
            left = set(client.run(os.getpid).values())
            print('a worker was killed%s' % ('' if pid in left else ', another one has taken its place'), flush=True)
            if pid in left:
                sys.exit('the worker has not been killed in time')
    print('%d worker%s: %.1f million interactions a second' % (workers, 's' if workers > 1 else '', o.bodies ** 2 / seconds / 1e6), flush=True)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bodies', type=int, default=65536)
    parser.add_argument('--blocks', type=int, default=32)
    parser.add_argument('--workers', default='1,2,4')
    parser.add_argument('--no-kill', action='store_true')
    o = parser.parse_args()
    try:
        import dask.distributed, numpy, pyopencl
    except ImportError as missing:
        print('skipped:', missing)
        return
    os.environ.setdefault('OCL_ICD_VENDORS', os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../build/heddle.icd'))
    numbers, first = [int(n) for n in o.workers.split(',')], None
    for n in numbers:
        result = measure(o, n, max(1, len(os.sched_getaffinity(0)) // n), False)
        first = result if first is None else first
        if not np.array_equal(result, first):
            sys.exit('%d workers have another result' % n)
    if not o.no_kill and not np.array_equal(measure(o, 2, max(1, len(os.sched_getaffinity(0)) // 2), True), first):
        sys.exit('another result after a worker was killed')
    print('all results are the same')


if __name__ == '__main__':
    main()
