/* jit/variant.c -- the widths of a kernel, and the variant of its code that fits a launch.
 *
 * If the kernel cannot observe sub-groups, each row of a work-group begins a new one, of the width
 * that is cheapest for the length of the rows (docs/adr/0027). Groups of a few work-items in one
 * row have sub-groups as narrow.
 *
 * SPDX-License-Identifier: MIT
 */
#include "jit/variant.h"

#include "base/round.h"
#include "base/option.h"

#define LEAST_WIDTH 4u /* of sub-groups that are made to fit rows */

bool hd_variant_is_width(uint64_t w)
{
    return w == 1 || w == 4 || w == 8 || w == 16 || w == 32;
}

uint32_t hd_variant_width(const HdCpu *cpu, const HdKernelInfo *k)
{
    uint64_t asked = hd_option_number(HD_OPTION_SUBGROUP);

    if (k->subgroup_size != 0)
        return k->subgroup_size;
    return hd_variant_is_width(asked) ? (uint32_t)asked : cpu->width;
}

static bool has_images(const HdKernelInfo *k)
{
    for (uint32_t i = 0; i < k->arg_count; i++) {
        const HdResource *r = &k->args[i].resource;

        if (k->args[i].kind == HD_ARG_IMAGE || (hd_opaque_has_image(r->opaque) && r->is_used))
            return true;
    }
    return false;
}

bool hd_variant_hides_subgroups(const HdKernelInfo *k)
{
    return !k->uses_subgroups && k->subgroup_size == 0 && k->subgroups_per_group == 0 &&
           hd_option_number(HD_OPTION_SUBGROUP) == 0;
}

/* A row's work-items, and idle lanes at its end. */
static uint64_t lanes_of_row(uint64_t row, uint32_t width)
{
    return hd_round_up(row, width);
}

static bool fills_half(uint64_t row, uint32_t width)
{
    return 2 * row >= lanes_of_row(row, width);
}

#define GAIN 0.85 /* of the cost, at most, for fewer lanes than the processor has */

/* Of a row, in the time that a vector takes, or in a full one half of it. */
static uint64_t cost_of_row(const HdCpu *cpu, uint64_t row, uint32_t width)
{
    bool is_double = cpu->costs->half_is_half && width == cpu->width;

    return lanes_of_row(row, width) / width * (is_double ? 2 : 1);
}

/* The narrowest that holds a group of one row. Longer rows are affine whatever their length, and
 * the lanes that are idle at their end cost little. */
static uint32_t width_of_row(uint32_t most, uint64_t row)
{
    uint32_t width = most;

    if (row == 1)
        return 1;
    while (width > LEAST_WIDTH && row != 0 && row <= width / 2)
        width /= 2;
    return width;
}

uint32_t hd_variant_width_for(const HdCpu *cpu, const HdKernelInfo *k, const uint64_t local[3])
{
    uint32_t most = hd_variant_width(cpu, k), best = most;
    uint64_t row = local[0], least = UINT64_MAX;

    if (!hd_variant_hides_subgroups(k) || has_images(k))
        return most;
    if (local[1] * local[2] <= 1)
        return width_of_row(most, row);
    for (uint32_t width = most; width >= LEAST_WIDTH; width /= 2) {
        uint64_t cost = cost_of_row(cpu, row, width);
        bool same = cost == least && lanes_of_row(row, width) != lanes_of_row(row, best);

        /* Half the lanes take twice the instructions, and latency-bound loops wait as long for
         * fewer lanes: the idle lanes at the end of a long row cost less than that. */
        if (!fills_half(row, width) ||
            (least != UINT64_MAX && (double)cost > GAIN * (double)least && !same))
            continue;
        least = cost;
        best = width;
    }
    return best;
}

bool hd_variant_goes_by_rows(const HdKernelInfo *k, uint32_t width, const uint64_t local[3])
{
    return hd_variant_hides_subgroups(k) && !has_images(k) && fills_half(local[0], width);
}

HdVariant hd_variant_of_size(uint32_t width, const uint64_t size[3], bool is_small,
                             bool may_by_rows)
{
    uint64_t items = size[0] * size[1] * size[2], both = 2u * (uint64_t)width;
    bool is_row = size[1] <= 1 && size[2] <= 1;
    HdVariant v = {.width = (uint8_t)width};

    v.launch.x_divisible = is_small && (size[0] % width == 0 || is_row);
    v.launch.by_rows = is_small && may_by_rows && !v.launch.x_divisible;
    v.launch.one_row = v.launch.by_rows && size[0] <= width;
    v.launch.full = items % width == 0 && !v.launch.by_rows;
    v.launch.twice =
        is_small && (size[0] % both == 0 || is_row) && v.launch.full == (items % both == 0);
    return v;
}

uint8_t hd_variant_dims(uint32_t width, const uint64_t size[3])
{
    uint8_t dims = 1;

    for (unsigned i = 1; i < 3; i++)
        if (size[i] >= width && size[i] % width == 0)
            dims |= (uint8_t)(1u << i);
    return dims;
}

HdVariant hd_variant_usual(const HdCpu *cpu, const HdKernelInfo *k)
{
    const uint32_t *local = k->required_local;
    uint64_t size[3] = {local[0], local[1], local[2]};
    uint32_t width = hd_variant_width_for(cpu, k, size);
    HdVariant v = hd_variant_of_size(width, size, true, hd_variant_goes_by_rows(k, width, size));

    v.launch.apart = v.launch.bound = v.launch.filled = true;
    v.form = (HdFormRequest){
        .dims = hd_variant_dims(width, size), .coarsen = HD_COARSEN_BY_COST, .rows = HD_ALL_DIMS};
    if (local[0] == 0) {
        v.launch.x_divisible = v.launch.full = v.launch.twice = true;
        v.form.dims = HD_ALL_DIMS;
    }
    return v;
}

bool hd_launch_facts_hold(HdLaunchFacts needed, HdLaunchFacts given)
{
#define F(name) needed.name <= given.name &&
    return HD_LAUNCH_FACTS(F) true;
#undef F
}

unsigned hd_launch_facts_count(HdLaunchFacts f)
{
#define F(name) (unsigned)f.name +
    return HD_LAUNCH_FACTS(F) 0;
#undef F
}

HdLaunchFacts hd_launch_facts_of_both(HdLaunchFacts a, HdLaunchFacts b)
{
#define F(name) .name = a.name && b.name,
    return (HdLaunchFacts){HD_LAUNCH_FACTS(F)};
#undef F
}

HdLaunchFacts hd_launch_facts_of_any(HdLaunchFacts a, HdLaunchFacts b)
{
#define F(name) .name = a.name || b.name,
    return (HdLaunchFacts){HD_LAUNCH_FACTS(F)};
#undef F
}

bool hd_launch_facts_are_same(HdLaunchFacts a, HdLaunchFacts b)
{
    return hd_launch_facts_hold(a, b) && hd_launch_facts_hold(b, a);
}

bool hd_tests_are_same(HdTestSwitches a, HdTestSwitches b)
{
    return a.dispatch == b.dispatch && a.fibers == b.fibers && a.calls == b.calls;
}

bool hd_variant_is_same(HdVariant a, HdVariant b)
{
    return a.width == b.width && hd_launch_facts_hold(a.launch, b.launch) &&
           hd_launch_facts_hold(b.launch, a.launch) && hd_tests_are_same(a.tests, b.tests) &&
           a.form.against == b.form.against && a.form.fold == b.form.fold &&
           a.form.coarsen == b.form.coarsen && a.form.rows == b.form.rows;
}

void hd_variant_mix(HdVariant v, HdStoreKey *key)
{
#define F(name) v.launch.name,
    unsigned char what[] = {HD_LAUNCH_FACTS(F) v.width,
                            v.tests.dispatch,
                            v.tests.fibers,
                            v.tests.calls,
                            v.form.against,
                            v.form.dims,
                            v.form.fold,
                            v.form.coarsen,
                            v.form.rows};
#undef F

    hd_store_mix(key, what, sizeof what);
}
