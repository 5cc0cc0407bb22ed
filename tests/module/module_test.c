/* tests/module/module_test.c -- reader, types, constants, control-flow graph.
 *
 * Malformed words must be refused with the right rule; constant folding is compared with values
 * worked out by hand; dominators, post-dominators and the execution order are judged on random
 * graphs by definitions that are too slow for real use; and every allocation may fail.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "counts.h"
#include "module/cfg.h"
#include "module/constant.h"
#include "module/module.h"
#include "module/type.h"
#include "text/as.h"

/* ---- reader -------------------------------------------------------------------------------- */

#define HEADER(bound) 0x07230203u, 0x00010000u, 0, (bound), 0
#define INST(n, op)   ((uint32_t)(n) << 16 | (op))

typedef struct Malformed {
    const char *rule;
    uint32_t count;
    uint32_t words[16];
} Malformed;

static const Malformed malformed[] = {
    {"module.header", 3, {0x07230203u, 0x00010000u, 0}},
    {"module.magic", 5, {0x12345678u, 0x00010000u, 0, 1, 0}},
    {"module.version", 5, {0x07230203u, 0x00020000u, 0, 1, 0}},
    {"module.bound", 5, {HEADER(0)}},
    {"module.bound", 5, {HEADER(0xffffffffu)}},
    {"module.length", 6, {HEADER(4), 0}},
    {"module.truncated", 6, {HEADER(4), INST(2, SpvOpCapability)}},
    {"module.id-bound", 7, {HEADER(4), INST(2, SpvOpTypeVoid), 4}},
    {"module.zero-id", 7, {HEADER(4), INST(2, SpvOpTypeVoid), 0}},
    {"module.redefined", 9, {HEADER(4), INST(2, SpvOpTypeVoid), 1, INST(2, SpvOpTypeBool), 1}},
    {"module.operand-missing", 7, {HEADER(4), INST(2, SpvOpTypeInt), 1}},
    {"module.operand-extra", 8, {HEADER(4), INST(3, SpvOpTypeVoid), 1, 2}},
    {"module.string", 7, {HEADER(4), INST(2, SpvOpExtension), 0x41414141u}},
    {"module.enumerant", 7, {HEADER(4), INST(2, SpvOpCapability), 0x7fffffffu}},
    {"module.literal-type", 9, {HEADER(4), INST(4, SpvOpConstant), 1, 2, 3}},
};

static void test_malformed(void)
{
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
        const Malformed *x = &malformed[i];
        HdModule *m;
        HdDiags d;

        hd_diags_init(&d);
        check(hd_module_read(x->words, x->count, true, &d, &m) == HD_BAD_INPUT && m == NULL &&
                  d.count != 0 && strcmp(d.at[0].rule, x->rule) == 0,
              x->rule);
        hd_diags_drop(&d);
    }
}

/* Nothing behind the header is touched. */
static void test_too_large(void)
{
    static const uint32_t words[5] = {HEADER(1)};
    HdModule *m;
    HdDiags d;

    hd_diags_init(&d);
    check(hd_module_read(words, (size_t)INT32_MAX + 1, true, &d, &m) == HD_BAD_INPUT && m == NULL &&
              d.count == 1 && strcmp(d.at[0].rule, "module.size") == 0,
          "module.size");
    hd_diags_drop(&d);
}

static uint32_t swapped(uint32_t x)
{
    return x >> 24 | (x >> 8 & 0xff00u) | (x << 8 & 0xff0000u) | x << 24;
}

static HdModule *read_text(const char *text, bool swap)
{
    HdAsOptions o = {.version = 0x10400, .preserve_numeric_ids = true};
    uint32_t *words = NULL;
    size_t n;
    HdModule *m = NULL;
    HdDiags d;
    HdStrbuf s = {0};

    hd_diags_init(&d);
    if (hd_text_assemble(text, strlen(text), &o, &d, &words, &n) == HD_OK) {
        for (size_t i = 0; swap && i < n; i++)
            words[i] = swapped(words[i]);
        (void)hd_module_read(words, n, false, &d, &m);
    }
    hd_diags_print(&d, &s, false);
    fputs(hd_strbuf_text(&s), stdout);
    hd_strbuf_free(&s);
    hd_free(words);
    hd_diags_drop(&d);
    return m;
}

/* ---- types and constants ------------------------------------------------------------------- */

static const char constants[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\nOpCapability Int8\n"
    "OpCapability Int16\nOpCapability Int64\nOpCapability Float16\n"
    "OpMemoryModel Physical64 OpenCL\nOpDecorate %30 SpecId 7\nOpDecorate %31 SpecId 8\n"
    "%1 = OpTypeVoid\n%2 = OpTypeBool\n%3 = OpTypeInt 8 0\n%4 = OpTypeInt 16 0\n"
    "%5 = OpTypeInt 32 0\n%6 = OpTypeInt 64 0\n%7 = OpTypeFloat 16\n%8 = OpTypeFloat 32\n"
    "%9 = OpTypeVector %5 2\n%10 = OpTypeVector %8 3\n%11 = OpTypeStruct %3 %6 %10 %4\n"
    "%12 = OpTypePointer CrossWorkgroup %11\n%13 = OpTypePointer CrossWorkgroup %6\n"
    "%20 = OpConstant %5 7\n%21 = OpConstant %5 4294967293\n%22 = OpConstant %8 2.5\n"
    "%23 = OpConstant %3 200\n%24 = OpConstantComposite %9 %20 %21\n%25 = OpConstant %5 1\n"
    "%26 = OpConstantNull %9\n%30 = OpSpecConstant %5 3\n%31 = OpSpecConstantTrue %2\n"
    "%40 = OpSpecConstantOp %5 IAdd %20 %21\n%41 = OpSpecConstantOp %5 SDiv %21 %20\n"
    "%42 = OpSpecConstantOp %5 SRem %21 %20\n%43 = OpSpecConstantOp %5 SMod %21 %20\n"
    "%44 = OpSpecConstantOp %5 UDiv %21 %20\n%45 = OpSpecConstantOp %6 SConvert %23\n"
    "%46 = OpSpecConstantOp %6 UConvert %23\n%47 = OpSpecConstantOp %5 ConvertFToS %22\n"
    "%48 = OpSpecConstantOp %7 FConvert %22\n%49 = OpSpecConstantOp %8 FMul %22 %22\n"
    "%50 = OpSpecConstantOp %5 CompositeExtract %24 1\n"
    "%51 = OpSpecConstantOp %9 VectorShuffle %24 %26 1 2\n"
    "%52 = OpSpecConstantOp %5 Select %31 %30 %20\n%53 = OpSpecConstantOp %6 Bitcast %24\n"
    "%54 = OpSpecConstantOp %5 ShiftRightArithmetic %21 %25\n"
    "%55 = OpSpecConstantOp %3 UConvert %21\n%56 = OpSpecConstantOp %2 SLessThan %21 %20\n"
    "%57 = OpSpecConstantOp %2 ULessThan %21 %20\n%58 = OpSpecConstantOp %5 SDiv %20 %59\n"
    "%60 = OpVariable %12 CrossWorkgroup\n"
    "%61 = OpSpecConstantOp %13 InBoundsAccessChain %60 %25\n"
    "%62 = OpTypeArray %5 %30\n%63 = OpSpecConstantOp %8 FMod %64 %22\n"
    "%65 = OpSpecConstantOp %9 IMul %24 %24\n";

typedef struct Expected {
    HdId id;
    uint64_t bits;
} Expected;

static const Expected expected[] = {
    {40, 4},
    {41, 0},
    {42, 0xfffffffd},
    {43, 4},
    {44, 613566756},
    {45, 0xffffffffffffffc8u},
    {46, 200},
    {47, 2},
    {48, 0x4100},
    {49, 0x40c80000},
    {50, 0xfffffffd},
    {52, 3},
    {53, 0xfffffffd00000007u},
    {54, 0xfffffffe},
    {55, 0xfd},
    {56, 1},
    {57, 0},
    {58, 0},
    {63, 0x3f800000},
};

static void test_constants(void)
{
    char text[sizeof constants + 128];
    HdSpecialization spec[] = {{7, 4, 9, NULL}, {8, 1, 0, NULL}};
    const HdConstant *c;
    HdConstant room;
    const HdType *t;
    HdModule *m;
    HdDiags d;

    /* %59 is 0 and %64 is -1.5; they go in front of their uses. */
    snprintf(text, sizeof text, "%.*s%%59 = OpConstant %%5 0\n%%64 = OpConstant %%8 -1.5\n%s",
             (int)(strstr(constants, "%40 =") - constants), constants, strstr(constants, "%40 ="));
    m = read_text(text, true);
    check(m != NULL, "a module in the other endianness is read");
    if (m == NULL)
        return;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char what[64];

        c = hd_module_constant(m, expected[i].id);
        snprintf(what, sizeof what, "constant %u is 0x%llx", (unsigned)expected[i].id,
                 c == NULL ? 0ull : (unsigned long long)c->bits);
        check(c != NULL && c->bits == expected[i].bits && c->is_spec, what);
    }
    c = hd_module_constant(m, 51);
    check(c != NULL && hd_constant_at(c, 0, &room)->bits == 0xfffffffd &&
              hd_constant_at(c, 1, &room)->bits == 0,
          "shuffle");
    c = hd_module_constant(m, 65);
    check(c != NULL && hd_constant_at(c, 0, &room)->bits == 49 &&
              hd_constant_at(c, 1, &room)->bits == 9,
          "vector product");
    c = hd_module_constant(m, 61);
    check(c != NULL && c->kind == HD_C_ADDRESS && c->base == 60 && c->offset == 8, "address");
    t = hd_module_type(m, 11);
    check(t != NULL && hd_type_offset(m, t, 1) == 8 && hd_type_offset(m, t, 2) == 16 &&
              hd_type_offset(m, t, 3) == 32 && hd_type_size(t) == 48 && t->align == 16,
          "layout of a structure with a vector of three");
    check(hd_type_length(hd_module_type(m, 62)) == 3, "array length");
    hd_diags_init(&d);
    check(hd_module_specialize(m, spec, 2, &d) == HD_OK, "specialisation");
    check(hd_module_constant(m, 52)->bits == 7 && hd_type_length(hd_module_type(m, 62)) == 9,
          "specialised values reach operations and types");
    spec[0].size_bytes = 8;
    check(hd_module_specialize(m, spec, 2, &d) == HD_BAD_INPUT && d.count == 1 &&
              strcmp(d.at[0].rule, "constant.spec-size") == 0,
          "wrong size is refused");
    hd_diags_drop(&d);
    hd_module_drop(m);
}

/* ---- graphs -------------------------------------------------------------------------------- */

#define MAX_BLOCKS 12u

static uint64_t seed = 88172645463325252u;

static uint32_t random_below(uint32_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed % n);
}

/* Blocks reached from `from` without entering `without`. */
static uint32_t reach(const HdCfg *g, uint32_t from, uint32_t without)
{
    uint32_t seen = 0, stack[MAX_BLOCKS], depth = 0;

    if (from == without)
        return 0;
    stack[depth++] = from;
    seen = 1u << from;
    while (depth != 0) {
        uint32_t v = stack[--depth];

        for (uint32_t e = g->succ_first[v]; e < g->succ_first[v + 1]; e++) {
            uint32_t w = g->succ[e];

            if (w == without || (seen >> w & 1))
                continue;
            seen |= 1u << w;
            stack[depth++] = w;
        }
    }
    return seen;
}

/* Is b's every way out of the function through a? */
static bool post_dominates(const HdCfg *g, uint32_t a, uint32_t b)
{
    uint32_t seen = reach(g, b, a);

    for (uint32_t i = 0; i < g->count; i++)
        if ((seen >> i & 1) && g->succ_first[i] == g->succ_first[i + 1])
            return false;
    return true;
}

static bool leaves(const HdCfg *g, uint32_t b)
{
    uint32_t seen = reach(g, b, HD_NO_BLOCK);

    for (uint32_t i = 0; i < g->count; i++)
        if ((seen >> i & 1) && g->succ_first[i] == g->succ_first[i + 1])
            return true;
    return false;
}

static bool right_dominators(const HdCfg *g)
{
    uint32_t all = reach(g, 0, HD_NO_BLOCK);

    for (uint32_t a = 0; a < g->count; a++)
        for (uint32_t b = 0; b < g->count; b++) {
            bool want =
                !(all >> b & 1) || ((all >> a & 1) && (a == b || !(reach(g, 0, a) >> b & 1)));

            if (hd_cfg_dominates(g, a, b) != want)
                return false;
        }
    return true;
}

static bool right_post_dominators(const HdCfg *g)
{
    for (uint32_t b = 0; b < g->count; b++) {
        uint32_t at = g->ipdom[b];

        if (!leaves(g, b)) {
            if (at != HD_NO_BLOCK)
                return false;
            continue;
        }
        if (at != HD_NO_BLOCK && !post_dominates(g, at, b))
            return false;
        for (uint32_t a = 0; a < g->count; a++) {
            /* Every other post-dominator that leaves also is one of the immediate one. */
            if (a == b || a == at || !leaves(g, a) || !post_dominates(g, a, b))
                continue;
            if (at == HD_NO_BLOCK || !post_dominates(g, a, at))
                return false;
        }
    }
    return true;
}

/* A part: blocks that reach each other. They must be neighbours in the order; between parts the
 * order is topological. */
static bool right_order(const HdCfg *g)
{
    uint32_t from[MAX_BLOCKS];

    for (uint32_t i = 0; i < g->count; i++) {
        from[i] = 0;
        for (uint32_t e = g->succ_first[i]; e < g->succ_first[i + 1]; e++)
            from[i] |= reach(g, g->succ[e], HD_NO_BLOCK);
    }
    for (uint32_t i = 0; i < g->reachable; i++)
        if (g->rank[g->order[i]] != i)
            return false;
    for (uint32_t i = 0; i < g->reachable; i++)
        for (uint32_t k = i + 1; k < g->reachable; k++) {
            uint32_t x = g->order[i], y = g->order[k];
            bool back = from[y] >> x & 1, forth = from[x] >> y & 1;

            if (back && !forth)
                return false; /* what leads somewhere stands before it */
            if (back && forth)
                for (uint32_t j = i + 1; j < k; j++)
                    if (!(from[g->order[j]] >> x & 1) || !(from[x] >> g->order[j] & 1))
                        return false;
        }
    return true;
}

static HdModule *random_graph(void)
{
    char text[4096];
    uint32_t n = 1 + random_below(MAX_BLOCKS);
    int at = snprintf(text, sizeof text,
                      "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n"
                      "OpMemoryModel Physical64 OpenCL\n%%1 = OpTypeVoid\n%%2 = OpTypeBool\n"
                      "%%3 = OpConstantTrue %%2\n%%4 = OpTypeFunction %%1\n"
                      "%%5 = OpFunction %%1 None %%4\n");

    for (uint32_t i = 0; i < n; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at, "%%%u = OpLabel\n", 10 + i);
        if (random_below(5) == 0)
            at += snprintf(text + at, sizeof text - (size_t)at, "OpReturn\n");
        else if (random_below(2) == 0)
            at += snprintf(text + at, sizeof text - (size_t)at, "OpBranch %%%u\n",
                           10 + random_below(n));
        else
            at +=
                snprintf(text + at, sizeof text - (size_t)at, "OpBranchConditional %%3 %%%u %%%u\n",
                         10 + random_below(n), 10 + random_below(n));
    }
    snprintf(text + at, sizeof text - (size_t)at, "OpFunctionEnd\n");
    return read_text(text, false);
}

/* A declaration has no graph. */
static void test_no_graph(void)
{
    HdModule *m = read_text("OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n"
                            "OpMemoryModel Physical64 OpenCL\n%1 = OpTypeVoid\n"
                            "%2 = OpTypeFunction %1\n%3 = OpFunction %1 None %2\nOpFunctionEnd\n",
                            false);
    HdArena *a = hd_arena_open();
    HdCfg *g = NULL;
    HdDiags d;

    hd_diags_init(&d);
    check(m != NULL && a != NULL && hd_cfg_build(m, &m->functions[0], a, &d, &g) == HD_BAD_INPUT &&
              g == NULL && d.count == 1 && strcmp(d.at[0].rule, "cfg.empty") == 0,
          "cfg.empty");
    hd_diags_drop(&d);
    hd_arena_drop(a);
    hd_module_drop(m);
}

static void test_graphs(void)
{
    bool dom = true, post = true, order = true;

    for (unsigned i = 0; i < 3000; i++) {
        HdModule *m = random_graph();
        HdArena *a = hd_arena_open();
        HdDiags d;
        HdCfg *g = NULL;

        hd_diags_init(&d);
        if (m != NULL && hd_cfg_build(m, &m->functions[0], a, &d, &g) == HD_OK) {
            dom &= right_dominators(g);
            post &= right_post_dominators(g);
            order &= right_order(g);
        } else {
            dom = false;
        }
        hd_diags_drop(&d);
        hd_arena_drop(a);
        hd_module_drop(m);
    }
    check(dom, "dominators of random graphs");
    check(post, "post-dominators of random graphs");
    check(order, "order of random graphs");
}

/* ---- memory -------------------------------------------------------------------------------- */

static void test_memory(void)
{
    HdAsOptions o = {.version = 0x10400, .preserve_numeric_ids = true};
    char text[sizeof constants];
    uint32_t *words = NULL;
    size_t n;
    HdDiags d;
    bool ok = true;
    int64_t before;

    /* Up to the operations that name later constants. */
    snprintf(text, sizeof text, "%.*s", (int)(strstr(constants, "%58 =") - constants), constants);
    hd_diags_init(&d);
    if (hd_text_assemble(text, strlen(text), &o, &d, &words, &n) != HD_OK)
        ok = false;
    hd_diags_drop(&d);
    for (uint64_t k = 1; ok && k < 1000; k++) {
        HdModule *m = NULL;
        HdStatus st;
        bool hit;

        before = hd_test_live_blocks();
        hd_diags_init(&d);
        hd_test_fail_alloc(k);
        st = hd_module_read(words, n, false, &d, &m);
        hit = hd_test_alloc_failed();
        hd_test_fail_alloc(0);
        ok &= hit ? st == HD_NO_MEMORY && m == NULL : st == HD_OK;
        hd_module_drop(m);
        hd_diags_drop(&d);
        ok &= hd_test_live_blocks() == before;
        if (!hit)
            break;
    }
    check(ok, "reading with every allocation failing once");
    hd_free(words);
}

int main(void)
{
    test_malformed();
    test_too_large();
    test_constants();
    test_no_graph();
    test_graphs();
    test_memory();
    return report();
}
