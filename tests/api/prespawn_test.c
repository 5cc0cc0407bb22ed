/* tests/api/prespawn_test.c -- a clang that was started before it was needed compiles like any
 * other.
 *
 * A script that is called clang-22 notes how each compiler is started and becomes it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

#define ROOM  1024
#define AHEAD "@/proc/self/fd/0"

static char folder[ROOM];
static char real[ROOM]; /* the compiler */

static const char *in_folder(const char *name)
{
    static char paths[4][ROOM + 64];
    static unsigned next;
    char *path = paths[next++ % 4];

    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_text(const char *name, const char *text, mode_t mode)
{
    FILE *f = fopen(in_folder(name), "w");

    if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0 || chmod(in_folder(name), mode) != 0)
        perror(name);
}

/* How often a compiler was started, and how often of these ahead; counted anew from here on.
 *   least  so many were; each notes it when it runs */
static void count_starts(unsigned least, unsigned *all, unsigned *ahead)
{
    do {
        FILE *f = fopen(in_folder("starts"), "r");
        char line[64];

        for (*all = *ahead = 0; f != NULL && fgets(line, sizeof line, f) != NULL; ++*all)
            *ahead += strncmp(line, AHEAD, strlen(AHEAD)) == 0;
        if (f != NULL)
            fclose(f);
    } while (*all < least && usleep(1000) == 0);
    unlink(in_folder("starts"));
}

/* The number that `kernel void k(global int *p) { *p = VALUE; }` stores; -1 on failure. */
static int value_of(HdApiTest *t, const char *before, const char *value, const char *options)
{
    int got = -1;
    size_t one = 1;
    char source[512];
    cl_program p;
    cl_kernel k;
    cl_mem b;

    snprintf(source, sizeof source, "%s\nkernel void k(global int *p) { *p = %s; }\n", before,
             value);
    p = hd_api_build(t, source, options);
    if (p == NULL)
        return -1;
    b = hd_api_buffer(t, &got, sizeof got);
    k = clCreateKernel(p, "k", NULL);
    clSetKernelArg(k, 0, sizeof b, &b);
    clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &one, &one, 0, NULL, NULL);
    clEnqueueReadBuffer(t->queue, b, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL);
    clReleaseKernel(k);
    clReleaseMemObject(b);
    clReleaseProgram(p);
    return got;
}

static bool has_child(void)
{
    return waitpid(-1, NULL, WNOHANG) == 0;
}

/* The first compilation promises no other; the second does: one is started ahead, which compiles
 * all others if it has come as far as to say that it serves. */
static void test_starts(HdApiTest *t)
{
    unsigned all, ahead;

    CHECK(value_of(t, "", "1", NULL) == 1);
    CHECK(!has_child());
    count_starts(1, &all, &ahead);
    CHECK(all == 1 && ahead == 0);
    CHECK(value_of(t, "", "2", NULL) == 2);
    CHECK(value_of(t, "", "3", NULL) == 3);
    CHECK(value_of(t, "", "4", NULL) == 4);
    count_starts(2, &all, &ahead);
    CHECK(all == ahead + 1 && ahead >= 1 && ahead <= 3);
}

static void test_arguments(HdApiTest *t)
{
    CHECK(value_of(t, "", "TEXT[1]", "-DTEXT='\"a\\\\\\\\b\"'") == '\\');
    CHECK(value_of(t, "", "TEXT[1]", "\"-DTEXT=\\\"a c\\\"\"") == ' ');
    CHECK(value_of(t, "", "N + sizeof(T)", "-D N=40 '-D T=unsigned short'") == 42);
}

/* Errors and warnings come in the log. */
static void test_errors(HdApiTest *t)
{
    const char *source = "kernel void k(global int *p) { *p = nothing; }";
    cl_program p = clCreateProgramWithSource(t->context, 1, &source, NULL, NULL);
    char log[ROOM] = "";

    CHECK_CODE(clBuildProgram(p, 1, &t->device, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    clGetProgramBuildInfo(p, t->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    CHECK(strstr(log, "undeclared identifier 'nothing'") != NULL);
    clReleaseProgram(p);
}

/* One that was started in another folder or environment is not used. */
static void test_conditions(HdApiTest *t)
{
    char before[ROOM];

    mkdir(in_folder("other"), 0700);
    write_text("number.h", "#define NUMBER 10\n", 0600);
    write_text("other/number.h", "#define NUMBER 11\n", 0600);
    CHECK(getcwd(before, sizeof before) != NULL && chdir(folder) == 0);
    CHECK(value_of(t, "#include \"number.h\"", "NUMBER", NULL) == 10);
    CHECK(chdir(in_folder("other")) == 0);
    CHECK(value_of(t, "#include \"number.h\"", "NUMBER", NULL) == 11);
    CHECK(chdir(before) == 0);
    setenv("CPATH", folder, 1);
    CHECK(value_of(t, "#include <number.h>", "NUMBER + 20", NULL) == 30);
    setenv("CPATH", in_folder("other"), 1);
    CHECK(value_of(t, "#include <number.h>", "NUMBER + 20", NULL) == 31);
    unsetenv("CPATH");
}

/* A pipe of the host's, whose end a waiting compiler must not hold open. */
static void test_descriptors(HdApiTest *t)
{
    int ends[2];
    char mine[64], path[64], target[64];
    FILE *children;
    int child;

    CHECK(pipe(ends) == 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[1]);
    memset(mine, 0, sizeof mine);
    CHECK(readlink(path, mine, sizeof mine - 1) > 0);
    CHECK(value_of(t, "", "50", NULL) == 50);
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    children = fopen(path, "r");
    CHECK(children != NULL && fscanf(children, "%d", &child) == 1);
    for (int fd = 0; children != NULL && fd < 64; fd++) {
        memset(target, 0, sizeof target);
        snprintf(path, sizeof path, "/proc/%d/fd/%d", child, fd);
        if (readlink(path, target, sizeof target - 1) > 0)
            CHECK(strcmp(target, mine) != 0);
    }
    if (children != NULL)
        fclose(children);
    close(ends[0]);
    close(ends[1]);
}

/* A child after fork that lives on does not keep a compiler waiting. */
static void test_fork(HdApiTest *t)
{
    int ends[2];
    pid_t child;
    char byte;

    CHECK(value_of(t, "", "60", NULL) == 60);
    CHECK(pipe(ends) == 0);
    child = fork();
    if (child == 0) {
        close(ends[1]);
        _exit(read(ends[0], &byte, 1) == 0 ? 0 : 1);
    }
    close(ends[0]);
    CHECK(value_of(t, "", "61", NULL) == 61);
    CHECK(value_of(t, "", "62", NULL) == 62);
    close(ends[1]);
    CHECK(waitpid(child, NULL, 0) == child);
}

/* A host that waits for all of its children is not held up for ever, and may take the status of a
 * compiler that nobody needed. */
static void test_waiting(HdApiTest *t)
{
    CHECK(value_of(t, "", "70", NULL) == 70);
    CHECK(has_child());
    while (wait(NULL) > 0 || errno == EINTR)
        ;
    CHECK(errno == ECHILD);
    CHECK(value_of(t, "", "71", NULL) == 71);
}

/* The options that say no. */
static void test_refused(HdApiTest *t)
{
    unsigned all, ahead;

    while (wait(NULL) > 0)
        ;
    count_starts(0, &all, &ahead);
    setenv("HEDDLE_AHEAD", "0", 1);
    CHECK(value_of(t, "", "80", NULL) == 80);
    CHECK(!has_child());
    unsetenv("HEDDLE_AHEAD");
    setenv("HEDDLE_CLANG", in_folder("bin/clang-22"), 1);
    CHECK(value_of(t, "", "81", NULL) == 81);
    CHECK(!has_child());
    unsetenv("HEDDLE_CLANG");
    count_starts(2, &all, &ahead);
    CHECK(all == 2 && ahead == 0);
    /* A name that leads to another program, as that of a compiler cache. */
    CHECK(rename(in_folder("bin/clang-22"), in_folder("bin/cache")) == 0);
    CHECK(symlink("cache", in_folder("bin/clang-22")) == 0);
    CHECK(value_of(t, "", "82", NULL) == 82);
    CHECK(value_of(t, "", "83", NULL) == 83);
    CHECK(!has_child());
    count_starts(2, &all, &ahead);
    CHECK(all == 2 && ahead == 0);
}

/* This process' child; 0: there is none, or several. */
static int child_of(void)
{
    char path[64], line[64] = "";
    FILE *f;

    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    f = fopen(path, "r");
    if (f == NULL || fgets(line, sizeof line, f) == NULL)
        line[0] = '\0';
    if (f != NULL)
        fclose(f);
    return strchr(line, ' ') == strrchr(line, ' ') ? atoi(line) : 0;
}

#define KEPT_MS 900 /* a compiler that nobody needs ends after a second */

/* Is it the same child as when that was last looked at, unless that is long ago? */
static bool is_still(int child, double *looked_ms)
{
    double before = *looked_ms;

    *looked_ms = hd_clock_ms();
    return child_of() == child || *looked_ms - before > KEPT_MS;
}

static void *build_some(void *user)
{
    HdApiTest *t = user;

    for (unsigned i = 0; i < 6; i++) {
        cl_program p = hd_api_build(t, "kernel void k(global int *p) { *p = 1; }", "-DX");

        if (p != NULL)
            clReleaseProgram(p);
    }
    return NULL;
}

/* The compiler itself, which is linked dynamically, is asked again and again. */
static void test_serving(HdApiTest *t)
{
    double looked_ms;
    pthread_t other;
    int child;

    CHECK(unlink(in_folder("bin/clang-22")) == 0 && symlink(real, in_folder("bin/clang-22")) == 0);
    CHECK(value_of(t, "", "90", NULL) == 90);
    looked_ms = hd_clock_ms();
    child = child_of();
    CHECK(child != 0);
    CHECK(value_of(t, "", "91", NULL) == 91);
    CHECK(is_still(child, &looked_ms));
    test_arguments(t);
    test_errors(t);
    CHECK(is_still(child, &looked_ms));
    test_conditions(t);
    CHECK(child_of() != child);
    CHECK(pthread_create(&other, NULL, build_some, t) == 0);
    build_some(t);
    pthread_join(other, NULL);
    /* It is gone when it is asked. */
    child = child_of();
    CHECK(child != 0 && kill(child, SIGKILL) == 0);
    CHECK(value_of(t, "", "92", NULL) == 92);
    CHECK(child_of() != child);
    test_descriptors(t);
    test_fork(t);
    test_waiting(t);
}

static bool make_compiler(void)
{
    static const char *const found = "command -pv clang-22 || command -v clang-22";
    char script[3 * ROOM], path[3 * ROOM];
    FILE *f = popen(found, "r");

    if (f == NULL || fgets(real, sizeof real, f) == NULL || pclose(f) != 0)
        return false;
    real[strcspn(real, "\n")] = '\0';
    mkdir(in_folder("bin"), 0700);
    snprintf(script, sizeof script, "#!/bin/sh\necho \"$1\" >> %s\nexec %s \"$@\"\n",
             in_folder("starts"), real);
    write_text("bin/clang-22", script, 0700);
    snprintf(path, sizeof path, "%s:%s", in_folder("bin"), getenv("PATH"));
    return setenv("PATH", path, 1) == 0;
}

static void remove_folder(void)
{
    static const char *const names[] = {"bin/clang-22", "bin/cache", "bin",   "other/number.h",
                                        "other",        "number.h",  "starts"};

    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        remove(in_folder(names[i]));
    remove(folder);
}

int main(void)
{
    HdApiTest t;

    snprintf(folder, sizeof folder, "/tmp/heddle-spare-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return 1;
    setenv("HEDDLE_CACHE", "0", 1);
    unsetenv("HEDDLE_CLANG");
    if (!make_compiler())
        setenv("HEDDLE_CLANG", "", 1);
    t = hd_api_open();
    if (!t.has_compiler || sysconf(_SC_NPROCESSORS_ONLN) < 2) {
        hd_api_skip("no clang-22, or one processor");
    } else {
        test_starts(&t);
        test_arguments(&t);
        test_errors(&t);
        test_conditions(&t);
        test_descriptors(&t);
        test_fork(&t);
        test_waiting(&t);
        test_refused(&t);
        test_serving(&t);
    }
    remove_folder();
    return hd_api_close(&t);
}
