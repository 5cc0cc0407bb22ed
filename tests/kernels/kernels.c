/* tests/kernels/kernels.c -- the `kernels` program: runs the cases on one OpenCL device.
 *
 *   kernels --list
 *   kernels [NAME…] [--device-name SUBSTR] [--source | --il FILE.spv | --il-dir DIR]
 *           [--cl-dir DIR] [--options "…"] [--size small|large] [--json] [--repeat N]
 *           [--min-time MS]
 *
 * One line per case and a closing line of counts; exit status 1 when a case failed, 2 when
 * nothing could be run.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const char *name;
    const char *use; /* bench or check */
    const char *what;
    KcCase *run;
} CaseRow;

static const CaseRow cases[] = {
#define CASE(name, use, what) {#name, #use, what, case_##name},
#include "cases.def"
#undef CASE
};

enum { NCASES = sizeof cases / sizeof cases[0] };

typedef struct {
    KcOptions run;
    const char *device;
    bool list;
    bool json;
    bool any_chosen;
    bool chosen[NCASES];
} Command;

static const char usage[] =
    "usage: kernels [NAME...] [--device-name SUBSTR] [--source | --il FILE.spv | --il-dir DIR]\n"
    "               [--cl-dir DIR] [--options \"...\"] [--size small|large] [--json]\n"
    "               [--repeat N] [--min-time MS]\n"
    "       kernels --list\n";

static bool choose(Command *cmd, const char *name)
{
    for (size_t i = 0; i < NCASES; i++)
        if (strcmp(cases[i].name, name) == 0) {
            cmd->chosen[i] = cmd->any_chosen = true;
            return true;
        }
    fprintf(stderr, "kernels: no case named '%s' (see --list)\n", name);
    return false;
}

static bool set_size(Command *cmd, const char *size)
{
    cmd->run.large = strcmp(size, "large") == 0;
    return cmd->run.large || strcmp(size, "small") == 0;
}

/* An option with a value; false when it is unknown or the value is bad. */
static bool set_option(Command *cmd, const char *option, const char *value)
{
    if (strcmp(option, "--device-name") == 0)
        cmd->device = value;
    else if (strcmp(option, "--il") == 0)
        cmd->run.il_file = value;
    else if (strcmp(option, "--il-dir") == 0)
        cmd->run.il_dir = value;
    else if (strcmp(option, "--cl-dir") == 0)
        cmd->run.cl_dir = value;
    else if (strcmp(option, "--options") == 0)
        cmd->run.build_options = value;
    else if (strcmp(option, "--size") == 0)
        return set_size(cmd, value);
    else if (strcmp(option, "--repeat") == 0)
        return (cmd->run.repeat = (unsigned)strtoul(value, NULL, 10)) > 0;
    else if (strcmp(option, "--min-time") == 0)
        return (cmd->run.min_time_ms = strtod(value, NULL)) >= 0;
    else
        return false;
    return true;
}

static bool read_command(int argc, char **argv, Command *cmd)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--list") == 0)
            cmd->list = true;
        else if (strcmp(argv[i], "--json") == 0)
            cmd->json = true;
        else if (strcmp(argv[i], "--source") == 0)
            cmd->run.il_file = cmd->run.il_dir = NULL;
        else if (argv[i][0] != '-') {
            if (!choose(cmd, argv[i]))
                return false;
        } else if (i + 1 >= argc || !set_option(cmd, argv[i], argv[i + 1])) {
            fprintf(stderr, "kernels: bad option %s\n%s", argv[i], usage);
            return false;
        } else {
            i++;
        }
    }
    return true;
}

/* The programs lie in the source tree; find them from its root, from beside this binary's
 * build folder, or where the user says. */
static const char *find_cl_dir(char *room, size_t room_bytes)
{
    static const char *const places[] = {"tests/kernels", "../tests/kernels", ".",
                                         "../../tests/kernels"};
    char exe[512];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(room, room_bytes, "%s/saxpy.cl", places[i]);
        if (access(room, R_OK) == 0)
            return places[i];
    }
    exe[n > 0 ? n : 0] = '\0';
    for (char *slash; (slash = strrchr(exe, '/')) != NULL; *slash = '\0') {
        *slash = '\0';
        snprintf(room, room_bytes, "%s/tests/kernels/saxpy.cl", exe);
        if (access(room, R_OK) == 0) {
            *strrchr(room, '/') = '\0';
            return room;
        }
        *slash = '/';
    }
    return "tests/kernels";
}

/* Reasons are our own sentences; only quotes and backslashes need care. */
static void print_json_text(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        putchar((unsigned char)*text < 0x20 ? ' ' : *text);
    }
    putchar('"');
}

static const char *verdict_name(KcVerdict v)
{
    return v == KC_OK ? "ok" : v == KC_FAILED ? "failed" : "skipped";
}

static void print_json(const KcDevice *dev, const char *name, const KcResult *r)
{
    printf("{\"name\": \"%s\", \"status\": \"%s\", \"reason\": ", name, verdict_name(r->verdict));
    print_json_text(r->reason);
    printf(", \"device\": ");
    print_json_text(dev->name);
    printf(", \"driver\": ");
    print_json_text(dev->driver);
    printf(", \"build_ms\": %.4f, \"first_ms\": %.4f, \"best_ms\": %.5f, \"median_ms\": %.5f, "
           "\"cpu_ms\": %.5f, \"bytes\": %.0f, \"flops\": %.0f, \"is_double\": %s, \"rounds\": %u, "
           "\"launches\": %u, \"exact\": %s, \"error\": %.3g, "
           "\"digest\": \"%016" PRIx64 "\"}\n",
           r->build_ms, r->first_ms, r->best_ms, r->median_ms, r->cpu_ms, r->bytes, r->flops,
           r->is_double ? "true" : "false", r->rounds, r->launches, r->exact ? "true" : "false",
           r->error, r->digest);
}

static void print_line(const char *name, const KcResult *r)
{
    if (r->verdict == KC_FAILED) {
        printf("FAILED %s: %s\n", name, r->reason);
    } else if (r->verdict == KC_SKIPPED) {
        printf("skipped %s: %s\n", name, r->reason);
    } else {
        printf("ok %-13s build %8.2f ms  first %8.2f ms  best %8.3f ms  cpu %8.3f ms  launches %u",
               name, r->build_ms, r->first_ms, r->best_ms, r->cpu_ms, r->launches);
        if (!r->exact)
            printf("  error %.2g of tolerance", r->error);
        putchar('\n');
    }
}

static int run_cases(const Command *cmd, const KcDevice *dev)
{
    unsigned counts[3] = {0, 0, 0};

    for (size_t i = 0; i < NCASES; i++) {
        KcResult r;

        if (cmd->any_chosen && !cmd->chosen[i])
            continue;
        kc_run(dev, &cmd->run, cases[i].name, cases[i].run, &r);
        counts[r.verdict]++;
        if (cmd->json)
            print_json(dev, cases[i].name, &r);
        else
            print_line(cases[i].name, &r);
        fflush(stdout);
    }
    fprintf(cmd->json ? stderr : stdout, "%u passed, %u failed, %u skipped\n", counts[KC_OK],
            counts[KC_FAILED], counts[KC_SKIPPED]);
    return counts[KC_FAILED] > 0 ? 1 : 0;
}

int main(int argc, char **argv)
{
    Command cmd = {.run = {.repeat = 1}};
    char room[1024];
    KcDevice dev;
    int status;

    if (!read_command(argc, argv, &cmd))
        return 2;
    if (cmd.list) {
        for (size_t i = 0; i < NCASES; i++)
            printf("%-13s %-6s %s\n", cases[i].name, cases[i].use, cases[i].what);
        return 0;
    }
    if (cmd.run.cl_dir == NULL)
        cmd.run.cl_dir = find_cl_dir(room, sizeof room);
    if (!kc_open_device(cmd.device, &dev))
        return 2;
    if (!cmd.json)
        printf("device %s, driver %s\n", dev.name, dev.driver);
    if ((cmd.run.il_file != NULL || cmd.run.il_dir != NULL) && !dev.il) {
        fprintf(stderr, "kernels: device %s takes no SPIR-V\n", dev.name);
        status = 2;
    } else {
        status = run_cases(&cmd, &dev);
    }
    kc_close_device(&dev);
    return status;
}
