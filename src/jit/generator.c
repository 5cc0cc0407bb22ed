/* jit/generator.c -- the code generator's library: found by the file that this code is in.
 *
 * SPDX-License-Identifier: MIT
 */
#include "jit/generator.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

#include "base/build.h"
#include "base/file.h"
#include "base/trace.h"
#include "gen/config.h"
#include "jit/cpu.h"

static _Atomic bool has_compiled;

bool hd_jit_has_generator(void)
{
    return *hd_jit_llvm_version() != '\0';
}

const char *hd_jit_llvm_version(void)
{
    return HD_LLVM;
}

static bool find(char *path, size_t room)
{
    return hd_file_own("libheddle-llvm.so", HD_FROM_COMMAND, path, room);
}

static HdStatus fail(HdDiags *d, HdStatus status, const char *what, const char *reason)
{
    if (d != NULL)
        hd_fail(d, status, HD_NO_PLACE, "jit.llvm", "%s%s", what, reason);
    return status;
}

/* The library is never closed: LLVM does not survive it. */
HdStatus hd_jit_generator(HdDiags *d, HdCodegenEntry **out)
{
    char path[4096];
    void *library, *entry;
    HD_TRACE("build", "open the code generator");

    *out = NULL;
    if (!hd_jit_has_generator())
        return fail(d, HD_UNSUPPORTED, "this build of Heddle generates no code (make LLVM=no): ",
                    "kernels run in the interpreter only");
    if (!find(path, sizeof path))
        return fail(d, HD_IO, "the code generator is not to be found", "");
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    entry = library != NULL ? dlsym(library, HD_CODEGEN_ENTRY) : NULL;
    if (entry == NULL)
        return fail(d, HD_IO, "cannot open the code generator: ", dlerror());
    memcpy(out, &entry, sizeof entry);
    return HD_OK;
}

bool hd_jit_has_compiled(void)
{
    return atomic_load_explicit(&has_compiled, memory_order_relaxed);
}

void hd_jit_note_compiled(void)
{
    atomic_store_explicit(&has_compiled, true, memory_order_relaxed);
}

void hd_jit_warm_up(void)
{
    HdCodegenEntry *codegen;
    HdCpu cpu = hd_jit_cpu();
    const HdCodegenRequest q = {.cpu = cpu.name, .features = cpu.features, .costs = cpu.costs};

    if (hd_jit_generator(NULL, &codegen) == HD_OK)
        (void)codegen(&q, NULL);
}

uint64_t hd_jit_build(void)
{
    char path[4096];

    return hd_jit_has_generator() && find(path, sizeof path) ? hd_build_of_file(path) : 0;
}

uint64_t hd_jit_loaded_build(void)
{
    HdCodegenEntry *codegen;
    const void *function;

    if (hd_jit_generator(NULL, &codegen) != HD_OK)
        return 0;
    memcpy(&function, &codegen, sizeof function);
    return hd_build_of_code(function);
}
