/* module/decoration.c -- the decorations of a module sorted by target, with groups expanded.
 *
 * Spec: SPIR-V, "Annotation Instructions".
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bisect.h"
#include "base/memory.h"
#include "module/module.h"
#include "module/private.h"

/* OpGroupDecorate copies each decoration of a group to each target: N + M words can ask for N * M
 * decorations. More than this many for each word of the module is refused. */
#define MAX_DECORATIONS_PER_WORD 16u

static void one_decoration(const HdInst *in, HdDecoration *out)
{
    bool member = in->opix == HD_OPIX_MemberDecorate || in->opix == HD_OPIX_MemberDecorateString;
    uint32_t at = member ? 3 : 2;

    out->target = in->w[1];
    out->member = member ? in->w[2] : HD_NO_MEMBER;
    out->decoration = (uint16_t)in->w[at]; /* the grammar knows it */
    out->operand_count = (uint16_t)(in->nwords - at - 1);
    out->word = in->word;
}

static int by_target(const void *x, const void *y)
{
    const HdDecoration *a = x, *b = y;

    if (a->target != b->target)
        return a->target < b->target ? -1 : 1;
    if (a->member != b->member)
        return a->member < b->member ? -1 : 1;
    return a->word < b->word ? -1 : a->word > b->word;
}

/* The first, in sorted order, that is not before those of a target's member. */
static size_t first_of(const HdDecoration *d, size_t count, HdId target, uint32_t member)
{
    size_t i;

    HD_BISECT(i, count, d[i].target > target || (d[i].target == target && d[i].member >= member));
    return i;
}

typedef HD_ARRAY(HdDecoration) Decorations;

/* The decorations of `group`, of the sorted first `direct`: where they begin and end. */
static void find_group(const Decorations *all, size_t direct, HdId group, size_t *first,
                       size_t *end)
{
    *first = first_of(all->at, direct, group, 0);
    for (*end = *first; *end < direct && all->at[*end].target == group; ++*end)
        ;
}

/* Copy the decorations of a group to the targets of one instruction. There is room. */
static void copy_group(Decorations *all, size_t direct, const HdInst *in)
{
    uint32_t step = in->opix == HD_OPIX_GroupMemberDecorate ? 2 : 1;
    size_t first, end;

    find_group(all, direct, in->w[1], &first, &end);
    for (uint32_t i = 2; i + step <= in->nwords; i += step)
        for (size_t k = first; k < end; k++) {
            HdDecoration copy = all->at[k];

            if (copy.member != HD_NO_MEMBER)
                continue;
            copy.target = in->w[i];
            copy.member = step == 2 ? in->w[i + 1] : HD_NO_MEMBER;
            all->at[all->count++] = copy;
        }
}

static bool is_group(enum HdOpix opix)
{
    return opix == HD_OPIX_GroupDecorate || opix == HD_OPIX_GroupMemberDecorate;
}

static HdStatus expand_groups(HdModule *m, HdDiags *d, Decorations *all)
{
    size_t direct = all->count, first, end, more = 0;
    size_t limit = (size_t)m->nwords * MAX_DECORATIONS_PER_WORD;
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);) {
        if (!is_group(in.opix))
            continue;
        find_group(all, direct, in.w[1], &first, &end);
        more += (end - first) * ((in.nwords - 2u) / (in.opix == HD_OPIX_GroupDecorate ? 1 : 2));
        if (direct + more > limit)
            return hd_fail(d, HD_BAD_INPUT, in.word, "module.limit",
                           "decoration groups expand to more than %zu decorations", limit);
    }
    if (!HD_ARRAY_RESERVE(m->arena, all, more))
        return HD_NO_MEMORY;
    word = HD_MODULE_FIRST_WORD;
    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);)
        if (is_group(in.opix))
            copy_group(all, direct, &in);
    return HD_OK;
}

static bool decorates(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_Decorate:
    case HD_OPIX_MemberDecorate:
    case HD_OPIX_DecorateId:
    case HD_OPIX_DecorateString:
    case HD_OPIX_MemberDecorateString: return true;
    default: return false;
    }
}

static void reverse(HdDecoration *at, size_t count)
{
    for (size_t i = 0, k = count; i + 1 < k; i++) {
        HdDecoration first = at[i];

        at[i] = at[--k];
        at[k] = first;
    }
}

static bool is_sorted(const HdDecoration *at, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (by_target(&at[i - 1], &at[i]) > 0)
            return false;
    return true;
}

/* The decorations of one id in order of member. They come so, or with those of the id itself, which
 * belong at the end, before those of its members: the library's sort is slow for large structures.
 */
static void sort_members(HdDecoration *at, size_t count)
{
    size_t whole = 0;

    if (is_sorted(at, count))
        return;
    while (whole < count && at[whole].member == HD_NO_MEMBER)
        whole++;
    reverse(at, whole);
    reverse(at + whole, count - whole);
    reverse(at, count);
    if (!is_sorted(at, count))
        qsort(at, count, sizeof *at, by_target);
}

static void sort_each(HdDecoration *at, size_t count)
{
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && at[end].target == at[i].target; end++)
            ;
        if (end - i > 1)
            sort_members(at + i, end - i);
    }
}

/* Many decorations are put in their places by counting how many each id has. */
static HdStatus place_decorations(HdModule *m, uint32_t count, HdDecoration *to)
{
    uint32_t left = count, sum = 0, word = HD_MODULE_FIRST_WORD;
    uint32_t *first = hd_alloc_zero(((size_t)m->bound + 1) * sizeof *first);

    if (first == NULL)
        return HD_NO_MEMORY;
    for (HdInst in; left != 0 && hd_module_next(m, &word, &in);)
        if (decorates(in.opix)) {
            first[in.w[1]]++;
            left--;
        }
    for (uint32_t i = 0; i < m->bound; i++) {
        uint32_t n = first[i];

        first[i] = sum;
        sum += n;
    }
    left = count;
    word = HD_MODULE_FIRST_WORD;
    for (HdInst in; left != 0 && hd_module_next(m, &word, &in);)
        if (decorates(in.opix)) {
            one_decoration(&in, &to[first[in.w[1]]++]);
            left--;
        }
    hd_free(first);
    sort_each(to, count);
    return HD_OK;
}

/* Mostly they come in order, and the library's sort may take as much memory again. */
static void sort_all(Decorations *all)
{
    if (!is_sorted(all->at, all->count))
        qsort(all->at, all->count, sizeof *all->at, by_target);
}

/* Where those of each 16 ids begin. */
static HdStatus index_targets(HdModule *m)
{
    uint32_t groups = m->bound / HD_DECORATED_TOGETHER + 1, at = 0;

    HD_TAKE(m->decorated_at, HD_NEW(m->arena, uint32_t, (size_t)groups + 1));
    for (uint32_t g = 0; g < groups; g++) {
        while (at < m->decoration_count && m->decorations[at].target / HD_DECORATED_TOGETHER < g)
            at++;
        m->decorated_at[g] = at;
    }
    m->decorated_at[groups] = m->decoration_count;
    return HD_OK;
}

HdStatus hd_read_decorations(HdModule *m, HdDiags *d, uint32_t count, bool groups)
{
    Decorations all = {0};
    uint32_t word = HD_MODULE_FIRST_WORD;

    if (count == 0)
        return HD_OK;
    if (!HD_ARRAY_RESERVE(m->arena, &all, count))
        return HD_NO_MEMORY;
    if (m->bound / 16 <= count) {
        HD_TRY(place_decorations(m, count, all.at));
        all.count = count;
    } else {
        for (HdInst in; all.count < count && hd_module_next(m, &word, &in);)
            if (decorates(in.opix))
                one_decoration(&in, &all.at[all.count++]);
        sort_all(&all);
    }
    if (groups) {
        HD_TRY(expand_groups(m, d, &all));
        sort_all(&all);
    }
    m->decorations = all.at;
    m->decoration_count = (uint32_t)all.count;
    return index_targets(m);
}

/* ---- looking them up ----------------------------------------------------------------------- */

/* The first that is not before those of an id's member. */
static uint32_t find(const HdModule *m, HdId id, uint32_t member)
{
    uint32_t low, high;

    if (id >= m->bound || m->decorated_at == NULL)
        return m->decoration_count;
    low = m->decorated_at[id / HD_DECORATED_TOGETHER];
    high = m->decorated_at[id / HD_DECORATED_TOGETHER + 1];
    return low + (uint32_t)first_of(m->decorations + low, high - low, id, member);
}

const HdDecoration *hd_module_decorations(const HdModule *m, HdId id, uint32_t *count)
{
    uint32_t low = find(m, id, 0), end;

    for (end = low; end < m->decoration_count && m->decorations[end].target == id; end++)
        ;
    *count = end - low;
    return m->decorations + low;
}

const HdDecoration *hd_module_decoration(const HdModule *m, HdId id, uint32_t decoration)
{
    return hd_module_member_decoration(m, id, HD_NO_MEMBER, decoration);
}

const HdDecoration *hd_module_member_decoration(const HdModule *m, HdId id, uint32_t member,
                                                uint32_t decoration)
{
    for (uint32_t low = find(m, id, member); low < m->decoration_count; low++) {
        const HdDecoration *at = &m->decorations[low];

        if (at->target != id || at->member != member)
            return NULL;
        if (at->decoration == decoration)
            return at;
    }
    return NULL;
}
