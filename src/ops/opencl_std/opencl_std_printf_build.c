/* ops/opencl_std/opencl_std_printf_build.c -- printf: arguments packed for the runtime.
 *
 * Each scalar takes one 8-byte slot of private memory, and a string of letters describes the slots
 * (rt/rtfn.def). The runtime reads both immediately, so the lane's next printf reuses the memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/round.h"
#include "ops/debug/debug_printf.h"
#include "ops/opencl_std/std_build.h"
#include "rt/abi.h"

#define SLOT_BYTES 8u

static char letter_of(HdIrType t, bool is_string)
{
    switch (t) {
    case HD_IR_I8: return 'b';
    case HD_IR_I16: return 'h';
    case HD_IR_I64: return 'l';
    case HD_IR_F16: return 'e';
    case HD_IR_F32: return 'f';
    case HD_IR_F64: return 'd';
    case HD_IR_PTR: return is_string ? 's' : 'p';
    default: return 'i';
    }
}

/* Strings are pointers to 8-bit integers in constant memory. */
static bool is_string(const HdModule *m, HdId id)
{
    const HdType *t = hd_module_type_of(m, id);

    if (t == NULL || t->kind != HD_T_POINTER || t->storage != SpvStorageClassUniformConstant)
        return false;
    if (hd_type_element(t) == NULL)
        return true; /* untyped: the format decides */
    t = hd_type_element(t)->kind == HD_T_ARRAY ? hd_type_element(hd_type_element(t))
                                               : hd_type_element(t);
    return t->kind == HD_T_INT && t->bits == 8;
}

/* Write the letters as constants, eight at a time. */
static void store_letters(HdBuild *b, HdIrRef at, const char *letters, uint64_t bytes)
{
    const HdBuildAccess how = {.space = HD_SPACE_PRIVATE, .align = SLOT_BYTES};

    for (uint64_t i = 0; i < bytes; i += 8) {
        uint64_t bits = 0;

        for (unsigned k = 0; k < 8; k++)
            bits |= (uint64_t)(unsigned char)letters[i + k] << (8 * k);
        hd_build_store1(b, at, i, hd_build_const(b, HD_IR_I64, bits), &how);
    }
}

/* What is printed of a value: numbers narrower than 32 bits are those that C makes of them, by
 * their types' signs, which kernels' types do not have. */
static HdIrRef printed(HdBuild *b, HdId id, HdIrRef x)
{
    const HdType *t = hd_module_type_of(b->m, id);

    switch (hd_build_type_at(b, x)) {
    case HD_IR_BOOL: return hd_build_from_bool(b, x, HD_IR_I32, 1);
    case HD_IR_I8:
    case HD_IR_I16:
        return b->kernel->is_shader
                   ? hd_build_resize(b, x, HD_IR_I32, t != NULL && hd_type_scalar(t)->is_signed)
                   : x;
    default: return x;
    }
}

/* Print so many values. args[0] is the format. */
static HdStatus print(HdBuild *b, const HdInst *in, const uint32_t *ids, unsigned count,
                      HdIrRef args[3], HdIrRef *r)
{
    const HdBuildAccess how = {.space = HD_SPACE_PRIVATE, .align = SLOT_BYTES};
    uint64_t scalars = 0, bytes, at = 0;
    char *letters;
    HdBuildValue v;

    for (unsigned i = 0; i < count; i++) {
        HD_TRY(hd_build_use(b, ids[i], &v));
        scalars += v.count;
    }
    if (scalars > 4096)
        return hd_build_unsupported(b, in, "printf with more than 4096 values");
    bytes = hd_round_up(scalars + 1, 8);
    HD_TAKE(letters, hd_arena_zero(b->arena, (size_t)bytes));
    args[1] = hd_build_alloca(b, scalars * SLOT_BYTES, SLOT_BYTES);
    args[2] = hd_build_alloca(b, bytes, SLOT_BYTES);
    for (unsigned i = 0; i < count; i++) {
        bool string = is_string(b->m, ids[i]);

        HD_TRY(hd_build_use(b, ids[i], &v));
        for (uint32_t c = 0; c < v.count; c++, at++) {
            HdIrRef x = printed(b, ids[i], v.at[c]);

            letters[at] = letter_of(hd_build_type_at(b, x), string);
            hd_build_store1(b, args[1], at * SLOT_BYTES, x, &how);
        }
    }
    store_letters(b, args[2], letters, bytes);
    *r = hd_ir_emit_sub(b->fn, b->block, HD_IR_RTCALL, HD_IR_I32, HD_RTFN_printf, 0, args, 3);
    return HD_OK;
}

/* Operands: format, arguments. Result: 0 or -1. */
HdStatus hd_std_printf(HdBuild *b, const HdInst *in, unsigned what)
{
    HdIrRef args[3], r;

    (void)what;
    HD_TRY(hd_build_use1(b, in->w[HD_STD_OPERAND], &args[0]));
    HD_TRY(print(b, in, in->w + HD_STD_OPERAND + 1, in->nwords - HD_STD_OPERAND - 1, args, &r));
    return hd_build_bind(b, in->w[2], &r, 1);
}

/* The format is constant: it is stored as the letters are. */
static HdStatus debug_printf(HdBuild *b, const HdInst *in, const HdDebugPrintf *p)
{
    uint64_t bytes = hd_round_up(p->format.count + 1, 8);
    HdIrRef args[3], r;
    char *text;

    HD_TAKE(text, hd_arena_zero(b->arena, (size_t)bytes));
    memcpy(text, p->format.at, p->format.count);
    args[0] = hd_build_alloca(b, bytes, SLOT_BYTES);
    store_letters(b, args[0], text, bytes);
    return print(b, in, p->args, p->arg_count, args, &r);
}

HdStatus hd_std_debug_printf(HdBuild *b, const HdInst *in)
{
    HdDebugPrintf p;
    HdStatus st = hd_debug_printf_read(b->m, in, &p);

    if (st == HD_OK)
        st = debug_printf(b, in, &p);
    else if (st == HD_BAD_INPUT)
        st = hd_build_bad(b, in, "the format is no OpString");
    hd_strbuf_free(&p.format);
    return st;
}
