/* module/decoration.c -- the decorations of a module sorted by target; groups are looked into where
 * they decorate.
 *
 * Spec: SPIR-V, "Annotation Instructions".
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/decoration.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bisect.h"
#include "base/memory.h"
#include "module/private.h"

/* OpGroupDecorate means each decoration of a group for each target: N + M words can ask for N * M
 * decorations. More than this many for each word of the module is refused. */
#define MAX_DECORATIONS_PER_WORD 16u

static bool decorates(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_Decorate:
    case HD_OPIX_MemberDecorate:
    case HD_OPIX_DecorateId:
    case HD_OPIX_DecorateString:
    case HD_OPIX_MemberDecorateIdEXT:
    case HD_OPIX_MemberDecorateString: return true;
    default: return false;
    }
}

uint32_t hd_decoration_count(const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_GroupDecorate: return in->nwords - 2u;
    case HD_OPIX_GroupMemberDecorate: return (in->nwords - 2u) / 2;
    default: return decorates(in->opix);
    }
}

/* Which thing the instruction's i-th one decorates. */
static HdId target_of(const HdInst *in, uint32_t i)
{
    switch (in->opix) {
    case HD_OPIX_GroupDecorate: return in->w[2 + i];
    case HD_OPIX_GroupMemberDecorate: return in->w[2 + 2 * i];
    default: return in->w[1];
    }
}

static void make_decoration(const HdInst *in, uint32_t i, HdDecoration *out)
{
    bool member = in->opix == HD_OPIX_MemberDecorate || in->opix == HD_OPIX_MemberDecorateIdEXT ||
                  in->opix == HD_OPIX_MemberDecorateString;
    uint32_t at = member ? 3 : 2;

    out->target = target_of(in, i);
    out->member = member ? in->w[2] : HD_NO_MEMBER;
    out->word = in->word;
    if (decorates(in->opix)) {
        out->decoration = (uint16_t)in->w[at]; /* the grammar knows it */
        out->operand_count = (uint16_t)(in->nwords - at - 1);
        return;
    }
    if (in->opix == HD_OPIX_GroupMemberDecorate)
        out->member = in->w[3 + 2 * i];
    out->decoration = HD_DECORATION_GROUP;
    out->operand_count = 0;
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
static HdStatus place_decorations(HdModule *m)
{
    uint32_t left = m->decoration_count, sum = 0, word = HD_MODULE_FIRST_WORD;
    uint32_t *first = hd_alloc_zero(((size_t)m->bound + 1) * sizeof *first);

    if (first == NULL)
        return HD_NO_MEMORY;
    for (HdInst in; left != 0 && hd_module_next(m, &word, &in);) {
        uint32_t n = hd_decoration_count(&in);

        for (uint32_t i = 0; i < n; i++)
            first[target_of(&in, i)]++;
        left -= n;
    }
    for (uint32_t i = 0; i < m->bound; i++) {
        uint32_t n = first[i];

        first[i] = sum;
        sum += n;
    }
    left = m->decoration_count;
    word = HD_MODULE_FIRST_WORD;
    for (HdInst in; left != 0 && hd_module_next(m, &word, &in);) {
        uint32_t n = hd_decoration_count(&in);

        for (uint32_t i = 0; i < n; i++)
            make_decoration(&in, i, &m->decorations[first[target_of(&in, i)]++]);
        left -= n;
    }
    hd_free(first);
    sort_each(m->decorations, m->decoration_count);
    return HD_OK;
}

/* A few are sorted. Mostly they come in order, and the library's sort may take as much memory
 * again. */
static void sort_decorations(HdModule *m)
{
    uint32_t count = 0, word = HD_MODULE_FIRST_WORD;

    for (HdInst in; count < m->decoration_count && hd_module_next(m, &word, &in);)
        for (uint32_t i = 0, n = hd_decoration_count(&in); i < n; i++)
            make_decoration(&in, i, &m->decorations[count++]);
    if (!is_sorted(m->decorations, count))
        qsort(m->decorations, count, sizeof *m->decorations, by_target);
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

/* How many there are of an id from one on. */
static uint32_t count_same(const HdModule *m, uint32_t first, HdId id)
{
    uint32_t end = first;

    while (end < m->decoration_count && m->decorations[end].target == id)
        end++;
    return end - first;
}

/* Have each of groups say where theirs begin, in place of the instruction. */
static HdStatus find_groups(HdModule *m, HdDiags *d)
{
    size_t limit = (size_t)m->nwords * MAX_DECORATIONS_PER_WORD, sum = m->decoration_count;
    uint32_t word = 0, first = 0, count = 0;

    for (uint32_t i = 0; i < m->decoration_count; i++) {
        if (m->decorations[i].decoration != HD_DECORATION_GROUP)
            continue;
        if (word != m->decorations[i].word) {
            word = m->decorations[i].word;
            first = find(m, m->words[word + 1], HD_NO_MEMBER);
            count = count_same(m, first, m->words[word + 1]);
        }
        m->decorations[i].word = count != 0 ? first : m->decoration_count;
        sum += count;
        if (sum > limit)
            return hd_fail(d, HD_BAD_INPUT, word, "module.limit",
                           "decoration groups expand to more than %zu decorations", limit);
    }
    return HD_OK;
}

HdStatus hd_read_decorations(HdModule *m, HdDiags *d, uint32_t count, bool groups)
{
    if (count == 0)
        return HD_OK;
    HD_TAKE(m->decorations, HD_NEW(m->arena, HdDecoration, count));
    m->decoration_count = count;
    m->has_groups = groups;
    if (m->bound / 16 <= count)
        HD_TRY(place_decorations(m));
    else
        sort_decorations(m);
    HD_TRY(index_targets(m));
    return groups ? find_groups(m, d) : HD_OK;
}

/* ---- looking them up ----------------------------------------------------------------------- */

const HdDecoration *hd_decoration_group(const HdModule *m, const HdDecoration *d)
{
    const HdDecoration *first = m->decorations + d->word;

    if (d->word == m->decoration_count)
        return NULL;
    return first->decoration != HD_DECORATION_GROUP ? first : hd_decoration_group_next(m, first);
}

HdDecorations hd_module_decorations(const HdModule *m, HdId id)
{
    uint32_t first = find(m, id, 0);
    HdDecorations x = {.m = m, .next = m->decorations + first};

    x.end = x.next + count_same(m, first, id);
    hd_decorations_step(&x);
    return x;
}

HdDecorations hd_module_all_decorations(const HdModule *m)
{
    HdDecorations x = {.m = m, .next = m->decorations};

    x.end = x.next + m->decoration_count;
    hd_decorations_step(&x);
    return x;
}

HdDecorations hd_module_applied_decorations(const HdModule *m)
{
    HdDecorations x = {.m = m, .next = m->decorations, .leaves_groups = m->has_groups};

    x.end = x.next + m->decoration_count;
    hd_decorations_step(&x);
    return x;
}

const HdDecoration *hd_module_decoration(const HdModule *m, HdId id, uint32_t decoration)
{
    return hd_module_member_decoration(m, id, HD_NO_MEMBER, decoration);
}

const HdDecoration *hd_module_member_decoration(const HdModule *m, HdId id, uint32_t member,
                                                uint32_t decoration)
{
    const HdDecoration *at = m->decorations + find(m, id, member);
    const HdDecoration *end = m->decorations + m->decoration_count;

    for (; at < end && at->target == id && at->member == member; at++) {
        if (at->decoration == decoration)
            return at;
        if (at->decoration != HD_DECORATION_GROUP)
            continue;
        for (const HdDecoration *d = hd_decoration_group(m, at); d != NULL;
             d = hd_decoration_group_next(m, d))
            if (d->decoration == decoration)
                return d;
    }
    return NULL;
}

static bool is_with(const HdDecorations *x, uint32_t decoration, uint32_t value)
{
    return x->member == HD_NO_MEMBER && x->d->decoration == decoration &&
           x->d->operand_count != 0 && hd_decoration_value(x->m, x->d) == value;
}

bool hd_module_is_decorated(const HdModule *m, HdId id, uint32_t decoration, uint32_t value)
{
    for (HdDecorations x = hd_module_decorations(m, id); x.d != NULL; hd_decorations_step(&x))
        if (is_with(&x, decoration, value))
            return true;
    return false;
}

HdId hd_module_decorated(const HdModule *m, uint32_t decoration, uint32_t value)
{
    for (HdDecorations x = hd_module_applied_decorations(m); x.d != NULL; hd_decorations_step(&x))
        if (is_with(&x, decoration, value))
            return x.target;
    return 0;
}
