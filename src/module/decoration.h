/* module/decoration.h -- ways through a module's decorations, and their operands.
 *
 * Spec: SPIR-V, "Annotation Instructions".
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_MODULE_DECORATION_H
#define HD_MODULE_DECORATION_H

#include "module/module.h"

/* A way through decorations, in the order of HdModule.decorations, those of groups in the place of
 * the group: for (HdDecorations x = …; x.d != NULL; hd_decorations_step(&x)) … */
typedef struct HdDecorations {
    const HdModule *m;
    const HdDecoration *d; /* NULL at the end. Its own target may be a group: it decorates */
    HdId target;           /* this */
    uint32_t member;
    const HdDecoration *next, *end; /* private: beyond d, or beyond its group */
    bool leaves_groups;             /* private */
} HdDecorations;
/* Those of an id, all members included; those of the module, with or without those that groups have
 * themselves, whatever they decorate. */
HdDecorations hd_module_decorations(const HdModule *m, HdId id);
HdDecorations hd_module_all_decorations(const HdModule *m);
HdDecorations hd_module_applied_decorations(const HdModule *m);
/* The first one of a HD_DECORATION_GROUP, and the one after one; NULL: there is none. */
const HdDecoration *hd_decoration_group(const HdModule *m, const HdDecoration *d);
static inline const HdDecoration *hd_decoration_group_next(const HdModule *m, const HdDecoration *d)
{
    const HdDecoration *end = m->decorations + m->decoration_count;
    const HdId group = d->target;

    /* what other groups would bring to this one does not count */
    for (d++; d < end && d->target == group; d++)
        if (d->decoration != HD_DECORATION_GROUP)
            return d;
    return NULL;
}

static inline void hd_decorations_step(HdDecorations *x)
{
    if (x->d != NULL && x->d != x->next - 1) {
        x->d = hd_decoration_group_next(x->m, x->d);
        if (x->d != NULL)
            return;
    }
    for (x->d = NULL; x->d == NULL && x->next < x->end; x->next++) {
        if (x->leaves_groups && hd_module_opix(x->m, x->next->target) == HD_OPIX_DecorationGroup)
            continue;
        x->d = x->next;
        x->target = x->next->target;
        x->member = x->next->member;
        if (x->next->decoration == HD_DECORATION_GROUP)
            x->d = hd_decoration_group(x->m, x->next);
    }
}

/* The first decoration of that kind on an id or its member; NULL when there is none. */
const HdDecoration *hd_module_decoration(const HdModule *m, HdId id, uint32_t decoration);
const HdDecoration *hd_module_member_decoration(const HdModule *m, HdId id, uint32_t member,
                                                uint32_t decoration);
/* Has an id a decoration of that kind with that first operand, a FuncParamAttr ByVal, say? The
 * first id that has one, groups left out, a constant with a SpecId, say; 0: there is none. */
bool hd_module_is_decorated(const HdModule *m, HdId id, uint32_t decoration, uint32_t value);
HdId hd_module_decorated(const HdModule *m, uint32_t decoration, uint32_t value);

/* A decoration's operand_count words, the last ones of what decorates. */
static inline const uint32_t *hd_decoration_operands(const HdModule *m, const HdDecoration *d)
{
    return m->words + d->word + (m->words[d->word] >> 16) - d->operand_count;
}

/* The first of them, 0 where there is none (nor a decoration: NULL). */
static inline uint32_t hd_decoration_value(const HdModule *m, const HdDecoration *d)
{
    return d != NULL && d->operand_count != 0 ? *hd_decoration_operands(m, d) : 0;
}
/* The last of them, which there must be. */
static inline uint32_t hd_decoration_last(const HdModule *m, const HdDecoration *d)
{
    return hd_decoration_operands(m, d)[d->operand_count - 1];
}

#endif
