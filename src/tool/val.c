/* tool/val.c -- heddle val: validates modules and reports all findings.
 *
 * SPDX-License-Identifier: MIT
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tool/options.h"
#include "tool/sarif.h"
#include "tool/tool.h"
#include "tool/val_device.h"
#include "tool/val_file.h"

typedef struct Options {
    const char *env, *ext, *device;
    HdToolTexts in, source; /* source: --cl */
    HdValEnv found;
    HdValDevice lists;
    unsigned limit, threads;
    bool features[HD_VULKAN_BITS]; /* of Vulkan, by their numbers */
    unsigned colour;               /* HdToolWhen */
    bool json, sarif, quiet;
} Options;

#define AT(member) offsetof(Options, member)

static const HdToolOption options[] = {
    {"--env", HD_TOOL_TEXT, 0, AT(env), "NAME",
     "universal1.0 … universal1.6 (SPIR-V's own rules only), " HD_TOOL_OPENCL_ENVS
     ", also with -embedded, or " HD_TOOL_VULKAN_ENVS
     "; by default the universal rules of the module's version"},
    {"--target-env", HD_TOOL_TEXT, 0, AT(env), "NAME", NULL},
    {"--ext", HD_TOOL_TEXT, 0, AT(ext), "LIST",
     "the extensions of the environment: names separated by commas, all, none, or -NAME to "
     "remove one; by default those that the OpenCL version requires. In an environment of Vulkan: "
     "features, such as scalarBlockLayout"},
    {"--device", HD_TOOL_TEXT, 0, AT(device), "NAME",
     "the environment of an OpenCL device: \"default\" is Heddle's own, any other NAME is part of "
     "the name of a device or platform of an installed driver, \"list\" lists them"},
#define FEATURE(name, symbol, since, option)                       \
    {option, HD_TOOL_FLAG,                                         \
     1,      AT(features) + HD_VULKAN_BIT_##symbol * sizeof(bool), \
     NULL,   "Vulkan: the device has " name},
#include "val/vulkan_features.def"
#undef FEATURE
    {"--cl", HD_TOOL_TEXTS, 0, AT(source), "OPTION",
     "pass OPTION to the OpenCL C compiler; with -g findings name source lines; -D, -U, -I and "
     "-cl-… need no --cl"},
    {"-j", HD_TOOL_COUNT, 1024, AT(threads), "N",
     "check N files, or N functions of a single file, in parallel (0, or no number: one per "
     "processor)"},
    {"--limit", HD_TOOL_NUMBER, UINT_MAX, AT(limit), "N",
     "show at most N errors per file (0, the default: all)"},
    {"--max-errors", HD_TOOL_NUMBER, UINT_MAX, AT(limit), "N", NULL},
    HD_TOOL_QUIET_ROWS(
        "print no findings, only the names of files that are invalid, and the summary"),
    {"--json", HD_TOOL_FLAG, 1, AT(json), NULL, "print the findings as JSON"},
    {"--sarif", HD_TOOL_FLAG, 1, AT(sarif), NULL, "print the findings as a SARIF 2.1.0 log"},
    HD_TOOL_COLOUR_ROWS,
};

static const HdToolCommand command = {
    .name = "val",
    .usage = "[OPTION…] [FILE…]",
    .about =
        "Validate SPIR-V modules, binary or text, and report everything that is wrong with them. "
        "OpenCL C (.cl) is compiled first. A folder stands for the .spv and .spvasm files in it; "
        "without FILE, or if it is \"-\", standard input is read. With several files a line of "
        "counts follows.",
    .exits = "0 valid; 1 invalid; 2 wrong usage; 3 a file cannot be read, or a device not be asked",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .words_at = AT(in),
    .most_words = UINT_MAX,
    .passes = hd_tool_build_options,
    .passes_at = AT(source),
};

static HdStatus ask_device(Options *o, HdDiags *d)
{
    if (strcmp(o->device, "list") == 0)
        return hd_val_devices_list(d);
    return hd_val_device_env(o->device, d, &o->found, &o->lists);
}

/* A device that cannot be asked is a finding, of no file. Returns -1 to continue, or an exit code.
 */
static int find_device(Options *o)
{
    HdValFile none = {0};
    HdStrbuf out = {0};
    HdStatus st;

    hd_diags_init(&none.d);
    st = ask_device(o, &none.d);
    if (st != HD_OK && o->json)
        hd_diags_json(&none.d, &out);
    none.d.file = o->in.at[0];
    if (st != HD_OK && o->sarif)
        hd_tool_sarif(&none, 1, &out);
    none.d.file = NULL;
    if (out.count != 0)
        puts(hd_strbuf_text(&out));
    hd_strbuf_free(&out);
    if (st != HD_OK || strcmp(o->device, "list") == 0)
        return hd_tool_finish("val", st, &none.d);
    hd_diags_drop(&none.d);
    return -1;
}

static int find_env(Options *o)
{
    const char *bad = NULL, *name = o->env;

    if (o->json && o->sarif)
        return hd_tool_usage("val", "--json and --sarif exclude each other", "");
    if (o->device != NULL && name != NULL)
        return hd_tool_usage("val", "--env and --device exclude each other", "");
    if (o->device != NULL) {
        int code = find_device(o);

        if (code >= 0)
            return code;
    }
    if (name != NULL && !hd_val_env_find(name, &o->found))
        return hd_tool_usage("val", HD_TOOL_NO_ENV, name);
    for (unsigned i = 0; i < HD_VULKAN_BITS; i++) {
        if (o->features[i] && o->found.vulkan == 0)
            return hd_tool_usage("val", "layouts and features are of Vulkan: --env vulkan…", "");
        o->found.features |= (uint32_t)o->features[i] << i;
    }
    if (o->ext == NULL)
        return -1;
    if (o->found.opencl == 0 && o->found.vulkan == 0)
        return hd_tool_usage(
            "val", "--ext needs an environment of OpenCL or Vulkan: --env or --device", "");
    if (!hd_val_env_extend(&o->found, o->ext, &bad))
        return hd_tool_usage("val", "unknown extension in --ext: ", bad);
    return -1;
}

/* ---- what is shown ------------------------------------------------------------------------- */

typedef struct Show {
    const Options *o;
    HdStrbuf json;
    size_t total, reported;
    size_t valid, warned, invalid, unread;
    bool colour, bar, bar_shown;
    struct timespec last;
} Show;

static void clear_bar(Show *s)
{
    if (s->bar_shown)
        fputs("\r\033[K", stderr);
    s->bar_shown = false;
}

/* One file's findings, in the order of the files. */
static void show_file(void *user, const HdValFile *file)
{
    Show *s = user;

    s->reported++;
    if (file->st == HD_OK) {
        s->valid++;
        s->warned += file->d.count != 0;
    } else if (file->st == HD_BAD_INPUT) {
        s->invalid++;
    } else {
        s->unread++;
    }
    if (s->o->json) {
        HdStrbuf one = {0};

        hd_diags_json(&file->d, &one); /* "[…]": the lists become one */
        if (one.count > 2) {
            hd_strbuf_add_char(&s->json, s->json.count != 0 ? ',' : '[');
            hd_strbuf_add_bytes(&s->json, one.at + 1, one.count - 2);
        }
        hd_strbuf_free(&one);
    } else if (!s->o->sarif && !s->o->quiet && file->d.count != 0) {
        HdStrbuf text = {0};

        clear_bar(s);
        hd_diags_print(&file->d, &text, s->colour);
        fputs(hd_strbuf_text(&text), stderr);
        hd_strbuf_free(&text);
    }
    if (s->o->quiet && !s->o->json && !s->o->sarif && file->st != HD_OK) {
        clear_bar(s);
        fprintf(stderr, "%s: %s\n", file->d.file,
                file->st == HD_BAD_INPUT ? "invalid" : "not read");
    }
    if (file->st == HD_NO_MEMORY)
        fprintf(stderr, "heddle val: out of memory at %s\n", file->path);
}

/* At most ten times a second. */
static void show_bar(void *user, size_t done)
{
    enum { WIDTH = 30 };
    Show *s = user;
    struct timespec now;
    char bar[WIDTH + 1];

    if (!s->bar)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (done != s->total &&
        (now.tv_sec - s->last.tv_sec) * 10 + (now.tv_nsec - s->last.tv_nsec) / 100000000 < 1)
        return;
    s->last = now;
    for (size_t i = 0; i < WIDTH; i++)
        bar[i] = i * s->total < done * WIDTH ? '#' : '.';
    bar[WIDTH] = '\0';
    fprintf(stderr, "\r[%s] %zu of %zu, %zu invalid", bar, done, s->total, s->invalid);
    s->bar_shown = true;
    fflush(stderr);
}

static void show_end(Show *s, const HdValFiles *files)
{
    HdStrbuf sarif = {0};

    clear_bar(s);
    if (s->o->json) {
        hd_strbuf_add(&s->json, s->json.count != 0 ? "]\n" : "[]\n");
        fputs(hd_strbuf_text(&s->json), stdout);
    }
    if (s->o->sarif) {
        hd_tool_sarif(files->at, files->count, &sarif);
        fputs(hd_strbuf_text(&sarif), stdout);
    }
    hd_strbuf_free(&sarif);
    hd_strbuf_free(&s->json);
    if (s->total != 1)
        fprintf(stderr, "%zu files: %zu valid (%zu with warnings), %zu invalid, %zu not read\n",
                s->total, s->valid, s->warned, s->invalid, s->unread);
}

static int check(const Options *o)
{
    HdValRequest request = {.env = o->env != NULL || o->device != NULL ? &o->found : NULL,
                            .limit = o->limit,
                            .threads = o->threads,
                            .source_options = o->source.at,
                            .source_option_count = o->source.count};
    bool terminal = isatty(STDERR_FILENO) == 1;
    Show s = {.o = o, .colour = hd_tool_colours_when(o->colour, STDERR_FILENO)};
    HdValFiles files = {0};
    HdStatus st = HD_OK;

    for (size_t i = 0; i < o->in.count && st == HD_OK; i++)
        st = hd_val_files_add(&files, o->in.at[i]);
    if (st != HD_OK)
        fputs("heddle val: out of memory\n", stderr);
    s.total = files.count;
    s.bar = terminal && files.count > 1 && !o->quiet;
    if (st == HD_OK) {
        hd_val_files_check(&files, &request, show_file, show_bar, &s);
        show_end(&s, &files);
    }
    hd_val_files_free(&files);
    return st != HD_OK || s.unread != 0 ? HD_EXIT_FAILED
           : s.invalid != 0             ? HD_EXIT_INVALID
                                        : HD_EXIT_FINE;
}

int hd_tool_val(int argc, char **argv)
{
    Options o = {.threads = 1};
    int code = hd_tool_options(&command, argc, argv, &o);

    if (o.threads == 0)
        o.threads = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    if (code < 0 && o.in.count == 0 && !HD_PUSH(NULL, &o.in, "-"))
        code = HD_EXIT_FAILED;
    if (code < 0)
        code = hd_tool_files_check("val", &o.in);
    if (code < 0)
        code = find_env(&o);
    if (code < 0)
        code = check(&o);
    HD_ARRAY_FREE(&o.in);
    HD_ARRAY_FREE(&o.source);
    return code;
}
