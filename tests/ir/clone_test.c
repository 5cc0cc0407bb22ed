/* tests/ir/clone_test.c -- copies of lane IR.
 *
 *   clone_test [folder [programs]]
 *
 * Copies are made of every .ir file of the folder (default: tests/ir) that is well formed, and of
 * random programs. A copy prints as the original does, also when every byte of the original has
 * been overwritten. Passes over the copy leave the original as it is, and come out as they do over
 * the original, to the number of each instruction. A copy that fails for want of memory says so.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/clone.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "counts.h"
#include "ir/text.h"
#include "lane_gen.h"
#include "opt/pass.h"

typedef struct Text {
    HdStrbuf at;
} Text;

static Text text_of(const HdIrModule *m)
{
    Text t = {0};

    for (size_t i = 0; i < m->funcs.count; i++)
        hd_ir_print(m->funcs.at[i], &t.at);
    return t;
}

static bool is_text(const HdIrModule *m, const char *text)
{
    Text now = text_of(m);
    bool is = strcmp(hd_strbuf_text(&now.at), text) == 0;

    hd_strbuf_free(&now.at);
    return is;
}

static bool are_same_bytes(const void *x, const void *y, size_t bytes)
{
    return bytes == 0 || memcmp(x, y, bytes) == 0;
}

/* What no text says of blocks. */
static bool are_same_blocks(const HdIrFunc *x, const HdIrFunc *y)
{
    for (size_t b = 0; b < x->blocks.count; b++) {
        const HdIrBlock *one = &x->blocks.at[b], *other = &y->blocks.at[b];

        if (one->is_enclosed != other->is_enclosed || one->along != other->along ||
            one->ways != other->ways || one->as_one != other->as_one ||
            one->seldom != other->seldom || one->sparse != other->sparse ||
            one->insts.at == other->insts.at || (one->succ_count != 0 && one->succ == other->succ))
            return false;
    }
    return true;
}

/* Everything, deleted instructions included. */
static bool are_same(const HdIrFunc *x, const HdIrFunc *y)
{
    return x->insts.count == y->insts.count && x->args.count == y->args.count &&
           x->blocks.count == y->blocks.count &&
           are_same_bytes(x->insts.at, y->insts.at, x->insts.count * sizeof *x->insts.at) &&
           are_same_bytes(x->args.at, y->args.at, x->args.count * sizeof *x->args.at) &&
           are_same_bytes(x->param_types, y->param_types, x->param_count) &&
           are_same_bytes(x->result_types, y->result_types, x->result_count) &&
           are_same_blocks(x, y);
}

static void scribble(void *at, size_t bytes)
{
    if (bytes != 0)
        memset(at, 0xa5, bytes);
}

/* Overwrite all that a function has. */
static void ruin(HdIrFunc *f)
{
    for (size_t b = 0; b < f->blocks.count; b++) {
        HdIrBlock *block = &f->blocks.at[b];

        scribble(block->insts.at, block->insts.count * sizeof *block->insts.at);
        scribble(block->succ, block->succ_count * sizeof *block->succ);
        if (block->cases != NULL)
            scribble(block->cases, (block->succ_count - 1) * sizeof *block->cases);
    }
    scribble(f->blocks.at, f->blocks.count * sizeof *f->blocks.at);
    scribble(f->insts.at, f->insts.count * sizeof *f->insts.at);
    scribble(f->args.at, f->args.count * sizeof *f->args.at);
    scribble(f->param_types, f->param_count);
    scribble(f->result_types, f->result_count);
    scribble((char *)(uintptr_t)f->name, strlen(f->name));
    scribble(f, sizeof *f);
}

static HdStatus optimise(HdIrModule *m)
{
    HdDiags d;
    HdStatus st;

    hd_diags_init(&d);
    st = hd_opt_optimize(m, m->funcs.at[0], &d);
    hd_diags_drop(&d);
    return st;
}

/* Make copies of a module, and of what passes make of it. */
static void test_module(const char *what, HdArena *a, HdIrModule *m, bool has_all)
{
    HdArena *b = hd_arena_open();
    Text before = text_of(m);
    HdIrModule *copy = NULL, *last = NULL;
    HdStatus st = hd_ir_clone(m, b, &copy);
    bool is_whole = st == HD_OK && copy->funcs.count == m->funcs.count;

    for (size_t i = 0; is_whole && has_all && i < m->funcs.count; i++)
        is_whole = are_same(m->funcs.at[i], copy->funcs.at[i]) && copy->funcs.at[i]->module == copy;
    check(is_whole && (!has_all || is_text(copy, hd_strbuf_text(&before.at))), what);
    if (is_whole) {
        HdStatus copied = optimise(copy);
        Text made = text_of(copy);

        check(is_text(m, hd_strbuf_text(&before.at)), what); /* passes over the copy */
        check(optimise(m) == copied, what);
        check(!has_all || is_text(m, hd_strbuf_text(&made.at)), what);
        hd_strbuf_free(&made.at);
    }
    hd_strbuf_free(&before.at);
    if (hd_ir_clone(m, b, &last) == HD_OK) { /* of an optimised module */
        Text made = text_of(last);

        for (size_t i = 0; i < m->funcs.count; i++)
            ruin(m->funcs.at[i]);
        hd_arena_empty(a);
        check(is_text(last, hd_strbuf_text(&made.at)), what);
        hd_strbuf_free(&made.at);
    }
    hd_arena_drop(b);
}

/* Do calls reach all functions of a module? Others have no body in a copy. */
static bool calls_all(const HdIrModule *m)
{
    bool calls[64] = {true};

    if (m->funcs.count > 64)
        return false;
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < m->funcs.count; i++)
            for (size_t r = 1; calls[i] && r < m->funcs.at[i]->insts.count; r++) {
                const HdIrInst *in = &m->funcs.at[i]->insts.at[r];

                if (in->op != HD_IR_CALL || in->imm >= m->funcs.count || calls[in->imm])
                    continue;
                calls[in->imm] = again = true;
            }
    }
    for (size_t i = 0; i < m->funcs.count; i++)
        if (!calls[i])
            return false;
    return true;
}

static bool is_well_formed(const HdIrModule *m, HdDiags *d)
{
    for (size_t i = 0; i < m->funcs.count; i++)
        if (m->funcs.at[i]->width != 0 || hd_ir_verify(m->funcs.at[i], d) != HD_OK)
            return false;
    return m->funcs.count != 0;
}

static unsigned test_file(const char *path)
{
    HdArena *a = hd_arena_open();
    HdIrModule *m = NULL;
    unsigned tested = 0;
    char *text = NULL;
    size_t len = 0;
    HdDiags d;

    hd_diags_init(&d);
    if (hd_file_read(path, &d, &text, &len) == HD_OK &&
        hd_ir_parse(a, text, len, &d, &m) == HD_OK && is_well_formed(m, &d)) {
        test_module(path, a, m, calls_all(m));
        tested = 1;
    }
    hd_free(text);
    hd_diags_drop(&d);
    hd_arena_drop(a);
    return tested;
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
    unsigned tested = 0;

    for (int i = 0; i < n; i++) {
        char path[512];

        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        tested += test_file(path);
        free(names[i]);
    }
    if (n >= 0)
        free(names);
    check(tested >= 60, "there are files to copy");
}

static void test_random(uint64_t seed)
{
    HdArena *a = hd_arena_open();
    HdIrModule *m = gen_module(a, seed);
    char what[64];

    snprintf(what, sizeof what, "random program %llu", (unsigned long long)seed);
    check(m != NULL, what);
    if (m != NULL)
        test_module(what, a, m, calls_all(m));
    hd_arena_drop(a);
}

/* Functions that nothing calls any more have no body, calls and numbers stay as they are. */
static void test_calls(void)
{
    static const char text[] = "kernel @\"k\" () -> () {\n"
                               "block 0:\n"
                               "  %1 = CONST i32 imm 7\n"
                               "  %2 = CALL void imm 2 %1\n"
                               "  %3 = RET void\n"
                               "}\n"
                               "func @\"gone\" (i32) -> () {\n"
                               "block 0:\n"
                               "  %1 = PARAM i32\n"
                               "  %2 = RET void\n"
                               "}\n"
                               "func @\"stays\" (i32) -> () {\n"
                               "block 0:\n"
                               "  %1 = PARAM i32\n"
                               "  %2 = CALL void imm 3 %1\n"
                               "  %3 = RET void\n"
                               "}\n"
                               "func @\"deep\" (i32) -> () {\n"
                               "block 0:\n"
                               "  %1 = PARAM i32\n"
                               "  %2 = RET void\n"
                               "}\n";
    HdArena *a = hd_arena_open();
    HdIrModule *m = NULL, *copy = NULL;
    HdDiags d;

    hd_diags_init(&d);
    check(hd_ir_parse(a, text, sizeof text - 1, &d, &m) == HD_OK, "the text of calls");
    if (m != NULL && hd_ir_clone(m, a, &copy) == HD_OK) {
        check(copy->funcs.count == 4, "functions keep their numbers");
        check(are_same(m->funcs.at[0], copy->funcs.at[0]) &&
                  are_same(m->funcs.at[2], copy->funcs.at[2]) &&
                  are_same(m->funcs.at[3], copy->funcs.at[3]),
              "what is called is there");
        check(copy->funcs.at[1]->insts.count == 2 && copy->funcs.at[1]->param_count == 1 &&
                  hd_ir_verify(copy->funcs.at[1], &d) == HD_OK,
              "what nothing calls is well formed, and has no body");
    }
    hd_diags_drop(&d);
    hd_arena_drop(a);
}

static void test_refused(void)
{
    HdArena *a = hd_arena_open(), *b = hd_arena_open();
    HdIrModule *m = gen_module(a, 3), *copy;
    unsigned failures = 0;

    for (uint64_t nth = 1; nth < 1000; nth++) {
        HdStatus st;

        hd_arena_clear(b);
        hd_test_fail_alloc(nth);
        st = hd_ir_clone(m, b, &copy);
        if (!hd_test_alloc_failed()) {
            check(st == HD_OK && copy != NULL, "with enough memory there is a copy");
            break;
        }
        failures++;
        check(st == HD_NO_MEMORY && copy == NULL, "without memory there is no copy");
    }
    hd_test_fail_alloc(0);
    check(failures >= 10, "each allocation failed once");
    m->funcs.at[0]->width = 4;
    check(hd_ir_clone(m, b, &copy) == HD_BUG && copy == NULL, "a wide function is refused");
    hd_arena_drop(b);
    hd_arena_drop(a);
}

int main(int argc, char **argv)
{
    unsigned long programs = argc > 2 ? strtoul(argv[2], NULL, 10) : 200;

    test_files(argc > 1 ? argv[1] : "tests/ir");
    for (unsigned long seed = 1; seed <= programs; seed++)
        test_random(seed);
    test_calls();
    test_refused();
    return report();
}
