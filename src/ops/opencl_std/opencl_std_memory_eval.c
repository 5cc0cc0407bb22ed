/* ops/opencl_std/opencl_std_memory_eval.c -- vector loads and stores, shuffles in the interpreter.
 *
 * Addresses are aligned to components, not to vectors, except for the vloada and vstorea forms.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/number.h"
#include "ops/opencl_std/std_eval.h"

typedef struct Place {
    HdSlot offset, pointer;
    uint32_t storage;
    uint64_t stride, align;
} Place;

static HdStatus place_of(HdEval *e, const HdInst *in, unsigned at, Place *p)
{
    HD_TRY(hd_eval_operands(e, in, at, 1, &p->offset));
    HD_TRY(hd_eval_operands(e, in, at + 1, 1, &p->pointer));
    return hd_eval_storage(e, in->w[at + 1], &p->storage);
}

static uint64_t address_of(const Place *p, unsigned lane)
{
    return hd_bits_get(hd_slot_at(&p->pointer, lane), 8) +
           hd_bits_get(hd_slot_at(&p->offset, lane), hd_type_size(p->offset.type)) * p->stride;
}

/* Operands: offset, pointer, number of components. */
HdStatus hd_std_eval_vload(HdEval *e, const HdInst *in)
{
    Place p;
    HdSlot r;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(place_of(e, in, HD_STD_AT, &p));
    p.align = hd_type_size(hd_type_scalar(r.type));
    p.stride = hd_type_lanes(r.type) * p.align;
    for (HD_EACH_LANE(lane, e->mask))
        HD_TRY(hd_eval_read(e, lane, p.storage, address_of(&p, lane), p.align, hd_slot_at(&r, lane),
                            p.stride));
    return HD_OK;
}

/* Operands: data, offset, pointer. */
HdStatus hd_std_eval_vstore(HdEval *e, const HdInst *in)
{
    HdSlot x;
    Place p;

    HD_TRY(hd_eval_operands(e, in, HD_STD_AT, 1, &x));
    HD_TRY(place_of(e, in, HD_STD_AT + 1, &p));
    p.align = hd_type_size(hd_type_scalar(x.type));
    p.stride = hd_type_lanes(x.type) * p.align;
    for (HD_EACH_LANE(lane, e->mask))
        HD_TRY(hd_eval_write_value(e, lane, p.storage, address_of(&p, lane), p.align, &x, 0,
                                   p.stride));
    return HD_OK;
}

/* vloada and vstorea take 4 halfs for 3 components. */
static void half_stride(Place *p, uint32_t count, bool aligned)
{
    p->stride = 2 * (aligned && count == 3 ? UINT64_C(4) : count);
    p->align = aligned ? p->stride : 2;
}

/* Operands: offset, pointer [, number of components]. */
HdStatus hd_std_eval_vload_half(HdEval *e, const HdInst *in)
{
    uint32_t count;
    uint64_t bytes;
    Place p;
    HdSlot r;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(place_of(e, in, HD_STD_AT, &p));
    count = hd_type_lanes(r.type);
    bytes = hd_type_size(hd_type_scalar(r.type));
    half_stride(&p, count, in->w[4] == OpenCLstd_vloada_halfn);
    if (count > 16)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.type", "too many components");
    for (HD_EACH_LANE(lane, e->mask)) {
        HdU16 half[16];

        HD_TRY(hd_eval_read(e, lane, p.storage, address_of(&p, lane), p.align, half,
                            count * UINT64_C(2)));
        for (uint32_t i = 0; i < count; i++)
            hd_float_put(hd_slot_at(&r, lane) + i * bytes, bytes, hd_half_to_double(half[i]));
    }
    return HD_OK;
}

static HdNumberMode mode_of(const HdInst *in)
{
    if (in->w[4] != OpenCLstd_vstore_half_r && in->w[4] != OpenCLstd_vstore_halfn_r &&
        in->w[4] != OpenCLstd_vstorea_halfn_r)
        return HD_NUMBER_RTE;
    switch (in->w[HD_STD_AT + 3]) {
    case SpvFPRoundingModeRTZ: return HD_NUMBER_RTZ;
    case SpvFPRoundingModeRTP: return HD_NUMBER_RTP;
    case SpvFPRoundingModeRTN: return HD_NUMBER_RTN;
    default: return HD_NUMBER_RTE;
    }
}

/* Operands: data, offset, pointer [, rounding mode]. */
HdStatus hd_std_eval_vstore_half(HdEval *e, const HdInst *in)
{
    HdNumberMode mode = mode_of(in);
    uint32_t count;
    uint64_t bytes;
    HdSlot x;
    Place p;

    HD_TRY(hd_eval_operands(e, in, HD_STD_AT, 1, &x));
    HD_TRY(place_of(e, in, HD_STD_AT + 1, &p));
    count = hd_type_lanes(x.type);
    bytes = hd_type_size(hd_type_scalar(x.type));
    half_stride(&p, count,
                in->w[4] == OpenCLstd_vstorea_halfn || in->w[4] == OpenCLstd_vstorea_halfn_r);
    if (count > 16)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.type", "too many components");
    for (HD_EACH_LANE(lane, e->mask)) {
        HdU16 half[16];

        for (uint32_t i = 0; i < count; i++)
            half[i] =
                hd_half_from_double(hd_float_get(hd_slot_at(&x, lane) + i * bytes, bytes), mode);
        HD_TRY(hd_eval_write(e, lane, p.storage, address_of(&p, lane), p.align, half,
                             count * UINT64_C(2)));
    }
    return HD_OK;
}

/* Components that a mask picks from one or two vectors; only as many low bits of an index count as
 * there are components. Operands: x, [y,] mask. */
HdStatus hd_std_eval_shuffle(HdEval *e, const HdInst *in)
{
    unsigned vectors = in->w[4] == OpenCLstd_shuffle2 ? 2 : 1;
    uint64_t bytes, index_bytes;
    uint32_t count;
    HdSlot r, x[3];

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, HD_STD_AT, vectors + 1, x));
    count = hd_type_lanes(x[0].type);
    bytes = hd_type_size(hd_type_scalar(r.type));
    index_bytes = hd_type_size(hd_type_scalar(x[vectors].type));
    /* Vectors of 3 have indexes of two bits. */
    for (HD_EACH_LANE(lane, e->mask)) {
        unsigned char from[2 * 16 * 8] = {0};
        uint32_t room = count == 3 ? 4 : count;

        if (room > 16 || hd_type_lanes(r.type) > hd_type_lanes(x[vectors].type))
            return hd_eval_bad(e, HD_EVAL_LANES, "interp.type", "operands do not fit");
        for (unsigned k = 0; k < vectors; k++)
            memcpy(from + k * room * bytes, hd_slot_at(&x[k], lane), (size_t)(count * bytes));
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++) {
            uint64_t at =
                hd_bits_get(hd_slot_at(&x[vectors], lane) + i * index_bytes, index_bytes) &
                (room * vectors - 1);

            memcpy(hd_slot_at(&r, lane) + i * bytes, from + at * bytes, (size_t)bytes);
        }
    }
    return HD_OK;
}
