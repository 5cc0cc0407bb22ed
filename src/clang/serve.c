/* clang/serve.c -- what makes a clang compile again and again: libheddle-clang.so.
 *
 * clc/serve.c starts a compiler with this library preloaded. It takes the place of main: when all
 * libraries are loaded, the process says so on the descriptor that SERVE names, and waits there for
 * command lines. Each is compiled by a child, whose output goes to the descriptor that came with
 * the line, and which is a child of the host's, too: the host waits for it, and ends it, as for any
 * other. What begins to come on the standard input instead is for main, as if this library were not
 * there. Either end's end is the process' end.
 *
 * A request is the arguments, each with its NUL; the answer is the child's number, 0 when there is
 * none.
 *
 * SPDX-License-Identifier: MIT
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SERVE        "HEDDLE_SERVE"
#define PRELOAD      "LD_PRELOAD"
#define PROGRAM      "clang" /* what the program's name begins with */
#define MOST_REQUEST 65536
#define MOST_ARGS    4096

typedef int Main(int, char **, char **);
typedef int Start(Main *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

typedef struct Request {
    char bytes[MOST_REQUEST];
    char *args[MOST_ARGS + 1];
    int count;
    int output;
} Request;

/* A listed global: what main is replaced by is called with main's arguments only. */
static Main *compile;

/* Programs that lead to the compiler, such as the shell of a script, inherit the library. */
static int is_compiler(void)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    const char *slash;

    path[n > 0 ? n : 0] = '\0';
    slash = strrchr(path, '/');
    return slash != NULL && strncmp(slash + 1, PROGRAM, strlen(PROGRAM)) == 0;
}

/* The environment as it was: this library is the first one that is preloaded. */
static void restore(void)
{
    const char *preloaded = getenv(PRELOAD), *next;

    unsetenv(SERVE);
    if (preloaded == NULL)
        return;
    next = strchr(preloaded, ':');
    if (next != NULL)
        setenv(PRELOAD, next + 1, 1);
    else
        unsetenv(PRELOAD);
}

static int read_output(struct msghdr *m)
{
    int output = -1;

    for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c != NULL; c = CMSG_NXTHDR(m, c))
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
            memcpy(&output, CMSG_DATA(c), sizeof output);
    return output;
}

/* False: the host is gone. */
static int receive(int host, Request *q)
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec text = {q->bytes, sizeof q->bytes - 1};
    struct msghdr m = {.msg_iov = &text,
                       .msg_iovlen = 1,
                       .msg_control = &control,
                       .msg_controllen = sizeof control};
    ssize_t n = recvmsg(host, &m, MSG_CMSG_CLOEXEC);

    q->count = 0;
    q->output = -1;
    if (n <= 0)
        return 0;
    q->bytes[n] = '\0';
    q->output = read_output(&m);
    for (char *p = q->bytes; p < q->bytes + n && q->count < MOST_ARGS; p += strlen(p) + 1)
        q->args[q->count++] = p;
    q->args[q->count] = NULL;
    return 1;
}

/* A child of this process' parent: fork does not offer it. */
static pid_t make_child(void)
{
#ifdef __s390__
    return (pid_t)syscall(SYS_clone, 0, CLONE_PARENT | SIGCHLD, 0, 0, 0);
#else
    return (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
#endif
}

static void become(const Request *q, int host)
{
    int none = open("/dev/null", O_RDONLY);

    setpgid(0, 0);
    close(host);
    dup2(none, 0);
    dup2(q->output, 1);
    dup2(q->output, 2);
    close(none);
    close(q->output);
    exit(compile(q->count, (char **)(uintptr_t)q->args, environ));
}

static void answer(Request *q, int host)
{
    pid_t child = q->output >= 0 && q->count > 0 ? make_child() : -1;
    int32_t number;

    if (child == 0)
        become(q, host);
    if (q->output >= 0)
        close(q->output);
    number = child > 0 ? child : 0;
    (void)!write(host, &number, sizeof number);
}

/* 1: main is to run as it was started; 0: nobody needs this process any more. */
static int serve(int host)
{
    static Request q; /* of the one thread that there is */
    const int32_t hello = 0;
    struct pollfd p[] = {{.fd = host, .events = POLLIN}, {.fd = 0, .events = POLLIN}};

    if (write(host, &hello, sizeof hello) != sizeof hello)
        return 1;
    for (;;) {
        if (poll(p, 2, -1) < 0)
            continue;
        if ((p[1].revents & POLLIN) != 0)
            return 1;
        if ((p[1].revents | p[0].revents) & (POLLHUP | POLLERR | POLLNVAL))
            return 0;
        if ((p[0].revents & POLLIN) != 0) {
            if (!receive(host, &q))
                return 0;
            answer(&q, host);
        }
    }
}

static int serve_first(int argc, char **argv, char **env)
{
    const char *asked = getenv(SERVE);
    int host = asked != NULL ? atoi(asked) : 0;

    if (host <= 2 || !is_compiler())
        return compile(argc, argv, env);
    restore();
    fcntl(host, F_SETFD, FD_CLOEXEC);
    if (!serve(host))
        return 0;
    close(host);
    return compile(argc, argv, environ);
}

int __libc_start_main(Main *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end);

__attribute__((visibility("default"))) int __libc_start_main(Main *main, int argc, char **argv,
                                                             void (*init)(void), void (*fini)(void),
                                                             void (*rtld_fini)(void),
                                                             void *stack_end)
{
    void *found = dlsym(RTLD_NEXT, "__libc_start_main");
    Start *start;

    if (found == NULL)
        _exit(127);
    memcpy(&start, &found, sizeof start);
    compile = main;
    return start(serve_first, argc, argv, init, fini, rtld_fini, stack_end);
}
