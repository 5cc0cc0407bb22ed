/* clc/serve.c -- a clang that compiles again and again: the host's end.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/serve.h"

#include <elf.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "gen/config.h"

#define LIBRARY      "libheddle-clang.so"
#define PRELOAD      "LD_PRELOAD="
#define MOST_REQUEST 60000u /* below what clang/serve.c reads */
#define ANSWER_MS    5000   /* the process has nothing else to do */

extern char **environ;

static bool find_library(char *path, size_t room)
{
    return hd_file_own(LIBRARY, HD_FROM_COMMAND, path, room) && access(path, R_OK) == 0 &&
           strpbrk(path, ": ") == NULL; /* which part the names of preloaded libraries */
}

/* Does the file begin like a program of 64 bits that has a dynamic linker? */
static bool is_linked_dynamically(const char *bytes, size_t count)
{
    Elf64_Ehdr e;
    Elf64_Phdr p;

    if (count < sizeof e)
        return false;
    memcpy(&e, bytes, sizeof e);
    if (memcmp(e.e_ident, ELFMAG, SELFMAG) != 0 || e.e_ident[EI_CLASS] != ELFCLASS64 ||
        e.e_phentsize != sizeof p)
        return false;
    for (size_t i = 0, at = e.e_phoff; i < e.e_phnum && at <= count - sizeof p;
         i++, at += sizeof p) {
        memcpy(&p, bytes + at, sizeof p);
        if (p.p_type == PT_INTERP)
            return true;
    }
    return false;
}

bool hd_clc_serve_is_expected(const char *compiler)
{
    char path[4096], bytes[4096];
    ssize_t n;
    int fd;

    if (!find_library(path, sizeof path))
        return false;
    fd = open(compiler, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    n = read(fd, bytes, sizeof bytes);
    close(fd);
    return n > 0 && is_linked_dynamically(bytes, (size_t)n);
}

/* The host's environment, the library before those that it preloads itself. */
static char **make_environment(const char *library, HdStrbuf *text)
{
    static const char serve[] = "HEDDLE_SERVE=3";
    const char *before = "";
    size_t count = 0;
    char **env;

    for (char **e = environ; *e != NULL; e++, count++)
        if (strncmp(*e, PRELOAD, strlen(PRELOAD)) == 0)
            before = *e + strlen(PRELOAD);
    env = hd_alloc_zero((count + 3) * sizeof *env);
    if (env == NULL)
        return NULL;
    hd_strbuf_printf(text, PRELOAD "%s%s%s", library, *before != '\0' ? ":" : "", before);
    count = 0;
    env[count++] = (char *)(uintptr_t)hd_strbuf_text(text);
    env[count++] = (char *)(uintptr_t)serve;
    for (char **e = environ; *e != NULL; e++)
        if (strncmp(*e, PRELOAD, strlen(PRELOAD)) != 0)
            env[count++] = *e;
    return env;
}

int hd_clc_serve_spawn(char *const *argv, HdClcProcess *p)
{
    HdStrbuf text = {0};
    char path[4096], **env;
    int ends[2], error;

    if (!find_library(path, sizeof path) ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return hd_clc_spawn(argv, true, p);
    env = make_environment(path, &text);
    error = env == NULL || text.failed ? hd_clc_spawn(argv, true, p)
                                       : hd_clc_spawn_with(argv, env, ends[1], p);
    hd_free(env);
    hd_strbuf_free(&text);
    close(ends[1]);
    if (error == 0)
        p->service = ends[0];
    else
        close(ends[0]);
    return error;
}

static bool read_number(int service, int wait_ms, int32_t *number)
{
    struct pollfd p = {.fd = service, .events = POLLIN};

    return poll(&p, 1, wait_ms) > 0 &&
           recv(service, number, sizeof *number, MSG_DONTWAIT) == sizeof *number;
}

bool hd_clc_serve_has_begun(HdClcProcess *p, int wait_ms)
{
    int32_t hello;

    if (p->service >= 0 && !p->is_serving)
        p->is_serving = read_number(p->service, wait_ms, &hello) && hello == 0;
    return p->is_serving;
}

static bool send_request(int service, const HdStrbuf *args, int output)
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {.room = {0}};
    struct iovec text = {args->at, args->count};
    struct msghdr m = {.msg_iov = &text,
                       .msg_iovlen = 1,
                       .msg_control = &control,
                       .msg_controllen = sizeof control};

    control.head.cmsg_level = SOL_SOCKET;
    control.head.cmsg_type = SCM_RIGHTS;
    control.head.cmsg_len = CMSG_LEN(sizeof output);
    memcpy(CMSG_DATA(&control.head), &output, sizeof output);
    return sendmsg(service, &m, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)args->count;
}

bool hd_clc_serve_ask(const HdClcProcess *p, const HdStrbuf *args, HdClcProcess *child)
{
    int output[2];
    int32_t number = 0;

    if (args->count > MOST_REQUEST || pipe2(output, O_CLOEXEC) != 0)
        return false;
    if (!send_request(p->service, args, output[1]) ||
        !read_number(p->service, ANSWER_MS, &number) || number <= 0) {
        close(output[0]);
        close(output[1]);
        return false;
    }
    close(output[1]);
    *child = (HdClcProcess){
        .pid = number, .output = output[0], .input = {-1, -1}, .service = -1, .is_serving = false};
    return true;
}
