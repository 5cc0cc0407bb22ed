/* clc/clc.c -- running clang on a source.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/clc.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "clc/blocks.h"
#include "clc/cache.h"
#include "clc/crash.h"
#include "clc/folder.h"
#include "clc/inline.h"
#include "clc/lines.h"
#include "clc/locals.h"
#include "clc/prelude.h"
#include "clc/repair.h"
#include "clc/reverse.h"
#include "module/module.h"
#include "xform/blocks.h"

extern char **environ;

#define PATH_ROOM       4096
#define TIME_OUT_MS     120000  /* of processor time: a busy machine is no reason to give up */
#define WAIT_MS         1200000 /* whatever the compiler does */
#define MAX_LOG         (1u << 20)
#define MAX_HEADER_PATH 1024

/* ---- finding the compiler -------------------------------------------------------------------- */

static bool is_program(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, X_OK) == 0;
}

static bool find_on_path(const char *name, char *out)
{
    const char *p = getenv("PATH");

    if (strchr(name, '/') != NULL)
        return snprintf(out, PATH_ROOM, "%s", name) < PATH_ROOM && is_program(out);
    for (p = p != NULL ? p : "/usr/bin:/bin"; *p != '\0';) {
        size_t len = strcspn(p, ":");

        if (len > 0 && snprintf(out, PATH_ROOM, "%.*s/%s", (int)len, p, name) < PATH_ROOM &&
            is_program(out))
            return true;
        p += len;
        p += *p == ':';
    }
    return false;
}

/* HEDDLE_CLANG alone when it is set: an empty one says that there is none. */
static bool find_compiler(char *out)
{
    const char *asked = getenv("HEDDLE_CLANG");

    if (asked != NULL)
        return *asked != '\0' && find_on_path(asked, out);
    return find_on_path("clang-22", out) || find_on_path("/usr/lib/llvm-22/bin/clang", out);
}

static void tell_missing(HdStrbuf *log)
{
    const char *asked = getenv("HEDDLE_CLANG");

    if (asked == NULL)
        hd_strbuf_add(log, "heddle: no clang-22 is installed (HEDDLE_CLANG names another)\n");
    else if (*asked == '\0')
        hd_strbuf_add(log, "heddle: HEDDLE_CLANG is empty, which says that there is none\n");
    else
        hd_strbuf_printf(log, "heddle: HEDDLE_CLANG=%s is not a program that can be run\n", asked);
}

bool hd_clc_is_available(void)
{
    char path[PATH_ROOM];

    return find_compiler(path);
}

/* ---- the private folder ---------------------------------------------------------------------- */

/* What is done without, for a source of which LLVM's optimiser makes integers of odd widths: three
 * bits for `(n & 7) + 1`. Its back end makes bytes of them and does not take the other bits away.
 */
typedef enum Care { NOTHING_LEFT_OUT, NO_WIDE_COUNTERS, NOT_OPTIMISED } Care;

typedef struct Job {
    HdClcFolder folder;
    char compiler[PATH_ROOM];
    HdStrbuf args; /* as in HdClcOptions */
    size_t arg_count;
    HdStrbuf *log;
    bool is_again;     /* warnings were told already */
    bool tells_widths; /* integers of odd widths stay in the module */
    Care care;
    bool from_text; /* inline.ll is compiled in place of the source (clc/inline.h) */
} Job;

typedef struct Source {
    const char *text;
    size_t len;
    bool has_blocks;
} Source;

static HdStatus fail(Job *j, const char *what)
{
    hd_strbuf_printf(j->log, "heddle: %s: %s\n", what, strerror(errno));
    return HD_IO;
}

static HdStatus write_file(Job *j, const char *name, const char *text, size_t len)
{
    char path[PATH_ROOM + MAX_HEADER_PATH];
    int fd;

    snprintf(path, sizeof path, "%s/%s", j->folder.path, name);
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return fail(j, "a temporary file cannot be made");
    while (len > 0) {
        ssize_t n = write(fd, text, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            close(fd);
            return fail(j, "a temporary file cannot be written");
        }
        text += n;
        len -= (size_t)n;
    }
    close(fd);
    return HD_OK;
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

static HdStatus write_header(Job *j, const HdClcHeader *h)
{
    char name[MAX_HEADER_PATH], path[PATH_ROOM + MAX_HEADER_PATH];

    if (!name_is_safe(h->name)) {
        hd_strbuf_printf(j->log, "heddle: a header cannot be called '%s'\n", h->name);
        return HD_BAD_INPUT;
    }
    snprintf(name, sizeof name, "include/%s", h->name);
    for (char *p = strchr(name, '/'); p != NULL; p = strchr(p + 1, '/')) {
        *p = '\0';
        snprintf(path, sizeof path, "%s/%s", j->folder.path, name);
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return fail(j, "a temporary folder cannot be made");
        *p = '/';
    }
    return write_file(j, name, h->text, strlen(h->text));
}

/* ---- the command line ------------------------------------------------------------------------ */

static void end_argument(Job *j)
{
    hd_strbuf_add_char(&j->args, '\0');
    j->arg_count++;
}

static void add(Job *j, const char *arg)
{
    hd_strbuf_add(&j->args, arg);
    end_argument(j);
}

static void add_in_folder(Job *j, const char *option, const char *name)
{
    char path[PATH_ROOM];

    add(j, option);
    snprintf(path, sizeof path, "%s/%s", j->folder.path, name);
    add(j, path);
}

/* Only what the device has: everything else off. */
static void add_extensions(Job *j, const char *extensions)
{
    add(j, "-Xclang");
    hd_strbuf_add(&j->args, "-cl-ext=-all");
    for (const char *p = extensions; *p != '\0';) {
        size_t len = strcspn(p, " ");

        hd_strbuf_printf(&j->args, ",+%.*s", (int)len, p);
        p += len;
        p += strspn(p, " ");
    }
    end_argument(j);
}

/* Where the source itself comes from, as if it were compiled there. */
static void add_own_folder(Job *j, const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;

    add(j, "-I");
    hd_strbuf_printf(&j->args, "%.*s", slash != NULL ? (int)(slash - path) + 1 : 2,
                     slash != NULL ? path : "./");
    end_argument(j);
}

/* What the back end may use beyond SPIR-V 1.4: without them it stops at the built-in. "all" would
 * also bring what it gets wrong. */
#define SPIRV_EXTENSIONS                                                                      \
    "+SPV_KHR_subgroup_rotate,+SPV_KHR_bit_instructions,"                                     \
    "+SPV_KHR_integer_dot_product,+SPV_KHR_uniform_group_instructions,"                       \
    "+SPV_EXT_shader_atomic_float_add,+SPV_EXT_shader_atomic_float16_add,"                    \
    "+SPV_EXT_shader_atomic_float_min_max,+SPV_INTEL_subgroups,"                              \
    "+SPV_KHR_shader_clock,+SPV_INTEL_split_barrier,+SPV_INTEL_bfloat16_conversion,+SPV_KHR_" \
    "linkonce_odr"

/* What a run of the compiler makes. */
typedef enum Product {
    MODULE, /* out.spv */
    INFO,   /* info.ll: LLVM's text of the source as it stands, for what SPIR-V leaves out */
    INLINE, /* inline.ll: the same with bodies of inline functions */
    LINES,  /* lines.ll: LLVM's text of what would become the module, with names and lines */
    TEXT,   /* the same without lines */
} Product;

static void add_list(Job *j, const char *const *args)
{
    for (; *args != NULL; args++)
        add(j, *args);
}

/* With this one integers of odd widths stay what they are. */
#define ODD_WIDTHS ",+SPV_ALTERA_arbitrary_precision_integers"

/* With this one sums of ints say that they do not wrap: so `begin + each` is as far from `begin`
 * for all work-items. Without optimisation SPIR-V's rule holds, which lets them. */
#define NO_WRAP ",+SPV_KHR_no_integer_wrap_decoration"

static bool is_optimised(const Job *j, const HdClcOptions *o)
{
    return o->is_optimised && j->care != NOT_OPTIMISED;
}

/* What the back end is told. Without loop strength reduction: its sums may have integers of odd
 * widths, and addresses that count through a loop hide which lanes read neighbours. */
static void add_back_end(Job *j, const HdClcOptions *o)
{
    static const char *const extensions[2][2] = {
        {"--spirv-ext=" SPIRV_EXTENSIONS, "--spirv-ext=" SPIRV_EXTENSIONS ODD_WIDTHS},
        {"--spirv-ext=" SPIRV_EXTENSIONS NO_WRAP,
         "--spirv-ext=" SPIRV_EXTENSIONS NO_WRAP ODD_WIDTHS}};

    add(j, "-mllvm");
    add(j, extensions[is_optimised(j, o)][j->tells_widths]);
    add(j, "-mllvm");
    add(j, "--disable-lsr");
    if (j->care == NO_WIDE_COUNTERS) {
        add(j, "-mllvm");
        add(j, "-indvars-widen-indvars=false");
    }
}

/* The source, and what it is compiled with. */
static void add_source(Job *j, const HdClcOptions *o)
{
    static const char *const always[] = {
        "-x",
        "cl",
        "-fno-caret-diagnostics",
        "-fno-crash-diagnostics", /* else files for a report are left in /tmp */
        "-Wno-unused-command-line-argument",
        "-Wno-error=incompatible-pointer-types", /* older compilers warn; programs rely on it */
        "-D__ENDIAN_LITTLE__=1",
        "-D__OPENCL_VERSION__=310",
        NULL};

    add_list(j, always);
    if (!o->has_std)
        add(j, "-cl-std=CL1.2");
    if (o->extensions != NULL)
        add_extensions(j, o->extensions);
    add_in_folder(j, "-include", "prelude.h");
    add_in_folder(j, "-I", "include");
    hd_strbuf_add_bytes(&j->args, o->args.at, o->args.count);
    j->arg_count += o->arg_count;
    add_own_folder(j, o->path);
    add(j, "-MMD");
    add_in_folder(j, "-MF", "files");
    add_in_folder(j, "-c", "source.cl");
}

static void add_product(Job *j, Product product)
{
    static const char *const flags[][4] = {
        [INFO] = {"-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes"},
        [INLINE] = {"-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes"},
        [LINES] = {"-S", "-emit-llvm"},
        [TEXT] = {"-S", "-emit-llvm"}};
    static const char *const files[] = {[MODULE] = "out.spv",
                                        [INFO] = "info.ll",
                                        [INLINE] = "inline.ll",
                                        [LINES] = "lines.ll",
                                        [TEXT] = "lines.ll"};

    for (unsigned i = 0; i < 4 && flags[product][i] != NULL; i++)
        add(j, flags[product][i]);
    add_in_folder(j, "-o", files[product]);
}

static void make_command(Job *j, const HdClcOptions *o, Product product)
{
    static const char *const lifetimes[] = {"-Xclang", "-fsanitize-address-use-after-scope", NULL};
    static const char *const names[] = {"-g", "-fno-discard-value-names", NULL};
    bool is_text = product == INFO || product == INLINE;

    hd_strbuf_free(&j->args);
    j->arg_count = 0;
    add(j, j->compiler);
    add(j, "-target");
    add(j, "spirv64");
    /* Without optimisation there are no bodies that are for optimisation. */
    add(j, is_optimised(j, o) || product == INLINE ? "-O1" : "-O0");
    if (is_optimised(j, o))
        add(j, "-funroll-loops"); /* small ones whose number of rounds is known: arrays become
                                     values */
    else if (!o->is_optimised)
        add_list(j, lifetimes);
    add_back_end(j, o);
    if (j->is_again || is_text)
        add(j, "-w");
    if (product == LINES || (product == INLINE && o->has_lines))
        add_list(j, names);
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
static void make_second_command(Job *j, const HdClcOptions *o)
{
    static const char *const always[] = {"-target",
                                         "spirv64",
                                         "-x",
                                         "ir",
                                         "-w",
                                         "-Xclang",
                                         "-disable-llvm-passes",
                                         "-mllvm",
                                         "--spirv-emit-op-names",
                                         NULL};

    hd_strbuf_free(&j->args);
    j->arg_count = 0;
    add(j, j->compiler);
    add_list(j, always);
    add_back_end(j, o);
    add(j, is_optimised(j, o) ? "-O1" : "-O0");
    add_in_folder(j, "-o", "out.spv");
    add_in_folder(j, "-c", "marked.ll");
}

/* ---- the process ----------------------------------------------------------------------------- */

/* Milliseconds of processor time that a process has had; 0 when it cannot be told. */
static int64_t cpu_ms(pid_t pid)
{
    struct timespec t;
    clockid_t clock;

    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
        return 0;
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Read what the process says until it closes its end; false when time ran out. */
static bool read_log(Job *j, int fd, pid_t pid)
{
    int64_t end = (int64_t)hd_clock_ms() + WAIT_MS;
    size_t kept = 0;

    for (;;) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int64_t left = end - (int64_t)hd_clock_ms(), due = TIME_OUT_MS - cpu_ms(pid);
        char bytes[4096];
        ssize_t n;

        if (left <= 0 || due <= 0)
            return false;
        if (poll(&p, 1, (int)(left < due ? left : due)) < 0 && errno != EINTR)
            return true;
        if (p.revents == 0)
            continue;
        n = read(fd, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return true;
        if (kept < MAX_LOG)
            hd_strbuf_add_bytes(j->log, bytes, (size_t)n);
        kept += (size_t)n;
    }
}

static HdStatus spawn(Job *j, char **argv, int log_fd, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    int error;

    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, log_fd, 1);
    posix_spawn_file_actions_adddup2(&actions, log_fd, 2);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    error = posix_spawn(pid, argv[0], &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0) {
        errno = error;
        return fail(j, "the compiler cannot be run");
    }
    return HD_OK;
}

/* What it said stands in the log from byte `from` on. */
static HdStatus wait_for(Job *j, pid_t pid, bool in_time, size_t from)
{
    int status = 0;
    pid_t got;

    if (!in_time)
        kill(-pid, SIGKILL);
    do
        got = waitpid(pid, &status, 0);
    while (got < 0 && errno == EINTR);
    if (!in_time) {
        hd_strbuf_printf(j->log, "heddle: the compiler took longer than %d seconds\n",
                         TIME_OUT_MS / 1000);
        return HD_IO;
    }
    if (got < 0)
        return HD_OK; /* the host ignores SIGCHLD: the output file tells */
    if (WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) > 1) ||
        (WEXITSTATUS(status) != 0 && hd_clc_crashed(j->log, from))) {
        hd_clc_tell_crash(j->log, from, j->compiler, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
        return HD_IO;
    }
    if (WEXITSTATUS(status) == 0)
        return HD_OK;
    if (j->log->count == from)
        hd_strbuf_printf(j->log, "heddle: %s ended with exit code %d and said nothing\n",
                         j->compiler, WEXITSTATUS(status));
    return HD_BAD_INPUT;
}

static HdStatus run(Job *j)
{
    const char *arg = j->args.at;
    size_t from = j->log->count;
    int ends[2];
    char **argv;
    HdStatus st;
    pid_t pid;

    if (j->args.failed)
        return HD_NO_MEMORY;
    HD_TAKE(argv, hd_alloc_zero((j->arg_count + 1) * sizeof *argv));
    for (size_t i = 0; i < j->arg_count; i++) {
        argv[i] = j->args.at + (arg - j->args.at);
        arg += strlen(arg) + 1;
    }
    if (pipe2(ends, O_CLOEXEC) != 0) {
        hd_free(argv);
        return fail(j, "no pipe to the compiler");
    }
    st = spawn(j, argv, ends[1], &pid);
    close(ends[1]);
    hd_free(argv);
    if (st == HD_OK)
        st = wait_for(j, pid, read_log(j, ends[0], pid), from);
    close(ends[0]);
    return st;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Files of the private folder go by other names outside: those the host knows. */
static void clean_names(const Job *j, HdStrbuf *text, size_t from)
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

/* A file that the compiler left in the folder. */
static HdStatus read_left(const Job *j, const char *name, char **bytes, size_t *count)
{
    char path[PATH_ROOM];
    HdStatus st;
    HdDiags d;

    snprintf(path, sizeof path, "%s/%s", j->folder.path, name);
    hd_diags_init(&d);
    st = hd_file_read(path, &d, bytes, count);
    hd_diags_drop(&d);
    return st;
}

static HdStatus read_result(Job *j, uint32_t **words, size_t *nwords)
{
    char *bytes = NULL;
    size_t count = 0;
    HdStatus st = read_left(j, "out.spv", &bytes, &count);

    if (st == HD_OK && (count < 20 || count % 4 != 0)) {
        hd_free(bytes);
        st = HD_IO;
    }
    if (st != HD_OK) {
        if (st == HD_IO)
            hd_strbuf_add(j->log, "heddle: the compiler left no module\n");
        return st;
    }
    *words = (uint32_t *)(void *)bytes;
    *nwords = count / 4;
    hd_clc_mend_instructions(*words, nwords);
    return HD_OK;
}

/* A second run of the compiler, which the first one's success lets expect to succeed. */
static HdStatus add_info(Job *j, const HdClcOptions *options, uint32_t **words, size_t *nwords)
{
    char *text = NULL;
    size_t count = 0;
    HdStatus st;

    make_command(j, options, INFO);
    HD_TRY(run(j));
    st = read_left(j, "info.ll", &text, &count);
    if (st == HD_OK)
        st = hd_clc_mend_locals(text != NULL ? text : "", words, nwords);
    if (st == HD_OK && options->has_arg_info)
        st = hd_clc_add_arg_info(text != NULL ? text : "", words, nwords);
    hd_free(text);
    return st;
}

/* Imported functions that stand for the enqueuing of blocks become instructions. */
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
static HdStatus mark(const HdClcOptions *options, bool has_blocks, const char *text, HdStrbuf *out,
                     HdStrbuf *files)
{
    HdStrbuf with_blocks = {0}, reversed = {0};
    HdStatus st = HD_OK;

    if (has_blocks) {
        st = hd_clc_mark_blocks(text, &with_blocks);
        text = hd_strbuf_text(&with_blocks);
    }
    if (st == HD_OK)
        st = hd_clc_mark_reversals(text, options->has_lines ? &reversed : out);
    if (st == HD_OK && options->has_lines)
        st = hd_clc_mark_lines(hd_strbuf_text(&reversed), out, files);
    hd_strbuf_free(&reversed);
    hd_strbuf_free(&with_blocks);
    return st;
}

/* The second half of a compilation with -g, of a source with blocks, or of one that reverses bits.
 */
static HdStatus compile_text(Job *j, const HdClcOptions *options, const Source *s, uint32_t **words,
                             size_t *nwords)
{
    HdStrbuf marked = {0}, files = {0};
    char *text = NULL;
    size_t count = 0;
    HdStatus st = read_left(j, "lines.ll", &text, &count);

    if (st == HD_OK)
        st = mark(options, s->has_blocks, text != NULL ? text : "", &marked, &files);
    if (st == HD_OK)
        st = write_file(j, "marked.ll", marked.at, marked.count);
    if (st == HD_OK) {
        make_second_command(j, options);
        st = run(j);
    }
    if (st == HD_OK)
        st = read_result(j, words, nwords);
    if (st == HD_OK && s->has_blocks)
        st = lower_blocks(words, nwords);
    clean_names(j, &files, 0);
    if (st == HD_OK && options->has_lines)
        st = hd_clc_place_lines(&files, options->path != NULL ? options->path : "source.cl",
                                s->text, s->len, words, nwords);
    hd_free(text);
    hd_strbuf_free(&marked);
    hd_strbuf_free(&files);
    return st;
}

/* The source, which goes by its own name in messages, __FILE__ and debug information. */
static HdStatus write_source(Job *j, const Source *s, const char *path)
{
    HdStrbuf text = {0};
    HdStatus st;

    if (path == NULL)
        return write_file(j, "source.cl", s->text, s->len);
    hd_strbuf_add(&text, "#line 1 \"");
    for (const char *p = path; *p != '\0'; p++) {
        if (*p == '"' || *p == '\\')
            hd_strbuf_add_char(&text, '\\');
        hd_strbuf_add_char(&text, *p);
    }
    hd_strbuf_add(&text, "\"\n");
    hd_strbuf_add_bytes(&text, s->text, s->len);
    st = text.failed ? HD_NO_MEMORY : write_file(j, "source.cl", text.at, text.count);
    hd_strbuf_free(&text);
    return st;
}

/* What the compiler makes of the private folder. */
static HdStatus compile_once(Job *j, const Source *s, const HdClcOptions *options, uint32_t **words,
                             size_t *nwords)
{
    Product product = options->has_lines ? LINES : s->has_blocks ? TEXT : MODULE;
    size_t from = j->log->count;
    HdStatus st;

    make_command(j, options, product);
    st = run(j);
    clean_names(j, j->log, from);
    HD_TRY(st);
    if (product != MODULE)
        return compile_text(j, options, s, words, nwords);
    HD_TRY(read_result(j, words, nwords));
    if (!hd_clc_reverses(*words, *nwords))
        return HD_OK;
    hd_free(*words);
    *words = NULL;
    j->is_again = true;
    j->tells_widths = false; /* reversals have odd widths, and are mended */
    make_command(j, options, TEXT);
    HD_TRY(run(j));
    return compile_text(j, options, s, words, nwords);
}

/* Another compiler (HEDDLE_CLANG) may not know the extension. */
static bool is_unknown(Job *j, size_t from)
{
    return j->tells_widths && strstr(hd_strbuf_text(j->log) + from, "SPIR-V extension") != NULL &&
           strstr(hd_strbuf_text(j->log) + from, ODD_WIDTHS + 1) != NULL;
}

/* With as much care as it takes for integers of the widths that types have. */
static HdStatus compile_folder(Job *j, const Source *s, const HdClcOptions *options,
                               uint32_t **words, size_t *nwords)
{
    size_t from = j->log->count;

    j->care = NOTHING_LEFT_OUT;
    j->tells_widths = options->is_optimised;
    for (;;) {
        HdStatus st = compile_once(j, s, options, words, nwords);

        if (st != HD_OK && is_unknown(j, from)) {
            j->log->count = from;
            j->tells_widths = false;
            continue;
        }
        HD_TRY(st);
        if (!j->tells_widths || !hd_clc_has_odd_widths(*words, *nwords))
            return HD_OK;
        hd_free(*words);
        *words = NULL;
        j->is_again = true;
        j->care++;
        j->tells_widths = j->care != NOT_OPTIMISED;
    }
}

/* The module with a body for each inline function, where that is what it may lack. */
static HdStatus add_bodies(Job *j, const Source *s, const HdClcOptions *options, uint32_t **words,
                           size_t *nwords)
{
    HdStrbuf kept = {0};
    char *text = NULL;
    size_t count = 0;
    HdStatus st;

    hd_free(*words);
    *words = NULL;
    j->is_again = j->from_text = true;
    make_command(j, options, INLINE);
    HD_TRY(run(j));
    HD_TRY(read_left(j, "inline.ll", &text, &count));
    hd_clc_keep_inline(text != NULL ? text : "", &kept);
    st = kept.failed ? HD_NO_MEMORY : write_file(j, "inline.ll", kept.at, kept.count);
    hd_free(text);
    hd_strbuf_free(&kept);
    return st == HD_OK ? compile_folder(j, s, options, words, nwords) : st;
}

/* Everything into the private folder, and the compiler over it. */
static HdStatus compile(Job *j, const char *prelude, const Source *s, const HdClcOptions *options,
                        const HdClcHeader *headers, size_t header_count, uint32_t **words,
                        size_t *nwords)
{
    if (options->begins != NULL)
        options->begins(options->begins_user);
    if (!hd_clc_folder_open(&j->folder)) {
        hd_strbuf_printf(j->log, "heddle: no folder for temporary files in %s: %s\n",
                         hd_clc_folder_parent(), strerror(errno));
        return HD_IO;
    }
    HD_TRY(write_source(j, s, options->path));
    HD_TRY(write_file(j, "prelude.h", prelude, strlen(prelude)));
    for (size_t i = 0; i < header_count; i++)
        HD_TRY(write_header(j, &headers[i]));
    HD_TRY(compile_folder(j, s, options, words, nwords));
    if (hd_clc_imports(*words, *nwords))
        HD_TRY(add_bodies(j, s, options, words, nwords));
    return options->has_arg_info || hd_clc_has_odd_locals(*words, *nwords)
               ? add_info(j, options, words, nwords)
               : HD_OK;
}

/* Keep the result for the next time. */
static void keep(const Job *j, const HdStoreKey *key, size_t log_from, const uint32_t *words,
                 size_t nwords)
{
    char *files = NULL;
    size_t count;

    if (read_left(j, "files", &files, &count) == HD_OK && files != NULL)
        hd_clc_cache_put(key, files, j->folder.path, hd_strbuf_text(j->log) + log_from, words,
                         nwords);
    hd_free(files);
}

static HdStatus find_or_compile(Job *j, const char *prelude, const char *source, size_t len,
                                const HdClcOptions *options, const HdClcHeader *headers,
                                size_t header_count, uint32_t **words, size_t *nwords)
{
    HdStoreKey key =
        hd_clc_cache_key(j->compiler, prelude, source, len, options, headers, header_count);
    Source s = {source, len, options->is_2_0 && hd_clc_has_blocks(source, headers, header_count)};
    size_t from = j->log->count;

    if (hd_clc_cache_get(&key, j->log, words, nwords))
        return HD_OK;
    HD_TRY(compile(j, prelude, &s, options, headers, header_count, words, nwords));
    keep(j, &key, from, *words, *nwords);
    return HD_OK;
}

HdStatus hd_clc_compile(const char *source, size_t len, const HdClcOptions *options,
                        const HdClcHeader *headers, size_t header_count, HdStrbuf *log,
                        uint32_t **words, size_t *nwords)
{
    HdStrbuf prelude = {0};
    Job j = {.log = log};
    HdStatus st = HD_NO_MEMORY;

    *words = NULL;
    *nwords = 0;
    if (!find_compiler(j.compiler)) {
        tell_missing(log);
        return HD_UNSUPPORTED;
    }
    hd_clc_prelude(source, headers, header_count, options, &prelude);
    if (!prelude.failed)
        st = find_or_compile(&j, hd_strbuf_text(&prelude), source, len, options, headers,
                             header_count, words, nwords);
    if (st != HD_OK) {
        hd_free(*words);
        *words = NULL;
        *nwords = 0;
    }
    hd_clc_folder_close(&j.folder);
    hd_strbuf_free(&prelude);
    hd_strbuf_free(&j.args);
    return st;
}
