/* tests/launch/tune_other_test.c -- the other form of a kernel's code is made in the background,
 * and what trials found is there for later launches and later programs.
 *
 * SPDX-License-Identifier: MIT
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "check.h"
#include "folder.h"
#include "generator.h"
#include "launch/args.h"
#include "launch/choose.h"
#include "launch/plan.h"
#include "launch/pool_state.h"
#include "launch/run.h"
#include "launch/tune_other.h"
#include "prespawn.h"
#include "text/as.h"

#define ITEMS 1024u

/* Each item follows a chain of places as long as its own data make it. */
#define TEXT(wait)                                                                           \
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\nOpCapability Int8\n"   \
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\" %id\n"                    \
    "OpDecorate %id BuiltIn GlobalInvocationId\n%void = OpTypeVoid\n%bool = OpTypeBool\n"    \
    "%u32 = OpTypeInt 32 0\n%u64 = OpTypeInt 64 0\n%v3 = OpTypeVector %u64 3\n"              \
    "%u8 = OpTypeInt 8 0\n%p8 = OpTypePointer CrossWorkgroup %u8\n%c0 = OpConstant %u32 0\n" \
    "%c2 = OpConstant %u32 2\n%c264 = OpConstant %u32 264\n"                                 \
    "%pi = OpTypePointer Input %v3\n%id = OpVariable %pi Input\n"                            \
    "%pg = OpTypePointer CrossWorkgroup %u32\n%ft = OpTypeFunction %void %pg\n"              \
    "%k = OpFunction %void None %ft\n%b = OpFunctionParameter %pg\n%e = OpLabel\n"           \
    "%ids = OpLoad %v3 %id Aligned 32\n%i = OpCompositeExtract %u64 %ids 0\n"                \
    "%p = OpInBoundsPtrAccessChain %pg %b %i\n%old = OpLoad %u32 %p Aligned 4\n" wait        \
    "%bytes = OpBitcast %p8 %b\nOpBranch %l\n%l = OpLabel\n"                                 \
    "%x = OpPhi %u32 %old %e %y %m\n%sum = OpPhi %u32 %c0 %e %more %m\n"                     \
    "%t = OpIEqual %bool %x %c0\nOpLoopMerge %d %m None\nOpBranchConditional %t %d %m\n"     \
    "%m = OpLabel\n%wide = OpUConvert %u64 %x\n"                                             \
    "%q = OpInBoundsPtrAccessChain %p8 %bytes %wide\n%byte = OpLoad %u8 %q Aligned 1\n"      \
    "OpStore %q %byte Aligned 1\n%y = OpUConvert %u32 %byte\n%more = OpIAdd %u32 %sum %y\n"  \
    "OpBranch %l\n%d = OpLabel\nOpStore %p %sum Aligned 4\nOpReturn\nOpFunctionEnd\n"

static const char plain[] = TEXT("");
/* Nothing else holds the work-items of a group together. */
static const char waiting[] = TEXT("OpControlBarrier %c2 %c2 %c264\n");

static uint32_t data[ITEMS]; /* zeros: no chain has a second place */

typedef struct Kernel {
    HdProgram *program;
    HdArgs args;
    HdLaunchPlans plans;
    HdLaunch launch;
} Kernel;

static bool open_text(Kernel *k, const char *text)
{
    static const HdProgramMemory none;
    const void *at = data;
    uint32_t *words = NULL;
    size_t count;
    HdDiags d;
    bool done;

    *k = (Kernel){0};
    hd_diags_init(&d);
    done = hd_text_assemble(text, strlen(text), NULL, &d, &words, &count) == HD_OK &&
           hd_program_open(words, count, NULL, &d, &k->program) == HD_OK;
    hd_free(words);
    hd_diags_drop(&d);
    if (!done)
        return false;
    k->launch = (HdLaunch){.program = k->program,
                           .kernel = &hd_program_layout(k->program)->kernels[0],
                           .memory = &none,
                           .args = &k->args,
                           .plans = &k->plans,
                           .work_dim = 1,
                           .global_size = {ITEMS}};
    return hd_args_open(k->launch.kernel, &k->args) == HD_OK &&
           hd_args_set(&k->args, 0, sizeof at, &at) == HD_OK;
}

static bool open_kernel(Kernel *k)
{
    return open_text(k, plain);
}

static void close_kernel(Kernel *k)
{
    hd_launch_plans_close(&k->plans);
    hd_args_close(&k->args);
    hd_program_close(k->program);
}

static bool run(Kernel *k, HdPool *pool)
{
    HdStatus st;
    HdDiags d;

    hd_diags_init(&d);
    st = hd_launch_run(pool, &k->launch, &d);
    hd_diags_drop(&d);
    return st == HD_OK;
}

static HdVariant variant(const Kernel *k, bool against)
{
    HdVariant v = hd_variant_usual(hd_program_cpu(k->program), k->launch.kernel);

    v.form.coarsen = v.form.rows = 0;
    v.launch.apart = false;
    v.form.dims = 1;
    v.form.against = against;
    return v;
}

static const HdKernelCode *code(const Kernel *k)
{
    const HdKernelCode *c = NULL;
    HdDiags d;

    hd_diags_init(&d);
    (void)hd_program_code(k->program, k->launch.kernel, variant(k, false), &d, &c);
    hd_diags_drop(&d);
    return c;
}

static bool has_against(const Kernel *k)
{
    return hd_program_has_code(k->program, k->launch.kernel, variant(k, true));
}

static HdTuneOtherState wait_for(HdTuneOther *o, HdPool *pool, HdPoolWhen when)
{
    HdTuneOtherState s;

    while ((s = hd_tune_other_ask(o, pool, when)) == HD_TUNE_OTHER_PENDING)
        spare_moment();
    return s;
}

/* Made by a thread that nobody waits for, by a worker with nothing else to do, by any, by the only
 * one there is. */
static void test_making(Checks *c, unsigned threads, HdPoolWhen when)
{
    HdPool *pool;
    HdLaunch l;
    HdTuneOther *o;
    Kernel k;

    CHECK(c, hd_pool_open(threads, &pool) == HD_OK && open_kernel(&k));
    l = k.launch;
    l.form.against = true;
    o = hd_tune_other_open(&l, threads);
    CHECK(c, o != NULL && run(&k, NULL) && !has_against(&k));
    CHECK(c, wait_for(o, pool, when) == HD_TUNE_OTHER_MADE && has_against(&k));
    hd_tune_other_close(o);
    close_kernel(&k);
    hd_pool_close(pool);
}

/* What a launch runs as in one form. */
static HdLaunch chosen(Checks *c, const Kernel *k, bool against, const HdKernelCode **code)
{
    HdLaunch from = k->launch, l = {0};
    bool is_empty;
    HdNdrange n;
    HdDiags d;

    hd_diags_init(&d);
    from.form.against = against;
    CHECK(c, hd_launch_resolve(&from, &l, &is_empty, &d) == HD_OK);
    CHECK(c, hd_launch_choose(&from, &l, 2, &d, &n) == HD_OK);
    hd_diags_drop(&d);
    *code = NULL;
    for (unsigned i = 0; *code == NULL && i < HD_NDRANGE_SHAPES; i++)
        *code = n.code[i];
    return l;
}

/* With barriers the other form has sub-groups of one work-item; without it keeps the launch's. */
static void test_forms(Checks *c, const char *text, bool has_barrier)
{
    const HdKernelCode *likely, *other;
    HdLaunch l;
    Kernel k;

    CHECK(c, open_text(&k, text));
    l = chosen(c, &k, false, &likely);
    CHECK(c, likely != NULL && likely->facts.doubt != 0 && l.width > 1);
    CHECK(c, likely != NULL && likely->facts.is_narrow_against == has_barrier);
    l = chosen(c, &k, true, &other);
    CHECK(c, other != NULL && likely != NULL && other->facts.lanes != likely->facts.lanes);
    CHECK(c, (l.width == 1) == has_barrier);
    close_kernel(&k);
}

/* Work-items in loops run alone where there is a thread for each, unless barriers tie them. Code
 * of a wider sub-group may have one lane as well, where the processor's gathers are slow. */
static void test_few(Checks *c, const char *text, uint64_t items, bool are_alone)
{
    const HdKernelCode *code;
    HdLaunch l;
    Kernel k;

    CHECK(c, open_text(&k, text));
    k.launch.global_size[0] = items;
    l = chosen(c, &k, false, &code);
    CHECK(c, code != NULL && (code->facts.lanes == 1 || !are_alone));
    CHECK(c, (l.width == 1 && l.local_size[0] == 1) == are_alone);
    close_kernel(&k);
}

/* Launches of a kernel with barriers try both forms, and the outcome is kept. */
static void test_trial(Checks *c)
{
    const HdKernelCode *likely;
    bool has_run = true;
    HdPool *pool;
    Kernel k;

    CHECK(c, hd_pool_open(2, &pool) == HD_OK && open_text(&k, waiting));
    (void)chosen(c, &k, false, &likely);
    while (has_run && hd_program_outcome(likely).times == 0)
        has_run = run(&k, pool) && has_run;
    CHECK(c, has_run && hd_program_outcome(likely).times == 1);
    close_kernel(&k);
    hd_pool_close(pool);
}

/* The program and the launch are gone before a worker comes to it, or while it does. */
static void test_release(Checks *c, HdPoolWhen when)
{
    HdPool *pool;
    HdLaunch l;
    HdTuneOther *o;
    Kernel k;

    CHECK(c, hd_pool_open(2, &pool) == HD_OK && open_kernel(&k));
    l = k.launch;
    l.form.against = true;
    o = hd_tune_other_open(&l, 2);
    CHECK(c, o != NULL && hd_tune_other_ask(o, pool, when) != HD_TUNE_OTHER_FAILED);
    if (when != HD_POOL_IDLE)
        usleep(1000);
    hd_tune_other_close(o);
    close_kernel(&k);
    hd_pool_close(pool); /* waits for it */
}

static void test_no_pool(Checks *c)
{
    HdPool *single;
    HdTuneOther *o;
    Kernel k;

    CHECK(c, hd_pool_open_single(&single) == HD_OK && open_kernel(&k));
    o = hd_tune_other_open(&k.launch, 1);
    CHECK(c, hd_tune_other_ask(o, single, HD_POOL_IDLE) == HD_TUNE_OTHER_FAILED);
    CHECK(c, hd_tune_other_ask(o, single, HD_POOL_SPARE) == HD_TUNE_OTHER_FAILED);
    CHECK(c, hd_tune_other_ask(o, NULL, HD_POOL_NOW) == HD_TUNE_OTHER_FAILED);
    hd_tune_other_close(o);
    CHECK(c, run(&k, NULL));
    close_kernel(&k);
    hd_pool_close(single);
}

/* What was found in one program another one knows, and begins with; without the code, with that
 * which is there. */
static void test_outcome(Checks *c)
{
    HdOutcome won = {.against = true, .times = 3};
    Kernel first, second, third;

    CHECK(c, open_kernel(&first) && run(&first, NULL) && !has_against(&first));
    CHECK(c, hd_program_outcome(code(&first)).times == 0);
    hd_program_keep_outcome(first.program, code(&first), won);
    CHECK(c, open_kernel(&second) && run(&second, NULL) && has_against(&second));
    CHECK(c, hd_program_outcome(code(&second)).against);
    CHECK(c, hd_program_outcome(code(&second)).times == 3);
    setenv("HEDDLE_TRIAL", "0", 1);
    CHECK(c, open_kernel(&third) && run(&third, NULL) && !has_against(&third));
    setenv("HEDDLE_TRIAL", "1", 1);
    close_kernel(&first);
    close_kernel(&second);
    close_kernel(&third);
}

/* Nothing is compiled in a launch for the sake of an outcome. */
static void test_outcome_alone(Checks *c)
{
    HdOutcome won = {.against = true, .times = 1};
    Kernel k;

    CHECK(c, open_kernel(&k) && code(&k) != NULL);
    hd_program_keep_outcome(k.program, code(&k), won);
    CHECK(c, run(&k, NULL) && run(&k, NULL) && !has_against(&k));
    close_kernel(&k);
}

/* The first launch requests it of a thread that nobody waits for, if there is a processor for that
 * and the code was not on disk. */
static void test_first(Checks *c, unsigned threads, bool is_made)
{
    unsigned most = is_made ? UINT_MAX : 20; /* moments */
    HdPool *pool;
    Kernel k;

    CHECK(c, hd_pool_open(threads, &pool) == HD_OK && open_kernel(&k) && run(&k, pool));
    for (unsigned i = 0; i < most && !has_against(&k); i++)
        spare_moment();
    CHECK(c, has_against(&k) == is_made);
    CHECK(c, run(&k, pool));
    close_kernel(&k);
    hd_pool_close(pool);
}

/* Without memory for any part of it: the launches are right all the same, and nothing stays. */
static void test_memory(Checks *c, const char *folder)
{
    bool has_failed = true, is_made = false;
    unsigned failures = 0;

    for (uint64_t nth = 1; has_failed; nth += 1 + nth / 3) {
        int64_t before = hd_test_live_blocks();
        HdTuneOtherState state = HD_TUNE_OTHER_FAILED;
        HdPool *pool;
        HdLaunch l;
        HdTuneOther *o;
        Kernel k;

        CHECK(c, hd_pool_open(2, &pool) == HD_OK && open_kernel(&k) && run(&k, NULL));
        l = k.launch;
        l.form.against = true;
        hd_test_fail_alloc(nth);
        o = hd_tune_other_open(&l, 2);
        if (o != NULL)
            state = wait_for(o, pool, HD_POOL_NOW);
        hd_tune_other_close(o);
        has_failed = hd_test_alloc_failed();
        hd_test_fail_alloc(0);
        failures += has_failed;
        is_made = state == HD_TUNE_OTHER_MADE;
        CHECK(c, state != HD_TUNE_OTHER_PENDING && is_made == has_against(&k) && run(&k, pool));
        close_kernel(&k);
        hd_pool_close(pool);
        CHECK(c, hd_test_live_blocks() == before);
        folder_empty(folder);
    }
    CHECK(c, failures > 10 && is_made);
}

/* Without memory for any part of a first launch: it is told, and the next one runs and keeps a
 * plan. */
static void test_no_plan(Checks *c)
{
    bool has_failed = true, is_kept = false;

    for (uint64_t nth = 1; has_failed; nth++) {
        Kernel k;
        bool is_run;

        CHECK(c, open_kernel(&k) && code(&k) != NULL);
        hd_test_fail_alloc(nth);
        is_run = run(&k, NULL);
        has_failed = hd_test_alloc_failed();
        hd_test_fail_alloc(0);
        is_kept = atomic_load(&k.plans.at[0]) != NULL;
        CHECK(c, is_run || has_failed);
        CHECK(c, run(&k, NULL) && atomic_load(&k.plans.at[0]) != NULL);
        close_kernel(&k);
    }
    CHECK(c, is_kept);
}

/* A child has none of its parent's threads: it waits for nothing and leaks nothing. */
__attribute__((unused)) static void test_fork(Checks *c)
{
    int status = -1;
    HdPool *pool;
    pid_t child;
    HdLaunch l;
    HdTuneOther *o;
    Kernel k;

    CHECK(c, hd_pool_open(2, &pool) == HD_OK && open_kernel(&k) && run(&k, NULL));
    l = k.launch;
    l.form.against = true;
    o = hd_tune_other_open(&l, 2);
    fflush(stdout);
    child = fork();
    if (child == 0) {
        bool is_refused = hd_tune_other_ask(o, pool, HD_POOL_SPARE) == HD_TUNE_OTHER_FAILED &&
                          hd_tune_other_ask(o, pool, HD_POOL_NOW) == HD_TUNE_OTHER_FAILED &&
                          !run(&k, pool);

        hd_tune_other_close(o);
        close_kernel(&k);
        hd_pool_close(pool);
        _exit(is_refused ? 0 : 1);
    }
    CHECK(c, waitpid(child, &status, 0) == child && status == 0);
    CHECK(c, wait_for(o, pool, HD_POOL_IDLE) == HD_TUNE_OTHER_MADE && has_against(&k));
    hd_tune_other_close(o);
    close_kernel(&k);
    hd_pool_close(pool);
}

/* A size with few divisors, whose groups nobody has asked for: they are enough for all threads. */
static void test_sizes_for_all(Checks *c)
{
    HdLaunchProgress progress = {0};
    HdPool *pool;
    Kernel k;

    CHECK(c, open_kernel(&k));
    CHECK(c, hd_pool_open(16, &pool) == HD_OK);
    k.launch.global_size[0] = 2 * 7 * 73;
    k.launch.is_uniform = true;
    k.launch.progress = &progress;
    CHECK(c, run(&k, pool) && progress.groups >= 16);
    close_kernel(&k);
    hd_pool_close(pool);
}

int main(void)
{
    char folder[] = "/tmp/heddle-other-XXXXXX";
    Checks c = {0};
    Kernel k;

    CHECK(&c, mkdtemp(folder) != NULL);
    generator_link();
    setenv("HEDDLE_TRIAL", "1", 1);
    setenv("HEDDLE_AHEAD", "1", 1);
    setenv("HEDDLE_CACHE", "1", 1);
    setenv("HEDDLE_CACHE_DIR", folder, 1);
    test_sizes_for_all(&c);
    folder_empty(folder);
    CHECK(&c, open_kernel(&k) && code(&k) != NULL);
    if (code(&k)->facts.doubt != 0) { /* as it is on any processor with lanes */
        test_outcome_alone(&c);
        folder_empty(folder);
        test_making(&c, 2, HD_POOL_SPARE);
        folder_empty(folder);
        test_making(&c, 2, HD_POOL_IDLE);
        test_making(&c, 2, HD_POOL_NOW);
        test_outcome(&c);
        folder_empty(folder);
        test_making(&c, 1, HD_POOL_IDLE);
        folder_empty(folder);
        folder_empty(folder);
        test_forms(&c, plain, false);
        test_forms(&c, waiting, true);
        test_few(&c, plain, 2, true);
        test_few(&c, plain, 3, false);
        test_few(&c, waiting, 2, false);
        test_trial(&c);
        folder_empty(folder);
        test_first(&c, 1, false);
        test_first(&c, 2, false);
        folder_empty(folder);
        test_first(&c, 2, true);
        test_first(&c, 2, true); /* both are on disk */
        folder_empty(folder);
        test_release(&c, HD_POOL_SPARE);
        test_release(&c, HD_POOL_IDLE);
        test_release(&c, HD_POOL_NOW);
        test_no_pool(&c);
        folder_empty(folder);
        test_memory(&c, folder);
        test_no_plan(&c);
#if !defined(__SANITIZE_THREAD__)
        folder_empty(folder);
        test_fork(&c); /* forking with threads is beyond that sanitizer */
#endif
    }
    close_kernel(&k);
    folder_empty(folder);
    rmdir(folder);
    return checks_end(&c, "tune_other_test");
}
