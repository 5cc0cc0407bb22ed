/* One round of Floyd and Warshall's algorithm: paths by way of node `via`.
 * Row and column `via` stay as they are and are not written: others read them.
 * SPDX-License-Identifier: MIT */
__kernel void floyd_round(__global int *distance, int n, int via)
{
    int to = get_global_id(0);
    int from = get_global_id(1);

    if (to < n && from < n) {
        int here = distance[from * n + to];
        int there = distance[from * n + via] + distance[via * n + to];

        if (from != via && to != via)
            distance[from * n + to] = min(here, there);
    }
}
