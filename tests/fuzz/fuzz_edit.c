/* tests/fuzz/fuzz_edit.c -- what rewrites and compares modules, on any bytes.
 *
 * The first byte chooses, the rest is a module. Besides not crashing: what is made of a valid
 * module is valid, it does not differ from itself, and one that was stripped has nothing more to
 * strip.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "build/layout.h"
#include "lib/diff.h"
#include "lib/lower.h"
#include "val/val.h"
#include "xform/blocks.h"
#include "xform/diff.h"
#include "xform/indirect.h"
#include "xform/interface.h"
#include "xform/link.h"
#include "xform/lower.h"
#include "xform/repair.h"
#include "xform/resolve.h"
#include "xform/specialize.h"
#include "xform/strip.h"
#include "xform/zero.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Case {
    const HdModule *m;
    const HdValEnv *env;
    bool is_valid;
    uint8_t choice;
} Case;

static bool is_valid(const HdModule *m, const HdValEnv *env)
{
    HdValOptions o = {.env = env};
    bool is_good;
    HdDiags d;

    hd_diags_init(&d);
    is_good = hd_val_module(m, &o, &d) == HD_OK;
    hd_diags_drop(&d);
    return is_good;
}

/* What was made of a valid module is valid. */
static void check(const Case *c, const uint32_t *words, size_t nwords)
{
    HdModule *m = NULL;
    HdDiags d;

    hd_diags_init(&d);
    if (hd_module_read(words, nwords, true, &d, &m) == HD_OK) {
        if (c->is_valid && !is_valid(m, c->env))
            abort();
    } else if (c->is_valid) {
        abort();
    }
    hd_module_drop(m);
    hd_diags_drop(&d);
}

static void strip(const Case *c)
{
    unsigned what = c->choice % HD_STRIP_ALL + 1;
    uint32_t *words = NULL, *again = NULL;
    size_t count, count2;
    HdModule *m = NULL;
    HdDiags d;

    hd_diags_init(&d);
    if (hd_xform_strip(c->m, what, &words, &count) == HD_OK) {
        check(c, words, count);
        if (c->is_valid && hd_module_read(words, count, true, &d, &m) == HD_OK &&
            hd_xform_strip(m, what, &again, &count2) == HD_OK &&
            (count != count2 || memcmp(words, again, count * sizeof *words) != 0))
            abort();
    }
    hd_module_drop(m);
    hd_free(again);
    hd_free(words);
    hd_diags_drop(&d);
}

/* Other values may make another module invalid: an array of no elements. */
static void specialize(const Case *c)
{
    const HdSpecialization spec[] = {{c->choice, 4, 12345, NULL}, {1, 1, 1, NULL}};
    uint32_t *words = NULL;
    size_t count;

    if (hd_xform_specialize(c->m, NULL, 0, true, &words, &count) == HD_OK)
        check(c, words, count);
    hd_free(words);
    words = NULL;
    (void)hd_xform_specialize(c->m, spec, 2, false, &words, &count);
    hd_free(words);
}

/* With itself: what is exported is then there twice. Alone it stays what it is. */
static void link(const Case *c)
{
    const HdModule *modules[] = {c->m, c->m};
    const HdLinkOptions o = {.is_library = true, .allow_unresolved = true};
    const HdLinkOptions whole = {.is_library = (c->choice & 1) != 0};
    uint32_t *words = NULL;
    size_t count;
    HdDiags d;

    hd_diags_init(&d);
    if (hd_xform_link(modules, 1, &o, &d, &words, &count) == HD_OK)
        check(c, words, count);
    else if (c->is_valid)
        abort();
    hd_free(words);
    words = NULL;
    if (hd_xform_link(modules, 2, &whole, &d, &words, &count) == HD_OK)
        check(c, words, count);
    else if (d.errors == 0)
        abort();
    hd_free(words);
    hd_diags_drop(&d);
}

static void compare(const Case *c)
{
    HdDiff diff = {0};
    HdStrbuf text = {0};
    HdModule *bare = NULL;
    uint32_t *words = NULL;
    size_t count;
    HdDiags d;

    hd_diags_init(&d);
    if (hd_xform_diff(c->m, c->m, &d, &diff) == HD_OK && c->is_valid &&
        (diff.changed != 0 || diff.header))
        abort();
    hd_diff_free(&diff);
    if (hd_xform_strip(c->m, HD_STRIP_ALL, &words, &count) == HD_OK &&
        hd_module_read(words, count, false, &d, &bare) == HD_OK)
        (void)hd_lib_diff(c->m, bare, NULL, c->choice % 4, (c->choice & 8) != 0, &d, &text);
    hd_strbuf_free(&text);
    hd_module_drop(bare);
    hd_free(words);
    hd_diags_drop(&d);
}

/* Of valid modules. */
static void lower(const Case *c)
{
    static const char *const targets[] = {"opencl1.2", "opencl2.2", "opencl3.0", "opencl3.1"};
    const HdLowerOptions all = {
        .what = c->choice & 1 ? UINT32_MAX : 1u << (c->choice / 2 % 13),
        .array_bytes = 64,
    };
    uint32_t *words = NULL;
    size_t count;
    HdValEnv env;
    HdDiags d;

    if (!c->is_valid)
        return;
    hd_diags_init(&d);
    if (!hd_val_env_find(targets[c->choice % 4], &env))
        abort();
    (void)hd_lower_for(c->m, &env, c->choice & 16 ? 256 : 0, &d, &words, &count);
    hd_free(words);
    words = NULL;
    (void)hd_xform_lower(c->m, &all, &d, &words, &count); /* what has no older form is left in it */
    hd_free(words);
    hd_diags_drop(&d);
}

/* As before a program is validated and compiled. */
static void prepare(const Case *c)
{
    HdWriter out = {0};
    uint32_t *words = NULL;
    size_t count;
    bool done = false;
    HdDiags d;

    hd_diags_init(&d);
    if (hd_xform_repair(c->m, false, &d, &out, &done) == HD_OK && done) {
        check(c, out.words, out.count);
        hd_writer_free(&out);
    }
    done = false;
    if (hd_xform_resolve(c->m, &out, &done) == HD_OK && done) {
        check(c, out.words, out.count);
        hd_writer_free(&out);
    }
    done = false;
    if (hd_xform_indirect(c->m, &d, &out, &done) == HD_OK && done)
        hd_writer_free(&out); /* recursion is seen in it */
    done = false;
    if (hd_xform_blocks(c->m, &out, &done) == HD_OK && done)
        hd_writer_free(&out);
    if (hd_xform_zero(c->m, &words, &count) == HD_OK)
        check(c, words, count);
    hd_free(words);
    hd_diags_drop(&d);
}

/* What `heddle info` and clGetKernelArgInfo tell. */
static void lay_out(const Case *c)
{
    HdArena *a = hd_arena_open();
    HdBuildLayout *layout = NULL;
    HdDiags d;

    hd_diags_init(&d);
    if (a != NULL && c->is_valid)
        (void)hd_build_layout(c->m, a, &d, &layout);
    hd_arena_drop(a);
    hd_diags_drop(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const edits[])(const Case *c) = {strip, specialize, link,   compare,
                                                   lower, prepare,    lay_out};
    HdModule *m = NULL;
    HdValEnv env;
    HdDiags d;
    const char *bad;

    if (size < 1)
        return 0;
    hd_diags_init(&d);
    if (!hd_val_env_find("opencl3.1", &env) || !hd_val_env_extend(&env, "all", &bad))
        abort();
    if (hd_module_read_bytes(data + 1, size - 1, &d, &m) == HD_OK) {
        const Case c = {m, &env, is_valid(m, &env), data[0]};

        for (size_t i = 0; i < sizeof edits / sizeof *edits; i++)
            edits[i](&c);
    }
    hd_module_drop(m);
    hd_diags_drop(&d);
    return 0;
}
