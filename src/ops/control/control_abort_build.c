/* ops/control/control_abort_build.c -- OpAbortKHR to lane IR: the runtime ends the kernel with the
 * message as text, which printf's code formats; the format is made here, from Message Type.
 *
 * Integers and floats in decimal, pointers in hexadecimal; parts of structs in braces, of arrays in
 * brackets, of vectors in parentheses; arrays of bytes that are UTFEncodedKHR in quotes.
 *
 * Spec: SPV_KHR_abort, which leaves to the client API how a message is presented.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/strbuf.h"
#include "module/decoration.h"
#include "ops/build_fns.h"
#include "rt/abi.h"

#define SLOT_BYTES 8u
#define MOST_PARTS 4096u

static const HdBuildAccess own = {.space = HD_SPACE_PRIVATE, .align = SLOT_BYTES};

typedef struct Message {
    HdBuild *b;
    HdStrbuf format, letters;
    uint32_t parts;
} Message;

static void scalar(Message *x, const HdType *t)
{
    static const char *const signs[] = {"%hhd", "%hd", "%d", "%ld"},
                             *const plain[] = {"%hhu", "%hu", "%u", "%lu"},
                             *const floats[] = {"%hhu", "%.5g", "%.9g", "%.17g"};
    unsigned size = hd_type_size(t) == 1   ? 0
                    : hd_type_size(t) == 2 ? 1
                    : hd_type_size(t) == 4 ? 2
                                           : 3;

    x->parts++;
    if (t->kind == HD_T_POINTER) {
        hd_strbuf_add(&x->format, "%p");
        hd_strbuf_add_char(&x->letters, 'p');
    } else if (t->kind == HD_T_FLOAT && t->encoding == 0) {
        hd_strbuf_add(&x->format, floats[size]);
        hd_strbuf_add_char(&x->letters, "befd"[size]);
    } else {
        hd_strbuf_add(&x->format, t->is_signed ? signs[size] : plain[size]);
        hd_strbuf_add_char(&x->letters, "bhil"[size]);
    }
}

static bool is_text(const Message *x, const HdType *t)
{
    return t->kind == HD_T_ARRAY && hd_type_element(t)->kind == HD_T_INT &&
           hd_type_element(t)->bits == 8 &&
           hd_module_decoration(x->b->m, t->id, SpvDecorationUTFEncodedKHR) != NULL;
}

static bool describe(Message *x, const HdType *t);

static bool parts_of(Message *x, const HdType *t, const char *around)
{
    uint64_t count = t->kind == HD_T_ARRAY ? hd_type_length(t) : t->count;

    hd_strbuf_add_char(&x->format, around[0]);
    for (uint64_t i = 0; i < count; i++) {
        if (i > 0)
            hd_strbuf_add(&x->format, ", ");
        if (!describe(x, t->kind == HD_T_STRUCT ? hd_type_member(x->b->m, t, (uint32_t)i)
                                                : hd_type_element(t)))
            return false;
    }
    hd_strbuf_add_char(&x->format, around[1]);
    return true;
}

static void text(Message *x, const HdType *t)
{
    uint64_t count = hd_type_length(t);

    hd_strbuf_add_char(&x->format, '"');
    for (uint64_t i = 0; i < count && x->parts <= MOST_PARTS; i++, x->parts++) {
        hd_strbuf_add(&x->format, "%c");
        hd_strbuf_add_char(&x->letters, 'b');
    }
    hd_strbuf_add_char(&x->format, '"');
}

/* False: there are too many parts, or some that are no numbers. */
static bool describe(Message *x, const HdType *t)
{
    if (x->parts > MOST_PARTS)
        return false;
    switch (t->kind) {
    case HD_T_INT:
    case HD_T_FLOAT:
    case HD_T_POINTER: scalar(x, t); return true;
    case HD_T_VECTOR: return parts_of(x, t, "()");
    case HD_T_ARRAY:
        if (!is_text(x, t))
            return parts_of(x, t, "[]");
        text(x, t);
        return true;
    case HD_T_STRUCT: return parts_of(x, t, "{}");
    default: return false;
    }
}

/* A string as constants in private memory, eight characters at a time. */
static HdIrRef stored(HdBuild *b, const HdStrbuf *s)
{
    HdIrRef at = hd_build_alloca(b, s->count / 8 * 8 + 8, SLOT_BYTES);

    for (uint64_t i = 0; i <= s->count; i += 8) {
        uint64_t bits = 0;

        for (unsigned k = 0; k < 8 && i + k < s->count; k++)
            bits |= (uint64_t)(unsigned char)s->at[i + k] << (8 * k);
        hd_build_store1(b, at, i, hd_build_const(b, HD_IR_I64, bits), &own);
    }
    return at;
}

static HdStatus build_abort(Message *x, const HdInst *in)
{
    HdBuild *b = x->b;
    const HdType *t = hd_module_type(b->m, in->w[1]);
    HdIrRef args[6];
    HdBuildValue v;

    HD_TRY(hd_build_use(b, in->w[2], &v));
    if (t == NULL || !describe(x, t) || x->parts > MOST_PARTS || v.count != x->parts)
        return hd_build_unsupported(b, in, "a message of more than 4096 parts, or not of numbers");
    if (x->format.failed || x->letters.failed)
        return HD_NO_MEMORY;
    for (unsigned i = 0; i < 3; i++)
        args[i] = hd_build_id(b, HD_BUILTIN_GLOBAL_ID, i);
    args[4] = hd_build_alloca(b, (uint64_t)v.count * SLOT_BYTES + SLOT_BYTES, SLOT_BYTES);
    for (uint32_t i = 0; i < v.count; i++)
        hd_build_store1(b, args[4], (uint64_t)i * SLOT_BYTES, v.at[i], &own);
    args[3] = stored(b, &x->format);
    args[5] = stored(b, &x->letters);
    hd_ir_emit_sub(b->fn, b->block, HD_IR_RTCALL, HD_IR_VOID, HD_RTFN_abort, 0, args, 6);
    hd_build_op0(b, HD_IR_UNREACHABLE, HD_IR_VOID);
    return HD_OK;
}

/* Words: 1 Message Type, 2 message. */
HdStatus hd_build_abort(HdBuild *b, const HdInst *in)
{
    Message x = {.b = b};
    HdStatus st = build_abort(&x, in);

    hd_strbuf_free(&x.format);
    hd_strbuf_free(&x.letters);
    return st;
}
