/* tests/fuzz/fuzz_val.c -- the validator on any bytes.
 *
 * The first byte chooses the environment, the rest is a module. Besides not crashing: what is
 * refused has a finding, findings can be printed, and what an OpenCL environment accepts is what
 * the compiler relies on: every result type is resolved and every body has a control-flow graph.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "module/cfg.h"
#include "module/type.h"
#include "val/val.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = {"universal1.0", "universal1.3", "universal1.6", "opencl1.2",
                                    "opencl2.2",    "opencl3.0",    "opencl3.1"};

static void check_sound(const HdModule *m, HdDiags *d)
{
    HdArena *a = hd_arena_open();
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; a != NULL && hd_module_next(m, &word, &in);)
        if (hd_inst_type(&in) != 0 && hd_module_type(m, in.w[1]) == NULL)
            abort();
    for (uint32_t i = 0; a != NULL && i < m->function_count; i++) {
        HdCfg *g;

        if (m->functions[i].block_count != 0 &&
            hd_cfg_build(m, &m->functions[i], a, d, &g) != HD_OK)
            abort();
    }
    hd_arena_drop(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    HdDiags d;
    HdModule *m;
    HdStrbuf shown = {0};

    if (size < 1)
        return 0;
    hd_diags_init(&d);
    d.limit = 1000;
    if (hd_module_read_bytes(data + 1, size - 1, &d, &m) == HD_OK) {
        HdValEnv env;
        HdValOptions o = {.env = &env};
        const char *bad;

        if (!hd_val_env_find(names[data[0] % 7], &env) ||
            (env.opencl != 0 && (data[0] & 0x80) && !hd_val_env_extend(&env, "all", &bad)))
            abort();
        if (hd_val_module(m, &o, &d) != HD_OK && d.errors == 0)
            abort(); /* refused without saying why */
        if (d.errors == 0 && env.opencl != 0)
            check_sound(m, &d);
        hd_module_drop(m);
    } else if (d.errors == 0) {
        abort();
    }
    hd_diags_print(&d, &shown, true);
    hd_strbuf_free(&shown);
    hd_diags_drop(&d);
    return 0;
}
