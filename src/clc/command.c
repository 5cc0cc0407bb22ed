/* clc/command.c -- clang's command line.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>
#include <stdio.h>

#include "clc/job.h"

static void end_argument(HdClcJob *j)
{
    hd_strbuf_add_char(&j->args, '\0');
    j->arg_count++;
}

static void add(HdClcJob *j, const char *arg)
{
    hd_strbuf_add(&j->args, arg);
    end_argument(j);
}

static void add_in_folder(HdClcJob *j, const char *option, const char *name)
{
    char path[HD_CLC_PATH_ROOM];

    add(j, option);
    snprintf(path, sizeof path, "%s/%s", j->folder.path, name);
    add(j, path);
}

/* Only what the device has: everything else off. */
static void add_extensions(HdClcJob *j, const char *extensions)
{
    add(j, "-Xclang");
    /* clang's own: function pointers where a program enables them by pragma. */
    hd_strbuf_add(&j->args, "-cl-ext=-all,+__cl_clang_function_pointers");
    for (const char *p = extensions; *p != '\0';) {
        size_t len = strcspn(p, " ");

        hd_strbuf_printf(&j->args, ",+%.*s", (int)len, p);
        p += len;
        p += strspn(p, " ");
    }
    end_argument(j);
}

/* Where the source itself comes from, as if it were compiled there. */
static void add_own_folder(HdClcJob *j, const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;

    add(j, "-I");
    hd_strbuf_printf(&j->args, "%.*s", slash != NULL ? (int)(slash - path) + 1 : 2,
                     slash != NULL ? path : "./");
    end_argument(j);
}

/* What the back end may use beyond SPIR-V 1.4: without them it stops at the built-in. "all" would
 * also bring what it gets wrong. It looks up where a format of printf is by a register's number,
 * in another function if there are several: without the extension it may stop at any format. */
#define SPIRV_EXTENSIONS                                                   \
    "+SPV_KHR_subgroup_rotate,+SPV_KHR_bit_instructions,"                  \
    "+SPV_KHR_integer_dot_product,+SPV_KHR_uniform_group_instructions,"    \
    "+SPV_EXT_shader_atomic_float_add,+SPV_EXT_shader_atomic_float16_add," \
    "+SPV_EXT_shader_atomic_float_min_max,+SPV_INTEL_subgroups,"           \
    "+SPV_KHR_shader_clock,+SPV_INTEL_split_barrier,"                      \
    "+SPV_INTEL_bfloat16_conversion,+SPV_KHR_linkonce_odr,"                \
    "+SPV_INTEL_subgroup_matrix_multiply_accumulate,"                      \
    "+SPV_INTEL_tensor_float32_conversion,+SPV_INTEL_2d_block_io,"         \
    "+SPV_INTEL_function_pointers,+SPV_INTEL_media_block_io,"              \
    "+SPV_EXT_relaxed_printf_string_address_space"

static void add_list(HdClcJob *j, const char *const *args)
{
    for (; *args != NULL; args++)
        add(j, *args);
}

/* With this one sums of ints say that they do not wrap: so `begin + each` is as far from `begin`
 * for all work-items. Without optimisation SPIR-V's rule holds, which lets them. */
#define NO_WRAP "+SPV_KHR_no_integer_wrap_decoration"

/* With this one integers of odd widths stay what they are; LLVM before 22 has its older name. */
#define ODD_WIDTHS        "+SPV_ALTERA_arbitrary_precision_integers"
#define ODD_WIDTHS_BEFORE "SPV_INTEL_arbitrary_precision_integers"

#define NAME "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

/* Bytes of "+NAME". */
static size_t extension_bytes(const char *extension)
{
    return 1 + strspn(extension + 1, NAME);
}

HdStatus hd_clc_leave_out(HdClcJob *j, const char *extension)
{
    hd_strbuf_printf(&j->unknown, "%.*s,", (int)extension_bytes(extension), extension);
    return j->unknown.failed ? HD_NO_MEMORY : HD_OK;
}

bool hd_clc_leaves_out(const HdClcJob *j, const char *extension)
{
    const char *p = hd_strbuf_text(&j->unknown);
    size_t len = extension_bytes(extension);

    for (; *p != '\0'; p += strcspn(p, ",") + 1)
        if (strncmp(p, extension, len) == 0 && p[len] == ',')
            return true;
    return false;
}

/* Extensions of a list ("+A,+B"), but for those that the back end does not know. */
static void add_known(HdClcJob *j, const char *list)
{
    while (*list != '\0') {
        size_t len = strcspn(list, ",");

        if (!hd_clc_leaves_out(j, list))
            hd_strbuf_printf(&j->args, "%.*s,", (int)len, list);
        list += len + (list[len] == ',');
    }
}

/* Back end options. Without loop strength reduction: its sums may have integers of odd widths, and
 * strength-reduced addresses hide which lanes access neighbours. */
static void add_back_end(HdClcJob *j)
{
    add(j, "-mllvm");
    hd_strbuf_add(&j->args, "--spirv-ext=");
    add_known(j, SPIRV_EXTENSIONS);
    if (j->is_optimised)
        add_known(j, NO_WRAP);
    if (j->tells_widths)
        add_known(j, hd_clc_leaves_out(j, ODD_WIDTHS) ? "+" ODD_WIDTHS_BEFORE : ODD_WIDTHS);
    j->args.count -= !j->args.failed && j->args.at[j->args.count - 1] == ',';
    end_argument(j);
    add(j, "-mllvm");
    add(j, "--disable-lsr");
}

/* How modules are made: by a back end or by a translator. */
static void add_ways(HdClcJob *j)
{
    if (*j->translator == '\0')
        add_back_end(j);
    if (j->care == HD_CLC_NO_WIDE_COUNTERS) {
        add(j, "-mllvm");
        add(j, "-indvars-widen-indvars=false");
    }
}

/* What __FILE__ and debug information call files: those of the private folder as the host calls its
 * headers (clang applies the last that fits), all others by their whole names. clang leaves out the
 * folders that a name shares with the current folder. */
static void add_names(HdClcJob *j)
{
    static const char *const folders[] = {"", "include/"};

    add(j, "-fdebug-compilation-dir=/");
    for (unsigned i = 0; i < 2; i++) {
        hd_strbuf_printf(&j->args, "-ffile-prefix-map=%s/%s=", j->folder.path, folders[i]);
        end_argument(j);
    }
}

/* The options of the source. Those that define macros have been used where it has none left. */
static void add_own(HdClcJob *j, const HdClcOptions *o)
{
    for (const char *arg = NULL; hd_clc_next_arg(o, &arg);)
        if (!j->is_plain || (strncmp(arg, "-D", 2) != 0 && strncmp(arg, "-U", 2) != 0))
            add(j, arg);
}

/* The source, and what it is compiled with. */
static void add_source(HdClcJob *j, const HdClcOptions *o)
{
    static const char *const always[] = {
        "-x", "cl", "-fno-crash-diagnostics", /* else files for a report are left in /tmp */
        "-fno-use-cxa-atexit",      /* it would be given null instead of the object to destroy */
        "-fno-discard-value-names", /* of kernel arguments, which hosts ask for */
        "-Wno-unused-command-line-argument",
        /* Older compilers warn of these; programs rely on it. */
        "-Wno-error=incompatible-pointer-types", "-Wno-error=int-conversion",
        "-Wno-error=implicit-int", "-Wno-error=parentheses", "-D__ENDIAN_LITTLE__=1",
        "-D__OPENCL_VERSION__=310", NULL};

    add_list(j, always);
    if (o->zeroes_private)
        add(j, "-ftrivial-auto-var-init=zero");
    if (!o->has_std)
        add(j, "-cl-std=CL1.2");
    if (o->extensions != NULL)
        add_extensions(j, o->extensions);
    add_in_folder(j, "-include", "prelude.h");
    add_in_folder(j, "-I", "include");
    add_names(j);
    add_own(j, o);
    add_own_folder(j, o->path);
    add(j, "-MMD");
    add_in_folder(j, "-MF", "files");
    add_in_folder(j, "-c", j->is_plain ? "plain.cl" : "source.cl");
}

#define IR_FILE "out.bc"

/* The module, or the LLVM IR of it. */
static void add_module(HdClcJob *j)
{
    if (*j->translator != '\0')
        add(j, "-emit-llvm");
    add_in_folder(j, "-o", *j->translator != '\0' ? IR_FILE : "out.spv");
}

static void add_product(HdClcJob *j, HdClcProduct product)
{
    static const char *const flags[][4] = {
        [HD_CLC_INFO] = {"-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes"},
        [HD_CLC_INLINE] = {"-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes"},
        [HD_CLC_LINES] = {"-S", "-emit-llvm"},
        [HD_CLC_TEXT] = {"-S", "-emit-llvm"},
        [HD_CLC_SOURCE] = {"-E", "-dD"}};
    static const char *const files[] = {[HD_CLC_INFO] = "info.ll",
                                        [HD_CLC_INLINE] = "inline.ll",
                                        [HD_CLC_LINES] = "lines.ll",
                                        [HD_CLC_TEXT] = "lines.ll",
                                        [HD_CLC_SOURCE] = "source.i"};

    for (unsigned i = 0; i < 4 && flags[product][i] != NULL; i++)
        add(j, flags[product][i]);
    if (product == HD_CLC_MODULE)
        add_module(j);
    else
        add_in_folder(j, "-o", files[product]);
}

void hd_clc_command(HdClcJob *j, const HdClcOptions *o, HdClcProduct product)
{
    static const char *const lifetimes[] = {"-Xclang", "-fsanitize-address-use-after-scope", NULL};
    bool is_text = product == HD_CLC_INFO || product == HD_CLC_INLINE;

    hd_strbuf_free(&j->args);
    j->arg_count = 0;
    add(j, j->compiler);
    add(j, "-target");
    add(j, "spirv64");
    /* Without optimisation there are no bodies that are for optimisation. */
    add(j, j->is_optimised || product == HD_CLC_INLINE ? "-O1" : "-O0");
    if (j->is_optimised)
        add(j, "-funroll-loops"); /* small ones with a known trip count: arrays become values */
    else if (!o->is_optimised)
        add_list(j, lifetimes);
    add_ways(j);
    if (j->is_again || product == HD_CLC_INFO)
        add(j, "-w");
    if (product == HD_CLC_LINES || (product == HD_CLC_INLINE && o->has_lines))
        add(j, "-g");
    add_product(j, product);
    if (!j->from_text || is_text) {
        add_source(j, o);
        return;
    }
    add(j, "-x");
    add(j, "ir");
    add_in_folder(j, "-c", "inline.ll");
}

/* The module from LLVM's text, which has been through all passes. */
void hd_clc_command_marked(HdClcJob *j)
{
    static const char *const always[] = {
        "-target", "spirv64", "-x", "ir", "-w", "-Xclang", "-disable-llvm-passes", NULL};
    static const char *const names[] = {"-mllvm", HD_CLC_KEEP_NAMES, NULL};

    hd_strbuf_free(&j->args);
    j->arg_count = 0;
    add(j, j->compiler);
    add_list(j, always);
    if (*j->translator == '\0' && !j->keeps_names)
        add_list(j, names);
    add_ways(j);
    add(j, j->is_optimised ? "-O1" : "-O0");
    add_module(j);
    add_in_folder(j, "-c", "marked.ll");
}

void hd_clc_command_translator(HdClcJob *j)
{
    hd_strbuf_free(&j->args);
    j->arg_count = 0;
    add(j, j->translator);
    add(j, "--spirv-max-version=1.4");
    add(j, j->tells_widths ? "--spirv-ext=+all" : "--spirv-ext=+all,-" ODD_WIDTHS_BEFORE);
    add_in_folder(j, "-o", "out.spv");
    hd_strbuf_printf(&j->args, "%s/%s", j->folder.path, IR_FILE);
    end_argument(j);
}
