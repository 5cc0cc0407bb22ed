/* lib/lower.c -- which rewritings a target environment requires.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lib/lower.h"

#include <string.h>

#include "base/float_env.h"
#include "base/memory.h"
#include "lib/report.h"
#include "xform/interface.h"
#include "xform/lower.h"

#define NO_WRAP "SPV_KHR_no_integer_wrap_decoration"
#define TRINARY "SPV_AMD_shader_trinary_minmax"

/* Does the module declare operations of SPIR-V 1.3's sub-groups that the target does not take? */
static bool lacks_subgroups(const HdModule *m, const HdValEnv *env)
{
    static const uint32_t capabilities[] = {
        SpvCapabilityGroupNonUniform,         SpvCapabilityGroupNonUniformVote,
        SpvCapabilityGroupNonUniformBallot,   SpvCapabilityGroupNonUniformArithmetic,
        SpvCapabilityGroupNonUniformShuffle,  SpvCapabilityGroupNonUniformShuffleRelative,
        SpvCapabilityGroupNonUniformClustered};

    for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++)
        if (hd_module_has_capability(m, capabilities[i]) &&
            !hd_val_env_accepts(env, capabilities[i]))
            return true;
    return false;
}

/* What the target does not take. */
static unsigned wanted(const HdModule *m, const HdValEnv *env)
{
    static const struct {
        unsigned what;
        uint32_t capability;
    } rows[] =
        {
            {HD_LOWER_UNTYPED, SpvCapabilityUntypedPointersKHR},
            {HD_LOWER_FLOAT_ATOMICS, SpvCapabilityAtomicFloat16MinMaxEXT},
            {HD_LOWER_FLOAT_ATOMICS, SpvCapabilityAtomicFloat16AddEXT},
            {HD_LOWER_FLOAT_ATOMICS, SpvCapabilityAtomicFloat32MinMaxEXT},
            {HD_LOWER_FLOAT_ATOMICS, SpvCapabilityAtomicFloat64MinMaxEXT},
            {HD_LOWER_FLOAT_ATOMICS, SpvCapabilityAtomicFloat32AddEXT},
            {HD_LOWER_FLOAT_ATOMICS, SpvCapabilityAtomicFloat64AddEXT},
            {HD_LOWER_USM, SpvCapabilityUSMStorageClassesINTEL},
            {HD_LOWER_EXPECT, SpvCapabilityExpectAssumeKHR},
            {HD_LOWER_BITS, SpvCapabilityBitInstructions},
            {HD_LOWER_DOT, SpvCapabilityDotProduct},
            {HD_LOWER_ROTATE, SpvCapabilityGroupNonUniformRotateKHR},
            {HD_LOWER_UNIFORM, SpvCapabilityGroupUniformArithmeticKHR},
            {HD_LOWER_WEAK, SpvCapabilityWeakLinkageAMD},
            {HD_LOWER_COMPOSITES, SpvCapabilityReplicatedCompositesEXT},
            {HD_LOWER_COMPOSITES, SpvCapabilityConstantDataKHR},
        },
      shader_rows[] = {
          {HD_LOWER_UNTYPED, SpvCapabilityUntypedPointersKHR},
          {HD_LOWER_FLOAT_ATOMICS, SpvCapabilityAtomicFloat16MinMaxEXT},
          {HD_LOWER_FLOAT_ATOMICS, SpvCapabilityAtomicFloat32MinMaxEXT},
          {HD_LOWER_FLOAT_ATOMICS, SpvCapabilityAtomicFloat64MinMaxEXT},
          {HD_LOWER_FLOAT_ATOMICS, SpvCapabilityAtomicFloat16AddEXT},
          {HD_LOWER_FLOAT_ATOMICS, SpvCapabilityAtomicFloat32AddEXT},
          {HD_LOWER_FLOAT_ATOMICS, SpvCapabilityAtomicFloat64AddEXT},
          {HD_LOWER_BLOCKS, SpvCapabilityWorkgroupMemoryExplicitLayoutKHR},
      };
    bool old = env->max_version < 0x10400 || m->version < 0x10400;
    unsigned what = 0;

    /* Vulkan makes few things mandatory: the result is for any device. */
    for (size_t i = 0; env->vulkan != 0 && i < sizeof shader_rows / sizeof *shader_rows; i++)
        if (hd_module_has_capability(m, shader_rows[i].capability))
            what |= shader_rows[i].what;
    if (env->vulkan != 0 && hd_module_has_extension(m, TRINARY))
        what |= HD_LOWER_TRINARY;
    if (env->vulkan != 0)
        return env->vulkan < 13 ? what | HD_LOWER_SIZE_ID : what;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!hd_val_env_accepts(env, rows[i].capability))
            what |= rows[i].what;
    /* From SPIR-V 1.4 on the decorations need no extension. */
    if (!hd_val_env_has(env, "cl_khr_spirv_no_integer_wrap_decoration") &&
        (old || hd_module_has_extension(m, NO_WRAP)))
        what |= HD_LOWER_WRAP;
    if (env->max_version < 0x10300 || lacks_subgroups(m, env))
        what |= HD_LOWER_NON_UNIFORM;
    if (!hd_val_env_has(env, "cl_khr_spirv_linkonce_odr"))
        what |= HD_LOWER_ONCE;
    return what;
}

static HdStatus validate(const HdModule *m, const HdValEnv *env, bool to_build, HdDiags *found)
{
    const HdValOptions options = {.env = env, .to_build = to_build};

    return hd_val_module(m, &options, found);
}

/* Lowering relies on ids and types that are as they should be. Newer than the environment the
 * module may be, so it is validated by the rules of all: OpenCL's, by which what producers ship is
 * a warning, or SPIR-V's own. `found` are the findings of the last. */
static HdStatus check_source(const HdModule *m, HdDiags *found)
{
    const size_t limit = found->limit;
    const char *bad;
    HdValEnv env;
    HdStatus st = HD_BAD_INPUT;

    if (hd_val_env_find("opencl3.1", &env) && hd_val_env_extend(&env, "all", &bad))
        st = validate(m, &env, true, found);
    if (st != HD_BAD_INPUT)
        return st;
    hd_diags_drop(found);
    hd_diags_init(found);
    found->limit = limit;
    return validate(m, NULL, true, found);
}

static bool has_rule(const HdDiags *found, const char *rule)
{
    for (size_t i = 0; i < found->count; i++)
        if (strcmp(found->at[i].rule, rule) == 0)
            return true;
    return false;
}

/* Validate the result. What the source was warned about is not said again; what else is found has
 * its place in the source, which users know. */
static HdStatus check_result(const HdModule *m, const HdModule *source, const HdValEnv *env,
                             const HdDiags *of_source, HdDiags *d)
{
    HdDiags found;
    size_t kept = 0;
    HdStatus st;

    hd_diags_init(&found);
    found.limit = d->limit;
    st = validate(m, env, false, &found);
    for (size_t i = 0; i < found.count; i++)
        if (found.at[i].severity != HD_WARNING || !has_rule(of_source, found.at[i].rule))
            found.at[kept++] = found.at[i];
    found.count = kept;
    if (m != source)
        hd_module_place_findings(m, source->words, source->nwords, &found, 0);
    hd_diags_append(d, &found);
    hd_diags_drop(&found);
    return st;
}

/* Rewrite what was found to be valid; its warnings are there already. */
static HdStatus rewrite(const HdModule *m, const HdValEnv *env, const HdLowerOptions *options,
                        const HdDiags *of_source, HdDiags *d, uint32_t **words, size_t *nwords)
{
    HdModule *made = NULL;
    bool same;
    HdStatus st = hd_xform_lower(m, options, d, words, nwords);

    if (st != HD_OK)
        return st;
    if (has_rule(of_source, "entry.interface-missing") || env->vulkan != 0)
        st = hd_xform_interfaces(words, nwords, d);
    /* What needed nothing has been read already. */
    same = *nwords == m->nwords && memcmp(*words, m->words, *nwords * sizeof **words) == 0;
    if (st == HD_OK && !same)
        st = hd_module_read(*words, *nwords, true, d, &made);
    if (st == HD_OK)
        st = check_result(same ? m : made, m, env, of_source, d);
    hd_module_drop(made);
    if (st == HD_OK)
        return HD_OK;
    hd_free(*words);
    *words = NULL;
    return st;
}

HdStatus hd_lower_for(const HdModule *m, const HdValEnv *env, uint32_t array_bytes, HdDiags *d,
                      uint32_t **words, size_t *nwords)
{
    HdLowerOptions options = {
        .what = wanted(m, env), .version = env->max_version, .array_bytes = array_bytes};
    HdDiags found;
    HdStatus st;

    if (array_bytes != 0 && !hd_val_env_accepts(env, SpvCapabilityVariableLengthArrayINTEL))
        options.what |= HD_LOWER_ARRAYS;
    hd_diags_init(&found);
    found.limit = d->limit;
    st = check_source(m, &found);
    hd_diags_append(d, &found);
    if (st == HD_OK)
        st = rewrite(m, env, &options, &found, d, words, nwords);
    hd_diags_drop(&found);
    return st;
}

static HdStatus lower(const HdModule *m, const char *name, const char *extensions, HdDiags *d,
                      uint32_t **words, size_t *nwords)
{
    const char *bad = NULL;
    HdValEnv env;

    if (!hd_val_env_find(name != NULL ? name : "opencl3.0", &env) ||
        (env.opencl == 0 && env.vulkan == 0))
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "env.name",
                       "no environment of OpenCL or Vulkan: '%s'", name);
    if (extensions != NULL && !hd_val_env_extend(&env, extensions, &bad))
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "env.extension", "unknown extension '%s'",
                       bad);
    return hd_lower_for(m, &env, 0, d, words, nwords);
}

heddle_status heddle_lower(const uint32_t *words, size_t nwords, const char *env,
                           const char *extensions, heddle_report *r, uint32_t **words_out,
                           size_t *nwords_out)
{
    HD_FLOAT_ENV;
    HdDiags own, *d = hd_report_diags(r, &own);
    HdModule *m = NULL;
    HdStatus st = hd_module_read(words, nwords, true, d, &m);

    *words_out = NULL;
    *nwords_out = 0;
    if (st == HD_OK)
        st = lower(m, env, extensions, d, words_out, nwords_out);
    hd_module_drop(m);
    hd_report_done(r, &own);
    return hd_report_status(st);
}
