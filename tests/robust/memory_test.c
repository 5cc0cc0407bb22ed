/* tests/robust/memory_test.c -- every allocation fails once, in everything that the library does.
 *
 * Each job runs again and again; the nth allocation fails, n = 1, 2, 3 … (in larger steps when n is
 * large), until none did. A job that lost an allocation answers HD_NO_MEMORY, or did without it;
 * nothing is leaked either way, nothing crashes.
 *
 *   memory_test [JOB [FOLDER …]]     only jobs whose name begins so; all modules of the folders
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "generator.h"
#include "interp/interp.h"
#include "launch/args.h"
#include "launch/launch.h"
#include "launch/memory.h"
#include "launch/pool.h"
#include "launch/run.h"
#include "lib/program.h"
#include "mutate.h"
#include "text/as.h"
#include "text/dis.h"
#include "val/val.h"
#include "xform/link.h"

/* Sums over a work-group, with local memory, a loop, calls, a struct and printed text. */
static const char source[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\nOpCapability Int8\n"
    "%std = OpExtInstImport \"OpenCL.std\"\n"
    "OpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %k \"k\" %room %gid_var %lid_var %format %table\n"
    "OpName %k \"k\"\nOpName %helper \"helper\"\n"
    "OpDecorate %gid_var BuiltIn GlobalInvocationId\nOpDecorate %lid_var BuiltIn "
    "LocalInvocationId\n"
    "OpDecorate %spec SpecId 7\n"
    "%void = OpTypeVoid\n%bool = OpTypeBool\n%u8 = OpTypeInt 8 0\n%u32 = OpTypeInt 32 0\n"
    "%u64 = OpTypeInt 64 0\n%f32 = OpTypeFloat 32\n%v3 = OpTypeVector %u64 3\n"
    "%f4 = OpTypeVector %f32 4\n%pair = OpTypeStruct %u32 %f4\n"
    "%c0 = OpConstant %u32 0\n%c1 = OpConstant %u32 1\n%c2 = OpConstant %u32 2\n"
    "%c16 = OpConstant %u32 16\n%sem = OpConstant %u32 272\n%spec = OpSpecConstant %u32 4\n"
    "%twice = OpSpecConstantOp %u32 IMul %spec %c2\n"
    "%h25 = OpConstant %u8 37\n%hu = OpConstant %u8 117\n%hn = OpConstant %u8 10\n"
    "%hz = OpConstant %u8 0\n%c4 = OpConstant %u32 4\n%a4 = OpTypeArray %u8 %c4\n"
    "%text = OpConstantComposite %a4 %h25 %hu %hn %hz\n"
    "%t2 = OpTypeArray %u32 %c2\n%tab = OpConstantComposite %t2 %c1 %c2\n"
    "%ptab = OpTypePointer CrossWorkgroup %t2\n%pfmt = OpTypePointer UniformConstant %a4\n"
    "%pu8 = OpTypePointer UniformConstant %u8\n"
    "%room_t = OpTypeArray %u32 %c16\n%proom = OpTypePointer Workgroup %room_t\n"
    "%pw = OpTypePointer Workgroup %u32\n%pg = OpTypePointer CrossWorkgroup %u32\n"
    "%pf = OpTypePointer Function %pair\n%pfu = OpTypePointer Function %u32\n"
    "%pin = OpTypePointer Input %v3\n"
    "%table = OpVariable %ptab CrossWorkgroup %tab\n%format = OpVariable %pfmt UniformConstant "
    "%text\n"
    "%room = OpVariable %proom Workgroup\n%gid_var = OpVariable %pin Input\n"
    "%lid_var = OpVariable %pin Input\n"
    "%helper_t = OpTypeFunction %u32 %u32 %u32\n%kt = OpTypeFunction %void %pg %pw %u32\n"
    "%helper = OpFunction %u32 None %helper_t\n%x = OpFunctionParameter %u32\n"
    "%y = OpFunctionParameter %u32\n%he = OpLabel\n%hr = OpIMul %u32 %x %y\nOpReturnValue %hr\n"
    "OpFunctionEnd\n"
    "%k = OpFunction %void None %kt\n%buf = OpFunctionParameter %pg\n"
    "%loc = OpFunctionParameter %pw\n%num = OpFunctionParameter %u32\n"
    "%entry = OpLabel\n%var = OpVariable %pf Function\n%ids = OpLoad %v3 %gid_var\n"
    "%gid = OpCompositeExtract %u64 %ids 0\n%lids = OpLoad %v3 %lid_var\n"
    "%lid = OpCompositeExtract %u64 %lids 0\n%at = OpInBoundsPtrAccessChain %pg %buf %gid\n"
    "%in = OpLoad %u32 %at Aligned 4\n%slot = OpInBoundsAccessChain %pw %room %lid\n"
    "OpStore %slot %in\n%m0 = OpInBoundsAccessChain %pfu %var %c0\nOpStore %m0 %c0\n"
    "OpControlBarrier %c2 %c2 %sem\nOpBranch %head\n"
    "%head = OpLabel\n%i = OpPhi %u32 %c0 %entry %i1 %body\n%more = OpULessThan %bool %i %twice\n"
    "OpLoopMerge %done %body None\nOpBranchConditional %more %body %done\n"
    "%body = OpLabel\n%other = OpInBoundsAccessChain %pw %room %i\n%ov = OpLoad %u32 %other\n"
    "%sum = OpLoad %u32 %m0\n%called = OpFunctionCall %u32 %helper %ov %num\n"
    "%sum1 = OpIAdd %u32 %sum %called\nOpStore %m0 %sum1\n%i1 = OpIAdd %u32 %i %c1\n"
    "OpBranch %head\n"
    "%done = OpLabel\n%total = OpLoad %u32 %m0\n%fl = OpConvertUToF %f32 %total\n"
    "%root = OpExtInst %f32 %std sqrt %fl\n%back = OpConvertFToU %u32 %root\n"
    "OpStore %at %back Aligned 4\n%fmt = OpInBoundsAccessChain %pu8 %format %c0\n"
    "%pr = OpExtInst %u32 %std printf %fmt %back\nOpReturn\nOpFunctionEnd\n";

/* Reads a matrix through a descriptor of an array, adds a push constant and a Private variable, and
 * stores a structure with padding, one element beyond the end. */
static const char shader_source[] =
    "OpCapability Shader\n%std = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\" %id %in %out %push %own\n"
    "OpExecutionMode %main LocalSize 4 1 1\nOpName %out \"out\"\nOpMemberName %O 0 \"rows\"\n"
    "OpDecorate %id BuiltIn LocalInvocationIndex\n"
    "OpDecorate %I Block\nOpMemberDecorate %I 0 Offset 0\nOpMemberDecorate %I 0 RowMajor\n"
    "OpMemberDecorate %I 0 MatrixStride 16\nOpDecorate %O Block\nOpMemberDecorate %O 0 Offset 0\n"
    "OpMemberDecorate %S 0 Offset 0\nOpMemberDecorate %S 1 Offset 16\nOpDecorate %rows ArrayStride "
    "32\n"
    "OpDecorate %P Block\nOpMemberDecorate %P 0 Offset 0\n"
    "OpDecorate %in DescriptorSet 0\nOpDecorate %in Binding 0\n"
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 1\n"
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%u32 = OpTypeInt 32 0\n%f32 = OpTypeFloat 32\n"
    "%v2 = OpTypeVector %f32 2\n%m2 = OpTypeMatrix %v2 2\n%c0 = OpConstant %u32 0\n"
    "%c1 = OpConstant %u32 1\n%f1 = OpConstant %f32 1\n%c2 = OpConstant %u32 2\n"
    "%I = OpTypeStruct %m2\n%two = OpTypeArray %I %c2\n%S = OpTypeStruct %v2 %f32\n"
    "%rows = OpTypeRuntimeArray %S\n%O = OpTypeStruct %rows\n%P = OpTypeStruct %f32\n"
    "%p_two = OpTypePointer StorageBuffer %two\n%p_m2 = OpTypePointer StorageBuffer %m2\n"
    "%p_O = OpTypePointer StorageBuffer %O\n%p_S = OpTypePointer StorageBuffer %S\n"
    "%p_P = OpTypePointer PushConstant %P\n%p_f = OpTypePointer PushConstant %f32\n"
    "%p_own = OpTypePointer Private %f32\n%p_id = OpTypePointer Input %u32\n"
    "%id = OpVariable %p_id Input\n%in = OpVariable %p_two StorageBuffer\n"
    "%out = OpVariable %p_O StorageBuffer\n%push = OpVariable %p_P PushConstant\n"
    "%own = OpVariable %p_own Private %f1\n"
    "%main = OpFunction %void None %fn\n%entry = OpLabel\n%i = OpLoad %u32 %id\n"
    "%at = OpAccessChain %p_m2 %in %c1 %c0\n%m = OpLoad %m2 %at\n"
    "%inverse = OpExtInst %m2 %std MatrixInverse %m\n%mm = OpMatrixTimesMatrix %m2 %m %inverse\n"
    "%col = OpCompositeExtract %v2 %mm 0\n%pa = OpAccessChain %p_f %push %c0\n%a = OpLoad %f32 "
    "%pa\n"
    "%o = OpLoad %f32 %own\n%sum = OpFAdd %f32 %a %o\n%n = OpArrayLength %u32 %out 0\n"
    "%nf = OpConvertUToF %f32 %n\n%all = OpFAdd %f32 %sum %nf\n"
    "%s = OpCompositeConstruct %S %col %all\n%to = OpAccessChain %p_S %out %c0 %i\n"
    "OpStore %to %s\nOpReturn\nOpFunctionEnd\n";

typedef struct Input {
    const char *text;
    size_t len;
    uint32_t *words;
    size_t count;
    HdProgram *program; /* opened beforehand */
} Input;

typedef HdStatus Job(const Input *in, HdDiags *d);

static HdStatus validate(const Input *in, HdDiags *d)
{
    HdModule *m = NULL;
    const char *bad;
    HdValEnv env;
    HdStatus st;

    hd_val_env_find("opencl3.0", &env);
    hd_val_env_extend(&env, "all", &bad);
    st = hd_module_read(in->words, in->count, false, d, &m);
    if (st == HD_OK)
        st = hd_val_module(m, &(HdValOptions){.env = &env}, d);
    if (m != NULL)
        hd_module_drop(m);
    return st;
}

static HdStatus assemble(const Input *in, HdDiags *d)
{
    uint32_t *words = NULL;
    size_t count;
    HdStatus st =
        in->text == NULL ? HD_OK : hd_text_assemble(in->text, in->len, NULL, d, &words, &count);

    hd_free(words);
    return st;
}

static HdStatus disassemble(const Input *in, HdDiags *d)
{
    HdDisOptions o = {.comments = true, .nested_indent = true, .reorder_blocks = true};
    HdStrbuf out = {0};
    HdStatus st = hd_text_disassemble(in->words, in->count, &o, d, &out);

    if (st == HD_OK && out.failed)
        st = HD_NO_MEMORY;
    hd_strbuf_free(&out);
    return st;
}

static HdStatus link_two(const Input *in, HdDiags *d)
{
    HdLinkOptions o = {.is_library = true, .allow_unresolved = true};
    HdModule *m = NULL;
    uint32_t *words = NULL;
    size_t count;
    HdStatus st = hd_module_read(in->words, in->count, false, d, &m);

    if (st == HD_OK)
        st = hd_xform_link((const HdModule *const *)&m, 1, &o, d, &words, &count);
    hd_free(words);
    if (m != NULL)
        hd_module_drop(m);
    return st;
}

static HdStatus open_program(const Input *in, HdDiags *d)
{
    HdSpecialization spec = {.spec_id = 7, .size_bytes = 4, .bits = 3};
    HdProgram *p;
    HdStatus st = hd_program_open(in->words, in->count,
                                  &(HdProgramOptions){.spec = &spec, .spec_count = 1}, d, &p);

    hd_program_close(p);
    return st;
}

static HdStatus interpreter(const Input *in, HdDiags *d)
{
    HdInterpProgram *p = NULL;
    HdStatus st = hd_interp_open(hd_program_module(in->program), hd_program_layout(in->program),
                                 false, d, &p);

    if (st == HD_OK)
        hd_interp_close(p);
    return st;
}

/* Compile all kernels. The program is opened anew each time, because it keeps code. */
static HdStatus compile(const Input *in, HdDiags *d)
{
    const HdKernelCode *code;
    HdProgram *p;
    HdStatus st =
        hd_program_open(in->words, in->count, &(HdProgramOptions){.no_validate = true}, d, &p);

    for (uint32_t k = 0; st == HD_OK && k < hd_program_layout(p)->kernel_count; k++)
        st = hd_program_code(p, &hd_program_layout(p)->kernels[k], (HdVariant){.width = 8}, d,
                             &code);
    hd_program_close(p);
    return st;
}

static void drop_text(void *user, const char *text, size_t len)
{
    (void)user, (void)text, (void)len;
}

static HdStatus launch_on(const Input *in, HdEngine engine, unsigned threads, HdDiags *d)
{
    const HdKernelInfo *k = &hd_program_layout(in->program)->kernels[0];
    uint32_t data[64] = {1, 2, 3, 4}, number = 3, *at = data;
    HdProgramMemory memory = {0};
    HdPool *pool = NULL;
    HdArgs args = {0};
    HdLaunch l = {.program = in->program,
                  .kernel = k,
                  .memory = &memory,
                  .args = &args,
                  .engine = engine,
                  .work_dim = 1,
                  .global_size = {64, 1, 1},
                  .local_size = {16, 1, 1},
                  .width = 8,
                  .sink = drop_text};
    HdStatus st;

    if (strcmp(k->name, "k") != 0 || k->arg_count != 3)
        return HD_OK;
    st = hd_program_memory_open(in->program, &memory);
    if (st == HD_OK)
        st = hd_args_open(k, &args);
    if (st == HD_OK)
        st = hd_args_set(&args, 0, sizeof at, &at);
    if (st == HD_OK)
        st = hd_args_set(&args, 1, 64, NULL);
    if (st == HD_OK)
        st = hd_args_set(&args, 2, 4, &number);
    if (st == HD_OK && threads > 1)
        st = hd_pool_open(threads, &pool);
    if (st == HD_OK)
        st = hd_launch_run(pool, &l, d);
    if (pool != NULL)
        hd_pool_close(pool);
    hd_args_close(&args);
    hd_program_memory_close(&memory);
    return st;
}

static HdStatus launch(const Input *in, HdDiags *d)
{
    return launch_on(in, HD_ENGINE_COMPILED, 1, d);
}

static HdStatus launch_pool(const Input *in, HdDiags *d)
{
    return launch_on(in, HD_ENGINE_COMPILED, 3, d);
}

static HdStatus launch_interpreted(const Input *in, HdDiags *d)
{
    return launch_on(in, HD_ENGINE_INTERPRETED, 1, d);
}

static HdStatus status_of(heddle_status st)
{
    return st == HEDDLE_OK ? HD_OK : st == HEDDLE_NO_MEMORY ? HD_NO_MEMORY : HD_BUG;
}

/* Through the library, with defects to report. */
static HdStatus checked(const Input *in, HdDiags *d)
{
    heddle_program p = {.program = in->program};
    uint32_t data[64] = {1, 2, 3, 4}, number = 3;
    heddle_arg args[] = {{data, 0}, {NULL, 64}, {&number, sizeof number}};
    heddle_launch l = {.args = args,
                       .arg_count = 3,
                       .work_dim = 1,
                       .global_size = {80}, /* sixteen beyond the end */
                       .local_size = {16},
                       .subgroup_size = 8,
                       .threads = 1};
    heddle_check *c = heddle_check_open();
    heddle_status st = c != NULL ? HEDDLE_OK : HEDDLE_NO_MEMORY;
    char *text = NULL;

    (void)d;
    if (st == HEDDLE_OK && hd_program_memory_open(in->program, &p.memory) != HD_OK)
        st = HEDDLE_NO_MEMORY;
    if (st == HEDDLE_OK)
        st = heddle_check_memory(c, data, sizeof data, "data", 0);
    if (st == HEDDLE_OK)
        st = heddle_check_run(c, &p, &l, NULL, NULL);
    if (st == HEDDLE_OK) {
        text = heddle_check_text(c, NULL, HEDDLE_FORM_JSON);
        st = text != NULL ? HEDDLE_OK : HEDDLE_NO_MEMORY;
    }
    heddle_free(text);
    heddle_check_close(c);
    hd_program_memory_close(&p.memory);
    return status_of(st);
}

/* A shader through the library: opened, run by both engines, and checked. */
static HdStatus shader(const Input *in, HdDiags *d)
{
    float matrix[] = {1, 2, 0, 0, 3, 4, 0, 0}, rows[4 * 8] = {0}, push = 2;
    heddle_binding bindings[] = {{0, 0, 1, matrix, sizeof matrix}, {0, 1, 0, rows, sizeof rows}};
    heddle_dispatch run = {.bindings = bindings,
                           .binding_count = 2,
                           .push = &push,
                           .push_size = sizeof push,
                           .groups = {1, 1, 1},
                           .subgroup_size = 4,
                           .threads = 1};
    heddle_check *c = heddle_check_open();
    heddle_program *p = NULL;
    heddle_status st = c != NULL ? HEDDLE_OK : HEDDLE_NO_MEMORY;
    uint32_t *words = NULL;
    size_t count;

    (void)in;
    if (st == HEDDLE_OK &&
        hd_text_assemble(shader_source, sizeof shader_source - 1, NULL, d, &words, &count) != HD_OK)
        st = HEDDLE_NO_MEMORY;
    if (st == HEDDLE_OK)
        st = heddle_program_open(words, count, NULL, 0, NULL, &p);
    for (int i = 0; i < 2 && st == HEDDLE_OK; i++) {
        run.engine = i == 0 ? HEDDLE_COMPILED : HEDDLE_INTERPRETED;
        st = heddle_dispatch_run(p, &run, NULL);
    }
    if (st == HEDDLE_OK && (rows[0] != 1 || rows[1] != 0 || rows[4] != 7 || rows[5] != 0))
        st = HEDDLE_BUG;
    bindings[1].size = 3 * 8 * sizeof *rows;
    if (st == HEDDLE_OK)
        st = heddle_check_memory(c, matrix, sizeof matrix, "matrix", 0);
    if (st == HEDDLE_OK)
        st = heddle_check_memory(c, rows, bindings[1].size, "rows", 0);
    if (st == HEDDLE_OK)
        st = heddle_check_dispatch(c, p, &run, NULL, NULL);
    if (st == HEDDLE_OK && heddle_check_errors(c) != 1)
        st = HEDDLE_BUG;
    hd_free(words);
    heddle_check_close(c);
    heddle_program_close(p);
    return status_of(st);
}

static HdStatus compare(const Input *in, HdDiags *d)
{
    const heddle_module m = {in->words, in->count};
    char *text;
    heddle_status st = heddle_diff(&m, &m, 3, NULL, &text);

    (void)d;
    heddle_free(text);
    return status_of(st);
}

static const struct {
    const char *name;
    Job *run;
    bool runs;      /* the module's kernel: only for the one above */
    unsigned every; /* so many first allocations one by one, then steps of n / every */
} jobs[] = {
    {"validate", validate, false, 200},
    {"assemble", assemble, false, 200},
    {"disassemble", disassemble, false, 200},
    {"link", link_two, false, 100},
    {"open", open_program, false, 100},
    {"interpreter", interpreter, false, 200},
    {"compile", compile, false, 60},
    {"launch", launch, true, 200},
    {"launch pool", launch_pool, true, 200},
    {"launch interpreted", launch_interpreted, true, 200},
    {"checked", checked, true, 200},
    {"compare", compare, false, 200},
    {"shader", shader, true, 60},
};

/* Run one job until nothing fails. Returns what went wrong, how often. */
static unsigned starve(const Input *in, const char *path, size_t job)
{
    unsigned wrong = 0;
    HdStatus clean;
    HdDiags d;

    hd_diags_init(&d);
    clean = jobs[job].run(in, &d); /* also fills caches */
    if (clean != HD_OK && clean != HD_UNSUPPORTED) {
        printf("%s: %s: %s: %s\n", path, jobs[job].name, hd_status_name(clean),
               d.count != 0 ? d.at[d.count - 1].message : "");
        wrong++;
    }
    hd_diags_drop(&d);
    for (uint64_t n = 1; wrong < 5; n += 1 + (n > jobs[job].every ? n / jobs[job].every : 0)) {
        int64_t before = hd_test_live_blocks();
        bool lost;
        HdStatus st;

        hd_diags_init(&d);
        hd_test_fail_alloc(n);
        st = jobs[job].run(in, &d);
        lost = hd_test_alloc_failed();
        hd_test_fail_alloc(0);
        if (st != HD_NO_MEMORY && st != clean) {
            printf("%s: %s: allocation %llu fails: answered %s: %s\n", path, jobs[job].name,
                   (unsigned long long)n, hd_status_name(st),
                   d.count != 0 ? d.at[d.count - 1].message : "");
            wrong++;
        }
        hd_diags_drop(&d);
        if (hd_test_live_blocks() != before) {
            printf("%s: %s: allocation %llu fails: %lld blocks leaked\n", path, jobs[job].name,
                   (unsigned long long)n, (long long)(hd_test_live_blocks() - before));
            wrong++;
        }
        if (!lost) {
            printf("%s: %s: %s, about %llu allocations\n", path, jobs[job].name,
                   hd_status_name(clean), (unsigned long long)n);
            break;
        }
    }
    return wrong;
}

/* All jobs on one module, each in a process of its own: a crash is one failure. */
static void starve_all(Input *in, const char *path, bool own, const char *only, unsigned counts[2])
{
    HdDiags d;

    hd_diags_init(&d);
    if (hd_program_open(in->words, in->count, NULL, &d, &in->program) != HD_OK) {
        printf("%s: %s\n", path, d.count != 0 ? d.at[d.count - 1].message : "not opened");
        counts[1]++;
        hd_diags_drop(&d);
        return;
    }
    hd_diags_drop(&d);
    for (size_t j = 0; j < sizeof jobs / sizeof *jobs; j++) {
        int status;
        pid_t pid;

        if ((jobs[j].runs && !own) || strncmp(jobs[j].name, only, strlen(only)) != 0)
            continue;
        fflush(NULL);
        pid = fork();
        if (pid == 0) {
            unsigned wrong;

            alarm(300);
            wrong = starve(in, path, j);
            hd_program_close(in->program);
            hd_free(in->words);
            fflush(NULL);
            exit(wrong != 0);
        }
        waitpid(pid, &status, 0);
        if (WIFSIGNALED(status))
            printf("%s: %s: %s\n", path, jobs[j].name, strsignal(WTERMSIG(status)));
        counts[status != 0]++;
    }
    hd_program_close(in->program);
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";
    unsigned counts[2] = {0};
    Input own = {.text = source, .len = sizeof source - 1};
    Seeds seeds = {0};
    HdDiags d;

    setenv("HEDDLE_CACHE", "0", 1);
    generator_link();
    hd_diags_init(&d);
    if (hd_text_assemble(own.text, own.len, NULL, &d, &own.words, &own.count) != HD_OK) {
        printf("%s\n0 passed, 1 failed, 0 skipped\n", d.at[0].message);
        return 1;
    }
    hd_diags_drop(&d);
    starve_all(&own, "own kernel", true, only, counts);
    hd_free(own.words);
    for (int i = 2; i < argc; i++)
        seeds_load(&seeds, argv[i]);
    for (size_t i = 0; i < seeds.count; i++) {
        Input in = {.words = seeds.at[i].words, .count = seeds.at[i].count};

        seeds.at[i].words = NULL;
        starve_all(&in, seeds.at[i].path, false, only, counts);
        hd_free(in.words);
    }
    seeds_free(&seeds);
    printf("%u passed, %u failed, 0 skipped\n", counts[0], counts[1]);
    return counts[1] != 0;
}
