/* val/val.h -- validates a module and reports all findings, each with its rule and location.
 *
 * Without an environment a module is validated by SPIR-V's universal rules at its own version; an
 * environment adds what a client API requires, allows and forbids.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_VAL_VAL_H
#define HD_VAL_VAL_H

#include "base/strbuf.h"
#include "module/module.h"

/* An environment, as data. */
typedef struct HdValEnv {
    const char *name;       /* "universal1.3", "opencl3.0"; NULL: universal, module's version */
    uint32_t max_version;   /* highest SPIR-V version word that is accepted */
    uint16_t opencl;        /* 0, else 12, 20, 21, 22, 30, 31 */
    uint16_t vulkan;        /* 0, else 10, 11, 12, 13, 14; both 0: universal */
    uint32_t features;      /* of Vulkan, bits HD_VULKAN_… */
    bool embedded;          /* embedded profile */
    bool names_alone;       /* a module may name known extensions that it makes no use of */
    bool every_extension;   /* `all`: OpenCL's and SPIR-V's */
    uint64_t extensions[4]; /* set of rows of env.def */
    const char *spirv[96];  /* further SPIR-V extensions that are accepted, by name */
    uint32_t spirv_count;
    const uint32_t *without; /* capabilities that it lacks all the same; static */
    uint32_t without_count;
    const uint32_t *with; /* capabilities that it has besides, as it reports them; static */
    uint32_t with_count;
    /* What the device's atomics and fences can, as it reports it; 0: everything. */
    uint64_t atomic_memory, atomic_fence;
} HdValEnv;

/* Bits of CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES and CL_DEVICE_ATOMIC_FENCE_CAPABILITIES. */
enum {
    HD_VAL_ATOMIC_ORDER_RELAXED = 1 << 0,
    HD_VAL_ATOMIC_ORDER_ACQ_REL = 1 << 1,
    HD_VAL_ATOMIC_ORDER_SEQ_CST = 1 << 2,
    HD_VAL_ATOMIC_SCOPE_WORK_ITEM = 1 << 3,
    HD_VAL_ATOMIC_SCOPE_WORK_GROUP = 1 << 4,
    HD_VAL_ATOMIC_SCOPE_DEVICE = 1 << 5,
    HD_VAL_ATOMIC_SCOPE_ALL_DEVICES = 1 << 6
};

/* Features of Vulkan that change what a module may say, those of vulkan_features.def. */
enum {
#define FEATURE(name, symbol, since, option) HD_VULKAN_BIT_##symbol,
#include "val/vulkan_features.def"
#undef FEATURE
    HD_VULKAN_BITS,
#define FEATURE(name, symbol, since, option) HD_VULKAN_##symbol = 1 << HD_VULKAN_BIT_##symbol,
#include "val/vulkan_features.def"
#undef FEATURE
};

/* Find an environment by name: universal1.0 … universal1.6, opencl1.2 … opencl3.1, opencl…-embedded
 * (or opencl…embedded), vulkan1.0 … vulkan1.4, vulkan1.1spv1.4. It has the extensions and features
 * that its version makes mandatory. */
bool hd_val_env_find(const char *name, HdValEnv *out);
/* Change its extensions by a list such as "cl_khr_fp16,cl_khr_subgroups", "all,-cl_khr_fp16" or
 * "none"; names of SPIR-V extensions are taken too. In an environment of Vulkan the list names
 * features, "scalarBlockLayout,maintenance9". On an unknown name false and *bad is it (not
 * NUL-terminated, up to the next comma). */
bool hd_val_env_extend(HdValEnv *env, const char *list, const char **bad);
/* Is a row's extension in the environment? False for names that have no row. */
bool hd_val_env_has(const HdValEnv *env, const char *extension);
/* May a module in this environment declare the capability? (Those that come with others: when it
 * declares them.) */
bool hd_val_env_accepts(const HdValEnv *env, uint32_t capability);

typedef struct HdValOptions {
    const HdValEnv *env; /* NULL: universal at the module's version */
    /* Functions are checked by so many threads in parallel, including the calling one; 0 and 1: by
     * that one alone. The findings are the same. */
    unsigned threads;
    /* The module is about to be built: what an interface leaves out, which misleads no
     * implementation and which producers do leave out, is a warning; and its specialisation
     * constants have the values that they will have. */
    bool to_build;
    bool is_compiled; /* from OpenCL C, whose compiler has warned of formats of printf */
} HdValOptions;

/* Check a module. options may be NULL. Findings go to d, in the order of the module; d->limit
 * bounds how many are kept.
 * Returns HD_OK (there may be warnings), HD_BAD_INPUT, HD_NO_MEMORY.
 * What is HD_OK in an OpenCL environment is sound: every id is defined and reaches its uses, every
 * type is resolved, every block ends in one terminator and branches inside its function.
 * Threads: re-entrant; the module is only read. */
HdStatus hd_val_module(const HdModule *m, const HdValOptions *options, HdDiags *d);

#endif
