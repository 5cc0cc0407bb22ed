/* tests/kernels/bfs.c -- levels of a breadth-first search in a random graph; the host reads
 * the size of each frontier to size the next launch.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

#include <string.h>

typedef struct {
    size_t nodes;
    uint32_t *starts;
    uint32_t *edges;
    size_t nedges;
} Graph;

static Graph make_graph(Kc *c, size_t nodes)
{
    Graph g = {.nodes = nodes};

    g.starts = kc_alloc(c, (nodes + 1) * sizeof *g.starts);
    for (size_t i = 0; i < nodes; i++)
        g.starts[i + 1] = g.starts[i] + kc_random(c, 7);
    g.nedges = g.starts[nodes];
    g.edges = kc_words(c, g.nedges, (uint32_t)nodes);
    return g;
}

static void reference(Kc *c, const Graph *g, int32_t *level)
{
    uint32_t *queue = kc_alloc(c, g->nodes * sizeof *queue);
    size_t head = 0;
    size_t tail = 1;

    for (level[0] = 0; head < tail; head++)
        for (uint32_t e = g->starts[queue[head]]; e < g->starts[queue[head] + 1]; e++)
            if (level[g->edges[e]] < 0) {
                level[g->edges[e]] = level[queue[head]] + 1;
                queue[tail++] = g->edges[e];
            }
}

void case_bfs(Kc *c)
{
    Graph g = make_graph(c, kc_pick(c, 5003, 200003));
    size_t bytes = g.nodes * sizeof(uint32_t);
    int32_t *unseen = kc_alloc(c, bytes);
    int32_t *got = kc_alloc(c, bytes);
    int32_t *want = kc_alloc(c, bytes);
    cl_kernel k = kc_kernel(c, "bfs_level");
    cl_mem starts = kc_buffer(c, bytes + sizeof(uint32_t), g.starts);
    cl_mem edges = kc_buffer(c, g.nedges * sizeof(uint32_t), g.edges);
    cl_mem level = kc_buffer(c, bytes, NULL);
    cl_mem frontier[2] = {kc_buffer(c, bytes, NULL), kc_buffer(c, bytes, NULL)};
    cl_mem next_size = kc_buffer(c, sizeof(uint32_t), NULL);
    const uint32_t zero = 0;

    memset(unseen, 0xFF, bytes);
    memcpy(want, unseen, bytes);
    unseen[0] = 0;
    while (kc_again(c)) {
        uint32_t size = 1;

        kc_write(c, level, unseen, bytes);
        kc_write(c, frontier[0], &zero, sizeof zero);
        kc_begin(c);
        for (cl_int depth = 1; size > 0 && size <= g.nodes && depth < 100; depth++) {
            cl_mem from = frontier[(depth - 1) & 1];
            cl_mem to = frontier[depth & 1];
            uint32_t found = 0;

            kc_write(c, next_size, &zero, sizeof zero);
            kc_args(c, k, "mmmimumm", starts, edges, level, depth, from, size, to, next_size);
            kc_launch_1d(c, k, size, size < 64 ? 0 : 64);
            kc_read(c, next_size, &found, sizeof found);
            size = found;
        }
        kc_end(c);
    }
    kc_read(c, level, got, bytes);

    reference(c, &g, want);
    kc_check_i32(c, "level of node", got, want, g.nodes);
}
