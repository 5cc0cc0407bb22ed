/* xform/lower_vla.c -- variable-length arrays in memory of fixed size.
 *
 * Each function that has some gets a variable of as many bytes as were requested, and a pointer to
 * its free part: arrays are allocated from there, OpSaveMemoryINTEL reads the pointer and
 * OpRestoreMemoryINTEL writes it. The caller guarantees that no call of a function needs more at a
 * time.
 *
 * Spec: SPV_INTEL_variable_length_array.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/lower_state.h"

#define OP HD_LOWER_OP

/* As large as the alignment of any type of OpenCL C. */
#define ROOM_ALIGN 128u

static bool is_array(enum HdOpix opix)
{
    return opix == HD_OPIX_VariableLengthArrayINTEL ||
           opix == HD_OPIX_UntypedVariableLengthArrayINTEL;
}

void hd_lower_plan_arrays(HdLower *l, const HdInst *in, HdId entry)
{
    if ((l->o->what & HD_LOWER_ARRAYS) != 0 &&
        (is_array(in->opix) || in->opix == HD_OPIX_SaveMemoryINTEL))
        l->has_arrays[entry] = true;
}

static HdId bytes_pointer(HdLower *l)
{
    return hd_lower_pointer(l, SpvStorageClassFunction, hd_lower_int(l, 8));
}

void hd_lower_open_room(HdLower *l)
{
    HdId room = hd_lower_array(l, hd_lower_int(l, 8), l->o->array_bytes);
    HdId type = hd_lower_pointer(l, SpvStorageClassFunction, room), bytes = bytes_pointer(l);
    uint32_t align[] = {0, SpvDecorationAlignment, ROOM_ALIGN};

    l->room = OP(l, 0, SpvOpVariable, type, SpvStorageClassFunction);
    l->room_free = OP(l, 0, SpvOpVariable, hd_lower_pointer(l, SpvStorageClassFunction, bytes),
                      SpvStorageClassFunction);
    l->room_is_new = true;
    align[0] = l->room;
    hd_writer_inst(&l->front, SpvOpDecorate, align, 3);
}

static void set_free(HdLower *l, HdId pointer)
{
    const uint32_t operands[] = {l->room_free, pointer};

    hd_writer_inst(l->at, SpvOpStore, operands, 2);
}

void hd_lower_start_room(HdLower *l)
{
    l->room_is_new = false;
    set_free(l, OP(l, 0, SpvOpInBoundsAccessChain, bytes_pointer(l), l->room,
                   hd_lower_constant(l, 32, 0)));
}

/* A pointer to bytes as one of the module's type, or the reverse. */
static HdId as_type(HdLower *l, HdId result, HdId type, HdId from, HdId pointer)
{
    return OP(l, result, type == from ? SpvOpCopyObject : SpvOpBitcast, type, pointer);
}

/* Words: 1 type, 2 result, [3 element type,] length. */
static HdStatus write_array(HdLower *l, const HdInst *in)
{
    bool untyped = in->opix == HD_OPIX_UntypedVariableLengthArrayINTEL;
    const HdType *element = hd_module_vla_element(l->m, in);
    uint32_t bits = hd_module_address_bits(l->m);
    HdId bytes = bytes_pointer(l), size = hd_lower_int(l, bits), at, pad, length;
    const HdType *t = hd_module_type_of(l->m, in->w[untyped ? 4 : 3]);

    if (element == NULL || hd_type_size(element) == 0 || element->align > ROOM_ALIGN || t == NULL)
        return hd_lower_fail(l, in, " for this type");
    at = OP(l, 0, SpvOpLoad, bytes, l->room_free);
    pad = OP(l, 0, SpvOpSNegate, size, OP(l, 0, SpvOpConvertPtrToU, size, at));
    pad = OP(l, 0, SpvOpBitwiseAnd, size, pad, hd_lower_constant(l, bits, element->align - 1));
    at = OP(l, 0, SpvOpInBoundsPtrAccessChain, bytes, at, pad);
    length = hd_lower_use(l, in->w[untyped ? 4 : 3]);
    if (t->bits != bits)
        length = OP(l, 0, SpvOpUConvert, size, length);
    length = OP(l, 0, SpvOpIMul, size, length, hd_lower_constant(l, bits, hd_type_size(element)));
    set_free(l, OP(l, 0, SpvOpInBoundsPtrAccessChain, bytes, at, length));
    (void)as_type(l, in->w[2], hd_lower_use(l, in->w[1]), bytes, at);
    return HD_OK;
}

HdStatus hd_lower_arrays(HdLower *l, const HdInst *in, bool *done)
{
    HdId bytes, type;

    if (!is_array(in->opix) && in->opix != HD_OPIX_SaveMemoryINTEL &&
        in->opix != HD_OPIX_RestoreMemoryINTEL)
        return HD_OK;
    *done = true;
    if (is_array(in->opix))
        return write_array(l, in);
    bytes = bytes_pointer(l);
    if (in->opix == HD_OPIX_SaveMemoryINTEL) {
        type = OP(l, 0, SpvOpLoad, bytes, l->room_free);
        (void)as_type(l, in->w[2], hd_lower_use(l, in->w[1]), bytes, type);
        return HD_OK;
    }
    type = hd_lower_use(l, hd_module_type_id(l->m, in->w[1]));
    set_free(l, as_type(l, 0, bytes, type, hd_lower_use(l, in->w[1])));
    return HD_OK;
}
