/* tests/lanes/registers_test.c -- which large wide functions get their slots as values before LLVM
 * does it.
 *
 * A line of blocks, where phis are few, and a dispatcher, to whose first block all others return:
 * there a phi for each slot has an operand from each block, and slots stay in memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>

#include "base/strbuf.h"
#include "ir/graph.h"
#include "ir/text.h"
#include "lanes/registers.h"

#define SLOTS  3000u
#define BLOCKS 3000u

static unsigned passed, failed;

static void check(bool ok, const char *what)
{
    passed += ok;
    failed += !ok;
    if (!ok)
        printf("FAIL %s\n", what);
}

/* Block 1 branches to all that follow it or, of a line, each block to the next one. */
static void write_function(HdStrbuf *s, bool returns)
{
    hd_strbuf_printf(s, "kernel @\"k\" () -> () width 4 {\nblock 0:\n");
    for (unsigned i = 1; i <= SLOTS; i++)
        hd_strbuf_printf(s, "  %%%u = SLOT i32\n", i);
    hd_strbuf_printf(s, "  %%%u = CONST i32 imm 0\n", SLOTS + 1);
    hd_strbuf_printf(s, "  %%%u = BR void -> 1\n", SLOTS + 2);
    for (unsigned b = 1; b < BLOCKS; b++)
        hd_strbuf_printf(s, "block %u:\n  %%%u = BR void -> %u\n", b, SLOTS + 2 + b,
                         returns && b != 1 ? 1 : b + 1);
    hd_strbuf_printf(s, "block %u:\n  %%%u = RET void\n}\n", BLOCKS, SLOTS + 2 + BLOCKS);
}

static HdIrFunc *function(HdArena *a, bool returns)
{
    HdStrbuf text = {0};
    HdIrModule *m = NULL;
    HdIrFunc *f = NULL;
    HdDiags d;

    hd_diags_init(&d);
    write_function(&text, returns);
    if (hd_ir_parse(a, hd_strbuf_text(&text), text.count, &d, &m) == HD_OK && m->funcs.count == 1)
        f = m->funcs.at[0];
    hd_diags_drop(&d);
    hd_strbuf_free(&text);
    return f;
}

int main(void)
{
    HdArena *a = hd_arena_open();
    HdIrFunc *line = function(a, false), *dispatcher = function(a, true);

    check(line != NULL && dispatcher != NULL, "functions");
    if (failed == 0) {
        check(hd_ir_slot_ways(line, a) == SLOTS, "in a line one way leads to each block");
        check(hd_lanes_has_many_slots(line, a), "slots of a line become values");
        check(hd_ir_slot_ways(dispatcher, a) >= HD_IR_MANY_WAYS, "all ways lead to a dispatcher");
        check(!hd_lanes_has_many_slots(dispatcher, a), "slots of a dispatcher stay");
    }
    hd_arena_drop(a);
    printf("%u passed, %u failed, 0 skipped\n", passed, failed);
    return failed != 0;
}
