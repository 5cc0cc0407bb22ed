/* tests/xform/collide_test.c -- modules made so that their constants would collide in a hash table
 * whose hashes were known: tables of types and constants, of links and of differences, and maps
 * take about as long for them as for others.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "base/map.h"
#include "base/memory.h"
#include "counts.h"
#include "module/edit.h"
#include "xform/declared.h"
#include "xform/diff.h"
#include "xform/link.h"

#define COUNT  30000u
#define TABLE  65536u /* of so many slots */
#define NARROW 64u    /* all of them at one end of it, if hashes were not seeded */

#define TYPE_INT (4u << 16 | SpvOpTypeInt)
#define CONSTANT (5u << 16 | SpvOpConstant)

/* Where the constant of type 1 with this high word would be: what the tables do, with a seed of 0.
 */
typedef uint64_t Place(uint32_t high);

static uint64_t chain(uint64_t h, uint64_t type, uint32_t high)
{
    h = hd_hash_add(hd_hash_add(hd_hash_add(h, 0), type),
                    0); /* nothing yet, the type, the low word */
    h = hd_hash_u64(h ^ high >> 4);
    return (h & ~(uint64_t)15) | (high & 15);
}

static uint64_t in_declared(uint32_t high)
{
    return chain(hd_hash_u64(SpvOpConstant), 1, high);
}

static uint64_t in_link(uint32_t high)
{
    return chain(hd_hash_u64(CONSTANT), (uint64_t)1 << 32 | 1, high);
}

static uint64_t in_diff(uint32_t high)
{
    uint64_t type = hd_hash_u64(hd_hash_add(hd_hash_add(hd_hash_add(1, TYPE_INT), 64), 0)) | 1;

    return hd_hash_u64(
               hd_hash_add(hd_hash_add(hd_hash_add(hd_hash_add(1, CONSTANT), type), 0), high)) >>
           1;
}

static uint64_t in_map(uint32_t key)
{
    return hd_hash_u64(key);
}

/* Numbers that would collide; without a place, any. */
static void choose(Place *place, uint32_t *numbers)
{
    uint32_t n = 0;

    for (uint32_t i = 1; n < COUNT && i != 0; i++)
        if (place == NULL || (place(i) & (TABLE - 1)) < NARROW)
            numbers[n++] = place == NULL ? i * 2654435761u : i;
    check(n == COUNT, "there are enough numbers that would collide");
}

static HdModule *make_module(const uint32_t *highs)
{
    static const uint32_t capabilities[] = {SpvCapabilityKernel, SpvCapabilityAddresses,
                                            SpvCapabilityLinkage, SpvCapabilityInt64};
    const uint32_t model[] = {SpvAddressingModelPhysical64, SpvMemoryModelOpenCL};
    const uint32_t type[] = {1, 64, 0};
    HdModule *m = NULL;
    HdWriter w = {0};
    HdDiags d;

    hd_diags_init(&d);
    hd_writer_start(&w, 0x00010200, 0, COUNT + 2);
    for (unsigned i = 0; i < sizeof capabilities / sizeof *capabilities; i++)
        hd_writer_inst(&w, SpvOpCapability, &capabilities[i], 1);
    hd_writer_inst(&w, SpvOpMemoryModel, model, 2);
    hd_writer_inst(&w, SpvOpTypeInt, type, 3);
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t operands[] = {1, i + 2, 0, highs[i]};

        hd_writer_inst(&w, SpvOpConstant, operands, 4);
    }
    check(!w.failed && hd_module_read_own(w.words, w.count, &d, &m) == HD_OK, "a module");
    hd_diags_drop(&d);
    return m;
}

/* ---- what is measured ------------------------------------------------------------------------ */

typedef bool Measured(const HdModule *m, const uint32_t *numbers);

static bool declare(const HdModule *m, const uint32_t *numbers)
{
    HdArena *a = hd_arena_open();
    HdWriter out = {0};
    HdId next = m->bound;
    HdDeclared d = {.arena = a, .out = &out, .next = &next};
    bool good;

    (void)numbers;
    hd_declared_know(&d, m);
    good = !d.failed && hd_declared_int(&d, 64) == 1;
    hd_writer_free(&out);
    hd_arena_drop(a);
    return good;
}

static bool link(const HdModule *m, const uint32_t *numbers)
{
    const HdLinkOptions o = {.is_library = true};
    const HdModule *const both[] = {m, m};
    uint32_t *words = NULL;
    size_t nwords = 0;
    HdDiags d;
    bool good;

    (void)numbers;
    hd_diags_init(&d);
    good = hd_xform_link(both, 2, &o, &d, &words, &nwords) == HD_OK && nwords == m->nwords;
    hd_diags_drop(&d);
    hd_free(words);
    return good;
}

static bool compare(const HdModule *m, const uint32_t *numbers)
{
    HdDiff diff = {0};
    HdDiags d;
    bool good;

    (void)numbers;
    hd_diags_init(&d);
    good = hd_xform_diff(m, m, &d, &diff) == HD_OK && diff.changed == 0;
    hd_diff_free(&diff);
    hd_diags_drop(&d);
    return good;
}

static bool put(const HdModule *m, const uint32_t *numbers)
{
    HdArena *a = hd_arena_open();
    bool good = a != NULL;
    HdMap map = {0};

    (void)m;
    for (uint32_t i = 0; i < COUNT && good; i++)
        good = hd_map_put(a, &map, numbers[i], i);
    hd_arena_drop(a);
    return good && map.count == COUNT;
}

/* The best of a few. */
static double seconds(Measured *f, const HdModule *m, const uint32_t *numbers, const char *what)
{
    double best = 1e9;

    for (int i = 0; i < 3; i++) {
        struct timespec from, to;
        double took;

        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
        check(f(m, numbers), what);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
        took = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
        best = took < best ? took : best;
    }
    return best;
}

int main(void)
{
    static const struct {
        const char *name;
        Measured *f;
        Place *place;
    } all[] = {{"declared types and constants", declare, in_declared},
               {"constants that are linked", link, in_link},
               {"constants that are compared", compare, in_diff},
               {"a map", put, in_map}};
    static uint32_t any[COUNT], chosen[COUNT];
    HdModule *plain;

    choose(NULL, any);
    plain = make_module(any);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        HdModule *hostile;
        double usual, took;

        choose(all[i].place, chosen);
        hostile = make_module(chosen);
        usual = seconds(all[i].f, plain, any, all[i].name);
        took = seconds(all[i].f, hostile, chosen, all[i].name);
        if (took > usual * 8)
            printf("%s: %.1f ms instead of %.1f\n", all[i].name, took * 1e3, usual * 1e3);
        check(took <= usual * 8, "numbers that were chosen take no longer");
        hd_module_drop(hostile);
    }
    hd_module_drop(plain);
    return report();
}
