/* One level of a breadth-first search: work-items take the nodes of the frontier, claim the
 * neighbours nobody has seen, and write them to the next frontier.
 * SPDX-License-Identifier: MIT */
__kernel void bfs_level(__global const uint *starts, __global const uint *edges,
                        volatile __global int *level, int depth, __global const uint *frontier,
                        uint size, __global uint *next, volatile __global uint *next_size)
{
    uint i = get_global_id(0);

    if (i >= size)
        return;
    uint node = frontier[i];
    for (uint e = starts[node]; e < starts[node + 1]; e++) {
        uint to = edges[e];

        if (level[to] == -1 && atomic_cmpxchg(&level[to], -1, depth) == -1)
            next[atomic_inc(next_size)] = to;
    }
}
