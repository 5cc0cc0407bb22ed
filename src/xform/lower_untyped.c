/* xform/lower_untyped.c -- untyped pointers as pointers to bytes.
 *
 * Instructions that read or write memory cast the pointer to the type that they access; chains cast
 * to their base type and back to bytes. A variable keeps its id and has its data's type; its uses
 * refer to a cast of it, which follows the variables.
 *
 * Spec: SPV_KHR_untyped_pointers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/round.h"
#include "gen/extinst.h"
#include "module/constant.h"
#include "module/decoration.h"
#include "xform/lower_state.h"

#define OP HD_LOWER_OP

/* Is the id's value an untyped pointer of the module that is read? */
static bool has_untyped(const HdLower *l, HdId id)
{
    const HdType *t = hd_module_type_of(l->m, id);

    return t != NULL && t->kind == HD_T_POINTER && t->is_untyped;
}

static uint32_t storage_of(const HdLower *l, HdId pointer)
{
    return hd_lower_storage(l, hd_module_type_of(l->m, pointer)->storage);
}

/* The instruction's result is a value of another type; of the same one, it is that value. */
static void write_result(HdLower *l, const HdInst *in, HdId value, HdId type)
{
    HdId want = hd_lower_use(l, in->w[1]);

    if (want != type) {
        hd_lower_operation(l, in->w[2], SpvOpBitcast, want, &value, 1);
    } else if (l->at != &l->globals) {
        OP(l, in->w[2], SpvOpCopyObject, want, value);
    } else { /* no constant is a copy of another */
        l->map[in->w[2]] = value;
        hd_bit_add(l->gone, in->w[2]);
    }
}

/* ---- declarations -------------------------------------------------------------------------- */

/* It may be there already, as that of a pointer to bytes. */
static void write_type(HdLower *l, const HdInst *in)
{
    HdId data = hd_lower_pointee_of_none(l), found;
    size_t start = l->at->count;
    const uint32_t operands[] = {in->w[1], hd_lower_storage(l, in->w[2]), data};

    hd_writer_inst(l->at, SpvOpTypePointer, operands, 3);
    found = hd_declared_note(&l->declared, HD_OPIX_TypePointer, start);
    if (found == 0)
        return;
    l->map[in->w[1]] = found;
    hd_bit_add(l->gone, in->w[1]);
    l->at->count = start;
}

/* Words: 1 type, 2 result, 3 storage class, 4 data type, 5 initializer. */
static HdStatus write_variable(HdLower *l, const HdInst *in)
{
    HdId data = in->nwords > 4 ? hd_lower_use(l, in->w[4]) : hd_lower_pointee_of_none(l);
    uint32_t storage = hd_lower_storage(l, in->w[3]);
    HdId type = hd_lower_pointer(l, storage, data), bytes = hd_lower_use(l, in->w[1]);
    uint32_t operands[] = {storage, in->nwords > 5 ? hd_lower_use(l, in->w[5]) : 0};
    HdLowerCast later = {l->next, in->w[2], bytes};

    OP(l, in->w[2], SpvOpVariable, type, storage);
    if (in->nwords > 5) {
        l->at->words[l->at->count - 4] += 1u << 16;
        hd_writer_word(l->at, operands[1]);
    }
    l->map[in->w[2]] = l->next++;
    if (l->at == &l->globals)
        OP(l, later.id, SpvOpSpecConstantOp, bytes, SpvOpBitcast, in->w[2]);
    else
        HD_TRY_PUSH(l->arena, &l->casts, later);
    return HD_OK;
}

/* ---- chains -------------------------------------------------------------------------------- */

/* The type that indexes lead to; NULL when they cannot be followed. */
static const HdType *follow(const HdLower *l, const HdType *t, const uint32_t *w, uint32_t count)
{
    for (uint32_t i = 0; t != NULL && i < count; i++) {
        const HdConstant *c = hd_module_constant(l->m, w[i]);

        if (t->kind == HD_T_STRUCT)
            t = c != NULL && c->bits < t->count ? hd_type_member(l->m, t, (uint32_t)c->bits) : NULL;
        else if (t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY || t->kind == HD_T_VECTOR ||
                 t->kind == HD_T_MATRIX)
            t = hd_type_element(t);
        else
            t = NULL;
    }
    return t;
}

/* Words: 1 type, 2 result, 3 base type, 4 base, then (element and) indexes. */
static HdStatus write_chain(HdLower *l, const HdInst *in)
{
    bool by_element = in->opix == HD_OPIX_UntypedPtrAccessChainKHR ||
                      in->opix == HD_OPIX_UntypedInBoundsPtrAccessChainKHR;
    uint32_t opcode = in->opix == HD_OPIX_UntypedAccessChainKHR      ? SpvOpAccessChain
                      : in->opix == HD_OPIX_UntypedPtrAccessChainKHR ? SpvOpPtrAccessChain
                      : by_element                                   ? SpvOpInBoundsPtrAccessChain
                                                                     : SpvOpInBoundsAccessChain;
    uint32_t first = by_element ? 6 : 5, storage = storage_of(l, in->w[4]), *operands;
    const HdType *to = follow(l, hd_module_type(l->m, in->w[3]), in->w + first,
                              in->nwords > first ? in->nwords - first : 0);
    const HdType *base = hd_module_type(l->m, in->w[3]);
    bool is_wrapped = false;
    uint32_t count = 1;
    HdId type, made;

    if (to == NULL)
        return hd_lower_fail(l, in, " with these indexes");
    if (by_element && !hd_module_is_opencl(l->m))
        return hd_lower_fail(l, in, " in shaders");
    HD_TAKE(operands, HD_NEW(l->arena, uint32_t, in->nwords + 1u));
    type = hd_lower_use(l, in->w[3]);
    if (!hd_module_is_opencl(l->m) && base->kind == HD_T_RUNTIME_ARRAY && in->nwords > 5)
        HD_TRY(hd_lower_block(l, base, &type, &is_wrapped));
    operands[0] = made = hd_lower_cast(l, in->w[4], type);
    if (is_wrapped)
        operands[count++] = hd_lower_constant(l, 32, 0);
    for (uint32_t i = 5; i < in->nwords; i++)
        operands[count++] = hd_lower_use(l, in->w[i]);
    type = hd_lower_pointer(l, storage, hd_lower_use(l, to->id));
    if (in->nwords > 5)
        made = hd_lower_operation(l, 0, opcode, type, operands, count);
    write_result(l, in, made, type);
    return HD_OK;
}

/* ---- casts --------------------------------------------------------------------------------- */

/* Between storage classes the pointees are the same: the operand is cast to the result's. Words:
 * 1 type, 2 result, 3 pointer, and of some 4 storage class. */
static bool write_storage_cast(HdLower *l, const HdInst *in)
{
    const HdType *t = hd_module_type(l->m, in->w[1]);
    HdLowerWord word = {3, 0};

    if (t == NULL || t->kind != HD_T_POINTER || t->is_untyped == has_untyped(l, in->w[3]))
        return false;
    word.word = hd_lower_cast(l, in->w[3],
                              t->is_untyped ? hd_lower_pointee_of_none(l)
                                            : hd_lower_use(l, hd_type_element(t)->id));
    if (l->at == &l->globals)
        hd_lower_operation(l, in->w[2], in->opcode, hd_lower_use(l, in->w[1]), &word.word, 1);
    else
        hd_lower_copy_with(l, in, &word, 1);
    return true;
}

/* A cast between an untyped pointer and one to bytes is none any more. */
static bool write_bitcast(HdLower *l, const HdInst *in)
{
    HdId from = hd_lower_use(l, hd_module_type_id(l->m, in->w[3]));

    if (from != hd_lower_use(l, in->w[1]))
        return false;
    write_result(l, in, hd_lower_use(l, in->w[3]), from);
    return true;
}

/* The operation that an OpSpecConstantOp has, as an instruction of its own. Words: 1 type, 2
 * result, 3 opcode, 4 … its operands. */
static HdStatus write_spec_op(HdLower *l, const HdInst *in, bool *done)
{
    HdInst alone = *in;
    uint32_t *w;

    *done = false;
    if (in->nwords < 5)
        return HD_OK;
    HD_TAKE(w, HD_NEW(l->arena, uint32_t, in->nwords));
    w[1] = in->w[1];
    w[2] = in->w[2];
    for (uint32_t i = 4; i < in->nwords; i++)
        w[i - 1] = in->w[i];
    alone.opix = hd_gram_find(in->w[3]);
    alone.opcode = (uint16_t)in->w[3];
    alone.nwords = (uint16_t)(in->nwords - 1);
    alone.w = w;
    switch (alone.opix) {
    case HD_OPIX_UntypedAccessChainKHR:
    case HD_OPIX_UntypedInBoundsAccessChainKHR:
    case HD_OPIX_UntypedPtrAccessChainKHR:
    case HD_OPIX_UntypedInBoundsPtrAccessChainKHR: *done = true; return write_chain(l, &alone);
    case HD_OPIX_PtrCastToGeneric:
    case HD_OPIX_GenericCastToPtr: *done = write_storage_cast(l, &alone); return HD_OK;
    case HD_OPIX_Bitcast: *done = write_bitcast(l, &alone); return HD_OK;
    default: return HD_OK;
    }
}

/* ---- accesses ------------------------------------------------------------------------------ */

/* Copy with the pointer at word `at` cast to the type of what is accessed. */
static void write_access(HdLower *l, const HdInst *in, uint32_t at, HdId pointee)
{
    HdLowerWord word = {at, hd_lower_cast(l, in->w[at], pointee)};

    hd_lower_copy_with(l, in, &word, 1);
}

static HdId half(HdLower *l)
{
    const uint32_t bits = 16;

    if (!hd_module_has_capability(l->m, SpvCapabilityFloat16))
        hd_lower_need(l, HD_LOWER_FLOAT16_BUFFER);
    return hd_declared_type(&l->declared, SpvOpTypeFloat, &bits, 1);
}

/* Pointers of OpenCL.std's instructions: their word, and what they point to. */
static HdId pointee_of_std(HdLower *l, const HdInst *in, uint32_t *at)
{
    const HdType *t = hd_module_type(l->m, in->w[1]), *data;

    *at = in->nwords - 1u;
    switch (in->w[4]) {
    case OpenCLstd_fract:
    case OpenCLstd_modf:
    case OpenCLstd_sincos: return in->w[1];
    case OpenCLstd_frexp:
    case OpenCLstd_lgamma_r:
    case OpenCLstd_remquo:
        return hd_lower_vector(l, hd_lower_int(l, 32), t != NULL ? hd_type_lanes(t) : 1);
    case OpenCLstd_vloadn: *at = 6; return t != NULL ? hd_type_scalar(t)->id : 0;
    case OpenCLstd_vstoren:
        *at = 7;
        data = hd_module_type_of(l->m, in->w[5]);
        return data != NULL ? hd_type_scalar(data)->id : 0;
    case OpenCLstd_vload_half:
    case OpenCLstd_vload_halfn:
    case OpenCLstd_vloada_halfn: *at = 6; return half(l);
    case OpenCLstd_vstore_half:
    case OpenCLstd_vstore_half_r:
    case OpenCLstd_vstore_halfn:
    case OpenCLstd_vstore_halfn_r:
    case OpenCLstd_vstorea_halfn:
    case OpenCLstd_vstorea_halfn_r: *at = 7; return half(l);
    default: return 0;
    }
}

static HdStatus write_std(HdLower *l, const HdInst *in, bool *done)
{
    uint32_t at;
    HdId pointee;

    for (uint32_t i = 5; i < in->nwords; i++) {
        if (!has_untyped(l, in->w[i]))
            continue;
        if (in->w[4] == OpenCLstd_printf)
            return HD_OK; /* its format is bytes */
        pointee = hd_module_extset(l->m, in->w[3]) == HD_EXTSET_OpenCL_std
                      ? pointee_of_std(l, in, &at)
                      : 0;
        if (pointee == 0 || at != i)
            return hd_lower_fail(l, in, " with this untyped pointer");
        write_access(l, in, at, hd_lower_use(l, pointee));
        *done = true;
        return HD_OK;
    }
    return HD_OK;
}

/* Of the instructions that enqueue: pointers to device events at word `events` and the next; a
 * block's parameter, which its function may take as bytes, at word `param`. 0: none. */
static void write_enqueue(HdLower *l, const HdInst *in, uint32_t events, uint32_t param)
{
    HdLowerWord words[3];
    size_t count = 0;

    for (uint32_t i = events; events != 0 && i < events + 2; i++)
        if (has_untyped(l, in->w[i])) {
            HdId event = hd_declared_type(&l->declared, SpvOpTypeDeviceEvent, NULL, 0);

            words[count++] = (HdLowerWord){i, hd_lower_cast(l, in->w[i], event)};
        }
    if (param != 0)
        words[count++] = (HdLowerWord){param, hd_lower_cast(l, in->w[param], hd_lower_int(l, 8))};
    hd_lower_copy_with(l, in, words, count);
}

/* The variable itself; of what is derived from one, nothing is said. */
static void write_lifetime(HdLower *l, const HdInst *in)
{
    if (hd_module_opix(l->m, in->w[1]) == HD_OPIX_UntypedVariableKHR)
        hd_writer_inst(l->at, in->opcode, (const uint32_t[]){in->w[1], 0}, 2);
}

/* Pointers that have to be of one type: the second becomes the first's. */
static void write_pair(HdLower *l, const HdInst *in, uint32_t a, uint32_t b)
{
    HdId type = hd_lower_use(l, hd_module_type_id(l->m, in->w[a]));
    HdLowerWord word = {b, OP(l, 0, SpvOpBitcast, type, hd_lower_use(l, in->w[b]))};

    hd_lower_copy_with(l, in, &word, 1);
}

static bool is_mixed(const HdLower *l, const HdInst *in, uint32_t a, uint32_t b)
{
    return b < in->nwords && has_untyped(l, in->w[a]) != has_untyped(l, in->w[b]);
}

/* ---- copies of a work-group ---------------------------------------------------------------- */

static bool fixed(const HdLower *l, HdId id, uint64_t *value)
{
    const HdConstant *c = hd_module_constant(l->m, id);

    return c != NULL && !c->is_spec && hd_module_constant_u64(l->m, id, value);
}

/* The alignment given by memory operands from word *at on; 1 if they give none. *at is moved past
 * them. */
static uint32_t alignment(const HdInst *in, uint32_t *at)
{
    uint32_t mask = *at < in->nwords ? in->w[(*at)++] : 0, align = 1, ids;

    if ((mask & SpvMemoryAccessAlignedMask) != 0 && *at < in->nwords)
        align = in->w[(*at)++];
    ids = mask & (SpvMemoryAccessMakePointerAvailableMask | SpvMemoryAccessMakePointerVisibleMask |
                  SpvMemoryAccessAliasScopeINTELMaskMask | SpvMemoryAccessNoAliasINTELMaskMask);
    *at += (uint32_t)__builtin_popcount(ids);
    return align;
}

/* A type of so many bytes that may be copied and needs no greater alignment; 0: none. */
static HdId element_of(HdLower *l, uint64_t bytes, uint32_t align)
{
    if (bytes > align)
        return 0;
    switch (bytes) {
    case 1:
    case 2:
    case 4:
    case 8: return hd_lower_int(l, (uint32_t)bytes * 8);
    case 16:
    case 32: return hd_lower_vector(l, hd_lower_int(l, 64), (uint32_t)bytes / 8);
    default: return 0;
    }
}

/* Words: 1 type, 2 result, 3 scope, 4 destination, 5 source, 6 bytes of an element, 7 number of
 * elements, 8 stride, 9 event, then memory operands. Elements of a size that no type has, or of
 * unknown alignment, are copied byte by byte if they are contiguous. */
static HdStatus write_async_copy(HdLower *l, const HdInst *in)
{
    HdId scope = hd_lower_use(l, in->w[3]), count = hd_lower_use(l, in->w[7]), element = 0;
    HdId size = hd_lower_use(l, hd_module_type_id(l->m, in->w[7])), each;
    uint32_t at = 10, to = alignment(in, &at), from = alignment(in, &at);
    uint64_t bytes, stride;

    if (fixed(l, in->w[6], &bytes))
        element = element_of(l, bytes, to < from ? to : from);
    if (element == 0) {
        if (!fixed(l, in->w[8], &stride) || stride > 1)
            return hd_lower_fail(
                l, in,
                " for elements with a stride that have no size of a type, or whose "
                "memory operands do not say that they are aligned to it");
        element = hd_lower_int(l, 8);
        each = hd_lower_use(l, in->w[6]);
        if (hd_lower_use(l, hd_module_type_id(l->m, in->w[6])) != size)
            each = OP(l, 0, SpvOpUConvert, size, each);
        count = OP(l, 0, SpvOpIMul, size, count, each);
    }
    OP(l, in->w[2], SpvOpGroupAsyncCopy, hd_lower_use(l, in->w[1]), scope,
       hd_lower_cast(l, in->w[4], element), hd_lower_cast(l, in->w[5], element), count,
       hd_lower_use(l, in->w[8]), hd_lower_use(l, in->w[9]));
    return HD_OK;
}

/* Of a shader: is the instruction's pointer an address? Those in PhysicalStorageBuffer are, others
 * are logical. */
static bool has_address(HdLower *l, const HdInst *in)
{
    HdId pointee;
    uint32_t at;

    switch (in->opix) {
    case HD_OPIX_TypeUntypedPointerKHR:
    case HD_OPIX_TypePointer: return in->w[2] == SpvStorageClassPhysicalStorageBuffer;
    case HD_OPIX_UntypedAccessChainKHR:
    case HD_OPIX_UntypedInBoundsAccessChainKHR:
    case HD_OPIX_UntypedPtrAccessChainKHR:
    case HD_OPIX_UntypedInBoundsPtrAccessChainKHR: at = 4; break;
    case HD_OPIX_Bitcast: at = has_untyped(l, in->w[3]) ? 3 : 2; break;
    default: at = hd_lower_access(l, in, &pointee); break;
    }
    return at != 0 && has_untyped(l, in->w[at]) &&
           storage_of(l, in->w[at]) == SpvStorageClassPhysicalStorageBuffer;
}

HdStatus hd_lower_untyped(HdLower *l, const HdInst *in, bool *done)
{
    HdId pointee = 0;
    uint32_t at;

    if (!hd_module_is_opencl(l->m) &&
        (in->opix == HD_OPIX_CopyMemory || in->opix == HD_OPIX_CopyMemorySized))
        return hd_lower_copy_memory(l, in, done);
    if (!hd_module_is_opencl(l->m) && !has_address(l, in))
        return hd_lower_logical(l, in, done);
    *done = true;
    switch (in->opix) {
    case HD_OPIX_TypeUntypedPointerKHR: write_type(l, in); return HD_OK;
    case HD_OPIX_UntypedVariableKHR: return write_variable(l, in);
    case HD_OPIX_UntypedAccessChainKHR:
    case HD_OPIX_UntypedInBoundsAccessChainKHR:
    case HD_OPIX_UntypedPtrAccessChainKHR:
    case HD_OPIX_UntypedInBoundsPtrAccessChainKHR: return write_chain(l, in);
    case HD_OPIX_UntypedPrefetchKHR: return HD_OK; /* a hint */
    case HD_OPIX_UntypedArrayLengthKHR:
    case HD_OPIX_UntypedVariableLengthArrayINTEL: return hd_lower_fail(l, in, "");
    case HD_OPIX_UntypedGroupAsyncCopyKHR: return write_async_copy(l, in);
    case HD_OPIX_PtrEqual:
    case HD_OPIX_PtrNotEqual:
        if (is_mixed(l, in, 3, 4)) {
            write_pair(l, in, 3, 4);
            return HD_OK;
        }
        break;
    case HD_OPIX_CopyMemory:
        if (is_mixed(l, in, 1, 2)) {
            bool first = has_untyped(l, in->w[1]);
            uint32_t typed = first ? 2 : 1, other = first ? 1 : 2;
            const HdType *t = hd_module_type_of(l->m, in->w[typed]);

            if (t == NULL || hd_type_element(t) == NULL)
                return hd_lower_fail(l, in, " for this type");
            write_access(l, in, other, hd_lower_use(l, hd_type_element(t)->id));
            return HD_OK;
        }
        break;
    case HD_OPIX_ExtInst: *done = false; return write_std(l, in, done);
    case HD_OPIX_SpecConstantOp: return write_spec_op(l, in, done);
    case HD_OPIX_PtrCastToGeneric:
    case HD_OPIX_GenericCastToPtr:
    case HD_OPIX_GenericCastToPtrExplicit:
    case HD_OPIX_PtrCastToCrossWorkgroupINTEL:
    case HD_OPIX_CrossWorkgroupCastToPtrINTEL: *done = write_storage_cast(l, in); return HD_OK;
    case HD_OPIX_Bitcast: *done = write_bitcast(l, in); return HD_OK;
    case HD_OPIX_LifetimeStart:
    case HD_OPIX_LifetimeStop:
        *done = has_untyped(l, in->w[1]);
        if (*done)
            write_lifetime(l, in);
        return HD_OK;
    case HD_OPIX_EnqueueMarker: write_enqueue(l, in, 5, 0); return HD_OK;
    case HD_OPIX_EnqueueKernel: write_enqueue(l, in, 7, 10); return HD_OK;
    case HD_OPIX_GetKernelWorkGroupSize:
    case HD_OPIX_GetKernelPreferredWorkGroupSizeMultiple:
    case HD_OPIX_GetKernelMaxNumSubgroups: write_enqueue(l, in, 0, 4); return HD_OK;
    case HD_OPIX_GetKernelNDrangeSubGroupCount:
    case HD_OPIX_GetKernelNDrangeMaxSubGroupSize:
    case HD_OPIX_GetKernelLocalSizeForSubgroupCount: write_enqueue(l, in, 0, 5); return HD_OK;
    default: break;
    }
    at = hd_lower_access(l, in, &pointee);
    *done = at != 0 && has_untyped(l, in->w[at]);
    if (*done)
        write_access(l, in, at, hd_lower_use(l, pointee));
    return HD_OK;
}

/* ---- layout -------------------------------------------------------------------------------- */

/* Where a member is when nothing says where; members in order continue from one to the next. */
static uint64_t natural_offset(HdLower *l, const HdType *t, uint32_t member)
{
    bool packed = hd_module_decoration(l->m, t->id, SpvDecorationCPacked) != NULL;
    uint32_t i = 0;

    if (l->layout.type == t && l->layout.member < member)
        i = l->layout.member + 1;
    else
        l->layout.at = l->layout.end = 0;
    for (; i <= member && i < t->count; i++) {
        const HdType *m = hd_type_member(l->m, t, i);
        uint64_t align = packed || m->align == 0 ? 1 : m->align;

        l->layout.at = hd_round_up(l->layout.end, align);
        l->layout.end = l->layout.at + hd_type_size(m);
    }
    l->layout.type = t;
    l->layout.member = member;
    return l->layout.at;
}

/* Is a type, or its member, laid out as OpenCL does? Others than types have no layout. */
static bool is_natural(HdLower *l, HdId type, uint32_t member, uint32_t value)
{
    const HdType *t = hd_module_type(l->m, type), *e;

    if (t == NULL || t->kind == HD_T_POINTER)
        return true;
    if (member != HD_NO_MEMBER)
        return value == natural_offset(l, t, member);
    e = hd_type_element(t);
    return value == (e != NULL ? hd_type_size(e) : 0);
}

/* What says the layout that there is anyway goes; another one has no older form. What a group says
 * is compared where the group is applied. */
HdStatus hd_lower_layout(HdLower *l, const HdInst *in, bool *done)
{
    const bool member =
        in->opix == HD_OPIX_MemberDecorate || in->opix == HD_OPIX_GroupMemberDecorate;
    const uint32_t at = member ? 3 : 2;
    const uint32_t layout = member ? SpvDecorationOffset : SpvDecorationArrayStride;
    bool natural = true;

    if (hd_group_applies(in->opcode)) {
        const HdDecoration *d = hd_module_decoration(l->m, in->w[1], layout);

        for (uint32_t i = 2; d != NULL && i < in->nwords; i += hd_group_step(in->opcode))
            natural = natural && is_natural(l, in->w[i], member ? in->w[i + 1] : HD_NO_MEMBER,
                                            hd_decoration_value(l->m, d));
    } else if (hd_module_opix(l->m, in->w[1]) == HD_OPIX_DecorationGroup) {
        *done = in->opix == HD_OPIX_Decorate &&
                (in->w[2] == SpvDecorationOffset || in->w[2] == SpvDecorationArrayStride);
    } else if ((member || in->opix == HD_OPIX_Decorate) && in->w[at] == layout) {
        *done = true;
        natural = is_natural(l, in->w[1], member ? in->w[2] : HD_NO_MEMBER, in->w[at + 1]);
    }
    return natural ? HD_OK : hd_lower_fail(l, in, " for a layout that is not OpenCL's");
}
