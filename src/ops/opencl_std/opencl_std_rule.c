/* ops/opencl_std/opencl_std_rule.c -- rules of OpenCL.std.
 *
 * Each instruction of OpenCL.std belongs to a shape: what the result is and how the operands relate
 * to it. The table maps numbers to shapes.
 *
 * Spec: OpenCL Extended Instruction Set; SPV_KHR_untyped_pointers for pointers without pointee.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "gen/extinst.h"
#include "ops/opencl_std/opencl_std_rule.h"

#define FIRST 5 /* word of the first operand after the instruction's number */

typedef HdStatus Shape(HdVal *v, const HdInst *in, const HdType *t);

/* What the set calls integer and floating-point, and vectors of them. VectorAnyINTEL, whose
 * extension is not published, comes with vectors of any count here, too. Spec: "Binary Form". */
static bool is_shape(const HdVal *v, const HdType *t)
{
    uint32_t bits = hd_type_bits(t), lanes = hd_type_lanes(t);

    return (bits == 8 || bits == 16 || bits == 32 || bits == 64) &&
           (lanes <= 4 || lanes == 8 || lanes == 16 || hd_val_cap(v, SpvCapabilityVectorAnyINTEL));
}

static bool is_int(const HdVal *v, const HdType *t)
{
    return hd_is_int(t) && is_shape(v, t);
}

static bool is_float(const HdVal *v, const HdType *t)
{
    return hd_is_float(t) && hd_type_scalar(t)->encoding == 0 && is_shape(v, t);
}

static bool is_number(const HdVal *v, const HdType *t)
{
    return is_int(v, t) || is_float(v, t);
}

static HdStatus same_operands(HdVal *v, const HdInst *in, uint32_t from, uint32_t to,
                              const HdType *t)
{
    for (uint32_t i = from; i < to; i++)
        HD_RULE(hd_val_operand(v, in, i) == t, "std.operand",
                "the type of operand %u differs from the result type", hd_val_number(in, i));
    return HD_OK;
}

static HdStatus float_result(HdVal *v, const HdInst *in, const HdType *t)
{
    HD_RULE(is_float(v, t), "std.result", "the result is not a float scalar or vector");
    return HD_OK;
}

static HdStatus int_result(HdVal *v, const HdInst *in, const HdType *t)
{
    HD_RULE(is_int(v, t), "std.result", "the result is not an integer scalar or vector");
    return HD_OK;
}

/* half_…, native_… and vload_half. A warning: SYCL's native_exp2 and native_tanh of halves are
 * shipped, and other validators take all. */
static HdStatus of_float32(HdVal *v, const HdInst *in, const HdType *t)
{
    return hd_type_bits(t) == 32 ? HD_OK
                                 : hd_val_warn(v, in, "std.float32", "this is for 32-bit floats");
}

static HdStatus floats(HdVal *v, const HdInst *in, const HdType *t)
{
    HD_TRY(float_result(v, in, t));
    return same_operands(v, in, FIRST, in->nwords, t);
}

static HdStatus ints(HdVal *v, const HdInst *in, const HdType *t)
{
    HD_TRY(int_result(v, in, t));
    return same_operands(v, in, FIRST, in->nwords, t);
}

static HdStatus ints32(HdVal *v, const HdInst *in, const HdType *t)
{
    HD_TRY(ints(v, in, t));
    HD_RULE(hd_type_bits(t) == 32, "std.result", "the result has not 32 bits");
    return HD_OK;
}

/* An operand of 32-bit integers with as many components as the result. */
static HdStatus int32_like(HdVal *v, const HdInst *in, const HdType *o, const HdType *t)
{
    HD_RULE(o != NULL && is_int(v, o) && hd_type_bits(o) == 32, "std.int-operand",
            "an operand is not a 32-bit integer scalar or vector");
    HD_RULE(hd_type_lanes(o) == hd_type_lanes(t), "std.components",
            "an operand has another number of components than the result");
    return HD_OK;
}

static bool can_write(uint32_t storage)
{
    switch (storage) {
    case SpvStorageClassGeneric:
    case SpvStorageClassCrossWorkgroup:
    case SpvStorageClassWorkgroup:
    case SpvStorageClassFunction:
    case SpvStorageClassDeviceOnlyINTEL:
    case SpvStorageClassHostOnlyINTEL: return true;
    default: return false;
    }
}

/* A pointer operand to write a result through; *pointee NULL when it is untyped. */
static HdStatus out_pointer(HdVal *v, const HdInst *in, uint32_t at, const HdType **pointee)
{
    const HdType *p = hd_val_operand(v, in, at);

    HD_RULE(hd_is_pointer(p), "std.pointer", "operand %u is not a pointer", hd_val_number(in, at));
    HD_RULE(can_write(p->storage), "std.storage",
            "the pointer must be of storage class Generic, CrossWorkgroup, Workgroup or Function");
    *pointee = p->is_untyped ? NULL : hd_type_element(p);
    return HD_OK;
}

/* fract, modf, sincos: the pointer leads to the result's type. */
static HdStatus float_and_float(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdType *pointee;

    HD_TRY(float_result(v, in, t));
    HD_TRY(same_operands(v, in, FIRST, in->nwords - 1u, t));
    HD_TRY(out_pointer(v, in, in->nwords - 1u, &pointee));
    HD_RULE(pointee == NULL || pointee == t, "std.pointee",
            "the pointer points to another type than the result's");
    return HD_OK;
}

/* frexp, lgamma_r, remquo: the pointer leads to 32-bit integers. */
static HdStatus float_and_int(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdType *pointee;

    HD_TRY(float_result(v, in, t));
    HD_TRY(same_operands(v, in, FIRST, in->nwords - 1u, t));
    HD_TRY(out_pointer(v, in, in->nwords - 1u, &pointee));
    return pointee == NULL ? HD_OK : int32_like(v, in, pointee, t);
}

static HdStatus ilogb_(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdType *o = hd_val_operand(v, in, FIRST);

    HD_RULE(is_int(v, t) && hd_type_bits(t) == 32, "std.result",
            "the result is not a 32-bit integer scalar or vector");
    HD_RULE(o != NULL && is_float(v, o), "std.operand", "the operand is not a float");
    HD_RULE(hd_type_lanes(o) == hd_type_lanes(t), "std.components",
            "the operand has another number of components than the result");
    return HD_OK;
}

/* ldexp, pown, rootn. */
static HdStatus float_by_int(HdVal *v, const HdInst *in, const HdType *t)
{
    HD_TRY(float_result(v, in, t));
    HD_TRY(same_operands(v, in, FIRST, FIRST + 1, t));
    return int32_like(v, in, hd_val_operand(v, in, FIRST + 1), t);
}

static HdStatus nan_(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdType *o = hd_val_operand(v, in, FIRST);

    HD_TRY(float_result(v, in, t));
    HD_RULE(o != NULL && is_int(v, o), "std.operand", "the operand is not an integer");
    HD_RULE(hd_type_lanes(o) == hd_type_lanes(t) && hd_type_bits(o) == hd_type_bits(t),
            "std.components",
            "the operand has another width or number of components than the "
            "result");
    return HD_OK;
}

static HdStatus cross_(HdVal *v, const HdInst *in, const HdType *t)
{
    HD_TRY(float_result(v, in, t));
    HD_RULE(hd_type_lanes(t) == 3 || hd_type_lanes(t) == 4, "std.result",
            "the result has not 3 or 4 components");
    return same_operands(v, in, FIRST, in->nwords, t);
}

/* distance, length and their fast forms: from vectors to a scalar. */
static HdStatus to_length(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdType *o = hd_val_operand(v, in, FIRST);

    HD_RULE(hd_is_float_scalar(t), "std.result", "the result is not a float scalar");
    HD_RULE(o != NULL && is_float(v, o) && hd_type_lanes(o) <= 4, "std.operand",
            "the operand is not a float or vector of up to 4");
    HD_RULE(hd_type_scalar(o) == t, "std.component",
            "the operand's component type differs from the result type");
    return same_operands(v, in, FIRST, in->nwords, o);
}

static HdStatus normalize_(HdVal *v, const HdInst *in, const HdType *t)
{
    HD_TRY(float_result(v, in, t));
    HD_RULE(hd_type_lanes(t) <= 4, "std.result", "the result has more than 4 components");
    return same_operands(v, in, FIRST, in->nwords, t);
}

static HdStatus bitselect_(HdVal *v, const HdInst *in, const HdType *t)
{
    HD_RULE(is_number(v, t), "std.result", "the result is not a number or vector");
    return same_operands(v, in, FIRST, in->nwords, t);
}

static HdStatus select_(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdType *c = hd_val_operand(v, in, FIRST + 2);

    HD_RULE(is_number(v, t), "std.result", "the result is not a number or vector");
    HD_TRY(same_operands(v, in, FIRST, FIRST + 2, t));
    HD_RULE(c != NULL && is_int(v, c) && hd_type_lanes(c) == hd_type_lanes(t) &&
                hd_type_bits(c) == hd_type_bits(t),
            "std.condition", "the condition is not an integer of the result's shape and width");
    return HD_OK;
}

/* u_upsample, s_upsample: operands of half the width. */
static HdStatus upsample_(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdType *o = hd_val_operand(v, in, FIRST);

    HD_TRY(int_result(v, in, t));
    HD_RULE(hd_type_bits(t) == 16 || hd_type_bits(t) == 32 || hd_type_bits(t) == 64, "std.result",
            "the result has not 16, 32 or 64 bits");
    HD_RULE(o != NULL && is_int(v, o) && hd_type_lanes(o) == hd_type_lanes(t) &&
                hd_type_bits(o) * 2 == hd_type_bits(t),
            "std.operand", "the operands are not integers of half the result's width");
    return same_operands(v, in, FIRST, in->nwords, o);
}

/* ---- loads and stores ---------------------------------------------------------------------- */

static HdStatus size_operand(HdVal *v, const HdInst *in, uint32_t at)
{
    const HdType *o = hd_val_operand(v, in, at);
    uint32_t bits = hd_module_address_bits(v->m);

    HD_RULE(hd_is_int_scalar(o), "std.offset", "operand %u is not an integer scalar",
            hd_val_number(in, at));
    HD_RULE(v->m->addressing != SpvAddressingModelLogical, "std.addressing",
            "in logical addressing there is no size_t");
    HD_RULE(o->bits == bits, "std.offset", "operand %u must have %u bits", hd_val_number(in, at),
            (unsigned)bits);
    return HD_OK;
}

static HdStatus memory_pointer(HdVal *v, const HdInst *in, uint32_t at, bool write,
                               const HdType *component)
{
    const HdType *p = hd_val_operand(v, in, at);

    HD_RULE(hd_is_pointer(p), "std.pointer", "operand %u is not a pointer", hd_val_number(in, at));
    HD_RULE(can_write(p->storage) || (!write && p->storage == SpvStorageClassUniformConstant),
            "std.storage", "the pointer's storage class does not suit");
    if (p->is_untyped)
        return HD_OK;
    if (component != NULL)
        HD_RULE(hd_type_element(p) == component, "std.pointee",
                "the pointer points to another type than the vector's component");
    else
        HD_RULE(hd_is_float_scalar(hd_type_element(p)) && hd_type_element(p)->bits == 16 &&
                    hd_type_element(p)->encoding == 0,
                "std.pointee", "the pointer points to no half");
    return HD_OK;
}

static HdStatus literal_count(HdVal *v, const HdInst *in, uint32_t at, const HdType *t)
{
    HD_RULE(in->w[at] == hd_type_lanes(t), "std.count", "n is not the number of components");
    return HD_OK;
}

/* vloadn, vload_halfn, vloada_halfn: offset, pointer, n. */
static HdStatus vload_(HdVal *v, const HdInst *in, const HdType *t)
{
    bool half = in->w[4] != OpenCLstd_vloadn;

    HD_RULE(t->kind == HD_T_VECTOR &&
                (half ? is_float(v, t) && hd_type_bits(t) == 32 : is_number(v, t)),
            "std.result", "the result is not a vector of %s", half ? "32-bit floats" : "numbers");
    HD_TRY(size_operand(v, in, FIRST));
    HD_TRY(memory_pointer(v, in, FIRST + 1, false, half ? NULL : hd_type_element(t)));
    return literal_count(v, in, FIRST + 2, t);
}

static HdStatus vload_half_(HdVal *v, const HdInst *in, const HdType *t)
{
    HD_RULE(hd_is_float_scalar(t), "std.result", "the result is not a float scalar");
    HD_TRY(size_operand(v, in, FIRST));
    HD_TRY(memory_pointer(v, in, FIRST + 1, false, NULL));
    return of_float32(v, in, t);
}

/* vstoren and all stores of halves: data, offset, pointer, [rounding]. */
static HdStatus vstore_(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdType *data = hd_val_operand(v, in, FIRST);
    bool half = in->w[4] != OpenCLstd_vstoren;
    bool scalar = in->w[4] == OpenCLstd_vstore_half || in->w[4] == OpenCLstd_vstore_half_r;

    HD_RULE(t->kind == HD_T_VOID, "std.result", "the result is not void");
    HD_RULE(data != NULL && (data->kind == HD_T_VECTOR) == !scalar &&
                (half ? is_float(v, data) : is_number(v, data)),
            "std.data", "the data is not a %s of %s", scalar ? "scalar" : "vector",
            half ? "floats" : "numbers");
    HD_RULE(!half || hd_type_bits(data) == 32 || hd_type_bits(data) == 64, "std.data",
            "the data has not 32 or 64 bits");
    HD_TRY(size_operand(v, in, FIRST + 1));
    return memory_pointer(v, in, FIRST + 2, true, half ? NULL : hd_type_scalar(data));
}

/* ---- others -------------------------------------------------------------------------------- */

static bool is_shuffled(uint32_t count)
{
    return count == 2 || count == 4 || count == 8 || count == 16;
}

/* shuffle, shuffle2: the mask comes last. */
static HdStatus shuffle_(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdType *mask = hd_val_operand(v, in, in->nwords - 1u), *x;

    HD_RULE(t->kind == HD_T_VECTOR && is_number(v, t), "std.result",
            "the result is not a vector of numbers");
    x = hd_val_operand(v, in, FIRST);
    HD_RULE(x != NULL && x->kind == HD_T_VECTOR && hd_type_element(x) == hd_type_element(t),
            "std.operand", "the operand is not a vector of the result's component type");
    HD_RULE(is_shuffled(t->count) && is_shuffled(x->count), "std.shuffle-size",
            "there are shuffles of vectors of 2, 4, 8 and 16 components only");
    HD_TRY(same_operands(v, in, FIRST, in->nwords - 1u, x));
    HD_RULE(mask != NULL && mask->kind == HD_T_VECTOR && is_int(v, mask) &&
                mask->count == t->count && hd_type_bits(mask) == hd_type_bits(t),
            "std.mask", "the mask is not an integer vector of the result's shape and width");
    return HD_OK;
}

/* Characters, or the whole array of them, as clang-22 says it: the address is the same. */
static bool points_to_text(const HdType *p)
{
    const HdType *t = hd_type_element(p);

    if (t != NULL && t->kind == HD_T_ARRAY)
        t = hd_type_element(t);
    return t != NULL && hd_is_int_scalar(t) && t->bits == 8;
}

/* The characters that a format points to, when they are constants: those of the variable that it
 * is, or that a chain begins at. NULL when they are not known. */
static const HdConstant *format_text(const HdVal *v, HdId id)
{
    HdInst in;

    for (unsigned steps = 0; steps < 8 && hd_module_def(v->m, id, &in); steps++)
        switch (in.opix) {
        case HD_OPIX_Variable: return in.nwords > 4 ? hd_module_constant(v->m, in.w[4]) : NULL;
        case HD_OPIX_UntypedVariableKHR:
            return in.nwords > 5 ? hd_module_constant(v->m, in.w[5]) : NULL;
        case HD_OPIX_AccessChain:
        case HD_OPIX_InBoundsAccessChain:
        case HD_OPIX_PtrAccessChain:
        case HD_OPIX_InBoundsPtrAccessChain:
            for (uint32_t i = 4; i < in.nwords; i++) {
                uint64_t index;

                if (!hd_val_known_part(v, in.w[i], 0, &index) || index != 0)
                    return NULL;
            }
            id = in.w[3];
            break;
        case HD_OPIX_Bitcast: id = in.w[3]; break;
        default: return NULL;
        }
    return NULL;
}

/* One conversion of a format: "%v4hld" is 'd' of four lanes and length "hl". */
typedef struct Conversion {
    char letter, length[3];
    uint32_t lanes;
    bool takes_fields; /* width or precision are arguments: * */
} Conversion;

/* Parses what follows a '%'; returns its end. */
static const char *parse_conversion(const char *at, Conversion *out)
{
    size_t k;

    *out = (Conversion){.lanes = 1};
    at += strspn(at, "-+ #0");
    out->takes_fields = *at == '*';
    at += strspn(at, "*0123456789");
    if (*at == '.') {
        out->takes_fields |= at[1] == '*';
        at += 1 + strspn(at + 1, "*0123456789");
    }
    if (*at == 'v') {
        out->lanes = (uint32_t)strtoul(at + 1, NULL, 10);
        at += 1 + strspn(at + 1, "0123456789");
    }
    k = strspn(at, "hlztjL");
    memcpy(out->length, at, k < 2 ? k : 2);
    at += k;
    out->letter = *at;
    if (k > 2 || *at == '\0')
        out->letter = '?'; /* nothing that there is */
    return *at != '\0' ? at + 1 : at;
}

static bool is_one_of(const char *text, const char *const *list)
{
    for (; *list != NULL; list++)
        if (strcmp(text, *list) == 0)
            return true;
    return false;
}

static bool converts_float(const Conversion *c)
{
    return strchr("aAeEfFgG", c->letter) != NULL;
}

/* Is it one of C's that OpenCL C lacks, and that Heddle prints? */
static bool is_of_c(const Conversion *c)
{
    static const char *const whole[] = {"ll", "j", NULL}, *const floats_[] = {"L", NULL};

    if (c->lanes != 1 || strchr("diouxXaAeEfFgGcsp", c->letter) == NULL)
        return false;
    return is_one_of(c->length, converts_float(c) ? floats_ : whole) ||
           (c->takes_fields && strlen(c->length) < 2);
}

/* Is there such a conversion? Spec: OpenCL SPIR-V Environment Specification, "Printf Operands". */
static bool is_conversion(const HdVal *v, const Conversion *c)
{
    static const char *const scalar[] = {"", "h", "hh", "l", NULL},
                             *const sizes[] = {"z", "t", NULL},
                             *const vector[] = {"hh", "h", "hl", "l", NULL},
                             *const floats_[] = {"h", "hl", "l", NULL}, *const none[] = {"", NULL},
                             *const printed[] = {"", "l", NULL}; /* C's "%lf" is "%f" */

    if (strchr("diouxXaAeEfFgGcsp", c->letter) == NULL || c->takes_fields)
        return false;
    if (strchr("csp", c->letter) != NULL)
        return c->lanes == 1 && is_one_of(c->length, none);
    if (converts_float(c))
        return is_one_of(c->length, c->lanes == 1 ? printed : floats_);
    if (c->lanes == 1 && v->env->opencl >= 31 && is_one_of(c->length, sizes))
        return true;
    return is_one_of(c->length, c->lanes == 1 ? scalar : vector);
}

/* Spec: likewise. */
static bool conversion_takes(const HdVal *v, const HdType *o, const Conversion *c)
{
    uint32_t bits = hd_type_bits(o), size = hd_module_address_bits(v->m);

    if (c->letter == 's' || c->letter == 'p')
        return hd_is_pointer(o);
    if (hd_type_lanes(o) != c->lanes)
        return false;
    if (converts_float(c))
        return hd_is_float(o) && (c->lanes == 1                  ? bits == 32 || bits == 64
                                  : strcmp(c->length, "h") == 0  ? bits == 16
                                  : strcmp(c->length, "hl") == 0 ? bits == 32
                                                                 : bits == 64);
    if (!hd_is_int(o))
        return false;
    if (c->lanes == 1)
        return bits == (c->length[0] == 'z' || c->length[0] == 't' ? size
                        : c->length[0] == 'l'                      ? 64u
                                                                   : 32u);
    return bits == (strcmp(c->length, "hh") == 0   ? 8u
                    : strcmp(c->length, "h") == 0  ? 16u
                    : strcmp(c->length, "hl") == 0 ? 32u
                                                   : 64u);
}

/* The text of a format if it is known; false if it is not, or longer than `room`. */
static bool known_format(const HdVal *v, HdId id, char *out, size_t room)
{
    const HdConstant *text = format_text(v, id);

    if (text == NULL || text->kind != HD_C_COMPOSITE || text->count == 0 || text->count >= room)
        return false;
    for (uint32_t i = 0; i < text->count; i++) {
        HdConstant own;
        const HdConstant *c = hd_constant_at(text, i, &own);

        if (hd_val_is_open(v, c) || (c->kind != HD_C_SCALAR && c->kind != HD_C_NULL))
            return false;
        out[i] = (char)c->bits;
    }
    out[text->count] = '\0';
    return true;
}

/* A format whose text is known is compared with the arguments; what differs is undefined. */
static HdStatus printf_format(HdVal *v, const HdInst *in)
{
    uint32_t arg = FIRST + 1;
    char s[256];

    if (!known_format(v, in->w[FIRST], s, sizeof s))
        return HD_OK;
    for (const char *at = s; (at = strchr(at, '%')) != NULL;) {
        Conversion c;

        if (at[1] == '%') {
            at += 2;
            continue;
        }
        at = parse_conversion(at + 1, &c);
        if (!is_conversion(v, &c))
            return hd_val_warn(v, in, "std.printf-format", "%s",
                               is_of_c(&c) ? "the format has a conversion of C that OpenCL C lacks "
                                             "(ll, j, L, *): Heddle prints what C does"
                                           : "the format has a conversion that there is not: the "
                                             "behaviour is undefined");
        if (arg >= in->nwords)
            return hd_val_warn(v, in, "std.printf-arguments",
                               "there are fewer arguments than conversions: the behaviour is "
                               "undefined");
        if (hd_val_operand(v, in, arg) != NULL &&
            !conversion_takes(v, hd_val_operand(v, in, arg), &c))
            return hd_val_warn(v, in, "std.printf-operand",
                               "argument %u does not suit its conversion: the behaviour is "
                               "undefined",
                               (unsigned)(arg - FIRST));
        arg++;
    }
    return HD_OK;
}

static HdStatus printf_(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdType *p = hd_val_operand(v, in, FIRST);

    HD_RULE(hd_is_int_scalar(t) && t->bits == 32, "std.result",
            "the result is not a 32-bit integer");
    HD_RULE(hd_is_pointer(p), "std.format", "the format is not a pointer");
    HD_RULE(p->storage == SpvStorageClassUniformConstant ||
                (can_write(p->storage) &&
                 hd_module_has_extension(v->m, "SPV_EXT_relaxed_printf_string_address_space")),
            "std.format", "the format must be of storage class UniformConstant");
    HD_RULE(p->is_untyped || points_to_text(p), "std.format",
            "the format points to no 8-bit integers");
    return hd_val_opencl(v) && !v->options->is_compiled ? printf_format(v, in) : HD_OK;
}

static HdStatus prefetch_(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdType *p = hd_val_operand(v, in, FIRST);

    HD_RULE(t->kind == HD_T_VOID, "std.result", "the result is not void");
    HD_RULE(hd_is_pointer(p), "std.pointer", "the operand is not a pointer");
    HD_RULE(!p->is_untyped, "std.prefetch-untyped",
            "prefetch takes no untyped pointer: use OpUntypedPrefetchKHR");
    HD_RULE(p->storage == SpvStorageClassCrossWorkgroup ||
                p->storage == SpvStorageClassDeviceOnlyINTEL ||
                p->storage == SpvStorageClassHostOnlyINTEL,
            "std.storage", "the pointer must be of storage class CrossWorkgroup");
    HD_RULE(is_number(v, hd_type_element(p)), "std.pointee",
            "the pointer points to no number or vector");
    return size_operand(v, in, FIRST + 1);
}

static HdStatus floats32(HdVal *v, const HdInst *in, const HdType *t)
{
    HD_TRY(floats(v, in, t));
    return of_float32(v, in, t);
}

static Shape *shape_of(uint32_t number)
{
    switch (number) {
    case OpenCLstd_fract:
    case OpenCLstd_modf:
    case OpenCLstd_sincos: return float_and_float;
    case OpenCLstd_frexp:
    case OpenCLstd_lgamma_r:
    case OpenCLstd_remquo: return float_and_int;
    case OpenCLstd_ilogb: return ilogb_;
    case OpenCLstd_ldexp:
    case OpenCLstd_pown:
    case OpenCLstd_rootn: return float_by_int;
    case OpenCLstd_nan: return nan_;
    case OpenCLstd_cross: return cross_;
    case OpenCLstd_distance:
    case OpenCLstd_length:
    case OpenCLstd_fast_distance:
    case OpenCLstd_fast_length: return to_length;
    case OpenCLstd_normalize:
    case OpenCLstd_fast_normalize: return normalize_;
    case OpenCLstd_u_mad24:
    case OpenCLstd_s_mad24:
    case OpenCLstd_u_mul24:
    case OpenCLstd_s_mul24: return ints32;
    case OpenCLstd_u_upsample:
    case OpenCLstd_s_upsample: return upsample_;
    case OpenCLstd_vloadn:
    case OpenCLstd_vload_halfn:
    case OpenCLstd_vloada_halfn: return vload_;
    case OpenCLstd_vload_half: return vload_half_;
    case OpenCLstd_vstoren:
    case OpenCLstd_vstore_half:
    case OpenCLstd_vstore_half_r:
    case OpenCLstd_vstore_halfn:
    case OpenCLstd_vstore_halfn_r:
    case OpenCLstd_vstorea_halfn:
    case OpenCLstd_vstorea_halfn_r: return vstore_;
    case OpenCLstd_shuffle:
    case OpenCLstd_shuffle2: return shuffle_;
    case OpenCLstd_printf: return printf_;
    case OpenCLstd_prefetch: return prefetch_;
    case OpenCLstd_bitselect: return bitselect_;
    case OpenCLstd_select: return select_;
    default: break;
    }
    if (number >= OpenCLstd_half_cos && number <= OpenCLstd_native_tan)
        return floats32;
    if (number <= OpenCLstd_fast_normalize)
        return floats;
    return ints;
}

HdStatus hd_rule_opencl_std(HdVal *v, const HdInst *in, const HdType *t)
{
    return shape_of(in->w[4])(v, in, t);
}
