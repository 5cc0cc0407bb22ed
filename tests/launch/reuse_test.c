/* tests/launch/reuse_test.c -- which launches store past the caches, by what is read between them.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "check.h"
#include "launch/reuse.h"

#define ITEMS 1000u
#define LEAST 100000u
#define MOST  400000u
#define STEP  0x100000u /* from one buffer to the next */

static HdArgInfo infos[] = {{.kind = HD_ARG_GLOBAL, .offset = 0, .size = 8},
                            {.kind = HD_ARG_CONSTANT, .offset = 8, .size = 8}};
static const HdKernelInfo kernel = {.args = infos, .arg_count = 2, .block_bytes = 16};

/* Of a kernel that reads its second argument and only writes its first, `bytes` of both together
 * for each work-item. */
static HdIrStreams streams_of(uint32_t bytes)
{
    return (HdIrStreams){.kinds = hd_ir_memory_of_arg(0), .written = bytes / 2, .bytes = bytes};
}

/* A launch of `groups` of ITEMS work-items from one buffer to another. */
static bool launch(HdReuse *r, unsigned to, unsigned from, HdIrStreams s, uint64_t groups)
{
    uint64_t at[2] = {to * (uint64_t)STEP, from * (uint64_t)STEP};
    unsigned char block[16];

    memcpy(block, at, sizeof block);
    return hd_reuse_launch(r, &kernel, block, &s, groups, ITEMS);
}

static bool large(HdReuse *r, unsigned to, unsigned from)
{
    return launch(r, to, from, streams_of(8), 20);
}

static bool small(HdReuse *r, unsigned to, unsigned from)
{
    return launch(r, to, from, streams_of(8), 1);
}

static void test_sizes(Checks *c, HdReuse *r)
{
    const HdIrStreams none = {0};

    CHECK(c, !small(r, 1, 2) && !small(r, 1, 2));
    CHECK(c, !launch(r, 1, 2, streams_of(8), 12) && !launch(r, 1, 2, streams_of(8), 12));
    CHECK(c, launch(r, 1, 2, streams_of(8), 50)); /* whatever is known */
    CHECK(c, launch(r, 1, 2, streams_of(8), UINT64_MAX / 2));
    CHECK(c, !launch(r, 1, 2, none, UINT64_MAX / 2));
    CHECK(c, !launch(r, 1, 2, streams_of(8), 13)); /* of that size it is the first */
    CHECK(c, launch(r, 1, 2, streams_of(8), 13));
}

/* Written again and again; read in between by a launch of any size, or not by a launch. */
static void test_reads(Checks *c, HdReuse *r)
{
    unsigned char *at = (unsigned char *)(uintptr_t)(3 * (uint64_t)STEP);

    CHECK(c, !large(r, 3, 4) && large(r, 3, 4) && large(r, 3, 4));
    CHECK(c, !small(r, 5, 3));
    CHECK(c, !large(r, 3, 4) && large(r, 3, 4));
    hd_reuse_read(r, at + 20 * ITEMS * 4, 1); /* the first byte after it */
    hd_reuse_read(r, at - 1, 1);
    CHECK(c, large(r, 3, 4));
    hd_reuse_read(r, at + 20 * ITEMS * 4 - 1, 1);
    CHECK(c, !large(r, 3, 4) && large(r, 3, 4));
    hd_reuse_read(r, at - 1, 2);
    CHECK(c, !large(r, 3, 4) && large(r, 3, 4));
}

/* Two that read what the other one writes, and one whose result nobody reads. */
static void test_chain(Checks *c, HdReuse *r)
{
    unsigned past = 0;

    for (int i = 0; i < 5; i++) {
        past += large(r, 10, 11);
        past += large(r, 11, 10);
        past += large(r, 12, 10);
    }
    CHECK(c, past == 4); /* the third kernel's, all but its first */
}

/* What was long ago is forgotten: of many buffers, and after many small launches. */
static void test_limits(Checks *c, HdReuse *r)
{
    for (unsigned i = 0; i < HD_REUSE_RANGES + 1; i++)
        CHECK(c, !large(r, 20 + i, 19));
    CHECK(c, !large(r, 20, 19) && large(r, 20, 19));
    for (unsigned i = 0; i < 1000; i++)
        CHECK(c, !small(r, 30, 19));
    CHECK(c, !small(r, 30, 20)); /* reads it when nobody looks any more */
    CHECK(c, large(r, 20, 19));
}

int main(void)
{
    Checks c = {0};
    HdReuse r;

    hd_reuse_open(&r, LEAST, MOST);
    test_sizes(&c, &r);
    test_reads(&c, &r);
    test_chain(&c, &r);
    test_limits(&c, &r);
    hd_reuse_close(&r);
    return checks_end(&c, "reuse");
}
