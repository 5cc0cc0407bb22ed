/* val/needs.c -- versions, capabilities and extensions that instructions and enumerants need.
 *
 * All of it comes from the grammar: every opcode, enumerant and extended instruction lists the
 * capabilities (any one of them), version or extension that allow it. What an OpenCL environment
 * accepts of capabilities and extensions is in env.c.
 *
 * Spec: SPIR-V, "Capability", "Extensions", "Binary Form"; OpenCL SPIR-V Environment Specification,
 * "Required Capabilities".
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitset.h"
#include "val/rule.h"

#define SPEC_CAPABILITY "Capability"
#define SPEC_VULKAN     "Vulkan Environment for SPIR-V, Capabilities"
#define SPEC_ENV        "OpenCL SPIR-V Environment Specification"

bool hd_val_any_cap(const HdVal *v, const HdNeeds *n)
{
    for (unsigned i = 0; i < n->capability_count; i++)
        if (hd_module_has_capability(v->m, n->capabilities[i]))
            return true;
    return n->capability_count == 0;
}

bool hd_val_lacks(const HdVal *v, uint16_t kind, uint32_t value)
{
    const HdEnumerant *e = hd_gram_enumerant(kind, value);

    return e != NULL && !hd_val_any_cap(v, &e->needs);
}

/* SPV_AMD_shader_ballot brings its instructions without the capability that the grammar names. */
static bool brought_by_extension(const HdVal *v, const HdInst *in)
{
    size_t len = strlen(hd_gram_insts[in->opix].name);

    return hd_val_ext(v, HD_EXT_SPV_AMD_shader_ballot) && len > 3 &&
           strcmp(hd_gram_insts[in->opix].name + len - 3, "AMD") == 0;
}

static bool any_extension(const HdVal *v, const HdNeeds *n)
{
    for (unsigned i = 0; i < n->extension_count; i++)
        if (hd_val_ext(v, n->extensions[i]))
            return true;
    return n->extension_count == 0;
}

static const char *capability_name(uint32_t capability)
{
    const HdEnumerant *e = hd_gram_enumerant(HD_KIND_Capability, capability);

    return e != NULL ? e->name : "(unknown)";
}

static HdStatus missing_capability(HdVal *v, const HdInst *in, const char *name, const HdNeeds *n)
{
    char list[256];
    size_t at = 0;

    list[0] = '\0';
    for (unsigned i = 0; i < n->capability_count && at + 64 < sizeof list; i++) {
        const char *c = capability_name(n->capabilities[i]);

        at += (size_t)snprintf(list + at, sizeof list - at, "%s%.50s", i != 0 ? ", " : "", c);
    }
    return hd_val_fail_spec(v, in, "needs.capability", SPEC_CAPABILITY, "%s needs %s%s", name,
                            n->capability_count == 1 ? "capability " : "one of the capabilities ",
                            list);
}

static HdStatus wrong_version(HdVal *v, const HdInst *in, const char *name, const HdNeeds *n)
{
    if (n->max_version < v->m->version)
        return hd_val_fail_spec(
            v, in, "needs.version", "Version", "%s is in SPIR-V up to %u.%u only", name,
            (unsigned)(n->max_version >> 16), (unsigned)(n->max_version >> 8 & 0xff));
    if (n->extension_count != 0)
        return hd_val_fail_spec(v, in, "needs.extension", "Extension", "%s needs extension %s",
                                name, hd_gram_extension_name(n->extensions[0]));
    if (n->min_version == HD_VERSION_NONE)
        return hd_val_fail_spec(v, in, "needs.reserved", "Version", "%s is reserved", name);
    return hd_val_fail_spec(v, in, "needs.version", "Version", "%s needs SPIR-V %u.%u", name,
                            (unsigned)(n->min_version >> 16),
                            (unsigned)(n->min_version >> 8 & 0xff));
}

static bool version_fits(const HdVal *v, const HdNeeds *n)
{
    return n->min_version != HD_VERSION_NONE && n->min_version <= v->m->version &&
           v->m->version <= n->max_version;
}

/* Needs of an enumerant or an extended instruction. */
static HdStatus check_enumerant(HdVal *v, const HdInst *in, const char *name, const HdNeeds *n,
                                bool is_capability)
{
    if (!is_capability && !hd_val_any_cap(v, n))
        return missing_capability(v, in, name, n);
    if (version_fits(v, n))
        return HD_OK;
    if (n->max_version < v->m->version)
        return wrong_version(v, in, name, n);
    if (n->extension_count != 0 ? any_extension(v, n) : n->min_version == HD_VERSION_NONE)
        return HD_OK;
    return wrong_version(v, in, name, n);
}

/* Is a declared capability older than the instruction, so that it does not bring it? Reserved
 * instructions are of no version yet, and their capability is of one. */
static bool is_newer(const HdVal *v, const HdNeeds *n)
{
    if (version_fits(v, n) || n->extension_count != 0)
        return false;
    for (unsigned i = 0; i < n->capability_count; i++) {
        const HdEnumerant *e = hd_gram_enumerant(HD_KIND_Capability, n->capabilities[i]);

        if (hd_module_has_capability(v->m, n->capabilities[i]) && e != NULL &&
            version_fits(v, &e->needs))
            return true;
    }
    return false;
}

/* An instruction that a capability brings is as available as the capability. */
static HdStatus check_opcode(HdVal *v, const HdInst *in)
{
    const HdGramInst *g = &hd_gram_insts[in->opix];
    const HdNeeds *n = &g->needs;

    if (!hd_val_any_cap(v, n))
        return brought_by_extension(v, in) ? HD_OK : missing_capability(v, in, g->name, n);
    if (n->max_version < v->m->version)
        return wrong_version(v, in, g->name, n);
    if (n->capability_count != 0 && in->opix != HD_OPIX_TerminateInvocation && !is_newer(v, n))
        return HD_OK;
    if (version_fits(v, n) || (n->extension_count != 0 && any_extension(v, n)))
        return HD_OK;
    /* Shipping producers decorate by id before the version that has the instruction. */
    if (in->opix == HD_OPIX_DecorateId && v->m->version < 0x10200)
        return hd_val_warn(v, in, "needs.decorate-id", "OpDecorateId needs SPIR-V 1.2");
    return wrong_version(v, in, g->name, n);
}

/* Enumerants that do not need the capability which the grammar names. */
static bool exempt(const HdVal *v, const HdInst *in, const HdOperandPart *part, uint32_t value)
{
    if (in->opix == HD_OPIX_Capability)
        return false;
    /* In OpenCL entry.model says more of the models of shaders. */
    if (in->opix == HD_OPIX_EntryPoint)
        return hd_val_opencl(v) && value != SpvExecutionModelKernel;
    /* A built-in's capability is needed when the decorated variable is used. */
    if (part->kind == HD_KIND_BuiltIn)
        return value == SpvBuiltInPointSize || value == SpvBuiltInClipDistance ||
               value == SpvBuiltInCullDistance;
    /* Untyped chains of kernels walk types with explicit layout; the grammar requires Shader for
     * that, which kernels do not have. */
    return part->kind == HD_KIND_Decoration &&
           (value == SpvDecorationOffset || value == SpvDecorationArrayStride) &&
           hd_module_has_capability(v->m, SpvCapabilityKernel) &&
           hd_module_has_capability(v->m, SpvCapabilityUntypedPointersKHR);
}

static HdStatus check_part(HdVal *v, const HdInst *in, const HdOperandPart *part)
{
    uint32_t value = in->w[part->at];
    HdStatus st = HD_OK;

    if (part->klass == HD_OPERAND_EXT_INST) {
        const HdExtInst *e =
            part->set == HD_EXTSET_UNKNOWN ? NULL : hd_gram_extinst(part->set, value);

        return e == NULL || hd_val_any_cap(v, &e->needs)
                   ? HD_OK
                   : missing_capability(v, in, e->name, &e->needs);
    }
    if (part->klass == HD_OPERAND_ENUM) {
        const HdEnumerant *e = hd_gram_enumerant(part->kind, value);

        if (e == NULL || exempt(v, in, part, value) ||
            (part->kind == HD_KIND_GroupOperation && hd_val_ext(v, HD_EXT_SPV_AMD_shader_ballot)))
            return HD_OK;
        return check_enumerant(v, in, e->name, &e->needs, in->opix == HD_OPIX_Capability);
    }
    for (unsigned bit = 0; part->klass == HD_OPERAND_MASK && bit < 32; bit++) {
        const HdEnumerant *e;

        if (!(value >> bit & 1))
            continue;
        e = hd_gram_enumerant(part->kind, (uint32_t)1 << bit);
        if (e != NULL && check_enumerant(v, in, e->name, &e->needs, false) != HD_OK)
            st = HD_BAD_INPUT;
    }
    return st;
}

/* Extensions that are written against a version, and ask for it. */
static const struct {
    uint32_t version;
    const char *extension;
} first_versions[] = {
    {0x10300, "SPV_KHR_vulkan_memory_model"},
    {0x10300, "SPV_QCOM_cooperative_matrix_conversion"},
    {0x10400, "SPV_KHR_workgroup_memory_explicit_layout"},
    {0x10400, "SPV_KHR_opacity_micromap"},
    {0x10400, "SPV_EXT_mesh_shader"},
    {0x10400, "SPV_NV_shader_invocation_reorder"},
    {0x10400, "SPV_EXT_shader_invocation_reorder"},
    {0x10400, "SPV_NV_cluster_acceleration_structure"},
    {0x10400, "SPV_NV_linear_swept_spheres"},
    {0x10400, "SPV_QCOM_image_processing"},
    {0x10400, "SPV_QCOM_image_processing2"},
};

/* Seed "OpenCL Extensions", "Declaring SPIR-V Extensions". */
static HdStatus check_extension(HdVal *v, const HdInst *in)
{
    const char *name = hd_inst_string(in, 1);

    for (size_t i = 0; i < sizeof first_versions / sizeof *first_versions; i++)
        if (v->m->version < first_versions[i].version &&
            strcmp(name, first_versions[i].extension) == 0)
            return hd_val_fail_spec(v, in, "needs.extension-version", first_versions[i].extension,
                                    "this extension needs SPIR-V 1.%u",
                                    (unsigned)first_versions[i].version >> 8 & 0xff);
    if (hd_val_vulkan(v) && !hd_val_vulkan_spirv(v->env, name))
        return hd_val_fail_spec(v, in, "vulkan.extension", SPEC_VULKAN,
                                "no version of Vulkan and none of its extensions has %s", name);
    if (!hd_val_opencl(v))
        return HD_OK;
    if (strncmp(name, "cl_", 3) == 0 || strncmp(name, "cles_", 5) == 0)
        return hd_val_fail_spec(v, in, "needs.extension-name", SPEC_ENV,
                                "OpExtension names OpenCL extension %s; only SPIR-V extensions "
                                "are declared",
                                name);
    if (v->env->names_alone && hd_gram_extension(name, strlen(name)) >= 0)
        return HD_OK; /* what it brings is judged where it is used */
    if (!hd_val_env_spirv(v->env, name) && v->m->version < hd_val_env_promoted(name))
        return hd_val_fail_spec(v, in, "needs.environment-extension", SPEC_ENV,
                                "%s does not accept extension %s", v->env->name, name);
    return HD_OK;
}

/* The shader debug information's name ends in a revision, of which 100 is the first. */
static HdStatus check_revision(HdVal *v, const HdInst *in, const char *name)
{
    static const char debug[] = "NonSemantic.Shader.DebugInfo.";
    const char *digits = name + sizeof debug - 1;

    if (strncmp(name, debug, sizeof debug - 1) != 0)
        return HD_OK;
    if (*digits == '\0' || digits[strspn(digits, "0123456789")] != '\0' ||
        strtoul(digits, NULL, 10) < 100)
        return hd_val_fail_spec(v, in, "needs.revision", "NonSemantic.Shader.DebugInfo",
                                "\"%s\" does not end in a revision from 100 on", name);
    return HD_OK;
}

static HdStatus check_import(HdVal *v, const HdInst *in)
{
    const char *name = hd_inst_string(in, 2);
    unsigned set = hd_gram_extset(name, strlen(name));

    if (strncmp(name, "NonSemantic.", 12) == 0) {
        if (v->m->version < 0x10600 && !hd_val_ext(v, HD_EXT_SPV_KHR_non_semantic_info))
            return hd_val_fail_spec(v, in, "needs.non-semantic", "OpExtInstImport",
                                    "%s needs SPIR-V 1.6 or extension SPV_KHR_non_semantic_info",
                                    name);
        return check_revision(v, in, name);
    }
    if (set == HD_EXTSET_UNKNOWN)
        return hd_val_fail_spec(v, in, "needs.import", "OpExtInstImport",
                                "\"%s\" is not a known extended instruction set", name);
    if (hd_val_opencl(v) && !hd_val_env_set(v->env, name))
        return hd_val_fail_spec(v, in, "needs.environment-import", SPEC_ENV,
                                "%s does not accept the extended instructions \"%s\"", v->env->name,
                                name);
    /* A warning: its words forbid it, and other validators take it. */
    return set != HD_EXTSET_OpenCL_std || v->m->memory_model == SpvMemoryModelOpenCL
               ? HD_OK
               : hd_val_warn(v, in, "needs.import-model",
                             "\"%s\" is only for the memory model OpenCL", name);
}

static HdStatus check_capability(HdVal *v, const HdInst *in)
{
    if (hd_val_vulkan(v) && !hd_val_env_capability(v->env, v->m, in->w[1]))
        return hd_val_fail_spec(v, in, "vulkan.capability", SPEC_VULKAN,
                                "%s has no capability %s, or not without a SPIR-V extension",
                                v->env->name, capability_name(in->w[1]));
    if (!hd_val_opencl(v) || hd_val_env_capability(v->env, v->m, in->w[1]))
        return HD_OK;
    return hd_val_fail_spec(v, in, "needs.environment-capability", SPEC_ENV,
                            "%s does not accept capability %s", v->env->name,
                            capability_name(in->w[1]));
}

/* Cache of instructions that need nothing missing, because they recur: those whose only enumerant,
 * mask or extended instruction is the first word after the ones that the opcode's form covers,
 * keyed by that word. */
#define SEEN 128u /* a power of two */
typedef struct Seen {
    uint64_t at[SEEN];
} Seen;

/* Opcode, length, the word and for extended instructions their set; 0: too large for a key. */
static uint64_t seen_key(const HdInst *in)
{
    uint32_t first = hd_gram_forms[in->opix].prefix + 1u;
    bool ext = in->opix == HD_OPIX_ExtInst;
    uint64_t word;

    if (in->nwords <= first || in->nwords > 63)
        return 0;
    word = in->w[first];
    if (ext && (word > 0xffff || in->w[3] > 0xffff))
        return 0;
    return (uint64_t)in->opix << 38 | (uint64_t)in->nwords << 32 | word |
           (ext ? in->w[3] << 16 : 0);
}

static uint64_t *seen_slot(Seen *seen, uint64_t key)
{
    return &seen->at[(key * 0x9e3779b97f4a7c15u >> 40) % SEEN];
}

/* Does nothing after the opcode of an OpSpecConstantOp need a check? Its words are those of that
 * instruction, shifted by one. */
static bool is_plain_spec_op(const HdInst *in, uint32_t at)
{
    enum HdOpix opix = hd_gram_find(in->w[at]);

    return opix != HD_OPIX_NONE && hd_form_is_plain(&hd_gram_forms[opix], in->nwords - 1u);
}

/* Behind the first zero of a string's last word are only zeros. Such names mislead no
 * implementation. */
static void check_padding(HdVal *v, const HdInst *in, const HdOperandPart *part)
{
    uint32_t last = in->w[part->at + part->nwords - 1];

    if (last != hd_string_padded(last) && !v->options->to_build)
        (void)hd_val_fail_spec(v, in, "module.string-padding", "Literals",
                               "the string's last word is not padded with zeros");
}

/* Enumerants, masks, strings and extended instructions. Returns whether there is nothing to say of
 * any instruction with the same key. */
static bool check_parts(HdVal *v, const HdInst *in)
{
    uint32_t first = hd_gram_forms[in->opix].prefix + 1u;
    size_t said = v->d->count + v->d->errors;
    bool only_first = true;
    HdOperandWalk walk;
    HdOperandPart part;

    hd_operands_start_rest(&walk, &v->m->operand_types, in->w, in->nwords);
    while (hd_operands_next(&walk, &part)) {
        if (part.klass == HD_OPERAND_STRING)
            check_padding(v, in, &part);
        only_first &= part.klass != HD_OPERAND_STRING &&
                      (part.klass != HD_OPERAND_SPEC_OP || is_plain_spec_op(in, part.at));
        if (part.klass != HD_OPERAND_ENUM && part.klass != HD_OPERAND_MASK &&
            part.klass != HD_OPERAND_EXT_INST)
            continue;
        only_first &= part.at == first;
        (void)check_part(v, in, &part);
    }
    return only_first && v->d->count + v->d->errors == said;
}

static void check_version(HdVal *v)
{
    if (v->env->max_version != 0 && v->m->version > v->env->max_version)
        (void)hd_fail(v->d, HD_BAD_INPUT, 1, "needs.module-version",
                      "the module is SPIR-V %u.%u, %s accepts up to %u.%u",
                      (unsigned)(v->m->version >> 16), (unsigned)(v->m->version >> 8 & 0xff),
                      v->env->name, (unsigned)(v->env->max_version >> 16),
                      (unsigned)(v->env->max_version >> 8 & 0xff));
}

HdStatus hd_val_needs(HdVal *v)
{
    uint8_t fine[HD_OPIX_COUNT] = {0}; /* opcodes that there is nothing to say about */
    uint32_t word = HD_MODULE_FIRST_WORD;
    Seen seen = {{0}};

    check_version(v);
    for (HdInst in; hd_module_next(v->m, &word, &in);) {
        size_t said = v->d->count + v->d->errors;
        uint64_t key;
        bool is_seen;

        if (fine[in.opix] && hd_form_is_plain(&hd_gram_forms[in.opix], in.nwords))
            continue; /* enumerants are never in plain words */
        if (in.opix == HD_OPIX_NONE) {
            (void)hd_val_fail(v, &in, "needs.opcode", "unknown opcode %u", (unsigned)in.opcode);
            continue;
        }
        v->any_sampled |= in.opix == HD_OPIX_SampledImage;
        if (!fine[in.opix]) {
            if (hd_val_opencl(v) && hd_val_specs[in.opix] == NULL)
                (void)hd_val_fail(v, &in, "needs.unsupported",
                                  "%s is not supported in OpenCL modules",
                                  hd_gram_insts[in.opix].name);
            else
                (void)check_opcode(v, &in);
            fine[in.opix] = v->d->count + v->d->errors == said;
            v->unusable[in.opix] = !fine[in.opix];
        }
        key = seen_key(&in);
        if (key != 0 && *seen_slot(&seen, key) == key)
            continue;
        is_seen = check_parts(v, &in) && key != 0 && fine[in.opix];
        switch (in.opix) {
        case HD_OPIX_Extension: (void)check_extension(v, &in); break;
        case HD_OPIX_ExtInstImport: (void)check_import(v, &in); break;
        case HD_OPIX_Capability: is_seen &= check_capability(v, &in) == HD_OK; break;
        default: break;
        }
        if (is_seen)
            *seen_slot(&seen, key) = key;
    }
    return HD_OK;
}
