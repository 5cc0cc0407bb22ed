/* tests/robust/mutate_test.c -- mutants of valid modules: nothing crashes, hangs, or is a bug.
 *
 *   mutate_test [COUNT [FIRST [FOLDER …]]]     COUNT mutants from number FIRST on
 *   mutate_test -w NUMBER [FOLDER …]           write mutant NUMBER to standard output
 *   mutate_test -1 NUMBER [FOLDER …]           run mutant NUMBER in this process
 *   mutate_test -m COUNT FIRST OUT [FOLDER …]  write those of them that are valid to
 * OUT/NUMBER.spv; prints NUMBER and the module that each is made from
 *
 * SPDX-License-Identifier: MIT
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "generator.h"
#include "mutate.h"

/* Seconds of processor time, and of any, that one mutant may take. */
enum { WORKERS = 2, PER_WORKER = 200, BUSY_SECONDS = 10, SECONDS = 100 };

/* A mutant through everything; twice where blocks of memory stay, and a leak if some do again. */
static void run(const Seeds *seeds, const uint32_t *words, size_t count, uint64_t number,
                size_t seed, MutantState *st)
{
    int64_t live = hd_test_live_blocks(), more;

    mutant_run(words, count, number, &seeds->at[seed], st);
    if ((more = hd_test_live_blocks()) == live)
        return;
    mutant_run(words, count, number, &seeds->at[seed], st);
    if (hd_test_live_blocks() > more) {
        snprintf(st->text, sizeof st->text, "leaves memory behind");
        st->bugs++;
    }
}

/* Mutants [first, end) in this process. */
static void work(const Seeds *seeds, uint64_t first, uint64_t end, MutantState *st)
{
    struct itimerval limit = {.it_value = {.tv_sec = BUSY_SECONDS}};

    for (uint64_t n = first; n < end; n++) {
        size_t count, seed;
        uint32_t *words, bugs = st->bugs;

        st->number = n;
        st->stage = STAGE_MUTATE;
        alarm(SECONDS);
        setitimer(ITIMER_PROF, &limit, NULL);
        words = mutant_make(seeds, n, &count, &seed);
        run(seeds, words, count, n, seed, st);
        free(words);
        if (st->bugs != bugs) {
            printf("mutant %llu of %s: bug: %s\n", (unsigned long long)n, seeds->at[seed].path,
                   st->text);
            fflush(stdout);
        }
    }
    alarm(0);
}

static pid_t start(const Seeds *seeds, uint64_t first, uint64_t end, MutantState *st)
{
    pid_t pid;

    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        work(seeds, first, end, st);
        _exit(0);
    }
    return pid;
}

typedef struct Worker {
    pid_t pid;
    uint64_t next, end;
    MutantState *st;
} Worker;

/* Run all; returns how many workers died. */
static unsigned run_all(const Seeds *seeds, uint64_t first, uint64_t count, MutantState *states)
{
    Worker workers[WORKERS] = {0};
    uint64_t next = first, end = first + count;
    unsigned deaths = 0, running = 0;

    for (;;) {
        int status;
        pid_t pid;

        for (int i = 0; i < WORKERS; i++) {
            Worker *w = &workers[i];

            w->st = &states[i];
            if (w->pid != 0)
                continue;
            if (w->next >= w->end) {
                w->next = next;
                w->end = next + PER_WORKER < end ? next + PER_WORKER : end;
                next = w->end;
            }
            if (w->next < w->end && (w->pid = start(seeds, w->next, w->end, w->st)) > 0)
                running++;
        }
        if (running == 0)
            return deaths;
        pid = wait(&status);
        running--;
        for (int i = 0; i < WORKERS; i++) {
            Worker *w = &workers[i];

            if (w->pid != pid)
                continue;
            w->pid = 0;
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
                w->next = w->end;
                continue;
            }
            deaths++;
            printf("mutant %llu: died in %s: %s\n", (unsigned long long)w->st->number,
                   stage_names[w->st->stage],
                   WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "exit");
            w->next = w->st->number + 1;
        }
    }
}

static void load(Seeds *seeds, int argc, char **argv, int at)
{
    if (argc <= at)
        seeds_load(seeds, "src/ops"), seeds_load(seeds, "tests/interp"),
            seeds_load(seeds, "tests/shaders");
    for (int i = at; i < argc; i++)
        seeds_load(seeds, argv[i]);
}

static int one(const Seeds *seeds, bool write_it, uint64_t number)
{
    size_t count, seed;
    uint32_t *words = mutant_make(seeds, number, &count, &seed);
    MutantState st = {.number = number};

    if (write_it)
        fwrite(words, 4, count, stdout);
    else
        run(seeds, words, count, number, seed, &st);
    fprintf(stderr, "%s: valid %u, compiled %u, bugs %u %s\n", seeds->at[seed].path, st.valid,
            st.compiled, st.bugs, st.text);
    free(words);
    return 0;
}

/* Write valid mutants; the seeds are loaded. */
static int write_valid(const Seeds *seeds, uint64_t first, uint64_t count, const char *folder)
{
    for (uint64_t n = first; n < first + count; n++) {
        size_t words, seed;
        uint32_t *w = mutant_make(seeds, n, &words, &seed);
        char path[4096];
        FILE *f = NULL;

        snprintf(path, sizeof path, "%s/%llu.spv", folder, (unsigned long long)n);
        if (mutant_is_sound(w, words) && (f = fopen(path, "wb")) != NULL &&
            fwrite(w, 4, words, f) == words)
            printf("%llu %s\n", (unsigned long long)n, seeds->at[seed].path);
        if (f != NULL)
            fclose(f);
        free(w);
    }
    return 0;
}

int main(int argc, char **argv)
{
    MutantState *states = mmap(NULL, WORKERS * sizeof *states, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct rlimit no_core = {0};
    bool many = argc > 4 && strcmp(argv[1], "-m") == 0;
    bool single = argc > 2 && argv[1][0] == '-' && !many;
    uint64_t count = argc > 1 && !single ? strtoull(argv[1 + many], NULL, 0) : 400;
    uint64_t first = argc > 2 ? strtoull(argv[2 + many], NULL, 0) : 1;
    unsigned deaths, bugs = 0, valid = 0, compiled = 0;
    Seeds seeds = {0};

    setenv("HEDDLE_CACHE", "0", 1);
    generator_link();
    load(&seeds, argc, argv, many ? 5 : 3);
    if (seeds.count == 0 || states == MAP_FAILED) {
        printf("no modules here\n0 passed, 0 failed, 1 skipped\n");
        return 0;
    }
    if (single)
        return one(&seeds, argv[1][1] == 'w', first);
    if (many)
        return write_valid(&seeds, first, count, argv[4]);
    setrlimit(RLIMIT_CORE, &no_core);
    deaths = run_all(&seeds, first, count, states);
    for (int i = 0; i < WORKERS; i++) {
        bugs += states[i].bugs;
        valid += states[i].valid;
        compiled += states[i].compiled;
    }
    printf("%llu mutants of %zu modules: %u valid, %u kernels compiled, %u bugs, %u deaths\n",
           (unsigned long long)count, seeds.count, valid, compiled, bugs, deaths);
    seeds_free(&seeds);
    munmap(states, WORKERS * sizeof *states);
    bugs = bugs + deaths > count ? (unsigned)count : bugs + deaths;
    printf("%llu passed, %u failed, 0 skipped\n", (unsigned long long)(count - bugs), bugs);
    return bugs != 0;
}
