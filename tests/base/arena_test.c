/* tests/base/arena_test.c -- what arenas lend each other, arrays of their own, large pages.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/arena.h"

#include <string.h>

#include "../launch/check.h"
#include "base/memory.h"
#include "base/pages.h"

#define LARGE ((size_t)1 << 21)

/* What is borrowed comes right after what the lender has used, and is the lender's again. */
static void check_lending(Checks *c)
{
    HdArena *lender = hd_arena_open_for(LARGE, LARGE), *a, *inner;
    char *first = hd_arena_take(lender, 16), *of_a, *of_inner;

    CHECK(c, first != NULL);
    a = hd_arena_open_in(lender);
    of_a = hd_arena_take(a, 1000);
    CHECK(c, of_a > first && of_a < first + 256);
    inner = hd_arena_open_in(a);
    of_inner = hd_arena_take(inner, 1000);
    CHECK(c, of_inner > of_a && of_inner < of_a + 1256);
    memset(of_inner, 1, 1000);
    memset(hd_arena_take(a, 1000), 2, 1000); /* goes elsewhere meanwhile */
    CHECK(c, of_inner[0] == 1 && of_inner[999] == 1);
    hd_arena_clear(inner);
    CHECK(c, hd_arena_take(inner, 16) == of_inner);
    hd_arena_empty(inner);
    CHECK(c, hd_arena_take(inner, 16) == of_inner);
    hd_arena_drop(inner);
    CHECK(c, hd_arena_take(a, 64) != NULL);
    hd_arena_drop(a);
    CHECK(c, hd_arena_take(lender, 1000) == first + 16);
    hd_arena_drop(lender);
}

/* More than is left makes new chunks, and all that was lent comes back. */
static void check_overflow(Checks *c)
{
    int64_t before = hd_test_live_blocks();
    HdArena *lender = hd_arena_open_for(LARGE, LARGE), *a;
    char *first = hd_arena_take(lender, LARGE / 2);

    a = hd_arena_open_in(lender);
    for (unsigned i = 0; i < 100; i++)
        memset(hd_arena_take(a, 100000), (int)i, 100000);
    hd_arena_clear(a);
    memset(hd_arena_take(a, 4000000), 1, 4000000);
    memset(hd_arena_take(lender, 3000000), 2, 3000000);
    hd_arena_drop(a);
    CHECK(c, hd_arena_take(lender, 16) == first + LARGE / 2);
    hd_arena_drop(lender);
    CHECK(c, hd_test_live_blocks() == before);
}

/* An array that needs a chunk of its own does not end the use of a chunk that has more left. */
static void check_array(Checks *c)
{
    HdArena *a = hd_arena_open_for(LARGE, LARGE);
    char *first = hd_arena_take(a, 16), *array = hd_arena_take(a, LARGE);

    CHECK(c, first != NULL && array != NULL);
    memset(array, 1, LARGE);
    CHECK(c, hd_arena_take(a, 16) == first + 16);
    hd_arena_drop(a);
}

static void check_pages(Checks *c)
{
    char *block;

    CHECK(c, hd_pages_large(LARGE / 4 * 3) == 0);
    CHECK(c, hd_pages_large(LARGE - 1) == LARGE);
    CHECK(c, hd_pages_large(LARGE + LARGE / 2) == LARGE);
    block = hd_pages_alloc(3 * LARGE, LARGE);
    CHECK(c, block != NULL && (uintptr_t)block % LARGE == 0);
    memset(block, 1, 3 * LARGE);
    hd_free(block);
    block = hd_pages_alloc(LARGE - 1, LARGE - 1); /* a little more than was asked for */
    CHECK(c, block != NULL && (uintptr_t)block % LARGE == 0);
    hd_free(block);
}

int main(void)
{
    Checks c = {0};

    check_lending(&c);
    check_overflow(&c);
    check_array(&c);
    check_pages(&c);
    return checks_end(&c, "arenas");
}
