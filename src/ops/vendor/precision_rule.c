/* ops/vendor/precision_rule.c -- rules of arbitrary precision, by the table precision.def: its
 * numbers are integers, whose bits literals describe.
 *
 * Spec: SPV_ALTERA_arbitrary_precision_fixed_point, "Instructions";
 * SPV_ALTERA_arbitrary_precision_floating_point, "Instructions", "Validation Rules".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/shader_rules.h"

#define FIRST 3 /* word of the first operand */

static const char *const signatures[HD_OPIX_COUNT] = {
#define PRECISION(opcode, signature) [HD_OPIX_##opcode] = signature,
#include "ops/vendor/precision.def"
#undef PRECISION
};

static HdStatus result(HdVal *v, const HdInst *in, char letter)
{
    const HdType *t = hd_val_result(v, in);

    switch (letter) {
    case 'b':
        HD_RULE(hd_is_bool_scalar(t), "vendor.precision-result", "the result is not a boolean");
        break;
    case 'v':
        HD_RULE(hd_is_int(t) && hd_type_lanes(t) == 2, "vendor.precision-result",
                "the result is not a vector of two integers");
        break;
    default:
        HD_RULE(hd_is_int_scalar(t), "vendor.precision-result", "the result is not an integer");
        break;
    }
    return HD_OK;
}

/* Sign and mantissa are in the integer, at least. */
static HdStatus mantissa(HdVal *v, const HdInst *in, uint32_t at, const HdType *t)
{
    HD_RULE(in->w[at] < hd_type_bits(t), "vendor.precision-mantissa",
            "a mantissa of %u bits is wider than what %u bits leave beside the sign",
            (unsigned)in->w[at], (unsigned)hd_type_bits(t));
    return HD_OK;
}

/* Kernels have signedness 0 in all types, whichever the literal is. */
static HdStatus signedness(HdVal *v, const HdInst *in, uint32_t at)
{
    HD_RULE(v->kernel || hd_val_result(v, in)->is_signed == (in->w[at] != 0),
            "vendor.precision-result", "the result has not the signedness %u", (unsigned)in->w[at]);
    return HD_OK;
}

/* The largest number of a table of the extensions', or of "FP Rounding Mode". */
static uint32_t last_of(char letter)
{
    switch (letter) {
    case 's':
    case 't':
    case 'e':
    case 'a': return 1;
    case 'r':
    case 'o': return 3;
    case 'q': return 7;
    default: return UINT32_MAX;
    }
}

HdStatus hd_rule_precision(HdVal *v, const HdInst *in)
{
    const char *signature = signatures[in->opix];

    HD_TRY(result(v, in, signature[0]));
    for (uint32_t i = FIRST; i < in->nwords; i++) {
        char letter = signature[i - FIRST + 1];
        const char *name = hd_gram_insts[in->opix].operands[i - 1].name;

        HD_RULE(letter != 'i' || hd_is_int_scalar(hd_val_operand(v, in, i)),
                "vendor.precision-operand", "%s is not an integer", name);
        HD_RULE(in->w[i] <= last_of(letter) || letter == 'i', "vendor.precision-literal",
                "%s is %u; the last that there is is %u", name, (unsigned)in->w[i],
                (unsigned)last_of(letter));
        if (letter == 'm')
            HD_TRY(mantissa(v, in, i, hd_val_operand(v, in, i - 1)));
        if (letter == 'M')
            HD_TRY(mantissa(v, in, i, hd_val_result(v, in)));
        if (letter == 't')
            HD_TRY(signedness(v, in, i));
    }
    return HD_OK;
}
