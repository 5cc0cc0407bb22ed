/* tests/lanes/lanes_test.c -- random kernels: compiled for W lanes against one work-item at a time.
 *
 * For each kernel the result of every work-item alone (lanes_eval.c) is compared with the wide
 * function run on the host, and for some of them with the machine code made from it, for several
 * widths, partly filled sub-groups, chains and dispatcher. Kernels with operations of all lanes are
 * compared with the execution rule itself.
 *
 *   lanes_test [KERNELS [FIRST-SEED [COMPILED]]]
 * compares KERNELS kernels; the COMPILED-th of them is compiled as well (0: none).
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "generator.h"
#include "ir/text.h"
#include "jit/cpu.h"
#include "jit/loader.h"
#include "lanes/canon.h"
#include "lanes/lanes.h"
#include "lanes/registers.h"
#include "lanes_eval.h"
#include "lanes_gen.h"
#include "opt/pass.h"
#include "rt/tables.h"

static unsigned passed, failed, skipped, too_long;
static HdCodegenEntry *codegen;

typedef struct Case {
    uint64_t seed;
    bool collectives;
    unsigned passes; /* 0: none, 1: sroa, 2: all */
    HdRtGroup group;
    uint64_t args[3];
    unsigned char memory[LANES_IN_BYTES + LANES_OUT_BYTES];
} Case;

static HdRtTables tables;

static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 31) * 0x7fb5d329728ea185u;
    x = (x ^ x >> 27) * 0x81dadef4bc2dd44du;
    return x ^ x >> 33;
}

/* Sizes and input of a case. */
static void set_up(Case *c, uint64_t seed, unsigned width)
{
    uint64_t x = mixed(seed + 1), lx = 1 + x % 40, ly = x >> 8 & 1 ? 1 : 1 + (x >> 12) % 3;

    if (x >> 20 & 1)
        lx = (lx + width - 1) / width * width;
    if (lx * ly > LANES_MAX_ITEMS)
        ly = 1;
    c->seed = seed;
    c->passes = (unsigned)(x >> 24) % 3;
    c->group = (HdRtGroup){
        .work_dim = 2,
        .items = (uint32_t)(lx * ly),
        .global_size = {lx, ly, 1},
        .num_groups = {1, 1, 1},
        .local_size = {lx, ly, 1},
        .enqueued_local_size = {lx, ly, 1},
        .args = (unsigned char *)c->args,
        .math = tables.math,
        .convert = tables.convert,
        .calls = tables.calls,
    };
    c->args[0] = (uintptr_t)c->memory;
    c->args[1] = (uintptr_t)(c->memory + LANES_IN_BYTES);
    c->args[2] = (mixed(seed) & 0x7f) | (mixed(seed + 5) & 0xffff) << 32;
}

static void reset(Case *c, unsigned width)
{
    for (unsigned i = 0; i < LANES_IN_BYTES; i += 4) {
        uint32_t word = (uint32_t)mixed(c->seed * 5000 + i);

        word = i % 12 == 0 ? word & 15 : word;
        memcpy(c->memory + i, &word, 4);
    }
    memset(c->memory + LANES_IN_BYTES, 0xcc, LANES_OUT_BYTES);
    c->group.width = width;
    c->group.subgroups = c->group.enqueued_subgroups = (c->group.items + width - 1) / width;
}

static HdStatus make(const Case *c, unsigned passes, HdArena *a, HdDiags *d, HdIrFunc **out)
{
    HdIrModule *m = lanes_gen(a, c->seed, c->collectives);
    bool changed;

    if (m == NULL)
        return HD_NO_MEMORY;
    *out = m->funcs.at[0];
    if (passes == 1) {
        HD_TRY(hd_opt_sroa(*out, a, &changed));
        HD_TRY(hd_opt_dce(*out, a, &changed));
    } else if (passes == 2) {
        HD_TRY(hd_opt_optimize(m, *out, d));
    }
    return hd_ir_verify(*out, d);
}

static void show(const HdIrFunc *f)
{
    HdStrbuf text = {0};

    hd_ir_print(f, &text);
    fwrite(hd_strbuf_text(&text), 1, text.count, stdout);
    hd_strbuf_free(&text);
}

static void complain(const Case *c, const HdLaneTarget *t, const char *what, const HdDiags *d)
{
    HdStrbuf text = {0};

    failed++;
    printf("seed %llu passes %u items %u: W %u %s%s%s: %s\n", (unsigned long long)c->seed,
           c->passes, c->group.items, t->width, t->dispatch ? "dispatch " : "chain ",
           t->x_divisible ? "x_divisible " : "", t->full ? "full" : "", what);
    if (d != NULL && d->count != 0) {
        hd_diags_print(d, &text, false);
        printf("%s", hd_strbuf_text(&text));
    }
    hd_strbuf_free(&text);
}

static void run_object(Case *c, const HdLaneTarget *t, const HdIrFunc *wide, HdDiags *d,
                       const char **error)
{
    HdCpu cpu = hd_jit_cpu();
    HdCodegenRequest q = {
        .wide = wide, .cpu = cpu.name, .features = cpu.features, .costs = cpu.costs};
    HdCodegenResult r = {0};
    HdKernelFn *kernel;
    HdLoaded l = {0};
    static char text[300];

    (void)t;
    if (codegen(&q, &r) != HD_OK) {
        snprintf(text, sizeof text, "code generation: %s", r.error);
        *error = text;
    } else if (hd_jit_load(r.object, r.object_bytes, HD_CODEGEN_SUFFIX, d, &l) != HD_OK) {
        *error = "loading";
    } else {
        memcpy(&kernel, &l.entry, sizeof kernel);
        kernel(&c->group, 0, c->group.subgroups);
        hd_jit_unload(&l);
    }
    if (r.release != NULL)
        r.release(&r);
}

static const char *const stages[] = {"wide function: other results", "machine code: other results",
                                     "machine code, slots in registers: other results"};

/* One variant: wide function on the host, then machine code, then that without slots. */
static void compare(Case *c, HdLaneTarget t, const unsigned char *want, bool compiled)
{
    HdArena *a = hd_arena_open();
    HdIrFunc *f = NULL, *wide = NULL;
    LanesRun run = {.group = &c->group, .memory = c->memory, .memory_bytes = sizeof c->memory};
    const char *error = NULL;
    HdDiags d;

    hd_diags_init(&d);
    reset(c, t.width);
    if (make(c, c->passes, a, &d, &f) != HD_OK || hd_lanes_widen(f, t, a, &d, &wide) != HD_OK) {
        complain(c, &t, "not made", &d);
    } else {
        for (unsigned i = 0; i < (compiled ? 3u : 1u) && error == NULL; i++) {
            reset(c, t.width);
            if (i == 2 && hd_lanes_registers(wide, a) != HD_OK)
                error = "slots stay";
            else if (i == 0)
                lanes_run_wide(wide, &run), error = run.error;
            else
                run_object(c, &t, wide, &d, &error);
            if (error == NULL && memcmp(want, c->memory, sizeof c->memory) != 0)
                error = stages[i];
            if (error == NULL)
                passed++;
        }
        if (error != NULL) {
            complain(c, &t, error, &d);
            if (run.error != NULL)
                printf("  at %%%u\n", run.at);
            if (getenv("LANES_SHOW") != NULL)
                show(f), show(wide);
        }
    }
    hd_diags_drop(&d);
    hd_arena_drop(a);
}

/* What each work-item does by the rule, before any pass; false when it takes too long. */
static bool expected(Case *c, unsigned width, unsigned char *want)
{
    HdArena *a = hd_arena_open();
    HdIrFunc *f = NULL;
    LanesRun run = {.group = &c->group, .memory = c->memory, .memory_bytes = sizeof c->memory};
    HdLaneTarget none = {.width = width};
    HdDiags d;
    bool ok = false;

    hd_diags_init(&d);
    reset(c, width);
    if (make(c, 0, a, &d, &f) != HD_OK) {
        complain(c, &none, "not generated", &d);
    } else if (hd_lanes_one_exit(f, a) == HD_OK) {
        lanes_run_narrow(f, width, &run);
        if (run.error == NULL) {
            memcpy(want, c->memory, sizeof c->memory);
            ok = true;
        } else if (strcmp(run.error, "too many steps") == 0) {
            too_long++;
        } else {
            complain(c, &none, run.error, &d);
        }
    }
    hd_diags_drop(&d);
    hd_arena_drop(a);
    return ok;
}

static void test_kernel(uint64_t seed, bool compiled)
{
    static const unsigned widths[] = {1, 4, 8, 16, 32};
    static Case c;
    static unsigned char want[sizeof c.memory];
    unsigned which = (unsigned)mixed(seed + 77) % 5;

    for (unsigned i = 0; i < 5; i++) {
        unsigned w = widths[i];
        bool can_x, can_full;

        c = (Case){.collectives = seed % 4 == 3};
        set_up(&c, seed, w);
        can_x = c.group.local_size[0] % w == 0 || c.group.local_size[1] == 1;
        can_full = c.group.items % w == 0;
        if (!expected(&c, c.collectives ? w : 1, want))
            return;
        for (unsigned v = 0; v < 8; v++) {
            HdLaneTarget t = {.width = w, .x_divisible = v & 1, .full = v & 2, .dispatch = v & 4};

            if ((t.x_divisible && !can_x) || (t.full && !can_full) || (w == 1 && t.dispatch))
                continue;
            compare(&c, t, want, compiled && i == which && (v & 4 ? seed % 3 == 0 : true));
        }
    }
}

int main(int argc, char **argv)
{
    /* Seeds that long runs found something with: a load through one of two addresses, both the same
     * value (lanes/choice.c). */
    static const uint64_t found[] = {574};
    uint64_t kernels = argc > 1 ? strtoull(argv[1], NULL, 10) : 400;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    uint64_t compiled = argc > 3 ? strtoull(argv[3], NULL, 10) : 10;

    setvbuf(stdout, NULL, _IOLBF, 4096);
    hd_rt_tables_fill(&tables);
    codegen = compiled != 0 ? generator_entry() : NULL;
    if (compiled != 0 && codegen == NULL)
        skipped++;
    for (uint64_t seed = first; seed < first + kernels && failed < 20; seed++)
        test_kernel(seed, codegen != NULL && seed % compiled == 0);
    for (unsigned i = 0; argc == 1 && i < sizeof found / sizeof *found; i++)
        test_kernel(found[i], false);
    if (too_long * 10 > kernels + 10) {
        printf("too many kernels do not end: %u\n", too_long);
        failed++;
    }
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed != 0;
}
