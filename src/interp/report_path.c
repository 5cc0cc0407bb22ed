/* interp/report_path.c -- what a shader's access goes through, as its source says it: the variable,
 * members, and the values that indexes have: "b[3].pos.y".
 *
 * Unlike a path that is found from an address, it is right where an index leaves its array and
 * where there is no memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "interp/report.h"
#include "interp/state.h"
#include "module/piece.h"
#include "module/resource.h"

#define MAX_DEPTH 16u /* chains that are made from one another */

static void add_index(HdEval *e, const HdType *t, HdId index, unsigned lane, HdStrbuf *out)
{
    int64_t value;
    HdSlot x;

    if (hd_eval_use(e, index, &x) != HD_OK) {
        hd_strbuf_add(out, "[?]");
        return;
    }
    value = hd_int_get(hd_slot_at(&x, lane), hd_type_size(x.type));
    if (t->kind == HD_T_VECTOR && value >= 0 && value < 4)
        hd_strbuf_printf(out, ".%c", "xyzw"[value]);
    else
        hd_strbuf_printf(out, "[%lld]", (long long)value);
}

/* The indexes of a chain into a type. */
static bool add_indexes(HdEval *e, const HdInst *in, unsigned at, const HdType *t, unsigned lane,
                        HdStrbuf *out)
{
    uint64_t member;

    for (; at < in->nwords && t != NULL; at++) {
        if (t->kind != HD_T_STRUCT) {
            add_index(e, t, in->w[at], lane, out);
            t = hd_type_element(t);
            continue;
        }
        if (!hd_module_constant_u64(e->m, in->w[at], &member) || member >= t->count)
            return false;
        hd_module_member_path(e->m, t, (uint32_t)member, out);
        t = hd_type_member(e->m, t, (uint32_t)member);
    }
    return t != NULL;
}

/* Does an instruction load a pointer, as GLSL's buffer references are? */
static bool loads_pointer(const HdEval *e, const HdInst *in)
{
    const HdType *t = in->opix == HD_OPIX_Load ? hd_module_type(e->m, in->w[1]) : NULL;

    return t != NULL && t->kind == HD_T_POINTER;
}

static bool add_path(HdEval *e, HdId pointer, unsigned lane, unsigned depth, HdStrbuf *out)
{
    char room[HD_REPORT_NAME];
    HdChain c;
    HdInst in;

    if (depth == 0 || !hd_module_def(e->m, pointer, &in))
        return false;
    if (in.opix == HD_OPIX_CopyObject || loads_pointer(e, &in))
        return add_path(e, in.w[3], lane, depth - 1, out);
    if (hd_opaque_origin(e->m, &in) != 0)
        return add_path(e, in.w[hd_opaque_origin(e->m, &in)], lane, depth - 1, out);
    c = hd_module_chain(&in);
    if (c.base != 0)
        return c.indexes == c.base + 1 && add_path(e, in.w[c.base], lane, depth - 1, out) &&
               add_indexes(e, &in, c.indexes, hd_module_chain_type(e->m, &in, c), lane, out);
    if (!hd_inst_is_variable(&in) && in.opix != HD_OPIX_FunctionParameter)
        return false;
    hd_strbuf_add(out, hd_report_base(e, pointer, room));
    return true;
}

const char *hd_report_path(HdEval *e, HdId pointer, unsigned lane, char room[HD_REPORT_NAME])
{
    HdStrbuf path = {0};
    const char *name = NULL;

    if (e->g->kernel->is_shader && add_path(e, pointer, lane, MAX_DEPTH, &path) && !path.failed &&
        path.count > 0 && path.count < HD_REPORT_NAME) {
        const bool has_dot = hd_strbuf_text(&path)[0] == '.'; /* of a block without a name */

        memcpy(room, hd_strbuf_text(&path) + has_dot, path.count + 1 - has_dot);
        name = room;
    }
    hd_strbuf_free(&path);
    return name;
}
