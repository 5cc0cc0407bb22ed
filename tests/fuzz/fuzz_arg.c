/* tests/fuzz/fuzz_arg.c -- what users write on the command line, and other small texts from
 * outside.
 *
 * The first byte chooses which, the second is free to choose more, the rest is the text. Besides
 * not crashing: what is refused has a finding, and values are read again as they are printed.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/memory.h"
#include "rt/printf.h"
#include "tool/arguments.h"
#include "tool/image_arg.h"
#include "tool/pipe_arg.h"
#include "tool/run_args.h"
#include "tool/value.h"
#include "xform/builtin_name.h"
#include "xform/named.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Memory is not what is tested, nor what lies in the files of this machine. */
static bool is_large(const char *text)
{
    unsigned digits = 0;

    for (const char *at = text; *at != '\0' && *at != '='; at++)
        digits += *at >= '0' && *at <= '9';
    return digits > 6 || strchr(text, '@') != NULL;
}

/* Numbers of one kind, printed as a SPEC has them. */
static void check_printed(const HdData *data)
{
    HdStrbuf text = {0}, json = {0};
    HdData again = {0};
    HdDiags d;

    hd_diags_init(&d);
    hd_data_print(&json, data, 3, true);
    if (data->bytes != NULL && !data->type.is_hex && data->count <= 4096) {
        uint64_t bytes = hd_value_bytes(data->type.kind);

        hd_data_print_type(&text, data);
        for (uint64_t i = 0; i < data->count * data->type.lanes; i++) {
            uint64_t at = i / data->type.lanes * data->type.stride + i % data->type.lanes;

            hd_strbuf_add_char(&text, i == 0 ? '=' : ',');
            hd_value_print(&text, data->type.kind, data->bytes + at * bytes);
        }
        if (hd_data_parse(hd_strbuf_text(&text), &d, &again) != HD_OK || again.size != data->size ||
            hd_data_compare(data, &again, 0) != UINT64_MAX)
            abort();
        hd_data_close(&again);
    }
    hd_strbuf_free(&text);
    hd_strbuf_free(&json);
    hd_diags_drop(&d);
}

static void value(uint8_t choice, const char *text)
{
    HdData data, like;
    HdDiags d;

    (void)choice;
    if (is_large(text))
        return;
    hd_diags_init(&d);
    if (hd_data_parse(text, &d, &data) == HD_OK) {
        check_printed(&data);
        if (strchr(text, '=') != NULL &&
            hd_data_like(&data, strchr(text, '=') + 1, &d, &like) == HD_OK)
            hd_data_close(&like);
        hd_data_close(&data);
    } else if (d.errors == 0) {
        abort();
    }
    hd_diags_drop(&d);
}

static void image(uint8_t choice, const char *text)
{
    HdImage of;
    HdData data;
    HdDiags d;
    uint64_t sampler;

    (void)choice;
    if (is_large(text))
        return;
    hd_diags_init(&d);
    (void)hd_sampler_parse(text, &sampler);
    if (strncmp(text, "image", 5) != 0)
        ;
    else if (hd_image_parse(text, NULL, &d, &of, &data) == HD_OK)
        hd_data_close(&data);
    else if (d.errors == 0)
        abort();
    hd_diags_drop(&d);
}

static void pipe_of(uint8_t choice, const char *text)
{
    HdPipe *pipe;
    HdData data;
    HdDiags d;

    (void)choice;
    if (is_large(text) || strncmp(text, "pipe:", 5) != 0)
        return;
    hd_diags_init(&d);
    if (hd_pipe_parse(text, &d, &pipe, &data) == HD_OK) {
        hd_pipe_look(pipe, &data);
        hd_free(pipe);
        hd_data_close(&data);
    } else if (d.errors == 0) {
        abort();
    }
    hd_diags_drop(&d);
}

/* Words are lines. */
static void options(uint8_t choice, const char *text)
{
    char *own = hd_strdup(text), *words[64] = {choice & 1 ? "run" : "check"};
    int count = 1;
    HdRunOptions o;

    for (char *at = own; at != NULL && count < 64; count++) {
        char *end = strchr(at, '\n');

        words[count] = at;
        if (end != NULL)
            *end++ = '\0';
        at = end;
    }
    (void)hd_run_options_parse(count, words,
                               choice & 2 ? HD_ENGINE_INTERPRETED : HD_ENGINE_COMPILED, &o);
    hd_run_options_close(&o);
    hd_free(own);
}

/* Strings are where a slot says so. */
static void format(uint8_t choice, const char *text)
{
    static const char kinds[] = "bhilefdps";
    uint64_t slots[20];
    char letters[21] = "";
    HdStrbuf out = {0}, again = {0};
    unsigned count = choice % 20;
    bool is_good;

    if (is_large(text))
        return;
    for (unsigned i = 0; i < count; i++) {
        letters[i] = kinds[(choice / 20u + i) % 9];
        slots[i] = letters[i] == 's' || letters[i] == 'p' ? (uintptr_t) "text %s\n"
                                                          : 0x9e3779b97f4a7c15u * (i + choice);
    }
    is_good = hd_rt_format(&out, text, slots, letters);
    if (is_good != hd_rt_format(&again, text, slots, letters) || out.count != again.count ||
        (out.count > 0 && memcmp(out.at, again.at, out.count) != 0))
        abort();
    if (strchr(text, '%') == NULL && (!is_good || out.count != strlen(text)))
        abort();
    hd_strbuf_free(&out);
    hd_strbuf_free(&again);
}

static void builtin(uint8_t choice, const char *text)
{
    HdBuiltinName name;
    HdConvertName convert;

    if (!hd_builtin_name(text, &name))
        return;
    if (name.base < text || name.base + name.len > text + strlen(text))
        abort();
    (void)hd_builtin_convert(&name, &convert);
    if (hd_item_name(&name) > HD_ITEM_NAMES)
        abort();
    (void)hd_std_name(&name, choice);
}

static char cgroup_path[] = "/tmp/heddle-fuzz-cgroup-XXXXXX";

static void visit(void *user, const char *folder, bool is_v2)
{
    *(size_t *)user += strlen(folder) + is_v2;
}

static void cgroup(uint8_t choice, const char *text)
{
    FILE *f = fopen(cgroup_path, "wb");
    size_t sum = 0;

    if (f == NULL)
        return;
    fputs(text, f);
    fclose(f);
    hd_cgroup_walk(cgroup_path, "/nowhere", choice & 1 ? "cpu" : "memory", visit, &sum);
}

static void remove_file(void)
{
    unlink(cgroup_path);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    if (mkstemp(cgroup_path) < 0 || freopen("/dev/null", "w", stdout) == NULL)
        abort();
    atexit(remove_file);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const readers[])(uint8_t choice, const char *text) = {
        value, image, pipe_of, options, format, builtin, cgroup};
    char *text;

    if (size < 2 || (text = malloc(size - 1)) == NULL)
        return 0;
    memcpy(text, data + 2, size - 2);
    text[size - 2] = '\0';
    readers[data[0] % (sizeof readers / sizeof *readers)](data[1], text);
    free(text);
    return 0;
}
