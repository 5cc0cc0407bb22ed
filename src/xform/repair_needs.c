/* xform/repair_needs.c -- capabilities and extensions that a module uses and does not declare, and
 * those that other repairs need.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/repair_state.h"

#include <string.h>

#include "grammar/grammar.h"

/* What the mended form of a slip needs. */
static const struct {
    HdSlip slip;
    bool has_capability;
    uint32_t capability;
    const char *extension; /* NULL: none */
} needs[] = {
    {HD_SLIP_INT64_ATOMICS, true, SpvCapabilityInt64Atomics, NULL},
    {HD_SLIP_VECTOR_COUNT, true, SpvCapabilityVectorAnyINTEL, "SPV_INTEL_vector_compute"},
    {HD_SLIP_SINGLE, true, SpvCapabilityLongVectorEXT, "SPV_EXT_long_vector"},
    {HD_SLIP_FLOAT_CONTROLS, true, SpvCapabilityFloatControls2, "SPV_KHR_float_controls2"},
    {HD_SLIP_SUBGROUP_SIZE, true, SpvCapabilitySubgroupDispatch, NULL},
    {HD_SLIP_NO_WRAP, false, 0, HD_NO_WRAP_EXTENSION},
    {HD_SLIP_STORAGE_BUFFER, false, 0, HD_STORAGE_EXTENSION},
};
#define NEEDS (sizeof needs / sizeof *needs)

static HdStatus find_extensions(HdRepair *r)
{
    HD_TAKE(r->extensions, HD_NEW(r->a, bool, HD_EXT_COUNT));
    for (uint32_t i = 0; i < r->m->extension_count; i++) {
        const char *name = r->m->extensions[i];
        int index = hd_gram_extension(name, strlen(name));

        if (index >= 0)
            r->extensions[index] = true;
    }
    return HD_OK;
}

/* The extension that brings a capability of this module and that it does not declare;
 * HD_EXT_COUNT: none. */
static unsigned missing_extension(const HdRepair *r, uint32_t capability)
{
    const HdEnumerant *e = hd_gram_enumerant(HD_KIND_Capability, capability);

    if (e == NULL || e->needs.extension_count == 0 ||
        (e->needs.min_version != HD_VERSION_NONE && e->needs.min_version <= r->m->version))
        return HD_EXT_COUNT;
    for (unsigned i = 0; i < e->needs.extension_count; i++)
        if (r->extensions[e->needs.extensions[i]])
            return HD_EXT_COUNT;
    return e->needs.extensions[0];
}

HdStatus hd_repair_find_capability(HdRepair *r, const HdInst *in)
{
    if (r->extensions == NULL)
        HD_TRY(find_extensions(r));
    if (missing_extension(r, in->w[1]) != HD_EXT_COUNT)
        hd_repair_note(r, HD_SLIP_EXTENSION, in->word);
    return HD_OK;
}

HdStatus hd_repair_find_mode(HdRepair *r, const HdInst *in)
{
    if (in->w[2] == SpvExecutionModeFPFastMathDefault &&
        !hd_module_has_capability(r->m, SpvCapabilityFloatControls2))
        hd_repair_note(r, HD_SLIP_FLOAT_CONTROLS, in->word);
    if (in->w[2] == SpvExecutionModeSubgroupSize && r->m->version >= 0x10100 &&
        !hd_module_has_capability(r->m, SpvCapabilitySubgroupDispatch))
        hd_repair_note(r, HD_SLIP_SUBGROUP_SIZE, in->word);
    return HD_OK;
}

static void write_capability(HdRepair *r, uint32_t capability)
{
    hd_writer_inst(r->out, SpvOpCapability, &capability, 1);
}

static void write_missing(HdRepair *r)
{
    bool is_written[HD_EXT_COUNT + 1] = {[HD_EXT_COUNT] = true};
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; hd_module_next(r->m, &word, &in) && in.opix == HD_OPIX_Capability;) {
        unsigned extension = missing_extension(r, in.w[1]);

        if (!is_written[extension])
            hd_writer_text(r->out, SpvOpExtension, 0, hd_gram_extension_name(extension));
        is_written[extension] = true;
    }
}

void hd_repair_write_needs(HdRepair *r)
{
    if (r->new_half)
        write_capability(r, SpvCapabilityFloat16Buffer);
    if (r->new_int64 && !hd_module_has_capability(r->m, SpvCapabilityInt64))
        write_capability(r, SpvCapabilityInt64);
    for (size_t i = 0; i < NEEDS; i++)
        if (r->where[needs[i].slip] != 0 && needs[i].has_capability)
            write_capability(r, needs[i].capability);
    for (size_t i = 0; i < NEEDS; i++)
        if (r->where[needs[i].slip] != 0 && needs[i].extension != NULL)
            hd_writer_text(r->out, SpvOpExtension, 0, needs[i].extension);
    if (r->where[HD_SLIP_EXTENSION] != 0)
        write_missing(r);
}
