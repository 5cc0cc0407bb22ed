/* tool/as.c -- heddle as: assembly text to a SPIR-V module.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "text/as.h"
#include "tool/tool.h"

static void print_help(FILE *out)
{
    fputs(
        "usage: heddle as [OPTION…] [FILE]\n"
        "\n"
        "Assemble a text in SPIRV-Tools' assembly language to a SPIR-V module. FILE is standard\n"
        "input when it is missing or \"-\".\n"
        "\n"
        "  -o FILE                  write to FILE (\"-\": standard output); without it out.spv\n"
        "  --target-env ENV         write the SPIR-V version of ENV: spv1.0 … spv1.6, opencl1.2 …\n"
        "                           opencl3.1, vulkan1.0 … vulkan1.4; without it spv1.6\n"
        "  --preserve-numeric-ids   %12 becomes id 12\n"
        "  -h, --help               show this\n"
        "\n"
        "exit codes: 0 fine; 1 the text is wrong; 2 wrong usage; 3 a file cannot be read or\n"
        "            written\n",
        out);
}

static int assemble(const char *in, const char *out, const HdAsOptions *o)
{
    HdDiags d;
    char *text = NULL;
    uint32_t *words = NULL;
    size_t len, nwords = 0;
    HdStatus st;

    hd_diags_init(&d);
    d.file = strcmp(in, "-") == 0 ? "<stdin>" : in;
    st = hd_file_read(in, &d, &text, &len);
    if (st == HD_OK)
        st = hd_text_assemble(text, len, o, &d, &words, &nwords);
    hd_free(text);
    if (st == HD_OK)
        st = hd_file_write(out, words, nwords * sizeof *words, &d);
    hd_free(words);
    return hd_tool_finish("as", st, &d);
}

int hd_tool_as(int argc, char **argv)
{
    const char *in = NULL, *out = "out.spv";
    HdAsOptions o = {0};

    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];

        if (strcmp(a, "-h") == 0 || strcmp(a, "--help") == 0) {
            print_help(stdout);
            return HD_EXIT_FINE;
        } else if (strcmp(a, "-o") == 0) {
            if (++i == argc)
                return hd_tool_usage("as", "a file name must follow ", a);
            out = argv[i];
        } else if (strcmp(a, "--target-env") == 0 || strncmp(a, "--target-env=", 13) == 0) {
            const char *env = a[12] == '=' ? a + 13 : ++i < argc ? argv[i] : "";

            if (!hd_text_env_version(env, &o.version))
                return hd_tool_usage("as", "there is no target environment ", env);
        } else if (strcmp(a, "--preserve-numeric-ids") == 0) {
            o.preserve_numeric_ids = true;
        } else if (a[0] == '-' && a[1] != '\0') {
            return hd_tool_usage("as", "there is no option ", a);
        } else if (in != NULL) {
            return hd_tool_usage("as", "one file at a time, not also ", a);
        } else {
            in = a;
        }
    }
    return assemble(in != NULL ? in : "-", out, &o);
}
