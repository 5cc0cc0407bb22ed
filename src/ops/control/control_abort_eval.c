/* ops/control/control_abort_eval.c -- OpAbortKHR in the interpreter: each work-item that executes
 * it is reported with its message, and the work-group ends. How the message is written is told in
 * control_abort_build.c.
 *
 * Spec: SPV_KHR_abort.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "base/strbuf.h"
#include "module/decoration.h"
#include "ops/evals.h"

static void number(HdStrbuf *s, const HdType *t, const void *at)
{
    if (t->kind == HD_T_FLOAT && t->encoding == 0) {
        double x = hd_float_get(at, hd_type_size(t));

        x = isnan(x) ? fabs(x) : x;
        hd_strbuf_printf(s, "%.*g", hd_type_size(t) == 2 ? 5 : hd_type_size(t) == 4 ? 9 : 17, x);
    } else if (t->kind == HD_T_POINTER) {
        hd_strbuf_printf(s, "0x%llx", (unsigned long long)hd_bits_get(at, hd_type_size(t)));
    } else if (t->kind == HD_T_INT && t->is_signed) {
        hd_strbuf_printf(s, "%lld", (long long)hd_int_get(at, hd_type_size(t)));
    } else {
        hd_strbuf_printf(s, "%llu", (unsigned long long)hd_bits_get(at, hd_type_size(t)));
    }
}

/* t: Message Type, or a part of it; own: the value's, which says where its parts lie. */
static void value(HdStrbuf *s, const HdModule *m, const HdType *t, const HdType *own,
                  const unsigned char *at)
{
    uint64_t count = t->kind == HD_T_ARRAY ? hd_type_length(t) : t->count;
    bool is_text = t->kind == HD_T_ARRAY && hd_type_element(t)->kind == HD_T_INT &&
                   hd_type_element(t)->bits == 8 &&
                   hd_module_decoration(m, t->id, SpvDecorationUTFEncodedKHR) != NULL;
    const char *around = t->kind == HD_T_STRUCT ? "{}" : t->kind == HD_T_ARRAY ? "[]" : "()";

    if (t->kind != HD_T_STRUCT && t->kind != HD_T_ARRAY && t->kind != HD_T_VECTOR) {
        number(s, t, at);
        return;
    }
    if (is_text)
        around = "\"\"";
    hd_strbuf_add_char(s, around[0]);
    for (uint64_t i = 0; i < count; i++) {
        const HdType *part =
            t->kind == HD_T_STRUCT ? hd_type_member(m, own, (uint32_t)i) : hd_type_element(own);
        const unsigned char *from =
            at +
            (t->kind == HD_T_STRUCT ? hd_type_offset(m, own, (uint32_t)i) : i * hd_type_size(part));

        if (is_text && *from != '\0')
            hd_strbuf_add_char(s, (char)*from);
        if (is_text)
            continue;
        if (i > 0)
            hd_strbuf_add(s, ", ");
        value(s, m, t->kind == HD_T_STRUCT ? hd_type_member(m, t, (uint32_t)i) : hd_type_element(t),
              part, from);
    }
    hd_strbuf_add_char(s, around[1]);
}

/* Words: 1 Message Type, 2 message. */
HdStatus hd_eval_abort(HdEval *e, const HdInst *in)
{
    const HdType *t = hd_module_type(e->m, in->w[1]);
    HdSlot message;

    HD_TRY(hd_eval_use(e, in->w[2], &message));
    for (HD_EACH_LANE(lane, e->mask)) {
        HdStrbuf text = {0};
        HdStatus st;

        value(&text, e->m, t, message.type, hd_slot_at(&message, lane));
        st = text.failed ? HD_NO_MEMORY
                         : hd_eval_defect(e, UINT64_C(1) << lane, "check.abort", NULL,
                                          "the work-item has aborted: %s", hd_strbuf_text(&text));
        hd_strbuf_free(&text);
        HD_TRY(st);
    }
    return HD_BAD_INPUT;
}
