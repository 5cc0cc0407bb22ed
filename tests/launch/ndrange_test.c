/* tests/launch/ndrange_test.c -- NDRanges: each work-item once, whatever the sizes; arguments; what
 * cannot run; what a launch costs.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "launch/bytes.h"
#include "plain.h"

/* A loop in steps of the launch's size up to the number, of which it makes one round or all. */
static void stride_kernel(HdRtGroup *g, uint32_t first, uint32_t count)
{
    uint32_t *buffer = plain_buffer(g), n = plain_number(g);

    for (uint32_t i = first * g->width; i < (first + count) * g->width && i < g->items; i++)
        for (uint64_t at = g->round_start + plain_index(g, i); at < n; at += g->global_size[0]) {
            buffer[at] += g->one_round != 0 ? 257u : 1u;
            if (g->one_round != 0)
                break;
        }
}

static void slow_kernel(HdRtGroup *g, uint32_t first, uint32_t count)
{
    struct timespec t = {.tv_nsec = 200000};
    _Atomic uint32_t *counts =
        (_Atomic uint32_t *)plain_buffer(g); /* done, at work, most at work */
    uint32_t now = atomic_fetch_add(&counts[1], 1) + 1, most = atomic_load(&counts[2]);

    (void)first;
    (void)count;
    while (most < now && !atomic_compare_exchange_weak(&counts[2], &most, now))
        continue;
    nanosleep(&t, NULL);
    atomic_fetch_sub(&counts[1], 1);
    atomic_fetch_add(&counts[0], 1);
}

static void test_args(Checks *c)
{
    HdArgs a, b;
    uint64_t p = 5;
    unsigned char block[24];

    CHECK(c, hd_args_open(&plain_info, &a) == HD_OK);
    CHECK(c, hd_args_missing(&a) == 0);
    CHECK(c, hd_args_set(&a, 3, 8, &p) == HD_BAD_INPUT);
    CHECK(c, hd_args_set(&a, 0, 4, &p) == HD_BAD_INPUT);
    CHECK(c, hd_args_set(&a, 1, 4, NULL) == HD_BAD_INPUT);
    CHECK(c, hd_args_set(&a, 2, 0, NULL) == HD_OK); /* no local memory: allowed since 3.1 */
    CHECK(c, hd_args_set(&a, 2, 8, &p) == HD_BAD_INPUT);
    CHECK(c, hd_args_set(&a, 0, 8, NULL) == HD_OK);
    CHECK(c, hd_args_missing(&a) == 1);
    CHECK(c, hd_args_set(&a, 1, 4, &p) == HD_OK);
    CHECK(c, hd_args_set(&a, 2, 100, NULL) == HD_OK);
    CHECK(c, hd_args_missing(&a) == UINT32_MAX);
    CHECK(c, hd_args_clone(&a, &b) == HD_OK);
    memcpy(block, b.block, sizeof block);
    CHECK(c, hd_ndrange_local_bytes(&plain_info, &b, block) == 48 + 100);
    memcpy(&p, block + 16, 8);
    CHECK(c, p == 48);
    CHECK(c, hd_args_set(&a, 2, SIZE_MAX, NULL) == HD_OK);
    CHECK(c, hd_ndrange_local_bytes(&plain_info, &a, NULL) == UINT64_MAX);
    hd_args_close(&a);
    hd_args_close(&b);
}

/* Work-items of the groups of all shapes. */
static size_t count_items(const HdLaunch *l)
{
    uint64_t items = 0, size[3];

    for (unsigned shape = 0; shape < HD_NDRANGE_SHAPES; shape++) {
        uint64_t groups = 1;

        if (!hd_ndrange_has_shape(l, shape))
            continue;
        hd_ndrange_shape_size(l, shape, size);
        for (int i = 0; i < 3; i++)
            groups *= (shape >> i & 1) != 0 ? 1 : l->global_size[i] / l->local_size[i];
        items += groups * size[0] * size[1] * size[2];
    }
    return (size_t)items;
}

static void test_cover(Checks *c, HdPool *pool)
{
    static const uint64_t cases[][6] = {
        {1, 1, 1, 1, 1, 1},   {1000, 1, 1, 64, 1, 1},   {33, 17, 5, 8, 4, 2},
        {7, 1, 1, 64, 1, 1},  {5000, 3, 1, 1, 1, 1},    {256, 256, 1, 16, 16, 1},
        {13, 1, 99, 5, 1, 7}, {4096, 1, 1, 4096, 1, 1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint64_t *s = cases[i];
        size_t count = (size_t)(s[0] * s[1] * s[2]), wrong = 0;
        uint32_t *buffer = calloc(count, 4);
        PlainTest t;

        plain_open(&t, c, pool, plain_count, false, buffer);
        t.launch.work_dim = 3;
        plain_sizes(t.launch.global_size, s[0], s[1], s[2]);
        plain_sizes(t.launch.local_size, s[3], s[4], s[5]);
        CHECK(c, plain_run(&t) == HD_OK);
        for (size_t k = 0; k < count; k++)
            wrong += buffer[k] != 1;
        CHECK(c, wrong == 0);
        CHECK(c, count_items(&t.launch) == count);
        plain_close(&t);
        free(buffer);
    }
}

/* Few groups with many rounds are dealt out round by round, where that is what the loop allows. */
static void test_rounds(Checks *c, HdPool *pool)
{
    static const struct {
        uint32_t n;
        uint64_t items, offset, most;
        bool is_signed, by_rounds;
    } cases[] = {{1000, 32, 0, UINT32_MAX, false, true},
                 {1024, 32, 0, UINT32_MAX, true, true},
                 {33, 32, 0, UINT32_MAX, false, true},
                 {32, 32, 0, UINT32_MAX, false, false},   /* one round */
                 {1000, 32, 5, UINT32_MAX, false, false}, /* an offset */
                 {1000, 31, 0, UINT32_MAX, false, false}, /* a smaller group */
                 {1000, 32, 0, 1063, false, false},       /* indices could wrap */
                 {1000, 32, 0, 1064, false, true},
                 {1000, 4096, 0, UINT32_MAX, false, false}}; /* groups for all threads */
    static uint32_t buffer[1100];

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        uint32_t n = cases[k].n, wrong = 0;
        PlainTest t;

        memset(buffer, 0, sizeof buffer);
        plain_open(&t, c, pool, stride_kernel, false, buffer);
        CHECK(c, hd_args_set(&t.args, 1, 4, &n) == HD_OK);
        t.code.facts.stride = (HdIrStride){.bytes = 4,
                                           .bits = 32,
                                           .bound = 8,
                                           .most = cases[k].most,
                                           .is_signed = cases[k].is_signed};
        plain_sizes(t.launch.global_size, cases[k].items, 1, 1);
        plain_sizes(t.launch.local_size, 16, 1, 1);
        plain_sizes(t.launch.global_offset, cases[k].offset, 0, 0);
        CHECK(c, plain_run(&t) == HD_OK);
        for (uint32_t i = 0; i < 1100; i++)
            wrong += buffer[i] != (i < n ? cases[k].by_rounds ? 257u : 1u : 0u);
        CHECK(c, wrong == 0);
        plain_close(&t);
    }
}

static void test_limits(Checks *c, HdPool *pool)
{
    uint32_t buffer[4] = {0};
    volatile bool cancel = true;
    PlainTest t;

    plain_open(&t, c, pool, plain_empty, false, buffer);
    t.launch.work_dim = 3;
    plain_sizes(t.launch.local_size, 1, 1, 1);
    plain_sizes(t.launch.global_size, UINT64_MAX, UINT64_MAX, 2);
    CHECK(c, plain_run(&t) == HD_BAD_INPUT);
    plain_sizes(t.launch.global_size, UINT64_MAX, 1, 1);
    CHECK(c, plain_run(&t) == HD_BAD_INPUT);
    plain_sizes(t.launch.global_size, UINT64_MAX / 4, 1, 1);
    t.launch.cancel = &cancel;
    CHECK(c, plain_run(&t) == HD_OK);
    plain_sizes(t.launch.global_size, 5000, 1, 1);
    plain_sizes(t.launch.local_size, 5000, 1, 1);
    CHECK(c, plain_run(&t) == HD_BAD_INPUT);
    plain_sizes(t.launch.local_size, 64, 1, 1);
    CHECK(c, hd_args_set(&t.args, 2, SIZE_MAX / 8, NULL) == HD_OK);
    CHECK(c, plain_run(&t) == HD_NO_MEMORY);
    CHECK(c, hd_args_set(&t.args, 2, 64, NULL) == HD_OK);
    t.code.facts.private_bytes = UINT64_MAX / 2;
    CHECK(c, plain_run(&t) == HD_NO_MEMORY);
    plain_close(&t);
}

static HdStatus failing_group(void *user, const HdRtGroup *g, HdDiags *d)
{
    (void)user;
    if (g->group_id[0] % 3 != 0)
        return HD_OK;
    return hd_fail(d, HD_BAD_INPUT, 7, "test.rule", "group %u", (unsigned)g->group_id[0]);
}

static void test_errors(Checks *c, HdPool *pool)
{
    uint32_t buffer[1] = {0};
    HdNdrange n = {.group = failing_group};
    PlainTest t;

    plain_open(&t, c, pool, plain_empty, false, buffer);
    plain_sizes(t.launch.global_size, 800, 1, 1);
    plain_sizes(t.launch.local_size, 8, 1, 1);
    n.launch = &t.launch;
    CHECK(c, hd_ndrange_run(pool, &n, &t.diags) == HD_BAD_INPUT);
    CHECK(c, t.diags.count == 1 && strcmp(t.diags.at[0].rule, "test.rule") == 0);
    CHECK(c, t.diags.count == 1 && strncmp(t.diags.at[0].message, "group ", 6) == 0);
    plain_close(&t);
}

static void test_parallel(Checks *c, HdPool *pool)
{
    uint32_t buffer[3] = {0};
    PlainTest t;

    plain_open(&t, c, pool, slow_kernel, false, buffer);
    plain_sizes(t.launch.global_size, 8 * 200, 1, 1);
    plain_sizes(t.launch.local_size, 8, 1, 1);
    CHECK(c, plain_run(&t) == HD_OK);
    CHECK(c, buffer[0] == 200);
    CHECK(c, buffer[2] > 1); /* groups that ran at the same time */
    plain_close(&t);
}

/* ---- groups that wait for others ------------------------------------------------------------- */

enum { WAITING = 200 };
static volatile bool is_cancelled;

static bool is_set(const HdRtGroup *g, uint64_t group)
{
    return __atomic_load_n(&plain_buffer(g)[group], __ATOMIC_ACQUIRE) != 0;
}

static void set(const HdRtGroup *g)
{
    __atomic_store_n(&plain_buffer(g)[g->group_id[0]], 1, __ATOMIC_RELEASE);
}

/* Each group waits until the next one has begun, by all of its sub-groups. What it has in local
 * memory stays. */
static void wait_for_next(HdRtGroup *g, uint32_t first, uint32_t count)
{
    uint64_t next = g->group_id[0] + 1;
    int32_t *own = plain_local(g);

    for (uint32_t i = first; i < first + count; i++) {
        own[i] = (int32_t)next;
        set(g);
        while (next < g->num_groups[0] && !is_set(g, next))
            g->yield(g, i);
        __atomic_fetch_add(&plain_buffer(g)[WAITING], own[i] == (int32_t)next, __ATOMIC_RELAXED);
    }
}

/* The last group ends the launch, in one of two ways, for which the others wait. */
static void wait_for_ever(HdRtGroup *g, uint32_t first, uint32_t count)
{
    (void)count;
    set(g);
    if (g->group_id[0] + 1 == g->num_groups[0]) {
        if (plain_number(g) != 0)
            hd_rt_fail(g, HD_UNSUPPORTED, "test.end", "over");
        __atomic_store_n(&is_cancelled, true, __ATOMIC_RELAXED);
    }
    for (;;)
        g->yield(g, first);
}

static void test_waiting(Checks *c, HdPool *pool, bool needs_fibers)
{
    static uint32_t buffer[WAITING + 1];
    PlainTest t;

    memset(buffer, 0, sizeof buffer);
    plain_open(&t, c, pool, wait_for_next, needs_fibers, buffer);
    t.code.facts.groups_wait = true;
    plain_sizes(t.launch.global_size, WAITING * 32, 1, 1);
    plain_sizes(t.launch.local_size, 32, 1, 1);
    CHECK(c, plain_run(&t) == HD_OK);
    CHECK(c, buffer[WAITING] == WAITING * 4);
    plain_close(&t);
}

static void test_waiting_ends(Checks *c, HdPool *pool, uint32_t fails)
{
    static uint32_t buffer[WAITING];
    PlainTest t;

    plain_open(&t, c, pool, wait_for_ever, true, buffer);
    t.code.facts.groups_wait = true;
    is_cancelled = false;
    t.launch.cancel = &is_cancelled;
    CHECK(c, hd_args_set(&t.args, 1, 4, &fails) == HD_OK);
    plain_sizes(t.launch.global_size, WAITING * 8, 1, 1);
    plain_sizes(t.launch.local_size, 8, 1, 1);
    CHECK(c, plain_run(&t) == (fails != 0 ? HD_UNSUPPORTED : HD_OK));
    CHECK(c, t.diags.count == (fails != 0));
    plain_close(&t);
}

/* An interpreted group that waits. */
static HdStatus wait_as_other(void *user, const HdRtGroup *g, HdDiags *d)
{
    uint64_t next = g->group_id[0] + 1;

    (void)d;
    set(g);
    while (next < g->num_groups[0] && !is_set(g, next))
        hd_ndrange_wait(g);
    __atomic_fetch_add((uint32_t *)user, 1, __ATOMIC_RELAXED);
    return HD_OK;
}

static void test_waiting_others(Checks *c, HdPool *pool)
{
    static uint32_t buffer[WAITING];
    uint32_t ended = 0;
    HdNdrange n = {.group = wait_as_other, .groups_wait = true, .user = &ended};
    PlainTest t;

    memset(buffer, 0, sizeof buffer);
    plain_open(&t, c, pool, plain_empty, false, buffer);
    plain_sizes(t.launch.global_size, WAITING * 8, 1, 1);
    plain_sizes(t.launch.local_size, 8, 1, 1);
    n.launch = &t.launch;
    CHECK(c, hd_ndrange_run(pool, &n, &t.diags) == HD_OK);
    CHECK(c, ended == WAITING);
    plain_close(&t);
}

/* Whether its launch stores past the caches. Several calls of a launch may say so at once. */
static void tell_streams(HdRtGroup *g, uint32_t first, uint32_t count)
{
    (void)first;
    (void)count;
    __atomic_store_n(&plain_buffer(g)[0], g->streams, __ATOMIC_RELAXED);
}

static uint32_t streams(PlainTest *t, uint32_t *buffer)
{
    __atomic_store_n(&buffer[0], 2, __ATOMIC_RELAXED);
    CHECK(t->c, plain_run(t) == HD_OK);
    return __atomic_load_n(&buffer[0], __ATOMIC_RELAXED);
}

/* From the second time on, if nobody has read in between what it wrote. */
static void test_streams(Checks *c, HdPool *pool)
{
    uint64_t least = pool->reuse.least, most = pool->reuse.most;
    uint32_t buffer[800], copy[1];
    PlainTest t;

    pool->reuse.least = 6400;
    pool->reuse.most = 12800;
    plain_open(&t, c, pool, tell_streams, false, buffer);
    t.code.facts.streams = (HdIrStreams){.kinds = hd_ir_memory_of_arg(0), .written = 4, .bytes = 8};
    plain_sizes(t.launch.global_size, 800, 1, 1);
    plain_sizes(t.launch.local_size, 800, 1, 1);
    CHECK(c, streams(&t, buffer) == 0);
    CHECK(c, streams(&t, buffer) == 1);
    hd_bytes_copy(pool, copy, buffer + 799, sizeof copy);
    CHECK(c, streams(&t, buffer) == 0);
    CHECK(c, streams(&t, buffer) == 1);
    hd_bytes_note_read(pool, buffer, sizeof buffer);
    CHECK(c, streams(&t, buffer) == 0);
    hd_bytes_note_read(NULL, buffer, sizeof buffer);
    CHECK(c, streams(&t, buffer) == 1);
    plain_sizes(t.launch.local_size, 400, 1, 1);
    hd_bytes_note_read(pool, buffer, sizeof buffer);
    plain_sizes(t.launch.global_size, 1600, 1, 1);
    CHECK(c, streams(&t, buffer) == 1);
    plain_sizes(t.launch.global_size, 400, 1, 1);
    CHECK(c, streams(&t, buffer) == 0);
    plain_close(&t);
    pool->reuse.least = least;
    pool->reuse.most = most;
}

static void no_job(void *user)
{
    (void)user;
}

__attribute__((unused)) static void test_fork(Checks *c, HdPool *pool)
{
    uint32_t buffer[8] = {0};
    int status = -1;
    pid_t child;
    PlainTest t;

    plain_open(&t, c, pool, plain_count, false, buffer);
    plain_sizes(t.launch.global_size, 8, 1, 1);
    plain_sizes(t.launch.local_size, 8, 1, 1);
    fflush(stdout);
    child = fork();
    if (child == 0) {
        bool is_refused = plain_run(&t) == HD_UNSUPPORTED && t.diags.errors == 1 &&
                          strcmp(t.diags.at[0].rule, "launch.fork") == 0 &&
                          hd_pool_submit(pool, HD_POOL_NOW, no_job, NULL) == HD_UNSUPPORTED;

        hd_pool_close(pool);
        _exit(is_refused ? 0 : 1);
    }
    CHECK(c, waitpid(child, &status, 0) == child && status == 0);
    CHECK(c, plain_run(&t) == HD_OK && buffer[7] == 1);
    plain_close(&t);
}

/* Prints what an empty launch costs; fails only when it is far from the goal, in processor time of
 * the thread that launches. */
static void test_overhead(Checks *c, HdPool *pool)
{
    enum { ROUNDS = 20000 };
    uint32_t buffer[1] = {0};
    double best = 1e9;
    PlainTest t;

    plain_open(&t, c, pool, plain_empty, false, buffer);
    plain_sizes(t.launch.global_size, 64, 1, 1);
    plain_sizes(t.launch.local_size, 8, 1, 1);
    for (int k = 0; k < 5; k++) {
        struct timespec a, b;
        double ns;

        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
        for (int i = 0; i < ROUNDS / 5; i++)
            plain_run(&t);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
        ns = (double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec);
        best = ns / (ROUNDS / 5) < best ? ns / (ROUNDS / 5) : best;
    }
    printf("launch: an empty NDRange of 8 groups takes %.0f ns\n", best);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    CHECK(c, best < 20000);
#endif
    plain_close(&t);
}

/* Whether its launch has memory far away. */
static void tell_far(HdRtGroup *g, uint32_t first, uint32_t count)
{
    (void)first;
    (void)count;
    plain_buffer(g)[0] = g->far;
}

static uint32_t far(PlainTest *t, unsigned ahead, uint32_t large, uint32_t *buffer)
{
    t->code.facts.ahead = ahead;
    t->launch.large = large;
    __atomic_store_n(&buffer[0], 2, __ATOMIC_RELAXED);
    CHECK(t->c, plain_run(t) == HD_OK);
    return __atomic_load_n(&buffer[0], __ATOMIC_RELAXED);
}

/* Where the code asks ahead for what a large argument holds, not for that of others. */
static void test_far(Checks *c, HdPool *pool)
{
    unsigned first = hd_ir_memory_of_arg(0), other = hd_ir_memory_of_arg(16);
    uint32_t buffer[4];
    PlainTest t;

    plain_open(&t, c, pool, tell_far, false, buffer);
    plain_sizes(t.launch.global_size, 1, 1, 1);
    plain_sizes(t.launch.local_size, 1, 1, 1);
    CHECK(c, far(&t, first, 1, buffer) == 1);
    CHECK(c, far(&t, first, 0, buffer) == 0);
    CHECK(c, far(&t, 0, 1, buffer) == 0);
    CHECK(c, far(&t, other, 1, buffer) == 0);
    CHECK(c, far(&t, other, 4, buffer) == 1);
    CHECK(c, far(&t, first, 5, buffer) == 1);
    plain_close(&t);
}

int main(void)
{
    Checks checks = {0};
    HdPool *pool;

    CHECK(&checks, hd_pool_open(4, &pool) == HD_OK);
    CHECK(&checks, hd_pool_threads(pool) == 4);
    test_args(&checks);
    test_cover(&checks, NULL);
    for (int i = 0; i < 3; i++) {
        test_cover(&checks, pool);
        test_errors(&checks, pool);
    }
    test_rounds(&checks, pool);
    test_limits(&checks, pool);
    test_parallel(&checks, pool);
    for (int alone = 0; alone < 2; alone++) {
        test_waiting(&checks, alone ? NULL : pool, false);
        test_waiting(&checks, alone ? NULL : pool, true);
        test_waiting_ends(&checks, alone ? NULL : pool, 0);
        test_waiting_ends(&checks, alone ? NULL : pool, 1);
        test_waiting_others(&checks, alone ? NULL : pool);
    }
    test_streams(&checks, pool);
    test_far(&checks, pool);
#if !defined(__SANITIZE_THREAD__)
    test_fork(&checks, pool); /* forking with threads is beyond that sanitizer */
#endif
    test_overhead(&checks, pool);
    hd_pool_close(pool);
    return checks_end(&checks, "ndrange");
}
