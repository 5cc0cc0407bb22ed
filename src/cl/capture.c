/* cl/capture.c -- a launch as a folder: module.spv, argN.bin, run.sh.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/capture.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/option.h"
#include "base/strbuf.h"
#include "cl/svm.h"
#include "launch/image.h"
#include "rt/pipe.h"

#define MOST_NAME 60 /* letters of a kernel's name in that of its folder */

typedef struct Capture {
    cl_kernel kernel;
    const HdLaunch *launch;
    const HdLaunchSpan *buffers;
    HdStrbuf folder, script;
    HdDiags d;
} Capture;

bool hd_capture_is_on(void)
{
    static atomic_int known; /* 0: not yet looked at, as each launch would; 1: off; 2: on */
    int now = atomic_load_explicit(&known, memory_order_relaxed);

    if (now == 0) {
        now = *hd_option_text(HD_OPTION_CAPTURE) != '\0' ? 2 : 1;
        atomic_store_explicit(&known, now, memory_order_relaxed);
    }
    return now == 2;
}

/* Kernels are told apart by their name and their module. */
static uint64_t key_of(const HdLaunch *l)
{
    const HdModule *m = hd_program_module(l->program);

    return hd_hash_bytes(m->words, m->nwords * sizeof *m->words,
                         hd_hash_name(l->kernel->name, strlen(l->kernel->name), 0));
}

/* Is it the launch of its kernel that is asked for, by number from 1 on? */
static bool is_wanted(uint64_t key)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static HdArena *arena;
    static HdMap launches;
    uint64_t *count, now = 0;

    pthread_mutex_lock(&lock);
    if (arena == NULL)
        arena = hd_arena_open();
    count = arena != NULL ? hd_map_at(arena, &launches, key) : NULL;
    if (count != NULL)
        now = ++*count;
    pthread_mutex_unlock(&lock);
    return now == hd_option_number(HD_OPTION_CAPTURE_LAUNCH);
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool make_folder(Capture *c, uint64_t key)
{
    const char *name = c->launch->kernel->name, *parent = hd_option_text(HD_OPTION_CAPTURE);

    hd_strbuf_printf(&c->folder, "%s/", parent);
    for (size_t i = 0; name[i] != '\0' && i < MOST_NAME; i++)
        hd_strbuf_add_char(&c->folder, strchr("/ .'\"\\", name[i]) == NULL ? name[i] : '_');
    hd_strbuf_printf(&c->folder, "-%08x", (unsigned)(key >> 32));
    if (c->folder.failed)
        return false;
    (void)mkdir(parent, 0777);
    if (mkdir(c->folder.at, 0777) == 0 || errno == EEXIST)
        return true;
    hd_fail(&c->d, HD_IO, HD_NO_PLACE, "file.io", "the folder '%s' cannot be made: %s",
            c->folder.at, strerror(errno));
    return false;
}

static void write_file(Capture *c, const char *name, const void *bytes, size_t count)
{
    HdStrbuf path = {0};

    hd_strbuf_printf(&path, "%s/%s", c->folder.at, name);
    if (!path.failed)
        hd_file_write(path.at, bytes, count, &c->d);
    hd_strbuf_free(&path);
}

/* run.sh: who may read it may execute it. */
static void write_script(Capture *c)
{
    HdStrbuf path = {0};
    struct stat is;

    write_file(c, "run.sh", c->script.at, c->script.count);
    hd_strbuf_printf(&path, "%s/run.sh", c->folder.at);
    if (!path.failed && stat(path.at, &is) == 0)
        (void)chmod(path.at, (is.st_mode | (is.st_mode & 0444) >> 2) & 07777);
    hd_strbuf_free(&path);
}

static void write_argument(Capture *c, uint32_t index, const void *bytes, size_t count)
{
    char name[32];

    snprintf(name, sizeof name, "arg%u.bin", (unsigned)index);
    write_file(c, name, bytes, count);
}

static void warn(Capture *c, uint32_t index, const char *what)
{
    fprintf(stderr, "heddle: warning: %s/run.sh: argument %u: %s\n", hd_strbuf_text(&c->folder),
            (unsigned)index, what);
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* "f32", "u8": numbers of a buffer, by what the parameter points to. */
static const char *number_of(const HdType *pointer, unsigned *bytes)
{
    static const char *const names[][4] = {
        {"u8", "u16", "u32", "u64"}, {"i8", "i16", "i32", "i64"}, {"u8", "f16", "f32", "f64"}};
    const HdType *t = pointer != NULL ? hd_type_element(pointer) : NULL;
    bool is_float;

    t = t != NULL ? hd_type_scalar(t) : NULL;
    is_float = t != NULL && t->kind == HD_T_FLOAT && t->encoding == 0;
    for (unsigned log = 0; log < 4 && (is_float || (t != NULL && t->kind == HD_T_INT)); log++)
        if (t->bits == 8u << log) {
            *bytes = 1u << log;
            return names[is_float ? 2 : t->is_signed][log];
        }
    *bytes = 1;
    return "u8";
}

/* Memory from an address on, as far as it is known. */
static size_t bytes_at(const Capture *c, uint32_t index, const unsigned char *at)
{
    HdAllocation is;

    if (c->buffers[index].bytes != 0)
        return (size_t)c->buffers[index].bytes;
    return hd_svm_find(c->kernel->program->context, at, &is) ? hd_svm_rest(&is, at) : 0;
}

static void add_buffer(Capture *c, uint32_t index, const unsigned char *at)
{
    unsigned bytes;
    const char *number = number_of(c->launch->kernel->args[index].type, &bytes);
    size_t count = at != NULL ? bytes_at(c, index, at) : 0;

    if (count == 0) {
        hd_strbuf_add(&c->script, "null");
        if (at != NULL)
            warn(c, index,
                 "it points to memory of the program's own, of unknown size: null is given");
        return;
    }
    if (count % bytes != 0) {
        number = "u8";
        bytes = 1;
    }
    hd_strbuf_printf(&c->script, "%s[%zu]=@arg%u.bin", number, count / bytes, (unsigned)index);
    write_argument(c, index, at, count);
}

static void add_value(Capture *c, const unsigned char *at, uint32_t bytes)
{
    hd_strbuf_printf(&c->script, "bytes[%u]=", (unsigned)bytes);
    for (uint32_t i = 0; i < bytes; i++)
        hd_strbuf_printf(&c->script, "%02x", at[i]);
}

/* Texels without gaps, as `packed` lays them out. */
static void copy_texels(const HdImage *im, const HdImage *packed)
{
    for (uint32_t s = 0; s < im->samples; s++)
        for (uint32_t n = 0; n < im->levels; n++) {
            const HdImageLevel *from = &im->level[n], *to = &packed->level[n];
            uint32_t slices = im->layers != 0 ? im->layers : from->depth;

            for (uint32_t z = 0; z < slices; z++)
                for (uint32_t y = 0; y < from->height; y++)
                    memcpy(packed->at + s * packed->sample + to->offset + z * to->slice +
                               y * to->row,
                           im->at + s * im->sample + from->offset + z * from->slice + y * from->row,
                           (size_t)from->width * im->texel_bytes);
        }
}

static void add_image(Capture *c, uint32_t index, const HdImage *im)
{
    const HdImageLevel *l = &im->level[0];
    const HdImageSize size = {im->dimensions, l->width,   l->height,  l->depth,
                              im->layers,     im->levels, im->samples};
    HdStrbuf *s = &c->script;
    HdImage packed;

    if (!hd_image_lay_out(im->order, im->type, &size, 0, 0, &packed))
        return;
    packed.at = hd_alloc_zero((size_t)packed.bytes);
    if (packed.at == NULL)
        return;
    copy_texels(im, &packed);
    hd_strbuf_printf(s, "image%ud%s:%u", (unsigned)im->dimensions, im->layers != 0 ? "_array" : "",
                     (unsigned)l->width);
    if (im->dimensions > 1)
        hd_strbuf_printf(s, "x%u", (unsigned)l->height);
    if (im->dimensions > 2)
        hd_strbuf_printf(s, "x%u", (unsigned)l->depth);
    if (im->layers != 0)
        hd_strbuf_printf(s, "x%u", (unsigned)im->layers);
    if (im->levels > 1)
        hd_strbuf_printf(s, ":levels%u", (unsigned)im->levels);
    if (im->samples > 1)
        hd_strbuf_printf(s, ":samples%u", (unsigned)im->samples);
    hd_strbuf_printf(s, ":%s:%s=@arg%u.bin", hd_image_orders[im->order].name,
                     hd_image_types[im->type].name, (unsigned)index);
    write_argument(c, index, packed.at, (size_t)packed.bytes);
    hd_free(packed.at);
}

static void add_sampler(Capture *c, uint64_t word)
{
    static const char *const modes[] = {[HD_ADDRESS_NONE] = "none",
                                        [HD_ADDRESS_EDGE] = "edge",
                                        [HD_ADDRESS_BORDER] = "border",
                                        [HD_ADDRESS_REPEAT] = "repeat",
                                        [HD_ADDRESS_MIRROR] = "mirror"};

    hd_strbuf_printf(&c->script, "sampler=%s%s,%s%s",
                     (word & HD_SAMPLER_NORMALISED) != 0 ? "normalised," : "", modes[word & 7],
                     (word & HD_SAMPLER_LINEAR) != 0 ? "linear" : "nearest",
                     (word & HD_SAMPLER_MIXED) != 0 ? ",mixed" : "");
}

/* With the packets that are in it and not reserved. */
static void add_pipe(Capture *c, uint32_t index, HdPipe *p)
{
    uint64_t first = p->reads.taken, count = p->writes.done - first;
    unsigned char *packets = hd_alloc((size_t)(count * p->packet_bytes + 1));

    hd_strbuf_printf(&c->script, "pipe:%ux%u:u8", (unsigned)p->max_packets,
                     (unsigned)p->packet_bytes);
    for (uint64_t n = 0; packets != NULL && n < count; n++)
        memcpy(packets + n * p->packet_bytes, hd_pipe_packet(p, first + n), p->packet_bytes);
    if (packets != NULL && count != 0) {
        hd_strbuf_printf(&c->script, "[%llu]=@arg%u.bin",
                         (unsigned long long)(count * p->packet_bytes), (unsigned)index);
        write_argument(c, index, packets, (size_t)(count * p->packet_bytes));
    }
    hd_free(packets);
}

/* Those that share memory with one before them do not when the launch is repeated. */
static void find_shared(Capture *c)
{
    for (uint32_t i = 0; i < c->launch->kernel->arg_count; i++)
        for (uint32_t k = 0; k < i; k++) {
            const HdLaunchSpan *a = &c->buffers[i], *b = &c->buffers[k];

            if (a->at < b->at + b->bytes && b->at < a->at + a->bytes) {
                warn(c, i, "it shares memory with another one: each is given its own");
                break;
            }
        }
}

static void add_argument(Capture *c, uint32_t index)
{
    const HdArgInfo *a = &c->launch->kernel->args[index];
    const unsigned char *at = c->launch->args->block + a->offset;
    uint64_t word = 0;

    if (a->kind != HD_ARG_VALUE && a->kind != HD_ARG_BYVAL)
        memcpy(&word, at, sizeof word);
    hd_strbuf_add(&c->script, " \\\n    --arg '");
    switch (a->kind) {
    case HD_ARG_VALUE:
    case HD_ARG_BYVAL: add_value(c, at, a->size); break;
    case HD_ARG_GLOBAL:
    case HD_ARG_CONSTANT: add_buffer(c, index, (const unsigned char *)(uintptr_t)word); break;
    case HD_ARG_LOCAL:
        hd_strbuf_printf(&c->script, "local[%llu]",
                         (unsigned long long)c->launch->args->local_sizes[index]);
        break;
    case HD_ARG_IMAGE: add_image(c, index, (const HdImage *)(uintptr_t)word); break;
    case HD_ARG_SAMPLER: add_sampler(c, word); break;
    case HD_ARG_PIPE: add_pipe(c, index, (HdPipe *)(uintptr_t)word); break;
    case HD_ARG_QUEUE: hd_strbuf_add(&c->script, "queue"); break;
    case HD_ARG_BINDING: break; /* kernels have none */
    }
    hd_strbuf_add_char(&c->script, '\'');
}

/* ---- the script ------------------------------------------------------------------------------ */

static void add_sizes(HdStrbuf *s, const char *option, const uint64_t *sizes, uint32_t count)
{
    hd_strbuf_printf(s, " %s ", option);
    for (uint32_t i = 0; i < count; i++)
        hd_strbuf_printf(s, "%s%llu", i != 0 ? "," : "", (unsigned long long)sizes[i]);
}

/* A word of the shell's. */
static void add_quoted(HdStrbuf *s, const char *text)
{
    hd_strbuf_add_char(s, '\'');
    for (; *text != '\0'; text++)
        if (*text == '\'')
            hd_strbuf_add(s, "'\\''");
        else
            hd_strbuf_add_char(s, *text);
    hd_strbuf_add_char(s, '\'');
}

/* The command beside the driver, as in a build; else the one on the path. */
static void add_command(HdStrbuf *s)
{
    char path[PATH_MAX], whole[PATH_MAX];
    bool is_there = hd_file_own("heddle", "", path, sizeof path) && realpath(path, whole) != NULL &&
                    access(whole, X_OK) == 0;

    hd_strbuf_add(s, "[ -n \"$HEDDLE\" ] || HEDDLE=");
    add_quoted(s, is_there ? whole : "heddle");
    hd_strbuf_add(s, "\nexec \"$HEDDLE\" \"$command\" module.spv ");
}

static void add_launch(Capture *c)
{
    const HdLaunch *l = c->launch;
    HdStrbuf *s = &c->script;

    hd_strbuf_add(
        s, "#!/bin/sh\n"
           "# run.sh [run|check|debug] [OPTION ...]: repeats a launch that Heddle " HD_VERSION
           " captured.\n"
           "cd \"$(dirname \"$0\")\" || exit 3\n"
           "command=${1:-run}\n"
           "[ $# -eq 0 ] || shift\n");
    add_command(s);
    add_quoted(s, l->kernel->name);
    add_sizes(s, "--global", l->global_size, l->work_dim);
    if (l->local_size[0] != 0)
        add_sizes(s, "--local", l->local_size, l->work_dim);
    if ((l->global_offset[0] | l->global_offset[1] | l->global_offset[2]) != 0)
        add_sizes(s, "--offset", l->global_offset, l->work_dim);
    if (hd_program_is_fast(l->program))
        hd_strbuf_add(s, " --fast-math");
    for (uint32_t i = 0; i < l->kernel->arg_count; i++)
        add_argument(c, i);
    hd_strbuf_add(s, " \\\n    \"$@\"\n");
    find_shared(c);
}

static void write_all(Capture *c)
{
    const HdModule *m = hd_program_module(c->launch->program);
    const char *source = c->kernel->program->source;

    write_file(c, "module.spv", m->words, m->nwords * sizeof *m->words);
    if (source != NULL)
        write_file(c, "source.cl", source, strlen(source));
    add_launch(c);
    if (!c->script.failed)
        write_script(c);
}

void hd_capture_launch(cl_kernel k, const HdLaunch *l, const HdLaunchSpan *buffers)
{
    Capture c = {.kernel = k, .launch = l, .buffers = buffers};
    uint64_t key = key_of(l);

    if (!is_wanted(key))
        return;
    hd_diags_init(&c.d);
    if (make_folder(&c, key))
        write_all(&c);
    hd_diags_complain(&c.d);
    hd_diags_drop(&c.d);
    hd_strbuf_free(&c.folder);
    hd_strbuf_free(&c.script);
}
