/* clc/clc.c -- from OpenCL C to a module: the sequence of steps.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/clc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/trace.h"
#include "base/write.h"
#include "clc/blocks.h"
#include "clc/cache.h"
#include "clc/checked.h"
#include "clc/cycles.h"
#include "clc/formats.h"
#include "clc/hooks.h"
#include "clc/inline.h"
#include "clc/job.h"
#include "clc/lines.h"
#include "clc/locals.h"
#include "clc/log.h"
#include "clc/odd.h"
#include "clc/overload.h"
#include "clc/own.h"
#include "clc/paste.h"
#include "clc/prelude.h"
#include "clc/repair.h"
#include "clc/reverse.h"
#include "clc/route.h"
#include "clc/scan.h"
#include "module/module.h"
#include "xform/blocks.h"

#define MAX_HEADER_PATH 1024

bool hd_clc_is_available(void)
{
    char path[HD_CLC_PATH_ROOM];

    return hd_clc_find_compiler(path);
}

/* ---- the private folder ---------------------------------------------------------------------- */

static HdStatus write_file(HdClcJob *j, const char *name, const char *text, size_t len)
{
    char path[HD_CLC_PATH_ROOM + MAX_HEADER_PATH];
    int fd, error;

    snprintf(path, sizeof path, "%s/%s", j->folder.path, name);
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return hd_clc_fail(j, "a temporary file cannot be made");
    error = hd_write_all(fd, text, len, HD_WRITE_ON);
    close(fd);
    return error == 0 ? HD_OK : hd_clc_fail(j, "a temporary file cannot be written");
}

/* Does a header's name stay inside the folder? */
static bool name_is_safe(const char *name)
{
    if (*name == '/' || *name == '\0' || strlen(name) >= MAX_HEADER_PATH - 16)
        return false;
    for (const char *p = name; p != NULL; p = strchr(p, '/')) {
        p += *p == '/';
        if (strncmp(p, "..", 2) == 0 && (p[2] == '/' || p[2] == '\0'))
            return false;
    }
    return true;
}

static HdStatus write_header(HdClcJob *j, const HdClcHeader *h)
{
    char name[MAX_HEADER_PATH], path[HD_CLC_PATH_ROOM + MAX_HEADER_PATH];

    if (!name_is_safe(h->name)) {
        hd_strbuf_printf(j->log, "heddle: a header cannot be called '%s'\n", h->name);
        return HD_BAD_INPUT;
    }
    snprintf(name, sizeof name, "include/%s", h->name);
    for (char *p = strchr(name, '/'); p != NULL; p = strchr(p + 1, '/')) {
        *p = '\0';
        snprintf(path, sizeof path, "%s/%s", j->folder.path, name);
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return hd_clc_fail(j, "a temporary folder cannot be made");
        *p = '/';
    }
    return write_file(j, name, h->text, strlen(h->text));
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Files of the private folder go by other names outside: those the host knows. */
static void clean_names(const HdClcJob *j, HdStrbuf *text, size_t from)
{
    size_t len = strlen(j->folder.path), to = from;

    if (text->at == NULL)
        return;
    for (size_t i = from; i < text->count;) {
        if (text->count - i > len && memcmp(text->at + i, j->folder.path, len) == 0) {
            i += len + 1;
            if (text->count - i >= 8 && memcmp(text->at + i, "include/", 8) == 0)
                i += 8;
            continue;
        }
        text->at[to++] = text->at[i++];
    }
    text->count = to;
    text->at[to] = '\0';
}

static void clean_log(HdClcJob *j, size_t from)
{
    clean_names(j, j->log, from);
    j->redefines = j->redefines || hd_clc_redefines(hd_strbuf_text(j->log) + from);
    hd_strbuf_cut(&j->in_way, 0);
    hd_strbuf_add(&j->in_way, hd_strbuf_text(j->log) + from);
    hd_clc_tidy_log(j->log, from);
}

/* A file that the compiler left in the folder. */
static HdStatus read_left(const HdClcJob *j, const char *name, char **bytes, size_t *count)
{
    char path[HD_CLC_PATH_ROOM];
    HdStatus st;
    HdDiags d;

    snprintf(path, sizeof path, "%s/%s", j->folder.path, name);
    hd_diags_init(&d);
    st = hd_file_read(path, &d, bytes, count);
    hd_diags_drop(&d);
    return st;
}

static HdStatus read_result(HdClcJob *j, uint32_t **words, size_t *nwords)
{
    char *bytes = NULL;
    size_t count = 0;
    HdStatus st = read_left(j, "out.spv", &bytes, &count);

    if (st == HD_OK && (count < 20 || count % 4 != 0)) {
        hd_free(bytes);
        st = HD_IO;
    }
    if (st != HD_OK) {
        if (st == HD_IO && strstr(hd_strbuf_text(j->log), "error: ") == NULL)
            hd_strbuf_add(j->log, "heddle: the compiler left no module\n");
        return st;
    }
    *words = (uint32_t *)(void *)bytes;
    *nwords = count / 4;
    hd_clc_mend_instructions(*words, nwords);
    return HD_OK;
}

/* A second run of the compiler, which the first one's success lets expect to succeed. */
static HdStatus add_info(HdClcJob *j, const HdClcOptions *options, uint32_t **words, size_t *nwords)
{
    char *text = NULL;
    size_t count = 0;
    HdStatus st;

    HD_TRY(hd_clc_make(j, options, HD_CLC_INFO));
    st = read_left(j, "info.ll", &text, &count);
    if (st == HD_OK)
        st = hd_clc_mend_locals(text != NULL ? text : "", words, nwords);
    if (st == HD_OK && options->has_arg_info)
        st = hd_clc_add_arg_info(text != NULL ? text : "", words, nwords);
    hd_free(text);
    return st;
}

/* Imported functions that represent enqueued blocks become instructions. */
static HdStatus lower_blocks(uint32_t **words, size_t *nwords)
{
    HdModule *m;
    HdWriter out;
    HdDiags d;
    HdStatus st;
    bool done = false;

    hd_diags_init(&d);
    st = hd_module_read(*words, *nwords, true, &d, &m);
    hd_diags_drop(&d);
    if (st != HD_OK)
        return st;
    st = hd_xform_blocks(m, &out, &done);
    hd_module_drop(m);
    if (st != HD_OK || !done)
        return st;
    hd_free(*words);
    *words = out.words;
    *nwords = out.count;
    return HD_OK;
}

/* LLVM's text as the back end gets it: what it cannot do is marked. */
static HdStatus mark(const HdClcJob *j, const HdClcOptions *options, const char *text,
                     HdStrbuf *out, HdStrbuf *files)
{
    HdStrbuf hooked = {0}, with_blocks = {0}, reversed = {0}, expanded = {0};
    HdStatus st = hd_clc_mark_hooks(text, &hooked, j->log);

    text = hd_strbuf_text(&hooked);
    if (st == HD_OK) {
        st = hd_clc_expand_checked(text, &expanded);
        text = hd_strbuf_text(&expanded);
    }
    if (st == HD_OK && j->has_blocks) {
        st = hd_clc_mark_blocks(text, &with_blocks);
        text = hd_strbuf_text(&with_blocks);
    }
    if (st == HD_OK)
        st = hd_clc_mark_reversals(text, options->has_lines ? &reversed : out);
    if (st == HD_OK && options->has_lines)
        st = hd_clc_mark_lines(hd_strbuf_text(&reversed), out, files);
    hd_strbuf_free(&reversed);
    hd_strbuf_free(&with_blocks);
    hd_strbuf_free(&expanded);
    hd_strbuf_free(&hooked);
    return st;
}

/* The compiler crashed behind this text: why, where it shows, in place of what is in the log. */
static void tell_reason(HdClcJob *j, const char *text, size_t from)
{
    HdStrbuf reason = {0};

    if (hd_clc_explain_cycle(text, &reason) && !reason.failed) {
        hd_strbuf_cut(j->log, from);
        hd_strbuf_add(j->log, hd_strbuf_text(&reason));
    }
    hd_strbuf_free(&reason);
}

/* The compiler failed over the source; if a signal ended it, its text is made for tell_reason. */
static void find_reason(HdClcJob *j, const HdClcOptions *options, size_t from)
{
    size_t told = j->log->count, count;
    char *text = NULL;
    bool is_made;

    if (strstr(hd_strbuf_text(j->log) + from, "crashed (signal ") == NULL)
        return;
    is_made = hd_clc_make(j, options, HD_CLC_TEXT) == HD_OK &&
              read_left(j, "lines.ll", &text, &count) == HD_OK;
    hd_strbuf_cut(j->log, told);
    if (is_made && text != NULL)
        tell_reason(j, text, from);
    hd_free(text);
}

/* The second half of a compilation with -g, of a source with blocks or with constructors at program
 * scope, or of one that reverses bits. */
static HdStatus compile_text(HdClcJob *j, const HdClcOptions *options, const HdClcSource *s,
                             uint32_t **words, size_t *nwords)
{
    HdStrbuf marked = {0}, files = {0};
    char *text = NULL;
    size_t count = 0, from;
    HdStatus st = read_left(j, "lines.ll", &text, &count);

    if (st == HD_OK && !j->tells_widths)
        j->has_odd = hd_clc_has_odd_beside_reversals(text != NULL ? text : "");
    if (st == HD_OK)
        st = mark(j, options, text != NULL ? text : "", &marked, &files);
    if (st == HD_OK && *j->translator != '\0')
        hd_clc_drop_debug(&marked);
    if (st == HD_OK)
        st = write_file(j, "marked.ll", marked.at, marked.count);
    if (st == HD_OK) {
        from = j->log->count;
        st = hd_clc_make_marked(j);
        if (st == HD_IO)
            tell_reason(j, text != NULL ? text : "", from);
    }
    if (st == HD_OK)
        st = read_result(j, words, nwords);
    if (st == HD_OK && j->tells_widths)
        j->has_odd = hd_clc_has_odd_widths(*words, *nwords);
    if (st == HD_OK && j->has_blocks)
        st = lower_blocks(words, nwords);
    clean_names(j, &files, 0);
    if (st == HD_OK && options->has_lines)
        st = hd_clc_place_lines(&files, options->path != NULL ? options->path : "source.cl",
                                s->text, s->bytes, words, nwords);
    hd_free(text);
    hd_strbuf_free(&marked);
    hd_strbuf_free(&files);
    return st;
}

/* The source, which appears under its own name in messages, __FILE__ and debug information. */
static HdStatus write_source(HdClcJob *j, const HdClcSource *s, const char *path)
{
    HdStrbuf text = {0};
    HdStatus st;

    hd_strbuf_add(&text, "#line 1 \"");
    for (const char *p = path != NULL ? path : "source.cl"; *p != '\0'; p++) {
        if (*p == '"' || *p == '\\')
            hd_strbuf_add_char(&text, '\\');
        hd_strbuf_add_char(&text, *p);
    }
    hd_strbuf_add(&text, "\"\n");
    hd_strbuf_add_bytes(&text, s->text, s->bytes);
    st = text.failed ? HD_NO_MEMORY : write_file(j, "source.cl", text.at, text.count);
    hd_strbuf_free(&text);
    return st;
}

/* The private folder, as seen by the compiler. */
static HdStatus compile_once(HdClcJob *j, const HdClcSource *s, const HdClcOptions *options,
                             uint32_t **words, size_t *nwords)
{
    HdClcProduct product = options->has_lines ? HD_CLC_LINES
                           : j->has_blocks    ? HD_CLC_TEXT
                                              : HD_CLC_MODULE;
    size_t from = j->log->count;
    bool reverses = false, is_checked;
    HdStatus st;

    st = hd_clc_make(j, options, product);
    is_checked = st != HD_OK && hd_clc_stopped_at_checked(hd_strbuf_text(j->log) + from);
    if (is_checked)
        hd_strbuf_cut(j->log, from);
    clean_log(j, from);
    if (!options->has_std)
        hd_clc_hint_version(j->log, from);
    if (st == HD_IO && !is_checked && product == HD_CLC_MODULE)
        find_reason(j, options, from);
    if (!is_checked)
        HD_TRY(st);
    if (product != HD_CLC_MODULE)
        return st == HD_OK ? compile_text(j, options, s, words, nwords) : st;
    if (!is_checked) {
        HD_TRY(read_result(j, words, nwords));
        j->has_odd = j->tells_widths && hd_clc_has_odd_widths(*words, *nwords);
        reverses = hd_clc_reverses(*words, *nwords);
        if (!reverses && !hd_clc_has_hooks(*words, *nwords))
            return HD_OK;
        hd_free(*words);
        *words = NULL;
    }
    j->is_again = true;
    if (reverses)
        j->tells_widths = false; /* reversals have odd widths, and are repaired */
    HD_TRY(hd_clc_make(j, options, HD_CLC_TEXT));
    return compile_text(j, options, s, words, nwords);
}

/* The back end, or llvm-spirv, gave up on a correct source. Optimisation makes vectors with more
 * components than SPIR-V has, and reversals of some bits of each component; without it there are
 * vectors of which the back end takes some for scalars. */
static bool is_given_up(const HdClcJob *j, size_t from)
{
    const char *said = hd_strbuf_text(j->log) + from;

    return strstr(said, "error in backend:") != NULL || strstr(said, "InvalidBitWidth:") != NULL;
}

static void set_care(HdClcJob *j, bool is_optimised, HdClcCare care)
{
    j->is_optimised = is_optimised && care != HD_CLC_NO_OPTIMISATION;
    j->care = care;
    j->tells_widths = j->is_optimised;
}

/* As careful as needed for integers of ordinary widths; and where the back end gives up, with
 * optimisation in place of none, or the reverse. */
static HdStatus compile_folder(HdClcJob *j, const HdClcSource *s, const HdClcOptions *options,
                               uint32_t **words, size_t *nwords)
{
    size_t from = j->log->count;
    bool has_given_up = false;

    set_care(j, options->is_optimised, HD_CLC_NOTHING_LEFT_OUT);
    for (;;) {
        HdStatus st = compile_once(j, s, options, words, nwords);

        if (st != HD_OK && !has_given_up && is_given_up(j, from)) {
            has_given_up = true;
            hd_strbuf_cut(j->log, from);
            set_care(j, !j->is_optimised, HD_CLC_NOTHING_LEFT_OUT);
            continue;
        }
        HD_TRY(st);
        if (!j->has_odd || !j->is_optimised)
            return HD_OK;
        hd_free(*words);
        *words = NULL;
        j->is_again = true;
        set_care(j, true, j->care + 1);
    }
}

/* LLVM's text before any pass, with a body for each inline function, what destructors destroy, and
 * integers of usual widths. */
static HdStatus mend_text(const HdClcJob *j, const HdClcOptions *options, const char *text,
                          bool lacks_bodies, HdStrbuf *out)
{
    HdStrbuf kept = {0}, marked = {0}, named = {0}, split = {0}, widened = {0};
    HdStatus st;

    if (lacks_bodies) {
        hd_clc_keep_inline(text, &kept);
        text = hd_strbuf_text(&kept);
    }
    st = kept.failed ? HD_NO_MEMORY : HD_OK;
    if (st == HD_OK && options->may_link) {
        st = hd_clc_mark_declared(text, &marked);
        text = hd_strbuf_text(&marked);
    }
    if (st == HD_OK)
        st = hd_clc_name_objects(text, &named);
    if (st == HD_OK)
        st = hd_clc_split_checked(hd_strbuf_text(&named), &split);
    if (st == HD_OK)
        st = hd_clc_widen_odd(hd_strbuf_text(&split), &widened, j->log);
    if (st == HD_OK)
        st = hd_clc_expand_checked(hd_strbuf_text(&widened), out);
    hd_strbuf_free(&kept);
    hd_strbuf_free(&marked);
    hd_strbuf_free(&named);
    hd_strbuf_free(&split);
    hd_strbuf_free(&widened);
    return st;
}

/* LLVM's text before any pass; where other programs may define what the source declares, it says
 * which functions those are. */
static HdStatus make_text(HdClcJob *j, const HdClcOptions *options)
{
    const char *name = j->is_plain ? "plain.cl" : "source.cl";
    HdStrbuf bracketed = {0};
    char *text = NULL;
    size_t count;
    HdStatus st, restored;

    if (!options->may_link)
        return hd_clc_make(j, options, HD_CLC_INLINE);
    HD_TRY(read_left(j, name, &text, &count));
    hd_clc_bracket(text != NULL ? text : "", &bracketed);
    st = bracketed.failed ? HD_NO_MEMORY : write_file(j, name, bracketed.at, bracketed.count);
    if (st == HD_OK)
        st = hd_clc_make(j, options, HD_CLC_INLINE);
    restored = write_file(j, name, text != NULL ? text : "", count);
    hd_strbuf_free(&bracketed);
    hd_free(text);
    return st != HD_OK ? st : restored;
}

/* The module from such text, where the one from the source lacks something, or there is none yet.
 */
static HdStatus compile_mended(HdClcJob *j, const HdClcSource *s, const HdClcOptions *options,
                               bool lacks_bodies, uint32_t **words, size_t *nwords)
{
    HdStrbuf mended = {0};
    char *text = NULL;
    size_t count = 0, from = j->log->count;
    HdStatus st;

    hd_free(*words);
    *words = NULL;
    j->from_text = true;
    st = make_text(j, options);
    j->is_again = true;
    clean_log(j, from);
    HD_TRY(st);
    HD_TRY(read_left(j, "inline.ll", &text, &count));
    st = mend_text(j, options, text != NULL ? text : "", lacks_bodies, &mended);
    if (st == HD_OK)
        st = write_file(j, "inline.ll", mended.at, mended.count);
    hd_free(text);
    hd_strbuf_free(&mended);
    HD_TRY(st);
    return compile_folder(j, s, options, words, nwords);
}

/* Does a text of the source, or an option, say so? */
static bool any_says(const HdClcSource *s, const HdClcOptions *options, bool (*says)(const char *))
{
    const char *arg = NULL, *text;
    bool found = false;

    for (size_t i = 0; !found && (text = hd_clc_text(s, options, i, &arg)) != NULL; i++)
        found = says(text);
    return found;
}

/* The texts of the files that the source includes. The compiler has left a list of them, as make
 * reads it. */
static void read_included(HdClcJob *j)
{
    char *files = NULL, path[HD_CLC_MOST_PATH];
    const char *at = NULL;
    size_t count;
    HdDiags d;

    hd_strbuf_cut(&j->included, 0);
    if (read_left(j, "files", &files, &count) != HD_OK || files == NULL)
        return;
    hd_diags_init(&d);
    while (hd_clc_next_path(files, &at, path)) {
        char *content = NULL;

        if (hd_clc_is_inside(path, j->folder.path))
            continue;
        if (hd_file_read(path, &d, &content, &count) == HD_OK && content != NULL) {
            hd_strbuf_add(&j->included, content);
            hd_strbuf_add_char(&j->included, '\n');
        }
        hd_free(content);
    }
    hd_diags_drop(&d);
    hd_free(files);
}

/* Add the files of the last compilation to those that count for the cache: one rule for make. */
static void note_files(HdClcJob *j)
{
    char *files = NULL;
    const char *list;
    size_t count;

    if (read_left(j, "files", &files, &count) == HD_OK && files != NULL) {
        list = strstr(files, ": ");
        hd_strbuf_add(&j->files, j->files.count == 0 || list == NULL ? files : list + 1);
    }
    hd_free(files);
}

/* As clang alone does it, and again with what its text lacks. Integers of odd widths and bodies of
 * inline functions it lacks from the start, where the source, or a file that it includes, seems to
 * need them: the back end may stop at the former, and calls built-ins instead of the latter. */
static HdStatus compile_all(HdClcJob *j, const HdClcSource *s, const HdClcOptions *options,
                            uint32_t **words, size_t *nwords)
{
    bool is_odd = any_says(s, options, hd_clc_names_odd), is_mended;
    bool lacks_marks = options->may_link && any_says(s, options, hd_clc_declares_built_in);
    bool hides = any_says(s, options, hd_clc_hides_inline), lacks_bodies;
    const char *included;

    is_mended = is_odd || lacks_marks || hides;
    HD_TRY(is_mended ? compile_mended(j, s, options, hides, words, nwords)
                     : compile_folder(j, s, options, words, nwords));
    if (!j->is_plain)
        read_included(j);
    included = hd_strbuf_text(&j->included);
    is_odd = !is_mended && hd_clc_names_odd(included);
    lacks_marks = !is_mended && options->may_link && hd_clc_declares_built_in(included);
    lacks_bodies = !hides && (hd_clc_imports(*words, *nwords) || hd_clc_hides_inline(included));
    if (is_odd || lacks_marks || lacks_bodies || hd_clc_has_finalizer(*words, *nwords))
        HD_TRY(compile_mended(j, s, options, hides || lacks_bodies, words, nwords));
    return HD_OK;
}

/* The private folder, with all but the prelude. */
static HdStatus fill_folder(HdClcJob *j, const HdClcSource *s, const HdClcOptions *options)
{
    static atomic_bool has_compiled; /* a listed global: it only ever becomes true */

    j->is_repeated = atomic_exchange(&has_compiled, true);
    if (options->begins != NULL)
        options->begins(options->begins_user);
    if (!hd_clc_folder_open(&j->folder)) {
        hd_strbuf_printf(j->log, "heddle: no folder for temporary files in %s: %s\n",
                         hd_clc_folder_parent(), strerror(errno));
        return HD_IO;
    }
    HD_TRY(write_source(j, s, options->path));
    for (size_t i = 0; i < s->header_count; i++)
        HD_TRY(write_header(j, &s->headers[i]));
    return HD_OK;
}

/* The compiler over the folder. */
static HdStatus compile(HdClcJob *j, const HdStrbuf *prelude, const HdClcSource *s,
                        const HdClcOptions *options, uint32_t **words, size_t *nwords)
{
    if (prelude->failed)
        return HD_NO_MEMORY;
    HD_TRY(write_file(j, "prelude.h", prelude->at, prelude->count));
    HD_TRY(compile_all(j, s, options, words, nwords));
    hd_clc_restore_names(prelude->at, *words, nwords);
    return options->has_arg_info || hd_clc_has_odd_locals(*words, *nwords)
               ? add_info(j, options, words, nwords)
               : HD_OK;
}

/* ---- names of the source's own (clc/own.h) ----------------------------------------------------
 */

/* Does a text of the source seem to have names of the prelude, or to overload built-ins? */
static bool text_seems_to_declare(const char *text, bool is_cxx, const char *prelude)
{
    return hd_clc_seems_to_declare(text, prelude) || hd_clc_seems_to_overload(text, is_cxx);
}

/* May it make strings of names that are macros of the prelude? */
static bool may_quote(const HdClcSource *s, const HdClcOptions *options, const char *prelude)
{
    return any_says(s, options, hd_clc_makes_strings) && hd_clc_may_replace(s, options, prelude);
}

static bool seems_to_declare(const HdClcSource *s, const HdClcOptions *options, const char *prelude)
{
    bool is_cxx = hd_clc_is_cxx(options),
         found = text_seems_to_declare(s->text, is_cxx, prelude) || may_quote(s, options, prelude);

    for (size_t i = 0; !found && i < s->header_count; i++)
        found = text_seems_to_declare(s->headers[i].text, is_cxx, prelude);
    return found;
}

/* Does a file that it includes? Or does it name macros of the compiler's that are functions? */
static bool includes_declared(const HdClcJob *j, const HdClcOptions *options, const char *prelude)
{
    return j->included.count > 0 &&
           (text_seems_to_declare(j->included.at, hd_clc_is_cxx(options), prelude) ||
            hd_clc_makes_strings(j->included.at) || hd_clc_names_as_types(j->included.at));
}

/* Was the source compiled, or was it not, with macros of the prelude in the way of its own names?
 *   log   of this compilation */
static bool is_hindered(const HdClcJob *j, HdStatus st, const HdClcSource *s,
                        const HdClcOptions *options, const char *prelude, const char *log,
                        const uint32_t *words, size_t nwords)
{
    if (st == HD_BAD_INPUT)
        return hd_clc_may_declare(s, options, prelude, log);
    return st == HD_OK && (j->redefines || hd_clc_renames_kernels(words, nwords) ||
                           includes_declared(j, options, prelude));
}

/* Do directives of the source, or of what it includes, ask for macros of the prelude, or others
 * make strings of them? */
static bool asks_macros(const HdClcJob *j, const HdClcSource *s, const HdClcOptions *options,
                        const char *prelude)
{
    const char *included = hd_strbuf_text(&j->included);
    bool found = hd_clc_asks_macros(s->text, prelude) || hd_clc_asks_macros(included, prelude) ||
                 hd_clc_makes_strings(included) || may_quote(s, options, prelude);

    for (size_t i = 0; !found && i < s->header_count; i++)
        found = hd_clc_asks_macros(s->headers[i].text, prelude);
    return found;
}

/* The preprocessed source becomes the source. */
static bool make_plain(HdClcJob *j, const char *text)
{
    HdStrbuf plain = {0};

    hd_clc_plain_source(text, &plain);
    j->is_plain = !plain.failed && write_file(j, "plain.cl", plain.at, plain.count) == HD_OK;
    hd_strbuf_free(&plain);
    return j->is_plain;
}

/* The source, preprocessed without the prelude's macros, with its own ones; NULL: it cannot be. */
static char *preprocessed(HdClcJob *j, const HdClcOptions *options, const char *prelude)
{
    HdStrbuf bare = {0};
    char *text = NULL;
    size_t count;

    hd_clc_bare_prelude(prelude, &bare);
    if (!bare.failed && write_file(j, "prelude.h", bare.at, bare.count) == HD_OK &&
        hd_clc_make(j, options, HD_CLC_SOURCE) == HD_OK)
        (void)read_left(j, "source.i", &text, &count);
    hd_strbuf_free(&bare);
    return text;
}

/* Take what is in the way of the source's own names out of the prelude; and macros out of the
 * source, if it asks for some of them. False: there is nothing, or this cannot be told.
 *   joins   as in HdClcOwn */
static bool yield(HdClcJob *j, const HdClcSource *s, const HdClcOptions *options, bool joins,
                  HdStrbuf *prelude)
{
    HdClcOwn own = {.is_cxx = hd_clc_is_cxx(options), .joins = joins};
    size_t told = j->log->count;
    bool any = false;
    char *text;

    note_files(j);
    j->is_again = true;
    j->from_text = j->is_plain = false;
    text = preprocessed(j, options, hd_strbuf_text(prelude));
    note_files(j);
    if (text != NULL) {
        read_included(j);
        any = asks_macros(j, s, options, hd_strbuf_text(prelude)) && make_plain(j, text);
        own.text = text;
        any = hd_clc_yield_to_source(&own, prelude) || any;
        any = hd_clc_declare_overloaded(text, own.is_cxx, prelude) || any;
        any = hd_clc_add_as_types(hd_strbuf_text(&j->included), prelude) || any;
    }
    j->is_again = j->redefines = false;
    hd_strbuf_cut(j->log, told);
    hd_free(text);
    return any;
}

/* Functions of the source overload those of the prelude; one that both define is the source's. */
static HdStatus compile_joined(HdClcJob *j, HdStrbuf *prelude, const HdClcSource *s,
                               const HdClcOptions *options, uint32_t **words, size_t *nwords)
{
    HdStatus st = compile(j, prelude, s, options, words, nwords);

    if (st == HD_BAD_INPUT && hd_clc_cut_redefined(hd_strbuf_text(&j->in_way), prelude)) {
        hd_strbuf_cut(j->log, j->log_from);
        st = compile(j, prelude, s, options, words, nwords);
    }
    return st;
}

/* With a prelude that has yielded to the source's own names; where that is no way, no function of
 * the prelude has the name of one of the source.
 *   prelude   changed
 * False: the prelude has nothing to yield. */
static bool compile_yielded(HdClcJob *j, HdStrbuf *prelude, const HdClcSource *s,
                            const HdClcOptions *options, HdStatus *st, uint32_t **words,
                            size_t *nwords)
{
    HdStrbuf joined = {0};
    bool any;

    hd_strbuf_add(&joined, hd_strbuf_text(prelude));
    any = yield(j, s, options, true, &joined);
    if (any) {
        hd_strbuf_cut(j->log, j->log_from);
        hd_free(*words);
        *words = NULL;
        *st = compile_joined(j, &joined, s, options, words, nwords);
    }
    hd_strbuf_free(&joined);
    if (any && *st == HD_BAD_INPUT && yield(j, s, options, false, prelude)) {
        hd_strbuf_cut(j->log, j->log_from);
        *st = compile_joined(j, prelude, s, options, words, nwords);
    }
    return any;
}

/* With a prelude that yields to the source's own names: at once where the source seems to have
 * some, else where the compiler, or what it has read, lets expect so. */
static HdStatus compile_yielding(HdClcJob *j, HdStrbuf *prelude, const HdClcSource *s,
                                 const HdClcOptions *options, uint32_t **words, size_t *nwords)
{
    bool is_guessed = seems_to_declare(s, options, hd_strbuf_text(prelude));
    HdStatus st = HD_OK;

    j->log_from = j->log->count;
    if (is_guessed && compile_yielded(j, prelude, s, options, &st, words, nwords))
        return st;
    st = compile(j, prelude, s, options, words, nwords);
    if (!is_guessed && is_hindered(j, st, s, options, hd_strbuf_text(prelude),
                                   hd_strbuf_text(j->log) + j->log_from, *words, *nwords))
        (void)compile_yielded(j, prelude, s, options, &st, words, nwords);
    return st;
}

/* ---- the cache ------------------------------------------------------------------------------- */

/* Keep the result for the next time, with all files that decided about it. */
static void keep(HdClcJob *j, const HdStoreKey *key, size_t log_from, const uint32_t *words,
                 size_t nwords)
{
    note_files(j);
    if (!j->files.failed && j->files.count > 0)
        hd_clc_cache_put(key, j->files.at, j->folder.path, hd_strbuf_text(j->log) + log_from, words,
                         nwords);
}

static HdStatus find_or_compile(HdClcJob *j, HdStrbuf *prelude, const HdClcSource *s,
                                const HdClcOptions *options, uint32_t **words, size_t *nwords)
{
    char translator[HD_CLC_PATH_ROOM];
    HdStoreKey key;
    size_t from = j->log->count;

    hd_clc_find_translator(j->compiler, translator);
    key = hd_clc_cache_key(j->compiler, translator, hd_strbuf_text(prelude), s, options);
    if (hd_clc_cache_get(&key, j->log, words, nwords)) {
        hd_trace_instant("cache", "source found");
        return HD_OK;
    }
    hd_clc_recall_way(j);
    HD_TRY(fill_folder(j, s, options));
    HD_TRY(compile_yielding(j, prelude, s, options, words, nwords));
    hd_clc_keep_way(j);
    HD_TRY(hd_clc_warn_formats(s, options, *words, *nwords, j->log));
    keep(j, &key, from, *words, *nwords);
    return HD_OK;
}

static void end_job(HdClcJob *j)
{
    hd_clc_folder_close(&j->folder);
    hd_strbuf_free(&j->args);
    hd_strbuf_free(&j->files);
    hd_strbuf_free(&j->included);
    hd_strbuf_free(&j->in_way);
    hd_strbuf_free(&j->unknown);
    hd_strbuf_free(&j->recalled);
}

HdStatus hd_clc_compile(const HdClcSource *source, const HdClcOptions *options, HdStrbuf *log,
                        uint32_t **words, size_t *nwords)
{
    HdStrbuf prelude = {0};
    HdClcJob j = {.log = log, .is_optimised = options->is_optimised};
    HdStatus st = HD_NO_MEMORY;
    HD_TRACE("build", "OpenCL C to SPIR-V");

    *words = NULL;
    *nwords = 0;
    if (!hd_clc_find_compiler(j.compiler)) {
        hd_clc_tell_missing(log);
        return HD_UNSUPPORTED;
    }
    j.has_blocks = options->is_2_0 && hd_clc_has_blocks(source, options);
    hd_clc_prelude(source, options, &prelude);
    if (!prelude.failed)
        st = find_or_compile(&j, &prelude, source, options, words, nwords);
    if (st != HD_OK) {
        hd_free(*words);
        *words = NULL;
        *nwords = 0;
    }
    end_job(&j);
    hd_strbuf_free(&prelude);
    return st;
}
