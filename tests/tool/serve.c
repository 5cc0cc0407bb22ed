/* tests/tool/serve.c -- a process that has been the heddle command up to main, for tests that start
 * it thousands of times.
 *
 * A library, preloaded into the command: `LD_PRELOAD=serve.so HEDDLE_SERVE=7 heddle`. What the
 * dynamic linker and sanitizers do at the start is done once; with HEDDLE_SERVE_COMPILES=1 for the
 * code generator's library, too. Then each request over the socket, here of number 7, becomes a
 * forked process that goes on into the command's main with the arguments, the environment, the
 * folder and the three standard files of the request: what it does and how it ends touches no
 * other. tools/served.py is the other end.
 *
 * A request is a number of bytes (4), sent with three file descriptors, then so many bytes: the
 * folder, the number of arguments, the arguments, and the environment, each ended by a zero byte.
 * The answer is the process's number (4 bytes), and when it has ended its status as waitpid has it
 * (4 bytes). The server ends when the socket's other end is closed.
 *
 * SPDX-License-Identifier: MIT
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define GENERATOR "libheddle-llvm.so"

typedef int Main(int argc, char **argv, char **environment);
typedef int Start(Main *run, int argc, char **argv, Main *init, void (*fini)(void),
                  void (*rtld_fini)(void), void *stack_end);

extern char **environ;
/* Of sanitizers; NULL without one. */
void __lsan_do_leak_check(void) __attribute__((weak));

Start __libc_start_main;

static Main *command;

typedef struct Request {
    int files[3];
    char *text;
    uint32_t bytes;
} Request;

/* ---- the socket --------------------------------------------------------------------------------
 */

static bool read_all(int from, void *to, size_t bytes)
{
    for (char *at = to; bytes > 0;) {
        ssize_t n = read(from, at, bytes);

        if (n <= 0 && (n == 0 || errno != EINTR))
            return false;
        at += n > 0 ? n : 0;
        bytes -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

static void answer(int to, int32_t word)
{
    if (write(to, &word, sizeof word) != sizeof word)
        _exit(0); /* nobody waits any more */
}

/* False at the end of requests. */
static bool receive(int from, Request *q)
{
    union {
        char bytes[CMSG_SPACE(sizeof q->files)];
        struct cmsghdr align;
    } control;
    struct iovec word = {&q->bytes, sizeof q->bytes};
    struct msghdr m = {.msg_iov = &word,
                       .msg_iovlen = 1,
                       .msg_control = &control,
                       .msg_controllen = sizeof control};
    struct cmsghdr *c;

    if (recvmsg(from, &m, MSG_CMSG_CLOEXEC | MSG_WAITALL) != (ssize_t)sizeof q->bytes)
        return false;
    c = CMSG_FIRSTHDR(&m);
    if (c == NULL || c->cmsg_len != CMSG_LEN(sizeof q->files))
        return false;
    memcpy(q->files, CMSG_DATA(c), sizeof q->files);
    q->text = malloc(q->bytes + 1u);
    return q->text != NULL && read_all(from, q->text, q->bytes);
}

/* ---- a request's process -----------------------------------------------------------------------
 */

/* The next of the texts; `*at` goes behind it. */
static char *take(char **at)
{
    char *text = *at;

    *at += strlen(text) + 1;
    return text;
}

/* So many texts, and behind them NULL. */
static char **take_list(char **at, size_t count)
{
    char **list = calloc(count + 1, sizeof *list);

    for (size_t i = 0; list != NULL && i < count; i++)
        list[i] = take(at);
    return list;
}

static size_t count_texts(const char *at, const char *end)
{
    size_t count = 0;

    for (; at < end; at += strlen(at) + 1)
        count++;
    return count;
}

/* A process of a sanitizer's build ends after its look for leaks: its destructors, one global
 * variable after the other, take a fifth of a short run. */
static void leave(int status, void *unused)
{
    (void)unused;
    fflush(NULL);
    __lsan_do_leak_check();
    _exit(status);
}

static int become(const Request *q)
{
    char *at = q->text, *end = q->text + q->bytes;
    const char *folder;
    static char **argv; /* where leak checkers see it */
    int argc;

    *end = '\0';
    for (int i = 0; i < 3; i++)
        if (dup2(q->files[i], i) < 0 || close(q->files[i]) != 0)
            _exit(127);
    folder = take(&at);
    argc = atoi(take(&at));
    argv = take_list(&at, (size_t)argc);
    environ = take_list(&at, count_texts(at, end));
    if (argv == NULL || environ == NULL || chdir(folder) != 0)
        _exit(127);
    if (__lsan_do_leak_check != NULL)
        (void)on_exit(leave, NULL);
    return command(argc, argv, environ);
}

/* ---- the server --------------------------------------------------------------------------------
 */

/* Opens the code generator's library as the command does (src/jit/generator.c), which is in the
 * same folder. */
static void open_generator(void)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof GENERATOR);

    if (length <= 0)
        return;
    path[length] = '\0';
    strcpy(strrchr(path, '/') + 1, GENERATOR);
    (void)dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

static int serve(int socket)
{
    for (Request q; receive(socket, &q); free(q.text)) {
        pid_t child = fork();
        int status = -1;

        if (child == 0) {
            close(socket);
            return become(&q);
        }
        for (int i = 0; i < 3; i++)
            close(q.files[i]);
        answer(socket, child);
        while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
        answer(socket, status);
    }
    _exit(0);
}

static int run(int argc, char **argv, char **environment)
{
    const char *number = getenv("HEDDLE_SERVE");

    if (number == NULL)
        return command(argc, argv, environment);
    fcntl(atoi(number), F_SETFD, FD_CLOEXEC);
    if (getenv("HEDDLE_SERVE_COMPILES") != NULL)
        open_generator();
    return serve(atoi(number));
}

/* Called by the command's first instructions, with its main. */
int __libc_start_main(Main *main_of_command, int argc, char **argv, Main *init, void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end)
{
    void *symbol = dlsym(RTLD_NEXT, "__libc_start_main");
    Start *start;

    memcpy(&start, &symbol, sizeof start);
    command = main_of_command;
    return start(run, argc, argv, init, fini, rtld_fini, stack_end);
}
