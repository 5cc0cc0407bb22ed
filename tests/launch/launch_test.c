/* tests/launch/launch_test.c -- groups, barriers, the pool and NDRanges, with kernels in plain C.
 *
 * SPDX-License-Identifier: MIT
 */
#include <fenv.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "check.h"
#include "launch/cpus.h"
#include "launch/ndrange.h"
#include "launch/pool.h"
#include "rt/group.h"

/* Arguments of all kernels here: a buffer, a number, a local buffer. */
static HdArgInfo infos[] = {
    {.kind = HD_ARG_GLOBAL, .offset = 0, .size = 8},
    {.kind = HD_ARG_VALUE, .offset = 8, .size = 4},
    {.kind = HD_ARG_LOCAL, .offset = 16, .size = 8, .pointee_align = 16},
};
static HdKernelInfo kernel_info = {
    .name = "test", .args = infos, .arg_count = 3, .block_bytes = 24, .local_bytes = 40};

/* size.c asks for the processor of a program; these tests have no programs. */
const HdCpu *hd_program_cpu(const HdProgram *p)
{
    static const HdCpu cpu = {.width = 8};

    (void)p;
    return &cpu;
}

static uint64_t pointer_arg(const HdRtGroup *g, uint32_t offset)
{
    uint64_t v;

    memcpy(&v, g->args + offset, 8);
    return v;
}

static uint32_t *buffer_arg(const HdRtGroup *g)
{
    return (uint32_t *)(uintptr_t)pointer_arg(g, 0);
}

/* Global linear id of a work-item of the group. */
static uint64_t global_index(const HdRtGroup *g, uint32_t item)
{
    uint64_t x = item % g->local_size[0], y = item / g->local_size[0] % g->local_size[1],
             z = item / g->local_size[0] / g->local_size[1];

    x += g->group_id[0] * g->enqueued_local_size[0];
    y += g->group_id[1] * g->enqueued_local_size[1];
    z += g->group_id[2] * g->enqueued_local_size[2];
    return (z * g->global_size[1] + y) * g->global_size[0] + x;
}

static void count_kernel(HdRtGroup *g, uint32_t first, uint32_t count)
{
    uint32_t *buffer = buffer_arg(g);

    for (uint32_t i = first * g->width; i < (first + count) * g->width && i < g->items; i++)
        buffer[global_index(g, i)]++;
}

/* A loop in steps of the launch's size up to the number, of which it makes one round or all. */
static void stride_kernel(HdRtGroup *g, uint32_t first, uint32_t count)
{
    uint32_t *buffer = buffer_arg(g), n;

    memcpy(&n, g->args + 8, 4);
    for (uint32_t i = first * g->width; i < (first + count) * g->width && i < g->items; i++)
        for (uint64_t at = g->round_start + global_index(g, i); at < n; at += g->global_size[0]) {
            buffer[at] += g->one_round != 0 ? 257u : 1u;
            if (g->one_round != 0)
                break;
        }
}

static void empty_kernel(HdRtGroup *g, uint32_t first, uint32_t count)
{
    (void)g;
    (void)first;
    (void)count;
}

static void slow_kernel(HdRtGroup *g, uint32_t first, uint32_t count)
{
    struct timespec t = {.tv_nsec = 200000};
    _Atomic uint32_t *counts = (_Atomic uint32_t *)buffer_arg(g); /* done, at work, most at work */
    uint32_t now = atomic_fetch_add(&counts[1], 1) + 1, most = atomic_load(&counts[2]);

    (void)first;
    (void)count;
    while (most < now && !atomic_compare_exchange_weak(&counts[2], &most, now))
        continue;
    nanosleep(&t, NULL);
    atomic_fetch_sub(&counts[1], 1);
    atomic_fetch_add(&counts[0], 1);
}

static int32_t *local_arg(const HdRtGroup *g)
{
    return (int32_t *)(void *)(g->local + pointer_arg(g, 16));
}

/* Reverse what the sub-groups have written, several times. */
static void reverse_kernel(HdRtGroup *g, uint32_t first, uint32_t count)
{
    uint32_t *buffer = buffer_arg(g), rounds;
    int32_t *local = local_arg(g);

    (void)count;
    memcpy(&rounds, g->args + 8, 4);
    for (uint32_t r = 0; r < rounds; r++) {
        local[first] = (int32_t)(first + r);
        g->barrier(g);
        buffer[g->group_id[0] * g->subgroups + first] += (uint32_t)local[g->subgroups - 1 - first];
        g->barrier(g);
    }
}

/* Every other sub-group leaves early; the rest must not hang. */
static void leaving_kernel(HdRtGroup *g, uint32_t first, uint32_t count)
{
    (void)count;
    for (uint32_t r = 0; r < first; r++)
        g->barrier(g);
    buffer_arg(g)[first]++;
}

/* Sub-group 0 waits for the last one. */
static void waiting_kernel(HdRtGroup *g, uint32_t first, uint32_t count)
{
    uint32_t *buffer = buffer_arg(g);

    (void)count;
    if (first == g->subgroups - 1)
        buffer[0] = 1;
    while (buffer[0] == 0)
        hd_rt_yield(g, first);
    g->barrier(g);
    buffer[1]++;
}

/* Sub-groups that take turns: the second one waits for the last one. Counts calls and sub-groups.
 */
static void turns_kernel(HdRtGroup *g, uint32_t first, uint32_t count)
{
    uint32_t *buffer = buffer_arg(g);

    buffer[0]++;
    for (uint32_t i = first; i < first + count; i++) {
        if (i == g->subgroups - 1)
            buffer[1] = 1;
        while (i == 1 && buffer[1] == 0)
            g->yield(g, i);
        buffer[2 + i]++;
        if (g->alone != 0)
            return;
    }
}

static void rounding_kernel(HdRtGroup *g, uint32_t first, uint32_t count)
{
    (void)first;
    (void)count;
    buffer_arg(g)[0] = (uint32_t)fegetround();
    fesetround(FE_DOWNWARD);
}

static void space_kernel(HdRtGroup *g, uint32_t first, uint32_t count)
{
    uint32_t *out = buffer_arg(g);
    int on_stack = 0;
    const void *places[3] = {out, local_arg(g), &on_stack};

    (void)first;
    (void)count;
    for (int i = 0; i < 3; i++) {
        uint64_t at = (uint64_t)(uintptr_t)places[i];

        out[i] = (uint32_t)(g->calls[HD_RTFN_to_global](g, &at) == at) |
                 (uint32_t)(g->calls[HD_RTFN_to_local](g, &at) == at) << 1 |
                 (uint32_t)(g->calls[HD_RTFN_to_private](g, &at) == at) << 2;
    }
}

static void print_kernel(HdRtGroup *g, uint32_t first, uint32_t count)
{
    uint64_t slots[1] = {g->group_id[0]};
    uint64_t operands[3] = {(uint64_t)(uintptr_t) "group %d\n", (uint64_t)(uintptr_t)slots,
                            (uint64_t)(uintptr_t) "i"};

    (void)first;
    (void)count;
    g->calls[HD_RTFN_printf](g, operands);
}

/* ---- running them -------------------------------------------------------------------------- */

typedef struct Test {
    HdPool *pool;
    HdArgs args;
    HdLaunch launch;
    HdKernelCode code;
    HdDiags diags;
    Checks *c;
} Test;

static void set_up(Test *t, Checks *c, HdPool *pool, HdKernelFn *fn, bool needs_fibers,
                   uint32_t *buffer)
{
    uint32_t number = 3;

    memset(t, 0, sizeof *t);
    t->c = c;
    t->pool = pool;
    hd_diags_init(&t->diags);
    CHECK(c, hd_args_open(&kernel_info, &t->args) == HD_OK);
    CHECK(c, hd_args_set(&t->args, 0, 8, &buffer) == HD_OK);
    CHECK(c, hd_args_set(&t->args, 1, 4, &number) == HD_OK);
    CHECK(c, hd_args_set(&t->args, 2, 4096, NULL) == HD_OK);
    t->code =
        (HdKernelCode){.fn = fn, .facts = {.private_bytes = 1000, .needs_fibers = needs_fibers}};
    t->launch = (HdLaunch){.kernel = &kernel_info, .args = &t->args, .work_dim = 1, .width = 8};
}

static void tear_down(Test *t)
{
    hd_args_close(&t->args);
    hd_diags_drop(&t->diags);
}

static void sizes(uint64_t to[3], uint64_t x, uint64_t y, uint64_t z)
{
    to[0] = x;
    to[1] = y;
    to[2] = z;
}

static HdStatus run(Test *t)
{
    HdNdrange n = {.launch = &t->launch};

    for (int i = 0; i < HD_NDRANGE_SHAPES; i++)
        n.code[i] = &t->code;
    return hd_ndrange_run(t->pool, &n, &t->diags);
}

static void test_args(Checks *c)
{
    HdArgs a, b;
    uint64_t p = 5;
    unsigned char block[24];

    CHECK(c, hd_args_open(&kernel_info, &a) == HD_OK);
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
    CHECK(c, hd_ndrange_local_bytes(&kernel_info, &b, block) == 48 + 100);
    memcpy(&p, block + 16, 8);
    CHECK(c, p == 48);
    CHECK(c, hd_args_set(&a, 2, SIZE_MAX, NULL) == HD_OK);
    CHECK(c, hd_ndrange_local_bytes(&kernel_info, &a, NULL) == UINT64_MAX);
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
        Test t;

        set_up(&t, c, pool, count_kernel, false, buffer);
        t.launch.work_dim = 3;
        sizes(t.launch.global_size, s[0], s[1], s[2]);
        sizes(t.launch.local_size, s[3], s[4], s[5]);
        CHECK(c, run(&t) == HD_OK);
        for (size_t k = 0; k < count; k++)
            wrong += buffer[k] != 1;
        CHECK(c, wrong == 0);
        CHECK(c, count_items(&t.launch) == count);
        tear_down(&t);
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
        Test t;

        memset(buffer, 0, sizeof buffer);
        set_up(&t, c, pool, stride_kernel, false, buffer);
        CHECK(c, hd_args_set(&t.args, 1, 4, &n) == HD_OK);
        t.code.facts.stride = (HdIrStride){.bytes = 4,
                                           .bits = 32,
                                           .bound = 8,
                                           .most = cases[k].most,
                                           .is_signed = cases[k].is_signed};
        sizes(t.launch.global_size, cases[k].items, 1, 1);
        sizes(t.launch.local_size, 16, 1, 1);
        sizes(t.launch.global_offset, cases[k].offset, 0, 0);
        CHECK(c, run(&t) == HD_OK);
        for (uint32_t i = 0; i < 1100; i++)
            wrong += buffer[i] != (i < n ? cases[k].by_rounds ? 257u : 1u : 0u);
        CHECK(c, wrong == 0);
        tear_down(&t);
    }
}

static void test_limits(Checks *c, HdPool *pool)
{
    uint32_t buffer[4] = {0};
    volatile bool cancel = true;
    Test t;

    set_up(&t, c, pool, empty_kernel, false, buffer);
    t.launch.work_dim = 3;
    sizes(t.launch.local_size, 1, 1, 1);
    sizes(t.launch.global_size, UINT64_MAX, UINT64_MAX, 2);
    CHECK(c, run(&t) == HD_BAD_INPUT);
    sizes(t.launch.global_size, UINT64_MAX, 1, 1);
    CHECK(c, run(&t) == HD_BAD_INPUT);
    sizes(t.launch.global_size, UINT64_MAX / 4, 1, 1);
    t.launch.cancel = &cancel;
    CHECK(c, run(&t) == HD_OK);
    sizes(t.launch.global_size, 5000, 1, 1);
    sizes(t.launch.local_size, 5000, 1, 1);
    CHECK(c, run(&t) == HD_BAD_INPUT);
    sizes(t.launch.local_size, 64, 1, 1);
    CHECK(c, hd_args_set(&t.args, 2, SIZE_MAX / 8, NULL) == HD_OK);
    CHECK(c, run(&t) == HD_NO_MEMORY);
    CHECK(c, hd_args_set(&t.args, 2, 64, NULL) == HD_OK);
    t.code.facts.private_bytes = UINT64_MAX / 2;
    CHECK(c, run(&t) == HD_NO_MEMORY);
    tear_down(&t);
}

static void test_barriers(Checks *c, HdPool *pool)
{
    enum { SUBGROUPS = 32, GROUPS = 50 };
    static uint32_t buffer[SUBGROUPS * GROUPS];
    size_t wrong = 0;
    Test t;

    memset(buffer, 0, sizeof buffer);
    set_up(&t, c, pool, reverse_kernel, true, buffer);
    sizes(t.launch.global_size, 8 * SUBGROUPS * GROUPS, 1, 1);
    sizes(t.launch.local_size, 8 * SUBGROUPS, 1, 1);
    CHECK(c, run(&t) == HD_OK);
    for (uint32_t i = 0; i < SUBGROUPS * GROUPS; i++)
        wrong += buffer[i] != 3 * (SUBGROUPS - 1 - i % SUBGROUPS) + 3;
    CHECK(c, wrong == 0);

    memset(buffer, 0, sizeof buffer);
    t.code.fn = leaving_kernel;
    sizes(t.launch.global_size, 8 * SUBGROUPS, 1, 1);
    CHECK(c, run(&t) == HD_OK);
    for (uint32_t i = 0; i < SUBGROUPS; i++)
        wrong += buffer[i] != 1;
    CHECK(c, wrong == 0);

    memset(buffer, 0, sizeof buffer);
    t.code.fn = waiting_kernel;
    CHECK(c, run(&t) == HD_OK);
    CHECK(c, buffer[0] == 1 && buffer[1] == SUBGROUPS);
    tear_down(&t);
}

/* One call runs all sub-groups up to the one that waits, and another one those after it. */
static void test_turns(Checks *c, HdPool *pool)
{
    enum { SUBGROUPS = 32 };
    uint32_t buffer[2 + SUBGROUPS] = {0}, wrong = 0;
    Test t;

    set_up(&t, c, pool, turns_kernel, true, buffer);
    t.code.facts.takes_turns = true;
    sizes(t.launch.global_size, 8 * SUBGROUPS, 1, 1);
    sizes(t.launch.local_size, 8 * SUBGROUPS, 1, 1);
    CHECK(c, run(&t) == HD_OK);
    for (uint32_t i = 0; i < SUBGROUPS; i++)
        wrong += buffer[2 + i] != 1;
    CHECK(c, wrong == 0);
    CHECK(c, buffer[0] == 2);
    tear_down(&t);
}

static void test_state(Checks *c, HdPool *pool)
{
    uint32_t buffer[4] = {0};
    Test t;

    set_up(&t, c, pool, rounding_kernel, false, buffer);
    sizes(t.launch.global_size, 8, 1, 1);
    sizes(t.launch.local_size, 8, 1, 1);
    fesetround(FE_UPWARD);
    CHECK(c, run(&t) == HD_OK);
    CHECK(c, buffer[0] == FE_TONEAREST);
    CHECK(c, fegetround() == FE_UPWARD);
    fesetround(FE_TONEAREST);
    t.code.fn = space_kernel;
    CHECK(c, run(&t) == HD_OK);
    CHECK(c, buffer[0] == 1 && buffer[1] == 2 && buffer[2] == 4);
    tear_down(&t);
}

typedef struct Printed {
    unsigned messages;
    bool is_whole;
} Printed;

static void sink(void *user, const char *text, size_t len)
{
    Printed *p = user;

    p->messages++; /* one at a time: no atomic needed, as the thread sanitizer sees */
    p->is_whole = p->is_whole && len > 7 && memcmp(text, "group ", 6) == 0 && text[len - 1] == '\n';
}

static void test_print(Checks *c, HdPool *pool)
{
    Printed printed = {.is_whole = true};
    uint32_t buffer[1] = {0};
    Test t;

    set_up(&t, c, pool, print_kernel, false, buffer);
    sizes(t.launch.global_size, 8000, 1, 1);
    sizes(t.launch.local_size, 8, 1, 1);
    t.launch.sink = sink;
    t.launch.sink_user = &printed;
    CHECK(c, run(&t) == HD_OK);
    CHECK(c, printed.messages == 1000 && printed.is_whole);
    tear_down(&t);
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
    Test t;

    set_up(&t, c, pool, empty_kernel, false, buffer);
    sizes(t.launch.global_size, 800, 1, 1);
    sizes(t.launch.local_size, 8, 1, 1);
    n.launch = &t.launch;
    CHECK(c, hd_ndrange_run(pool, &n, &t.diags) == HD_BAD_INPUT);
    CHECK(c, t.diags.count == 1 && strcmp(t.diags.at[0].rule, "test.rule") == 0);
    CHECK(c, t.diags.count == 1 && strncmp(t.diags.at[0].message, "group ", 6) == 0);
    tear_down(&t);
}

/* ---- several launches at once --------------------------------------------------------------- */

typedef struct Job {
    HdPool *pool;
    _Atomic uint32_t *done;
    uint32_t *counts;
    size_t items;
    HdStatus status;
} Job;

static void launch_job(void *user)
{
    Job *j = user;
    Checks ignored = {0};
    Test t;

    set_up(&t, &ignored, j->pool, count_kernel, false, j->counts);
    sizes(t.launch.global_size, j->items, 1, 1);
    sizes(t.launch.local_size, 16, 1, 1);
    j->status = run(&t);
    tear_down(&t);
    atomic_fetch_add(j->done, 1);
}

static void test_jobs(Checks *c, HdPool *pool)
{
    enum { JOBS = 40, ITEMS = 5000 };
    static Job jobs[JOBS];
    _Atomic uint32_t done = 0;
    size_t wrong = 0;

    for (int i = 0; i < JOBS; i++) {
        jobs[i] = (Job){.pool = pool,
                        .done = &done,
                        .counts = calloc(ITEMS, 4),
                        .items = ITEMS,
                        .status = HD_BUG};
        CHECK(c, hd_pool_submit(pool, launch_job, &jobs[i]) == HD_OK);
    }
    while (atomic_load(&done) < JOBS)
        usleep(1000);
    for (int i = 0; i < JOBS; i++) {
        wrong += jobs[i].status != HD_OK;
        for (size_t k = 0; k < ITEMS; k++)
            wrong += jobs[i].counts[k] != 1;
        free(jobs[i].counts);
    }
    CHECK(c, wrong == 0);
}

typedef struct Step {
    HdPool *pool;
    _Atomic int32_t *left, *at_work, *most;
    int32_t together; /* as many jobs as should be at work at once */
} Step;

/* One of many jobs, each of which submits the next. */
static void idle_job(void *user)
{
    Step *s = user;

    if (atomic_fetch_add(s->at_work, 1) + 1 > atomic_load(s->most))
        atomic_fetch_add(s->most, 1);
    for (int i = 0; i < 50000 && atomic_load(s->most) < s->together; i++)
        usleep(100);
    usleep(100);
    atomic_fetch_sub(s->at_work, 1);
    if (atomic_fetch_sub(s->left, 1) > 1)
        (void)hd_pool_submit_idle(s->pool, idle_job, s);
}

/* Jobs that may wait run on half of the threads, all of them, before the pool is gone. */
static void test_idle(Checks *c, unsigned threads)
{
    _Atomic int32_t left = 50, at_work = 0, most = 0;
    Step s = {.left = &left, .at_work = &at_work, .most = &most, .together = (int32_t)threads / 2};

    CHECK(c, hd_pool_open(threads, &s.pool) == HD_OK);
    for (int i = 0; i < 3; i++)
        CHECK(c, hd_pool_submit_idle(s.pool, idle_job, &s) == HD_OK);
    while (atomic_load(&left) > 10)
        usleep(100);
    hd_pool_close(s.pool);
    CHECK(c, atomic_load(&left) <= 0);
    CHECK(c, atomic_load(&most) == s.together);
}

static void count_job(void *user)
{
    atomic_fetch_add((_Atomic int32_t *)user, 1);
}

static void no_help(HdPoolOffer *o, HdRtWorker **own)
{
    (void)o;
    (void)own;
}

static bool nothing_left(const HdPoolOffer *o)
{
    (void)o;
    return false;
}

/* While a launch wants helpers such jobs wait, but for those beyond a number that may; when it is
 * over they run. */
static void test_idle_gives_way(Checks *c)
{
    enum { JOBS = 20, MAY_WAIT = 16 };
    _Atomic int32_t done = 0;
    HdPoolOffer offer = {.help = no_help, .has_more = nothing_left, .max_helpers = 1};
    HdPool *pool;

    CHECK(c, hd_pool_open(2, &pool) == HD_OK);
    hd_pool_offer(pool, &offer);
    for (int i = 0; i < JOBS; i++)
        CHECK(c, hd_pool_submit_idle(pool, count_job, &done) == HD_OK);
    while (atomic_load(&done) < JOBS - MAY_WAIT)
        usleep(100);
    usleep(5000);
    CHECK(c, atomic_load(&done) == JOBS - MAY_WAIT);
    hd_pool_withdraw(pool, &offer);
    while (atomic_load(&done) < JOBS)
        usleep(100);
    hd_pool_close(pool);
}

/* One that may begin later waits, unless the pool closes. */
static void test_later(Checks *c)
{
    _Atomic int32_t done = 0;
    uint64_t start = hd_clock_ns();
    HdPool *pool;

    CHECK(c, hd_pool_open(2, &pool) == HD_OK);
    CHECK(c, hd_pool_submit_later(pool, count_job, &done, start + 30000000) == HD_OK);
    CHECK(c, hd_pool_submit_later(pool, count_job, &done, UINT64_MAX / 2) == HD_OK);
    while (atomic_load(&done) == 0)
        usleep(100);
    CHECK(c, hd_clock_ns() - start >= 30000000);
    usleep(5000);
    CHECK(c, atomic_load(&done) == 1);
    hd_pool_close(pool);
    CHECK(c, atomic_load(&done) == 2);
}

static void test_close_waits(Checks *c)
{
    _Atomic uint32_t done = 0;
    static uint32_t counts[100000];
    Job job = {.done = &done, .counts = counts, .items = 100000};
    HdPool *pool;

    CHECK(c, hd_pool_open(2, &pool) == HD_OK);
    job.pool = pool;
    CHECK(c, hd_pool_submit(pool, launch_job, &job) == HD_OK);
    hd_pool_close(pool);
    CHECK(c, atomic_load(&done) == 1);
}

static void test_parallel(Checks *c, HdPool *pool)
{
    uint32_t buffer[3] = {0};
    Test t;

    set_up(&t, c, pool, slow_kernel, false, buffer);
    sizes(t.launch.global_size, 8 * 200, 1, 1);
    sizes(t.launch.local_size, 8, 1, 1);
    CHECK(c, run(&t) == HD_OK);
    CHECK(c, buffer[0] == 200);
    CHECK(c, buffer[2] > 1); /* groups that ran at the same time */
    tear_down(&t);
}

__attribute__((unused)) static void test_fork(Checks *c, HdPool *pool)
{
    uint32_t buffer[8] = {0};
    int status = -1;
    pid_t child;
    Test t;

    set_up(&t, c, pool, count_kernel, false, buffer);
    sizes(t.launch.global_size, 8, 1, 1);
    sizes(t.launch.local_size, 8, 1, 1);
    fflush(stdout);
    child = fork();
    if (child == 0) {
        bool is_refused = run(&t) == HD_UNSUPPORTED && t.diags.errors == 1 &&
                          strcmp(t.diags.at[0].rule, "launch.fork") == 0 &&
                          hd_pool_submit(pool, launch_job, NULL) == HD_UNSUPPORTED;

        hd_pool_close(pool);
        _exit(is_refused ? 0 : 1);
    }
    CHECK(c, waitpid(child, &status, 0) == child && status == 0);
    CHECK(c, run(&t) == HD_OK && buffer[7] == 1);
    tear_down(&t);
}

static void put(const char *folder, const char *name, const char *text)
{
    char path[512];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    f = fopen(path, "w");
    if (f != NULL) {
        fputs(text, f);
        fclose(f);
    }
}

static void test_quota(Checks *c)
{
    char root[] = "/tmp/heddle-quota-XXXXXX", path[512], file[512];

    CHECK(c, mkdtemp(root) != NULL);
    snprintf(file, sizeof file, "%s/cgroup", root);
    CHECK(c, hd_launch_cpu_quota(file, root) == 0);
    put(root, "cgroup", "0::/a/b\n");
    CHECK(c, hd_launch_cpu_quota(file, root) == 0);
    snprintf(path, sizeof path, "%s/a", root);
    mkdir(path, 0700);
    put(path, "cpu.max", "350000 100000\n");
    CHECK(c, hd_launch_cpu_quota(file, root) == 4);
    snprintf(path, sizeof path, "%s/a/b", root);
    mkdir(path, 0700);
    put(path, "cpu.max", "max 100000\n");
    CHECK(c, hd_launch_cpu_quota(file, root) == 4);
    put(path, "cpu.max", "50000 100000\n");
    CHECK(c, hd_launch_cpu_quota(file, root) == 1);
    put(root, "cgroup", "7:memory:/x\n4:cpu,cpuacct:/y/z\n1:name=systemd:/\n");
    snprintf(path, sizeof path, "%s/cpu,cpuacct", root);
    mkdir(path, 0700);
    put(path, "cpu.cfs_quota_us", "200000\n");
    put(path, "cpu.cfs_period_us", "100000\n");
    CHECK(c, hd_launch_cpu_quota(file, root) == 2);
    put(path, "cpu.cfs_quota_us", "-1\n");
    CHECK(c, hd_launch_cpu_quota(file, root) == 0);
    CHECK(c, hd_launch_cpus() >= 1);
    snprintf(path, sizeof path, "rm -rf '%s'", root);
    CHECK(c, system(path) == 0);
}

static void test_local_size(Checks *c)
{
    static const uint64_t cases[][3] = {{1u << 20, 1, 1}, {1000, 1, 1},   {1009, 1, 1},
                                        {3, 1000, 1},     {64, 64, 64},   {1, 1, 1},
                                        {7919, 3, 1},     {100000, 1, 1}, {0, 4, 1}};
    HdKernelInfo info = {.name = "sizes"};
    HdLaunch l = {.kernel = &info, .width = 8};
    uint64_t local[3];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t items;

        for (l.work_dim = 1; l.work_dim <= 3; l.work_dim++) {
            memcpy(l.global_size, cases[i], sizeof l.global_size);
            hd_launch_local_size(&l, local);
            items = local[0] * local[1] * local[2];
            CHECK(c, items >= 1 && items <= 1024);
            CHECK(c, local[0] % 8 == 0 || local[0] == cases[i][0] || items == 1 ||
                         cases[i][0] % local[0] == 0);
            l.is_uniform = true;
            hd_launch_local_size(&l, local);
            l.is_uniform = false;
            for (unsigned d = 0; d < l.work_dim; d++)
                CHECK(c, cases[i][d] % local[d] == 0 || items == 0);
            CHECK(c, local[0] * local[1] * local[2] <= HD_LAUNCH_MAX_ITEMS);
        }
    }
    l.work_dim = 1;
    sizes(l.global_size, 1u << 20, 1, 1);
    hd_launch_local_size(&l, local);
    CHECK(c, local[0] == 256);
    info.subgroups_per_group = 4;
    hd_launch_local_size(&l, local);
    CHECK(c, local[0] == 32);
    info.required_local[0] = 5;
    info.required_local[1] = info.required_local[2] = 2;
    hd_launch_local_size(&l, local);
    CHECK(c, local[0] == 5 && local[1] == 2 && local[2] == 2);
}

/* Fail each allocation in turn: an error that says so, and nothing lost. */
static void test_memory(Checks *c)
{
    int64_t before = hd_test_live_blocks();
    unsigned wrong = 0, refused = 0;

    for (unsigned n = 1; n < 200; n++) {
        static uint32_t buffer[1024];
        uint32_t *at = buffer, number = 1;
        HdPool *pool = NULL;
        HdStatus st;
        bool is_failed;
        Test t = {.launch = {.kernel = &kernel_info, .work_dim = 1, .width = 8}};

        hd_diags_init(&t.diags);
        t.code = (HdKernelCode){.fn = reverse_kernel,
                                .facts = {.private_bytes = 64, .needs_fibers = true}};
        t.launch.args = &t.args;
        sizes(t.launch.global_size, 1024, 1, 1);
        sizes(t.launch.local_size, 64, 1, 1);
        hd_test_fail_alloc(n);
        st = hd_pool_open(2, &pool);
        t.pool = pool;
        if (st == HD_OK)
            st = hd_args_open(&kernel_info, &t.args);
        if (st == HD_OK) {
            hd_args_set(&t.args, 0, 8, &at);
            hd_args_set(&t.args, 1, 4, &number);
            hd_args_set(&t.args, 2, 256, NULL);
            st = run(&t);
        }
        hd_args_close(&t.args);
        hd_pool_close(pool);
        is_failed = hd_test_alloc_failed();
        hd_test_fail_alloc(0);
        refused += st == HD_NO_MEMORY;
        wrong += st != HD_OK && st != HD_NO_MEMORY;
        /* A helper without memory leaves the work to the caller, so OK is right as well. */
        wrong += !is_failed && st != HD_OK;
        hd_diags_drop(&t.diags);
        if (!is_failed)
            break;
    }
    CHECK(c, wrong == 0);
    CHECK(c, refused >= 5);
    CHECK(c, hd_test_live_blocks() == before);
}

/* Prints what an empty launch costs; fails only when it is far from the goal. */
static void test_overhead(Checks *c, HdPool *pool)
{
    enum { ROUNDS = 20000 };
    uint32_t buffer[1] = {0};
    double best = 1e9;
    Test t;

    set_up(&t, c, pool, empty_kernel, false, buffer);
    sizes(t.launch.global_size, 64, 1, 1);
    sizes(t.launch.local_size, 8, 1, 1);
    for (int k = 0; k < 5; k++) {
        struct timespec a, b;
        double ns;

        clock_gettime(CLOCK_MONOTONIC, &a);
        for (int i = 0; i < ROUNDS / 5; i++)
            run(&t);
        clock_gettime(CLOCK_MONOTONIC, &b);
        ns = (double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec);
        best = ns / (ROUNDS / 5) < best ? ns / (ROUNDS / 5) : best;
    }
    printf("launch: an empty NDRange of 8 groups takes %.0f ns\n", best);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    CHECK(c, best < 20000);
#endif
    tear_down(&t);
}

int main(void)
{
    Checks checks = {0};
    HdPool *pool;

    CHECK(&checks, hd_pool_open(4, &pool) == HD_OK);
    CHECK(&checks, hd_pool_threads(pool) == 4);
    test_args(&checks);
    test_quota(&checks);
    test_local_size(&checks);
    test_cover(&checks, NULL);
    for (int i = 0; i < 3; i++) {
        test_cover(&checks, pool);
        test_barriers(&checks, pool);
        test_turns(&checks, pool);
        test_print(&checks, pool);
        test_errors(&checks, pool);
        test_jobs(&checks, pool);
    }
    test_rounds(&checks, pool);
    test_limits(&checks, pool);
    test_state(&checks, pool);
    test_parallel(&checks, pool);
#if !defined(__SANITIZE_THREAD__)
    test_fork(&checks, pool); /* forking with threads is beyond that sanitizer */
#endif
    test_close_waits(&checks);
    test_idle(&checks, 2);
    test_idle(&checks, 6);
    test_idle_gives_way(&checks);
    test_later(&checks);
    test_memory(&checks);
    test_overhead(&checks, pool);
    hd_pool_close(pool);
    return checks_end(&checks, "launch");
}
