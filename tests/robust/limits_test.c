/* tests/robust/limits_test.c -- words cut and changed, launches that ask for too much, and caches
 * that cannot be used.
 *
 *   limits_test [TEST]     only tests whose name begins so
 *
 * SPDX-License-Identifier: MIT
 */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "generator.h"
#include "heddle/heddle.h"
#include "launch/args.h"
#include "launch/launch.h"
#include "launch/run.h"
#include "mutate.h"
#include "text/as.h"
#include "world.h"

static const char types[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\n"
    "%std = OpExtInstImport \"OpenCL.std\"\nOpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %k \"k\" %gid_var\nOpDecorate %gid_var BuiltIn GlobalInvocationId\n"
    "OpDecorate %spec SpecId 3\n%void = OpTypeVoid\n%bool = OpTypeBool\n%u32 = OpTypeInt 32 0\n"
    "%u64 = OpTypeInt 64 0\n%v3 = OpTypeVector %u64 3\n%true = OpConstantTrue %bool\n"
    "%c1 = OpConstant %u32 1\n%c0 = OpConstant %u32 0\n%spec = OpSpecConstant %u32 5\n"
    "%pg = OpTypePointer CrossWorkgroup %u32\n%pw = OpTypePointer Workgroup %u32\n"
    "%pin = OpTypePointer Input %v3\n%ft = OpTypeFunction %void %pg %pw %u32\n"
    "%gid_var = OpVariable %pin Input\n";
static const char begin[] = "%k = OpFunction %void None %ft\n%buf = OpFunctionParameter %pg\n"
                            "%loc = OpFunctionParameter %pw\n%num = OpFunctionParameter %u32\n"
                            "%entry = OpLabel\n";
static const char store[] =
    "%old = OpAtomicIAdd %u32 %buf %c1 %c0 %spec\nOpReturn\nOpFunctionEnd\n";
/* 64 MiB of private memory for each work-item. */
static const char big_types[] =
    "%n = OpConstant %u32 16777216\n%arr = OpTypeArray %u32 %n\n"
    "%pa = OpTypePointer Function %arr\n%pf = OpTypePointer Function %u32\n";
static const char big_body[] =
    "%var = OpVariable %pa Function\n%ids = OpLoad %v3 %gid_var\n"
    "%gid = OpCompositeExtract %u64 %ids 0\n%at = OpInBoundsAccessChain %pf %var %gid\n"
    "OpStore %at %num\n%ten = OpLoad %u32 %buf Aligned 4\n"
    "%at2 = OpInBoundsAccessChain %pf %var %ten\n%v = OpLoad %u32 %at2\n"
    "OpStore %buf %v Aligned 4\nOpReturn\nOpFunctionEnd\n";
/* 256 MiB of local memory. */
static const char local_types[] = "%n = OpConstant %u32 67108864\n%arr = OpTypeArray %u32 %n\n%pa "
                                  "= OpTypePointer Workgroup %arr\n"
                                  "%var = OpVariable %pa Workgroup\n";
static const char local_body[] = "%at = OpInBoundsAccessChain %pw %var %num\nOpStore %at %num\n"
                                 "OpStore %buf %num Aligned 4\nOpReturn\nOpFunctionEnd\n";
static const char forever[] =
    "OpBranch %l\n%l = OpLabel\n%x = OpLoad %u32 %buf Volatile|Aligned 4\n"
    "%t = OpULessThan %bool %x %num\nOpBranchConditional %t %e %l\n"
    "%e = OpLabel\nOpReturn\nOpFunctionEnd\n";

static uint32_t *assemble(const char *more_types, const char *body, size_t *count)
{
    HdStrbuf text = {0};
    uint32_t *words = NULL;
    HdDiags d;

    hd_diags_init(&d);
    hd_strbuf_printf(&text, "%s%s%s%s", types, more_types, begin, body);
    if (hd_text_assemble(text.at, text.count, NULL, &d, &words, count) != HD_OK)
        printf("the test's own text: %s\n", d.at[0].message);
    hd_strbuf_free(&text);
    hd_diags_drop(&d);
    return words;
}

/* ---- expectations ------------------------------------------------------------------------------
 */

static bool failed;

static void expect(heddle_status got, heddle_status want, const char *rule, heddle_report *r,
                   const char *what)
{
    bool named = rule == NULL;

    for (size_t i = 0; i < heddle_report_count(r); i++)
        named = named || strcmp(heddle_report_get(r, i).rule, rule) == 0;
    if (got == want && named && (got == HEDDLE_OK || heddle_report_count(r) != 0))
        return;
    printf("%s: status %d, wanted %d %s", what, got, want, rule != NULL ? rule : "");
    for (size_t i = 0; i < heddle_report_count(r) && i < 3; i++)
        printf("; %s [%s]", heddle_report_get(r, i).message, heddle_report_get(r, i).rule);
    printf("\n");
    failed = true;
}

static void check(bool good, const char *what)
{
    if (!good)
        printf("%s\n", what), failed = true;
}

/* Open a module of the texts above and run it. What is 0 is as a plain launch has it. */
typedef struct Plan {
    const char *types, *body;
    bool no_dim, no_local;
    uint32_t dim;
    uint64_t offset, global[3], local[3];
    size_t args, local_bytes;
    uint32_t width;
    bool engines[2]; /* which are left out */
    const char *kernel;
    heddle_status want;
    const char *rule;
} Plan;

static Plan completed(Plan p)
{
    static const uint64_t none[3] = {0}, global[3] = {64, 1, 1}, local[3] = {8, 1, 1};

    p.types = p.types != NULL ? p.types : "";
    p.body = p.body != NULL ? p.body : store;
    p.dim = p.dim != 0 || p.no_dim ? p.dim : 1;
    p.args = p.args != 0 ? p.args : 3;
    p.local_bytes = p.local_bytes != 0 || p.no_local ? p.local_bytes : 64;
    if (memcmp(p.global, none, sizeof none) == 0)
        memcpy(p.global, global, sizeof global);
    if (memcmp(p.local, none, sizeof none) == 0)
        memcpy(p.local, local, sizeof local);
    return p;
}

static void run_plan(const char *what, const Plan *from)
{
    Plan plan = completed(*from), *p = &plan;
    size_t count;
    uint32_t *words = assemble(p->types, p->body, &count), data[64] = {0}, number = 7;
    heddle_arg args[4] = {{data, 0}, {NULL, p->local_bytes}, {&number, 4}, {&number, 4}};
    heddle_report *r = heddle_report_open();
    heddle_program *program = NULL;
    heddle_launch l = {.kernel = p->kernel,
                       .args = args,
                       .arg_count = p->args,
                       .work_dim = p->dim,
                       .subgroup_size = p->width,
                       .threads = 2};

    l.global_offset[0] = p->offset;
    memcpy(l.global_size, p->global, sizeof l.global_size);
    memcpy(l.local_size, p->local, sizeof l.local_size);
    expect(heddle_program_open(words, count, NULL, 0, r, &program), HEDDLE_OK, NULL, r, what);
    for (int e = 0; program != NULL && e < 2; e++) {
        heddle_report *own = heddle_report_open();

        l.engine = (heddle_engine)e;
        if (!p->engines[e])
            expect(heddle_run(program, &l, own), p->want, p->rule, own, what);
        heddle_report_close(own);
    }
    heddle_program_close(program);
    heddle_report_close(r);
    heddle_free(words);
}

static bool test_launches(size_t which)
{
    static const struct {
        const char *what;
        Plan p;
    } plans[] = {
        {"a plain launch", {.want = HEDDLE_OK}},
        {"an empty range", {.global = {0, 1, 1}, .want = HEDDLE_OK}},
        {"no dimensions", {.no_dim = true, .want = HEDDLE_BAD_INPUT, .rule = "launch.dimensions"}},
        {"four dimensions", {.dim = 4, .want = HEDDLE_BAD_INPUT}},
        {"too few arguments", {.args = 2, .want = HEDDLE_BAD_INPUT, .rule = "launch.args"}},
        {"too many arguments", {.args = 4, .want = HEDDLE_BAD_INPUT, .rule = "launch.args"}},
        {"no local bytes", {.no_local = true, .want = HEDDLE_OK}},
        {"no such kernel", {.kernel = "z", .want = HEDDLE_BAD_INPUT, .rule = "launch.kernel"}},
        {"a huge group",
         {.local = {1u << 30, 1, 1},
          .global = {1u << 30, 1, 1},
          .want = HEDDLE_BAD_INPUT,
          .rule = "launch.local-size"}},
        {"a group of 2^63",
         {.local = {1ull << 63, 1, 1},
          .global = {1ull << 63, 1, 1},
          .want = HEDDLE_BAD_INPUT,
          .rule = "launch.local-size"}},
        {"a group that wraps",
         {.dim = 3,
          .local = {1ull << 32, 1ull << 32, 1},
          .global = {1ull << 32, 1ull << 32, 1},
          .want = HEDDLE_BAD_INPUT,
          .rule = "launch.local-size"}},
        {"half a local size",
         {.dim = 2,
          .local = {8, 0, 0},
          .global = {8, 8, 1},
          .want = HEDDLE_BAD_INPUT,
          .rule = "launch.local-size"}},
        {"a range that wraps",
         {.dim = 3,
          .local = {1, 1, 1},
          .want = HEDDLE_BAD_INPUT,
          .global = {1ull << 63, 1ull << 63, 1ull << 63},
          .rule = "launch.groups"}},
        {"an offset that wraps", {.offset = UINT64_MAX - 3, .want = HEDDLE_OK}},
        {"3 lanes",
         {.width = 3, .engines = {false, true}, .want = HEDDLE_UNSUPPORTED, .rule = "jit.width"}},
        {"4000000000 lanes",
         {.width = 4000000000u, .want = HEDDLE_BAD_INPUT, .rule = "launch.width"}},
        {"local memory of 2^63",
         {.local_bytes = (size_t)1 << 63, .want = HEDDLE_NO_MEMORY, .rule = "launch.memory"}},
        {"local memory of 2^64",
         {.local_bytes = SIZE_MAX, .want = HEDDLE_NO_MEMORY, .rule = "launch.memory"}},
        {"large private memory",
         {.types = big_types,
          .body = big_body,
          .global = {4, 1, 1},
          .local = {4, 1, 1},
          .want = HEDDLE_OK}},
        {"huge private memory",
         {.types = big_types,
          .body = big_body,
          .width = 32,
          .global = {4096, 1, 1},
          .local = {4096, 1, 1},
          .want = HEDDLE_OK,
          .engines = {false, true}}},
        {"large local memory", {.types = local_types, .body = local_body, .want = HEDDLE_OK}},
    };

    (void)which;
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        run_plan(plans[i].what, &plans[i].p);
    return !failed;
}

/* ---- stopping ----------------------------------------------------------------------------------
 */

typedef struct Stopper {
    volatile bool cancel;
    volatile uint32_t *open_gate;
} Stopper;

static void *stop_soon(void *user)
{
    Stopper *s = user;

    usleep(100000);
    s->cancel = true;
    *s->open_gate = 0; /* lets the running groups end */
    return NULL;
}

/* A launch that would take years ends between two groups. */
static bool test_cancel(size_t which)
{
    size_t count;
    uint32_t *words = assemble("", forever, &count), data = 100, number = 50, *at = &data;
    Stopper stopper = {.open_gate = &data};
    HdProgram *program = NULL;
    HdArgs args;
    pthread_t thread;
    HdDiags d;
    HdLaunch l = {.memory = &(HdProgramMemory){0},
                  .args = &args,
                  .work_dim = 1,
                  .global_size = {(uint64_t)1 << 50, 1, 1},
                  .local_size = {8, 1, 1},
                  .engine = which == 0 ? HD_ENGINE_COMPILED : HD_ENGINE_INTERPRETED,
                  .cancel = &stopper.cancel};

    hd_diags_init(&d);
    check(hd_program_open(words, count, NULL, &d, &program) == HD_OK, "not opened");
    if (program == NULL)
        return false;
    l.program = program;
    l.kernel = &hd_program_layout(program)->kernels[0];
    check(hd_args_open(l.kernel, &args) == HD_OK && hd_args_missing(&args) == 0, "arguments");
    check(hd_launch_run(NULL, &l, &d) == HD_BAD_INPUT, "a launch without its arguments ran");
    hd_args_set(&args, 0, sizeof at, &at);
    hd_args_set(&args, 1, 16, NULL);
    check(hd_args_set(&args, 2, 8, &at) == HD_BAD_INPUT, "an argument of the wrong size was set");
    check(hd_args_set(&args, 3, 4, &number) == HD_BAD_INPUT, "argument 3 of 3 was set");
    hd_args_set(&args, 2, 4, &number);
    pthread_create(&thread, NULL, stop_soon, &stopper);
    hd_launch_run(NULL, &l, &d);
    pthread_join(thread, NULL);
    hd_args_close(&args);
    hd_program_close(program);
    hd_diags_drop(&d);
    hd_free(words);
    return !failed;
}

/* ---- words -------------------------------------------------------------------------------------
 */

/* Every prefix of a module, and each of its words replaced by bad ones. */
static bool test_words(size_t which)
{
    static const uint32_t bad[] = {0, 1, 0xffffffffu, 0x80000000u, 0xffff0000u, 0x7fffffffu};
    size_t count;
    uint32_t *words = assemble("", store, &count), *copy = hd_alloc(count * 4);
    heddle_report *r;
    heddle_program *p;

    (void)which;
    for (size_t n = 0; n < count; n++) {
        heddle_status st;
        uint32_t *exact = malloc(n * 4 + 1); /* so that a sanitizer sees what is behind */

        memcpy(exact, words, n * 4);
        r = heddle_report_open();
        st = heddle_program_open(exact, n, NULL, 0, r, &p);
        if (st != HEDDLE_BAD_INPUT || heddle_report_count(r) == 0)
            printf("cut at word %zu: status %d\n", n, st), failed = true;
        heddle_program_close(p);
        heddle_report_close(r);
        free(exact);
    }
    for (size_t n = 0; n < count * 6; n++) {
        heddle_status st;
        char *text = NULL;

        memcpy(copy, words, count * 4);
        copy[n / 6] = bad[n % 6];
        r = heddle_report_open();
        st = heddle_program_open(copy, count, NULL, 0, r, &p);
        if (st == HEDDLE_BUG || (st != HEDDLE_OK && heddle_report_count(r) == 0))
            printf("word %zu is %#x: status %d\n", n / 6, bad[n % 6], st), failed = true;
        heddle_program_close(p);
        heddle_disassemble(copy, count, 0, r, &text);
        heddle_free(text);
        heddle_report_close(r);
    }
    hd_free(copy);
    hd_free(words);
    return !failed;
}

static bool test_specialization(size_t which)
{
    static const heddle_specialization specs[] = {{3, 4, 9, NULL},  {3, 2, 9, NULL},
                                                  {3, 8, 9, NULL},  {3, 0, 9, NULL},
                                                  {77, 4, 9, NULL}, {3, 4000000000u, 9, NULL}};
    size_t count;
    uint32_t *words = assemble("", store, &count);

    (void)which;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        heddle_report *r = heddle_report_open();
        heddle_program *p;
        bool fits = specs[i].size_bytes == 4;

        expect(heddle_program_open(words, count, &specs[i], 1, r, &p),
               fits ? HEDDLE_OK : HEDDLE_BAD_INPUT, NULL, r, "a specialisation's size");
        heddle_program_close(p);
        heddle_report_close(r);
    }
    heddle_free(words);
    return !failed;
}

/* ---- caches ------------------------------------------------------------------------------------
 */

static void run_once(const char *what)
{
    static const Plan plain = {.engines = {false, true}};

    run_plan(what, &plain);
}

static bool find_object(const char *folder, char *path, size_t room)
{
    DIR *dir = opendir(folder);
    bool found = false;

    for (struct dirent *e; dir != NULL && !found && (e = readdir(dir)) != NULL;)
        if (strstr(e->d_name, ".entry") != NULL)
            found = snprintf(path, room, "%s/%s", folder, e->d_name) < (int)room;
    if (dir != NULL)
        closedir(dir);
    return found;
}

static void write_all(const char *path, const char *bytes, size_t count)
{
    int f = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    check(f >= 0 && write(f, bytes, count) == (ssize_t)count, "cannot write the cache's file");
    close(f);
}

/* Every byte of a cached object flipped, and the file cut short. */
static void damage(const char *folder)
{
    char path[600], *bytes = NULL;
    size_t count = 0, step;
    HdDiags d;

    hd_diags_init(&d);
    run_once("a fresh cache");
    check(find_object(folder, path, sizeof path) && hd_file_read(path, &d, &bytes, &count) == HD_OK,
          "nothing was cached");
    step = count / 200 + 1;
    for (size_t i = 0; i < count; i += i < 96 ? 1 : step) {
        bytes[i] = (char)(bytes[i] ^ (1 << i % 8));
        write_all(path, bytes, count);
        run_once("a damaged cache");
        bytes[i] = (char)(bytes[i] ^ (1 << i % 8));
    }
    for (size_t i = 0; i < count; i += 1 + count / 20) {
        write_all(path, bytes, i);
        run_once("a cache cut short");
    }
    hd_free(bytes);
    hd_diags_drop(&d);
    unlink(path);
}

static bool test_cache(size_t which)
{
    char folder[] = "/tmp/heddle-limits-XXXXXX", path[700];

    (void)which;
    check(mkdtemp(folder) != NULL, "no folder");
    setenv("HEDDLE_CACHE", "1", 1);
    setenv("HEDDLE_CACHE_DIR", folder, 1);
    damage(folder);
    snprintf(path, sizeof path, "%s/file", folder);
    write_all(path, "x", 1);
    setenv("HEDDLE_CACHE_DIR", path, 1);
    run_once("a cache folder that is a file");
    setenv("HEDDLE_CACHE_DIR", "/proc/heddle", 1);
    run_once("a cache folder that cannot be made");
    setenv("HEDDLE_CACHE_DIR", "/dev/full", 1);
    run_once("a cache folder that is a device");
    unlink(path);
    chmod(folder, 0500);
    setenv("HEDDLE_CACHE_DIR", folder, 1);
    run_once("a cache folder that cannot be written");
    setenv("HEDDLE_CACHE_MB", "nonsense", 1);
    run_once("a cache size that is not a number");
    chmod(folder, 0700);
    while (find_object(folder, path, sizeof path) && unlink(path) == 0)
        ;
    rmdir(folder);
    return !failed;
}

static bool test_options(size_t which)
{
    static const char *const values[] = {"nonsense", "-1", "0x10", "99999999999999999999",
                                         "1000000",  "",   " 3",   "3.5"};

    (void)which;
    setenv("HEDDLE_CACHE", "0", 1);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        setenv("HEDDLE_THREADS", values[i], 1);
        setenv("HEDDLE_SUBGROUP", values[i], 1);
        setenv("HEDDLE_CACHE_MB", values[i], 1);
        run_once(values[i]);
    }
    return !failed;
}

/* Little address space: whatever the answer, it is an answer. */
static bool test_address_space(size_t which)
{
    size_t count;
    uint32_t *words = assemble(local_types, local_body, &count), data[64] = {0}, number = 7;
    heddle_arg args[3] = {{data, 0}, {NULL, 64}, {&number, 4}};

    (void)which;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    count = 0; /* a sanitizer needs all there is */
#endif
    for (rlim_t mib = 64; count != 0 && mib < 2000; mib += 48) {
        struct rlimit limit = {mib << 20, RLIM_INFINITY}, old;
        heddle_launch l = {.args = args,
                           .arg_count = 3,
                           .work_dim = 1,
                           .global_size = {64, 1, 1},
                           .local_size = {8, 1, 1},
                           .threads = 4,
                           .engine = HEDDLE_INTERPRETED};
        heddle_report *r = heddle_report_open();
        heddle_program *p = NULL;
        heddle_status st;

        getrlimit(RLIMIT_AS, &old);
        limit.rlim_max = old.rlim_max;
        setrlimit(RLIMIT_AS, &limit);
        st = heddle_program_open(words, count, NULL, 0, r, &p);
        if (st == HEDDLE_OK)
            st = heddle_run(p, &l, r);
        setrlimit(RLIMIT_AS, &old);
        if (st != HEDDLE_OK && st != HEDDLE_NO_MEMORY && st != HEDDLE_IO)
            expect(st, HEDDLE_NO_MEMORY, NULL, r, "little address space");
        heddle_program_close(p);
        heddle_report_close(r);
    }
    heddle_free(words);
    return !failed;
}

static const struct {
    const char *name;
    bool (*run)(size_t which);
    size_t which;
} tests[] = {
    {"words", test_words, 0},
    {"specialization", test_specialization, 0},
    {"launches", test_launches, 0},
    {"cancel", test_cancel, 0},
    {"cancel interpreted", test_cancel, 1},
    {"cache", test_cache, 0},
    {"options", test_options, 0},
    {"address space", test_address_space, 0},
};

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";
    unsigned counts[2] = {0};

    generator_link();
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (strncmp(tests[i].name, only, strlen(only)) == 0)
            counts[!world_apart(tests[i].name, tests[i].run, tests[i].which)]++;
    printf("%u passed, %u failed, 0 skipped\n", counts[0], counts[1]);
    return counts[1] != 0;
}
