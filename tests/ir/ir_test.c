/* tests/ir/ir_test.c -- lane IR and its passes.
 *
 *   ir_test [folder [programs]]
 *
 * Runs every .ir file of the folder (default: tests/ir), then random programs: each is run as it
 * is, after each pass, and after hd_opt_optimize, and must compute the same. An .ir file says in
 * comments what to do and what to see:
 *
 *   ; RUN: sroa fold dce      passes over function 0, in order ("inline", "call", "optimize" too)
 *   ; CHECK: text             a later line of the result has it; in order
 *   ; CHECK-NOT: text         no line of the result has it
 *   ; ERROR: rule             a pass, the parser or the verifier fails with this rule
 *   ; PROGRAM: hex bytes      what the program-scope variables hold
 *   ; ADDRESS: offset         where in them an address lies
 *
 * SPDX-License-Identifier: MIT
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "ir/graph.h"
#include "ir/text.h"
#include "lane_eval.h"
#include "lane_gen.h"
#include "opt/pass.h"

static unsigned passed, failed, runs, runs_that_fail;

static void report(bool ok, const char *what, const char *why)
{
    if (ok) {
        passed++;
        return;
    }
    failed++;
    printf("FAIL %s: %s\n", what, why);
}

/* Run one pass by name. */
static HdStatus run_pass(const char *name, size_t len, HdIrModule *m, HdDiags *d)
{
    HdIrFunc *f = m->funcs.at[0];
    HdStatus st = HD_BAD_INPUT;
    bool changed = false;
    HdArena *a;

    if (len == 6 && memcmp(name, "verify", 6) == 0)
        return hd_ir_verify(f, d);
    if (len == 6 && memcmp(name, "inline", 6) == 0)
        return hd_opt_inline(m, f, 100000, d);
    if (len == 4 && memcmp(name, "call", 4) == 0) { /* what can be called is, from here on */
        m->calls = HD_IR_CALLS_ALL;
        return hd_opt_inline(m, f, 100000, d);
    }
    if (len == 8 && memcmp(name, "optimize", 8) == 0)
        return hd_opt_optimize(m, f, d);
    a = hd_arena_open();
    for (size_t i = 0; i < HD_PASS_COUNT; i++)
        if (hd_opt_passes[i] != NULL && strlen(hd_pass_row((unsigned)i)->name) == len &&
            memcmp(hd_pass_row((unsigned)i)->name, name, len) == 0)
            st = hd_opt_passes[i](f, a, &changed);
    hd_arena_drop(a);
    if (st == HD_BAD_INPUT)
        return hd_fail(d, st, HD_NO_PLACE, "test.pass", "no pass of this name");
    return st == HD_OK ? hd_ir_verify(f, d) : st;
}

/* ---- files -----------------------------------------------------------------------------------
 */

/* The text behind `key` in the line at `at`, NULL when the line has no such key. */
static const char *after_key(const char *at, const char *key, char *out, size_t room)
{
    size_t n = strlen(key), len;

    if (strncmp(at, key, n) != 0)
        return NULL;
    at += n;
    at += strspn(at, " ");
    len = strcspn(at, "\n");
    if (len >= room)
        len = room - 1;
    memcpy(out, at, len);
    out[len] = '\0';
    while (len != 0 && out[len - 1] == ' ')
        out[--len] = '\0';
    return out;
}

static const char *next_line(const char *at)
{
    at = strchr(at, '\n');
    return at != NULL ? at + 1 : NULL;
}

static void check_output(const char *path, const char *text, const char *output)
{
    char want[256], why[400];
    const char *at = output;

    for (const char *line = text; line != NULL && *line != '\0'; line = next_line(line)) {
        if (after_key(line, "; CHECK:", want, sizeof want) != NULL) {
            const char *hit = strstr(at, want);

            snprintf(why, sizeof why, "no \"%s\" in the rest of\n%s", want, at);
            if (hit == NULL)
                fputs(output != NULL ? output : "", stdout);
            report(hit != NULL, path, why);
            if (hit != NULL)
                at = hit + strlen(want);
        } else if (after_key(line, "; CHECK-NOT:", want, sizeof want) != NULL) {
            snprintf(why, sizeof why, "\"%s\" is in the result", want);
            if (strstr(output, want) != NULL)
                fputs(output != NULL ? output : "", stdout);
            report(strstr(output, want) == NULL, path, why);
        }
    }
}

/* The module's program-scope variables, if the text has some. */
static HdStatus read_program(HdArena *a, const char *text, HdIrModule *m)
{
    enum { MOST = 64 };
    char line[256];
    unsigned char *bytes;
    uint64_t *place;

    HD_TAKE(bytes, HD_NEW(a, unsigned char, MOST));
    HD_TAKE(place, HD_NEW(a, uint64_t, 1));
    m->program.bytes = bytes;
    m->program.addresses = place;
    for (const char *at = text; at != NULL && *at != '\0'; at = next_line(at)) {
        if (after_key(at, "; PROGRAM:", line, sizeof line) != NULL) {
            char *end = line;

            while (*end != '\0' && m->program.size < MOST)
                bytes[m->program.size++] = (unsigned char)strtoul(end, &end, 16);
        } else if (after_key(at, "; ADDRESS:", line, sizeof line) != NULL) {
            *place = strtoull(line, NULL, 10);
            m->program.address_count = 1;
        }
    }
    return HD_OK;
}

/* Parse, run the passes of all RUN lines. */
static HdStatus run_file(HdArena *a, const char *text, size_t len, HdDiags *d, HdIrModule **m)
{
    char names[256];

    HD_TRY(hd_ir_parse(a, text, len, d, m));
    HD_TRY(read_program(a, text, *m));
    if ((*m)->funcs.count == 0)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "test.empty", "no function");
    for (size_t i = 0; i < (*m)->funcs.count; i++)
        HD_TRY(hd_ir_verify((*m)->funcs.at[i], d));
    for (const char *line = text; line != NULL && *line != '\0'; line = next_line(line)) {
        if (after_key(line, "; RUN:", names, sizeof names) == NULL)
            continue;
        for (const char *n = names; *n != '\0'; n += strspn(n, " ")) {
            size_t width = strcspn(n, " ");

            HD_TRY(run_pass(n, width, *m, d));
            n += width;
        }
    }
    return HD_OK;
}

static void test_file(const char *path)
{
    HdDiags d;
    HdArena *a = hd_arena_open();
    HdIrModule *m = NULL;
    HdStrbuf out = {0};
    char *text = NULL, rule[256] = "";
    size_t len = 0;
    HdStatus st;

    hd_diags_init(&d);
    st = hd_file_read(path, &d, &text, &len);
    if (st == HD_OK)
        st = run_file(a, text, len, &d, &m);
    for (const char *line = text; line != NULL && *line != '\0'; line = next_line(line))
        (void)after_key(line, "; ERROR:", rule, sizeof rule);
    if (rule[0] != '\0') {
        report(st != HD_OK && d.count != 0 && strcmp(d.at[0].rule, rule) == 0, path,
               "the expected error did not come");
    } else if (st != HD_OK) {
        hd_diags_print(&d, &out, false);
        report(false, path, hd_strbuf_text(&out));
    } else {
        hd_ir_print(m->funcs.at[0], &out);
        check_output(path, text, hd_strbuf_text(&out));
    }
    hd_strbuf_free(&out);
    hd_free(text);
    hd_diags_drop(&d);
    hd_arena_drop(a);
}

static int is_ir_file(const struct dirent *e)
{
    size_t n = strlen(e->d_name);

    return n > 3 && strcmp(e->d_name + n - 3, ".ir") == 0;
}

static void test_files(const char *folder)
{
    struct dirent **names;
    int n = scandir(folder, &names, is_ir_file, alphasort);

    report(n > 0, folder, "has no .ir files");
    for (int i = 0; i < n; i++) {
        char path[512];

        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        test_file(path);
        free(names[i]);
    }
    if (n >= 0)
        free(names);
}

/* ---- random programs --------------------------------------------------------------------------
 */

static void evaluate(const HdIrFunc *f, uint64_t seed, EvalRun *run)
{
    static const uint64_t f32[] = {0x3f8ccccd, 0xc2f70000, 0, 0x7f800000};
    static const uint64_t f64[] = {0xbff199999999999au, 0x41dfffffffc00000u, 0x8000000000000000u,
                                   1};

    memset(run, 0, sizeof *run);
    run->visible_bytes = GEN_VISIBLE_BYTES;
    for (unsigned i = 0; i < GEN_VISIBLE_BYTES; i++)
        run->memory[i] = (unsigned char)((i * 37 + seed * 11) & 0x3f);
    run->params[0] = (uint32_t)(seed * 2654435761u);
    run->params[1] = seed * 0x9e3779b97f4a7c15u >> (seed % 3 * 20);
    run->params[2] = f32[seed % 4];
    run->params[3] = f64[seed / 4 % 4];
    run->params[4] = EVAL_BASE;
    eval_run(f, run);
}

static bool same_run(const EvalRun *x, const EvalRun *y)
{
    return y->error == NULL && memcmp(x->memory, y->memory, GEN_VISIBLE_BYTES) == 0 &&
           memcmp(x->results, y->results, 3 * sizeof x->results[0]) == 0;
}

static void print_module(const HdIrModule *m, HdStrbuf *out)
{
    for (size_t i = 0; i < m->funcs.count; i++)
        hd_ir_print(m->funcs.at[i], out);
}

/* Run `list` of passes on the program in `text` and compare with what it did before. */
static void test_passes(uint64_t seed, const char *text, const char *list, const EvalRun *before,
                        unsigned inputs)
{
    HdArena *a = hd_arena_open();
    HdIrModule *m = NULL;
    HdDiags d;
    HdStrbuf why = {0};
    HdStatus st;
    bool ok;

    hd_diags_init(&d);
    st = hd_ir_parse(a, text, strlen(text), &d, &m);
    for (const char *n = list; st == HD_OK && *n != '\0'; n += strspn(n, " ")) {
        size_t len = strcspn(n, " ");

        st = run_pass(n, len, m, &d);
        n += len;
    }
    ok = st == HD_OK;
    hd_strbuf_printf(&why, "seed %llu, %s: ", (unsigned long long)seed, list);
    if (!ok)
        hd_diags_print(&d, &why, false);
    for (unsigned i = 0; ok && i < inputs; i++) {
        EvalRun after;

        evaluate(m->funcs.at[0], seed + i, &after);
        ok = before[i].error != NULL || same_run(&before[i], &after);
        if (!ok)
            hd_strbuf_printf(&why, "another result (%s) for input %u",
                             after.error != NULL ? after.error : "no error", i);
    }
    report(ok, "random program", hd_strbuf_text(&why));
    if (!ok && getenv("HD_TEST_SHOW") != NULL) {
        HdStrbuf out = {0};

        if (m != NULL)
            print_module(m, &out);
        printf("before:\n%s\nafter:\n%s\n", text, hd_strbuf_text(&out));
        hd_strbuf_free(&out);
    }
    hd_strbuf_free(&why);
    hd_diags_drop(&d);
    hd_arena_drop(a);
}

/* Text made from what was parsed from text is the same text. */
static void test_text(uint64_t seed, const char *text)
{
    HdArena *a = hd_arena_open();
    HdStrbuf again = {0};
    HdIrModule *m;
    HdDiags d;

    hd_diags_init(&d);
    if (hd_ir_parse(a, text, strlen(text), &d, &m) == HD_OK)
        print_module(m, &again);
    else
        hd_diags_print(&d, &again, false);
    report(strcmp(text, hd_strbuf_text(&again)) == 0, "text of a random program",
           seed == 0 ? "" : hd_strbuf_text(&again));
    hd_strbuf_free(&again);
    hd_diags_drop(&d);
    hd_arena_drop(a);
}

/* Is `to` reached from the entry when block `without` is taken out? */
static bool reached_without(const HdIrFunc *f, uint32_t without, uint32_t to)
{
    uint8_t seen[1024] = {0};
    uint32_t work[1024], n = 0;

    if (without == 0 || f->blocks.count > 1024)
        return false;
    work[n++] = 0;
    seen[0] = 1;
    while (n != 0) {
        const HdIrBlock *b = &f->blocks.at[work[--n]];

        for (uint32_t i = 0; i < b->succ_count; i++)
            if (b->succ[i] != without && seen[b->succ[i]] == 0) {
                seen[b->succ[i]] = 1;
                work[n++] = b->succ[i];
            }
    }
    return seen[to] != 0;
}

/* Order, loops and dominators, against what they are by definition. */
static void test_graph(const HdIrFunc *f, uint64_t seed)
{
    HdArena *a = hd_arena_open();
    HdIrGraph *g;
    bool ok = hd_ir_graph(f, a, &g) == HD_OK;
    char why[64];

    for (uint32_t i = 0; ok && i < g->reachable; i++) {
        uint32_t b = g->order[i];
        const HdIrBlock *block = &f->blocks.at[b];

        ok = g->rank[b] == i;
        /* an edge back goes to the head of a loop that both are in */
        for (uint32_t k = 0; ok && k < block->succ_count; k++) {
            uint32_t to = block->succ[k], l = g->loop[to];

            if (g->rank[to] <= i)
                ok = l != HD_IR_NOWHERE && g->loops[l].head == to && i >= g->loops[l].first &&
                     i <= g->loops[l].last;
        }
        for (uint32_t k = 0; ok && k < g->reachable && f->blocks.count <= 64; k++) {
            uint32_t d = g->order[k];

            ok = hd_ir_dominates(g, d, b) == (d == b || !reached_without(f, d, b));
        }
    }
    snprintf(why, sizeof why, "seed %llu", (unsigned long long)seed);
    report(ok, "order and dominators", why);
    hd_arena_drop(a);
}

/* Each row of the table: alone, and of values. Passes that are run last change what the function
 * of one work-item alone shows. */
static void test_rows(uint64_t seed, const char *text, const EvalRun *before)
{
    for (unsigned id = 0; id < HD_PASS_COUNT; id++) {
        char list[80];

        if (hd_opt_passes[id] == NULL || hd_pass_is_in(id, HD_PHASE_LAST))
            continue;
        test_passes(seed, text, hd_pass_row(id)->name, before, 4);
        snprintf(list, sizeof list, "inline sroa simplify_cfg %s", hd_pass_row(id)->name);
        test_passes(seed, text, list, before, 4);
    }
}

static void test_random(uint64_t seed)
{
    static const char *const lists[] = {"inline",
                                        "inline sroa fold",
                                        "sroa cse",
                                        "sroa simplify_cfg",
                                        "sroa licm sink_stores",
                                        "inline sroa fold simplify_cfg cse rotate licm unswitch",
                                        "inline sroa simplify_cfg cse merge_branches hoist_common",
                                        "inline sroa narrow",
                                        "inline sroa demanded_masks",
                                        "inline sroa fold dce narrow fold demanded_masks",
                                        "inline sroa fold simplify_cfg cse licm sink_stores dce",
                                        "optimize",
                                        "optimize optimize",
                                        "call sroa simplify_cfg fold cse licm dce",
                                        "call optimize"};
    HdArena *a = hd_arena_open();
    HdIrModule *m = gen_module(a, seed);
    EvalRun before[4];
    HdStrbuf text = {0}, why = {0};
    HdDiags d;

    hd_diags_init(&d);
    if (m == NULL || hd_ir_verify(m->funcs.at[0], &d) != HD_OK ||
        hd_ir_verify(m->funcs.at[1], &d) != HD_OK) {
        hd_diags_print(&d, &why, false);
        report(false, "generator", hd_strbuf_text(&why));
    } else {
        for (unsigned i = 0; i < 4; i++) {
            evaluate(m->funcs.at[0], seed + i, &before[i]);
            runs++;
            runs_that_fail += before[i].error != NULL;
            if (before[i].error && getenv("HD_TEST_SHOW"))
                puts(before[i].error);
        }
        print_module(m, &text);
        test_text(seed, hd_strbuf_text(&text));
        test_graph(m->funcs.at[0], seed);
        for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
            test_passes(seed, hd_strbuf_text(&text), lists[i], before, 4);
        test_rows(seed, hd_strbuf_text(&text), before);
    }
    hd_strbuf_free(&text);
    hd_strbuf_free(&why);
    hd_diags_drop(&d);
    hd_arena_drop(a);
}

/* ---- bad weather -------------------------------------------------------------------------------
 */

/* Every allocation fails once; nothing crashes, nothing leaks, and the status says why. */
static void test_no_memory(uint64_t seed)
{
    HdArena *keep = hd_arena_open();
    HdIrModule *m = gen_module(keep, seed);
    HdStrbuf text = {0};
    bool ok = m != NULL;
    uint64_t n = 0;

    if (m != NULL)
        print_module(m, &text);
    for (bool hit = ok; hit && ok; n++) {
        int64_t live = hd_test_live_blocks();
        HdArena *a;
        HdIrModule *copy;
        HdStatus st;
        HdDiags d;

        hd_diags_init(&d);
        hd_test_fail_alloc(n + 1);
        a = hd_arena_open();
        st =
            a == NULL ? HD_NO_MEMORY : hd_ir_parse(a, hd_strbuf_text(&text), text.count, &d, &copy);
        if (st == HD_OK)
            st = hd_opt_optimize(copy, copy->funcs.at[0], &d);
        hit = hd_test_alloc_failed();
        hd_test_fail_alloc(0);
        hd_arena_drop(a);
        hd_diags_drop(&d);
        ok = st == (hit ? HD_NO_MEMORY : HD_OK) && hd_test_live_blocks() == live;
    }
    report(ok && n > 10, "without memory", "another status than \"no memory\", or a leak");
    hd_strbuf_free(&text);
    hd_arena_drop(keep);
}

/* Text with a few bytes changed never crashes parser, verifier and passes. */
static void test_bad_text(uint64_t seed)
{
    static const char bytes[] = "0123456789%%%,:->@. \nabcPHICONST{}()";
    HdArena *keep = hd_arena_open();
    HdIrModule *m = gen_module(keep, seed);
    HdStrbuf text = {0};
    uint64_t x = seed * 0x9e3779b97f4a7c15u | 1;
    unsigned refused = 0;

    if (m != NULL)
        print_module(m, &text);
    for (unsigned round = 0; round < 200 && text.count != 0; round++) {
        HdArena *a = hd_arena_open();
        char *changed = hd_arena_string(a, text.at, text.count);
        HdIrModule *copy;
        HdDiags d;

        for (unsigned i = 0; i <= round % 4; i++) {
            x = x * 6364136223846793005u + 1442695040888963407u;
            changed[(x >> 20) % text.count] = bytes[(x >> 50) % (sizeof bytes - 1)];
        }
        hd_diags_init(&d);
        if (hd_ir_parse(a, changed, text.count, &d, &copy) != HD_OK || copy->funcs.count == 0 ||
            hd_opt_optimize(copy, copy->funcs.at[0], &d) != HD_OK)
            refused++;
        hd_diags_drop(&d);
        hd_arena_drop(a);
    }
    report(refused > 20, "changed text", "too little of it was refused");
    hd_strbuf_free(&text);
    hd_arena_drop(keep);
}

int main(int argc, char **argv)
{
    uint64_t programs = argc > 2 ? strtoull(argv[2], NULL, 10) : 300;
    uint64_t first = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;

    test_files(argc > 1 ? argv[1] : "tests/ir");
    for (uint64_t seed = first; seed < first + programs; seed++)
        test_random(seed);
    if (programs != 0) {
        test_no_memory(first + 3);
        for (uint64_t seed = first; seed < first + 5; seed++)
            test_bad_text(seed);
    }
    /* a run that does not end cannot be compared: few may be like that */
    report(runs_that_fail * 10 <= runs, "random programs", "too many do not run");
    printf("%u passed, %u failed, 0 skipped\n", passed, failed);
    return failed != 0;
}
