/* codegen/codegen.c -- LLVM's part: module, passes, object. Contains the library's only entry
 * point.
 *
 * Each call has its own LLVM context, so calls share nothing but the target registry, which is set
 * up once.
 *
 * LLVM's loop vectoriser and unroller run for work-items alone: a loop of six or seven operations
 * takes two cycles for each iteration unless it is unrolled (Zen 4).
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/codegen.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/thread.h"
#include "codegen/debug.h"
#include "codegen/dispatch.h"
#include "codegen/exit.h"
#include "codegen/function.h"
#include "codegen/guard.h"
#include "codegen/lines.h"
#include "codegen/machine.h"
#include "codegen/values.h"
#include "ir/graph.h"

/* Measured to run as fast as default<O2> at a fraction of its time (docs/adr/0004). No InstCombine:
 * it miscompiles masked loads. What only one way of an access needs is made there (sink). */
#define PASSES_BEFORE \
    "mem2reg,sroa,early-cse<memssa>,simplifycfg,loop-simplify,lcssa,loop-mssa(loop-rotate,licm)"
#define PASSES_AFTER "instsimplify,early-cse<memssa>,simplifycfg,adce,sink"
#define PASSES       PASSES_BEFORE ",loop(indvars)," PASSES_AFTER

/* For functions with many loops: what scalar evolution derives for one from the conditions of those
 * before it takes quadratic time, 2 s for 1,200. */
#define MANY_LOOPS      128u
#define PASSES_OF_LOOPS PASSES_BEFORE "," PASSES_AFTER

/* For kernels that run item by item: a short loop takes whole cycles for each iteration, so several
 * iterations are one where their number is known, all of them where that is small. Not with a loop
 * for the rest of an unknown number: what runs a few times, or swaps neighbours, loses up to half
 * of its speed. */
#define UNROLL                                                                                   \
    ",loop-unroll<O3;partial;no-runtime;no-peeling>,instsimplify,early-cse<memssa>,simplifycfg," \
    "adce"

/* There, vectorise loops that traverse memory contiguously (lanes/along.c): one vector at a time,
 * which is as fast as several, needs half of the code, and covers more of short rows. */
#define PASSES_ALONG                                                                             \
    PASSES ",loop-vectorize<interleave-forced-only>,instsimplify,simplifycfg,early-cse<memssa>," \
           "loop-mssa(licm),adce"
#define PASSES_ALONE       PASSES UNROLL
#define PASSES_ALONE_ALONG PASSES_ALONG UNROLL

/* For functions so large that global passes take minutes: scalar evolution is quadratic in chains
 * of values. */
#define HUGE_FUNCTION 20000u
#define PASSES_HUGE   "sroa,early-cse,simplifycfg,instsimplify,adce"
/* Slots stay in memory where phis for them would have too many operands. */
#define PASSES_SLOTS "early-cse,simplifycfg,instsimplify,adce"
/* Without optimisation, too: the generator leaves much behind that nothing uses. */
#define PASSES_QUICK "adce"
/* And from here on the machine's passes grow by the square as well. */
#define ENORMOUS_FUNCTION 50000u

/* This machine's alone: of a static LLVM nothing else is linked. */
static void set_up_targets(void)
{
#if defined(__x86_64__)
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
#else
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
#endif
}

/* Without a handler of ours LLVM prints to stderr, and exits on errors. It warns of frames, which
 * hold private memory and what registers spill. No function recurs, so that all frames together are
 * never more than their sum. */
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *user)
{
    HdGen *g = user;
    LLVMDiagnosticSeverity severity = LLVMGetDiagInfoSeverity(info);
    const char *frame;
    char *text;
    unsigned long long bytes;

    if (severity != LLVMDSError && severity != LLVMDSWarning)
        return;
    text = LLVMGetDiagInfoDescription(info);
    frame = strstr(text, "stack frame size (");
    if (severity == LLVMDSError)
        hd_gen_fail(g, HD_UNSUPPORTED, "LLVM: %s", text);
    else if (frame != NULL && sscanf(frame, "stack frame size (%llu)", &bytes) == 1)
        g->frame_bytes += bytes;
    LLVMDisposeMessage(text);
}

/* Operations of the largest function. */
static size_t most_insts(const HdIrFunc *kernel)
{
    size_t most = kernel->insts.count;

    for (uint32_t i = 0; i < kernel->lanes.callee_count; i++)
        if (kernel->lanes.callees[i] != NULL && kernel->lanes.callees[i]->insts.count > most)
            most = kernel->lanes.callees[i]->insts.count;
    return most;
}

static bool is_quick(const HdGen *g, const HdCodegenRequest *q)
{
    return q->quick || most_insts(g->kernel) >= ENORMOUS_FUNCTION;
}

static LLVMTargetMachineRef open_machine(HdGen *g, const HdCodegenRequest *q)
{
    char *own = q->triple == NULL ? LLVMGetDefaultTargetTriple() : NULL;
    const char *triple = own != NULL ? own : q->triple;
    LLVMTargetMachineRef tm = is_quick(g, q) ? hd_machine_quick(triple, q->cpu, q->features)
                                             : hd_machine_take(triple, q->cpu, q->features);

    if (tm == NULL)
        hd_gen_fail(g, HD_UNSUPPORTED, "cannot make a code generator for %s, %s", triple, q->cpu);
    LLVMSetTarget(g->m, triple);
    LLVMDisposeMessage(own);
    return tm;
}

static void close_machine(const HdGen *g, const HdCodegenRequest *q, LLVMTargetMachineRef tm)
{
    if (is_quick(g, q))
        LLVMDisposeTargetMachine(tm);
    else
        hd_machine_give(tm);
}

/* The loops of the function that has most; 0 if no function has blocks for MANY_LOOPS. */
static uint32_t count_loops(const HdIrFunc *kernel, HdArena *scratch)
{
    uint32_t count = 0;
    HdIrGraph *graph;

    for (uint32_t i = 0; i <= kernel->lanes.callee_count; i++) {
        const HdIrFunc *f = i == 0 ? kernel : kernel->lanes.callees[i - 1];

        if (f != NULL && f->blocks.count >= MANY_LOOPS && hd_ir_graph(f, scratch, &graph) == HD_OK)
            count = graph->loop_count > count ? graph->loop_count : count;
    }
    return count;
}

/* Has the kernel, or what it calls, more slots than become values? A rehearsal's has none, nor
 * scratch. */
static bool keeps_slots(const HdIrFunc *kernel, HdArena *scratch)
{
    for (uint32_t i = 0; scratch != NULL && i <= kernel->lanes.callee_count; i++) {
        const HdIrFunc *f = i == 0 ? kernel : kernel->lanes.callees[i - 1];

        if (f != NULL && hd_ir_slot_ways(f, scratch) >= HD_IR_MANY_WAYS)
            return true;
    }
    return false;
}

/* Of a kernel that is neither large nor has many loops. */
static const char *usual_passes(const HdIrFunc *f)
{
    if (f->width != 1)
        return PASSES;
    for (size_t i = 0; i < f->blocks.count; i++)
        if (f->blocks.at[i].along != 0)
            return PASSES_ALONE_ALONG;
    return PASSES_ALONE;
}

static void run_passes(HdGen *g, const HdCodegenRequest *q, LLVMTargetMachineRef tm,
                       HdArena *scratch)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    const char *passes = q->quick                                        ? PASSES_QUICK
                         : keeps_slots(g->kernel, scratch)               ? PASSES_SLOTS
                         : most_insts(g->kernel) >= HUGE_FUNCTION        ? PASSES_HUGE
                         : count_loops(g->kernel, scratch) >= MANY_LOOPS ? PASSES_OF_LOOPS
                                                                         : usual_passes(g->kernel);
    LLVMErrorRef error = LLVMRunPasses(g->m, passes, tm, options);

    if (error != NULL) {
        char *text = LLVMGetErrorMessage(error);

        hd_gen_fail(g, HD_BUG, "LLVM passes: %s", text);
        LLVMDisposeErrorMessage(text);
    }
    LLVMDisposePassBuilderOptions(options);
}

/* Frames of more pages than this touch them in a loop. */
#define LOOP_FRAME (8u * 4096u)

/* Could a function's frame be so large, if it kept every value there? */
static bool may_loop(LLVMTargetDataRef layout, LLVMValueRef fn)
{
    uint64_t bytes = 0;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b != NULL; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL;
             i = LLVMGetNextInstruction(i)) {
            LLVMTypeRef t = LLVMIsAAllocaInst(i) != NULL ? LLVMGetAllocatedType(i) : LLVMTypeOf(i);

            if (LLVMTypeIsSized(t))
                bytes += LLVMABISizeOfType(layout, t);
        }
    return bytes >= LOOP_FRAME / 2;
}

/* That loop counts in r11, which may be in use where LLVM 22 delays the prologue ("shrink
 * wrapping"). It does not do so in functions with sanitizer attributes. */
static void begin_with_frames(HdGen *g)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("sanitize_thread", 15);
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(g->m);

    for (LLVMValueRef fn = LLVMGetFirstFunction(g->m); fn != NULL; fn = LLVMGetNextFunction(fn))
        if (may_loop(layout, fn))
            LLVMAddAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                    LLVMCreateEnumAttribute(g->c, kind, 0));
}

static unsigned char *emit(HdGen *g, LLVMTargetMachineRef tm, LLVMCodeGenFileType kind,
                           size_t *bytes)
{
    LLVMMemoryBufferRef buffer = NULL;
    unsigned char *copy = NULL;
    char *why = NULL;

    g->frame_bytes = 0; /* set again, if text is emitted before the object */
    if (LLVMTargetMachineEmitToMemoryBuffer(tm, g->m, kind, &why, &buffer) != 0) {
        hd_gen_fail(g, HD_BUG, "LLVM code generation: %s", why);
        LLVMDisposeMessage(why);
        return NULL;
    }
    *bytes = LLVMGetBufferSize(buffer);
    copy = malloc(*bytes + 1);
    if (copy == NULL) {
        hd_gen_fail(g, HD_NO_MEMORY, "no memory");
    } else {
        memcpy(copy, LLVMGetBufferStart(buffer), *bytes);
        copy[*bytes] = '\0';
    }
    LLVMDisposeMemoryBuffer(buffer);
    return copy;
}

static char *copy_text(char *llvm_owned)
{
    char *copy = strdup(llvm_owned);

    LLVMDisposeMessage(llvm_owned);
    return copy;
}

static void generate(HdGen *g, const HdCodegenRequest *q, HdCodegenResult *r, HdArena *scratch)
{
    LLVMTargetMachineRef tm = open_machine(g, q);
    LLVMTargetDataRef layout;
    char *why = NULL;
    size_t bytes;

    if (tm == NULL)
        return;
    g->has_avx512 = strcmp(q->cpu, "x86-64-v4") == 0;
    g->has_avx2 = g->has_avx512 || strcmp(q->cpu, "x86-64-v3") == 0;
    g->is_x86 = strncmp(LLVMGetTarget(g->m), "aarch64", 7) != 0;
    g->has_fma = g->has_avx2 || !g->is_x86;
    g->has_fp16 = strstr(q->features, "+avx512fp16") != NULL;
    g->has_vnni = strstr(q->features, "vnni") != NULL;
    g->costs = q->costs;
    g->one_row = q->one_row;
    layout = LLVMCreateTargetDataLayout(tm);
    LLVMSetModuleDataLayout(g->m, layout);
    LLVMDisposeTargetData(layout);
    hd_gen_function(g, q, scratch);
    hd_gen_debug_close(g);
    if (g->status == HD_OK && LLVMVerifyModule(g->m, LLVMReturnStatusAction, &why) != 0)
        hd_gen_fail(g, HD_BUG, "LLVM IR is wrong: %s", why);
    LLVMDisposeMessage(why);
    if (g->status == HD_OK)
        run_passes(g, q, tm, scratch);
    begin_with_frames(g);
    if (g->status == HD_OK)
        hd_gen_lines(g, scratch);
    if (g->status == HD_OK)
        hd_gen_dispatch(g);
    if (g->status == HD_OK && q->want_llvm)
        r->llvm_text = copy_text(LLVMPrintModuleToString(g->m));
    if (g->status == HD_OK && q->want_asm) {
        /* Emission changes the module, so the text comes from a copy. */
        LLVMModuleRef kept = g->m;

        g->m = LLVMCloneModule(kept);
        r->asm_text = (char *)emit(g, tm, LLVMAssemblyFile, &bytes);
        LLVMDisposeModule(g->m);
        g->m = kept;
    }
    if (g->status == HD_OK)
        r->object = emit(g, tm, LLVMObjectFile, &r->object_bytes);
    close_machine(g, q, tm);
}

/* Compile an empty function and discard it: LLVM's lazily built tables exist afterwards, and a
 * target machine for this processor is cached. */
static void rehearse(const HdCodegenRequest *q)
{
    static const HdIrFunc nothing;
    char error[256] = "";
    HdGen g = {.f = &nothing, .kernel = &nothing, .error = error};
    LLVMTargetMachineRef tm;
    LLVMTypeRef type;
    LLVMValueRef f;
    size_t bytes;

    g.c = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(g.c, on_diagnostic, &g);
    g.m = LLVMModuleCreateWithNameInContext("rehearsal", g.c);
    g.b = LLVMCreateBuilderInContext(g.c);
    type = LLVMFunctionType(LLVMVoidTypeInContext(g.c), NULL, 0, false);
    f = LLVMAddFunction(g.m, "f", type);
    hd_gen_attributes(&g, f);
    LLVMPositionBuilderAtEnd(g.b, LLVMAppendBasicBlockInContext(g.c, f, ""));
    LLVMBuildRetVoid(g.b);
    tm = open_machine(&g, q);
    if (tm != NULL) {
        run_passes(&g, q, tm, NULL);
        free(emit(&g, tm, LLVMObjectFile, &bytes));
        close_machine(&g, q, tm);
    }
    LLVMDisposeBuilder(g.b);
    LLVMDisposeModule(g.m);
    LLVMContextDispose(g.c);
}

static void release(HdCodegenResult *r)
{
    free(r->object);
    free(r->llvm_text);
    free(r->asm_text);
    *r = (HdCodegenResult){.release = release};
}

/* Exported: see codegen/codegen.h. */
__attribute__((visibility("default"))) HdCodegenEntry hd_codegen_entry;

/* ---- attempts -----------------------------------------------------------------------------------
 *
 * Where LLVM gives up, code for a lesser processor of the same kind is tried: it has other types
 * and other patterns. At last without optimisation. */

static const char *const lesser[][2] = {{"x86-64-v4", "x86-64-v3"}, {"x86-64-v3", "x86-64-v2"}};

static bool make_easier(HdCodegenRequest *q)
{
    for (unsigned i = 0; i < sizeof lesser / sizeof *lesser; i++)
        if (strcmp(q->cpu, lesser[i][0]) == 0) {
            q->cpu = lesser[i][1];
            q->features = "";
            return true;
        }
    if (q->quick)
        return false;
    q->quick = true;
    return true;
}

typedef struct Attempt {
    const HdCodegenRequest *request;
    HdCodegenResult *result;
    HdArena *scratch;
    HdStatus status;
} Attempt;

static void attempt(void *user)
{
    Attempt *a = user;
    const HdIrFunc *wide = a->request->wide;
    HdGen g = {.f = wide, .kernel = wide, .width = wide->width, .error = a->result->error};

    g.c = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(g.c, on_diagnostic, &g);
    g.m = LLVMModuleCreateWithNameInContext(wide->name, g.c);
    generate(&g, a->request, a->result, a->scratch);
    a->result->private_bytes = g.private_bytes > g.frame_bytes ? g.private_bytes : g.frame_bytes;
    LLVMDisposeModule(g.m);
    LLVMContextDispose(g.c);
    a->status = g.status;
}

/* With memory of its own. False: LLVM gave up. */
static bool try(const HdCodegenRequest *q, HdCodegenResult *r, HdStatus *status)
{
    Attempt a = {.request = q, .result = r, .scratch = hd_arena_open(), .status = HD_NO_MEMORY};
    bool is_done = true;

    if (a.scratch != NULL)
        is_done = hd_guard_run(attempt, &a, r->error, sizeof r->error);
    hd_arena_drop(a.scratch);
    *status = is_done ? a.status : HD_BUG;
    return is_done;
}

typedef struct Job {
    const HdCodegenRequest *request;
    HdCodegenResult *result;
    HdStatus status;
} Job;

static void work(Job *job)
{
    HdCodegenRequest q = *job->request;

    while (!try(&q, job->result, &job->status) && make_easier(&q))
        release(job->result);
}

/* LLVM recurses along chains of values, so large functions get a thread with a stack that their
 * longest chain fits in; memory that is not used is never there. Small ones do without. */
#define SMALL_FUNCTION     300u
#define STACK_BYTES        ((size_t)64 << 20)
#define STACK_BYTES_PER_OP ((size_t)8192) /* chains of nested loops take 6,000 of them */
#define STACK_BYTES_MAX    ((size_t)2 << 30)

static void *work_apart(void *user)
{
    Job *job = user;
    double start = hd_clock_used_ms();

    work(job);
    job->result->apart_ms = hd_clock_used_ms() - start;
    return NULL;
}

static HdStatus work_deep(Job *job)
{
    size_t ops = most_insts(job->request->wide), bytes = STACK_BYTES_MAX;
    pthread_attr_t attr;
    pthread_t thread;
    bool started;

    if (ops < (STACK_BYTES_MAX - STACK_BYTES) / STACK_BYTES_PER_OP)
        bytes = STACK_BYTES + ops * STACK_BYTES_PER_OP;
    if (pthread_attr_init(&attr) != 0)
        return HD_NO_MEMORY;
    started = pthread_attr_setstacksize(&attr, bytes) == 0 &&
              hd_thread_start(&thread, &attr, work_apart, job);
    pthread_attr_destroy(&attr);
    if (!started) {
        snprintf(job->result->error, sizeof job->result->error,
                 "no memory for a stack of %zu MiB to compile on", bytes >> 20);
        return HD_NO_MEMORY;
    }
    pthread_join(thread, NULL);
    return job->status;
}

/* ---- the entry point ---------------------------------------------------------------------------
 */

static void get_ready(void)
{
    set_up_targets();
    hd_guard_install();
    hd_exit_begin();
}

/* Once; concurrent callers wait. */
static void rehearse_once(const HdCodegenRequest *q)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool is_done;

    pthread_mutex_lock(&lock);
    if (!is_done)
        rehearse(q);
    is_done = true;
    pthread_mutex_unlock(&lock);
}

HdStatus hd_codegen_entry(const HdCodegenRequest *q, HdCodegenResult *r)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    Job job = {.request = q, .result = r};

    pthread_once(&once, get_ready);
    if (r == NULL) {
        if (hd_exit_enter()) {
            rehearse_once(q);
            hd_exit_go();
        }
        return HD_OK;
    }
    *r = (HdCodegenResult){.release = release};
    if (!hd_exit_enter()) {
        snprintf(r->error, sizeof r->error, "the process is ending");
        return HD_UNSUPPORTED;
    }
    if (most_insts(q->wide) >= SMALL_FUNCTION)
        job.status = work_deep(&job);
    else
        work(&job);
    hd_exit_go();
    return job.status;
}
