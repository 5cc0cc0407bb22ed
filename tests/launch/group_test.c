/* tests/launch/group_test.c -- what work-groups find: barriers, turns, the state of the processor,
 * address spaces, printf; and launches without memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include <fenv.h>
#include <string.h>

#include "base/memory.h"
#include "plain.h"

/* Reverse what the sub-groups have written, several times. */
static void reverse_kernel(HdRtGroup *g, uint32_t first, uint32_t count)
{
    uint32_t *buffer = plain_buffer(g), rounds = plain_number(g);
    int32_t *local = plain_local(g);

    (void)count;
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
    plain_buffer(g)[first]++;
}

/* Sub-group 0 waits for the last one. */
static void waiting_kernel(HdRtGroup *g, uint32_t first, uint32_t count)
{
    uint32_t *buffer = plain_buffer(g);

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
    uint32_t *buffer = plain_buffer(g);

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
    plain_buffer(g)[0] = (uint32_t)fegetround();
    fesetround(FE_DOWNWARD);
}

static void space_kernel(HdRtGroup *g, uint32_t first, uint32_t count)
{
    uint32_t *out = plain_buffer(g);
    int on_stack = 0;
    const void *places[3] = {out, plain_local(g), &on_stack};

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

static void test_barriers(Checks *c, HdPool *pool)
{
    enum { SUBGROUPS = 32, GROUPS = 50 };
    static uint32_t buffer[SUBGROUPS * GROUPS];
    size_t wrong = 0;
    PlainTest t;

    memset(buffer, 0, sizeof buffer);
    plain_open(&t, c, pool, reverse_kernel, true, buffer);
    plain_sizes(t.launch.global_size, 8 * SUBGROUPS * GROUPS, 1, 1);
    plain_sizes(t.launch.local_size, 8 * SUBGROUPS, 1, 1);
    CHECK(c, plain_run(&t) == HD_OK);
    for (uint32_t i = 0; i < SUBGROUPS * GROUPS; i++)
        wrong += buffer[i] != 3 * (SUBGROUPS - 1 - i % SUBGROUPS) + 3;
    CHECK(c, wrong == 0);

    memset(buffer, 0, sizeof buffer);
    t.code.fn = leaving_kernel;
    plain_sizes(t.launch.global_size, 8 * SUBGROUPS, 1, 1);
    CHECK(c, plain_run(&t) == HD_OK);
    for (uint32_t i = 0; i < SUBGROUPS; i++)
        wrong += buffer[i] != 1;
    CHECK(c, wrong == 0);

    memset(buffer, 0, sizeof buffer);
    t.code.fn = waiting_kernel;
    CHECK(c, plain_run(&t) == HD_OK);
    CHECK(c, buffer[0] == 1 && buffer[1] == SUBGROUPS);
    plain_close(&t);
}

/* One call runs all sub-groups up to the one that waits, and another one those after it. */
static void test_turns(Checks *c, HdPool *pool)
{
    enum { SUBGROUPS = 32 };
    uint32_t buffer[2 + SUBGROUPS] = {0}, wrong = 0;
    PlainTest t;

    plain_open(&t, c, pool, turns_kernel, true, buffer);
    t.code.facts.takes_turns = true;
    plain_sizes(t.launch.global_size, 8 * SUBGROUPS, 1, 1);
    plain_sizes(t.launch.local_size, 8 * SUBGROUPS, 1, 1);
    CHECK(c, plain_run(&t) == HD_OK);
    for (uint32_t i = 0; i < SUBGROUPS; i++)
        wrong += buffer[2 + i] != 1;
    CHECK(c, wrong == 0);
    CHECK(c, buffer[0] == 2);
    plain_close(&t);
}

static void test_state(Checks *c, HdPool *pool)
{
    uint32_t buffer[4] = {0};
    PlainTest t;

    plain_open(&t, c, pool, rounding_kernel, false, buffer);
    plain_sizes(t.launch.global_size, 8, 1, 1);
    plain_sizes(t.launch.local_size, 8, 1, 1);
    fesetround(FE_UPWARD);
    CHECK(c, plain_run(&t) == HD_OK);
    CHECK(c, buffer[0] == FE_TONEAREST);
    CHECK(c, fegetround() == FE_UPWARD);
    fesetround(FE_TONEAREST);
    t.code.fn = space_kernel;
    CHECK(c, plain_run(&t) == HD_OK);
    CHECK(c, buffer[0] == 1 && buffer[1] == 2 && buffer[2] == 4);
    plain_close(&t);
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
    PlainTest t;

    plain_open(&t, c, pool, print_kernel, false, buffer);
    plain_sizes(t.launch.global_size, 8000, 1, 1);
    plain_sizes(t.launch.local_size, 8, 1, 1);
    t.launch.sink = sink;
    t.launch.sink_user = &printed;
    CHECK(c, plain_run(&t) == HD_OK);
    CHECK(c, printed.messages == 1000 && printed.is_whole);
    plain_close(&t);
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
        PlainTest t = {.launch = {.kernel = &plain_info, .work_dim = 1, .width = 8}};

        hd_diags_init(&t.diags);
        t.code = (HdKernelCode){.fn = reverse_kernel,
                                .facts = {.private_bytes = 64, .needs_fibers = true}};
        t.launch.args = &t.args;
        plain_sizes(t.launch.global_size, 1024, 1, 1);
        plain_sizes(t.launch.local_size, 64, 1, 1);
        hd_test_fail_alloc(n);
        st = hd_pool_open(2, &pool);
        t.pool = pool;
        if (st == HD_OK)
            st = hd_args_open(&plain_info, &t.args);
        if (st == HD_OK) {
            hd_args_set(&t.args, 0, 8, &at);
            hd_args_set(&t.args, 1, 4, &number);
            hd_args_set(&t.args, 2, 256, NULL);
            st = plain_run(&t);
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

int main(void)
{
    Checks checks = {0};
    HdPool *pool;

    CHECK(&checks, hd_pool_open(4, &pool) == HD_OK);
    for (int i = 0; i < 3; i++) {
        test_barriers(&checks, pool);
        test_turns(&checks, pool);
        test_print(&checks, pool);
    }
    test_state(&checks, pool);
    test_memory(&checks);
    hd_pool_close(pool);
    return checks_end(&checks, "group");
}
