/* codegen/debug.c -- DWARF: which source line each machine instruction comes from.
 *
 * Emitted only if the request has lines. The kernel is one subprogram, and so is each function that
 * it calls; code inlined from other files is in lexical blocks of those files.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/debug.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "codegen/values.h"

static LLVMMetadataRef file_of(HdGen *g, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;

    return LLVMDIBuilderCreateFile(g->debug.builder, name, strlen(name), path,
                                   slash != NULL ? (size_t)(slash - path) : 0);
}

/* The first line of any instruction: the declared beginning of the kernel. */
static bool first_place(const HdGen *g, HdCodegenPlace *out)
{
    for (size_t i = 0; i < g->f->insts.count; i++)
        if (g->f->insts.at[i].place != UINT32_MAX &&
            g->debug.place_of(g->debug.user, g->f->insts.at[i].place, out))
            return true;
    return false;
}

static void add_flag(HdGen *g, const char *name, uint32_t value)
{
    LLVMAddModuleFlag(g->m, LLVMModuleFlagBehaviorWarning, name, strlen(name),
                      LLVMValueAsMetadata(hd_gen_u32(g, value)));
}

static LLVMMetadataRef open_unit(HdGen *g, const char *path)
{
    static const char producer[] = "Heddle " HD_VERSION;
    LLVMMetadataRef file;

    g->debug.builder = LLVMCreateDIBuilder(g->m);
    add_flag(g, "Debug Info Version", LLVMDebugMetadataVersion());
    add_flag(g, "Dwarf Version", 4);
    file = file_of(g, path);
    LLVMDIBuilderCreateCompileUnit(g->debug.builder, LLVMDWARFSourceLanguageC99, file, producer,
                                   strlen(producer), 1, "", 0, 0, "", 0, LLVMDWARFEmissionFull, 0,
                                   0, 0, "", 0, "", 0);
    return file;
}

void hd_gen_debug_open(HdGen *g, const HdCodegenRequest *q)
{
    LLVMMetadataRef file, type;
    HdCodegenPlace at;

    g->debug.place_of = q->place_of;
    g->debug.user = q->user;
    g->debug.scope = g->debug.other_scope = NULL;
    g->debug.other_file = NULL;
    LLVMSetCurrentDebugLocation2(g->b, NULL);
    if (q->place_of == NULL || !first_place(g, &at))
        return;
    file = g->debug.builder == NULL ? open_unit(g, at.file) : file_of(g, at.file);
    type = LLVMDIBuilderCreateSubroutineType(g->debug.builder, file, NULL, 0, LLVMDIFlagZero);
    g->debug.scope =
        LLVMDIBuilderCreateFunction(g->debug.builder, file, g->f->name, strlen(g->f->name), "", 0,
                                    file, at.line, type, 1, 1, at.line, LLVMDIFlagZero, 1);
    g->debug.file = at.file;
    LLVMSetSubprogram(g->fn, g->debug.scope);
}

/* The scope for code of a file; the last one used is cached. */
static LLVMMetadataRef scope_of(HdGen *g, const char *file)
{
    if (strcmp(file, g->debug.file) == 0)
        return g->debug.scope;
    if (g->debug.other_file == NULL || strcmp(file, g->debug.other_file) != 0) {
        g->debug.other_file = file;
        g->debug.other_scope = LLVMDIBuilderCreateLexicalBlockFile(g->debug.builder, g->debug.scope,
                                                                   file_of(g, file), 0);
    }
    return g->debug.other_scope;
}

void hd_gen_debug_at(HdGen *g, const HdIrInst *in)
{
    HdCodegenPlace at = {0};
    LLVMMetadataRef scope = g->debug.scope;

    if (scope == NULL)
        return;
    /* Line 0: compiler-generated code. */
    if (in->place != UINT32_MAX && g->debug.place_of(g->debug.user, in->place, &at))
        scope = scope_of(g, at.file);
    LLVMSetCurrentDebugLocation2(
        g->b, LLVMDIBuilderCreateDebugLocation(g->c, at.line, at.column, scope, NULL));
}

void hd_gen_debug_close(HdGen *g)
{
    if (g->debug.builder == NULL)
        return;
    LLVMDIBuilderFinalize(g->debug.builder);
    LLVMDisposeDIBuilder(g->debug.builder);
}
