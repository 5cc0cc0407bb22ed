/* jit/debugger.c -- registering compiled kernels with debuggers and profilers.
 *
 * The interface of gdb: a list of objects in a variable of a known name, and a function of a known
 * name, called when the list changes, on which gdb has a breakpoint. Names, layouts and numbers are
 * gdb's ("JIT Interface" in its manual).
 *
 * SPDX-License-Identifier: MIT
 */
#include "jit/debugger.h"

#include <elf.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/option.h"

enum { JIT_NOTHING, JIT_REGISTER, JIT_UNREGISTER };

struct HdDebuggerEntry {
    HdDebuggerEntry *next, *previous;
    const char *object;
    uint64_t bytes;
};

struct jit_descriptor {
    uint32_t version, action;
    HdDebuggerEntry *relevant, *first;
};

#define VISIBLE __attribute__((visibility("default")))

VISIBLE void __jit_debug_register_code(void);
extern VISIBLE struct jit_descriptor __jit_debug_descriptor;

/* gdb's breakpoint is here. */
VISIBLE __attribute__((noinline)) void __jit_debug_register_code(void)
{
    __asm__ volatile("" ::: "memory");
}

VISIBLE struct jit_descriptor __jit_debug_descriptor = {.version = 1};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* the descriptor's */

static void tell(uint32_t action, HdDebuggerEntry *e)
{
    __jit_debug_descriptor.action = action;
    __jit_debug_descriptor.relevant = e;
    __jit_debug_register_code();
}

static bool has_lines(const unsigned char *object)
{
    const Elf64_Ehdr *h = (const void *)object;
    const Elf64_Shdr *s = (const void *)(object + h->e_shoff);
    const char *names = (const char *)object + s[h->e_shstrndx].sh_offset;

    static const char wanted[] = ".debug_line";
    uint64_t room = s[h->e_shstrndx].sh_size;

    for (unsigned i = 0; i < h->e_shnum; i++)
        if (s[i].sh_name < room && room - s[i].sh_name >= sizeof wanted &&
            memcmp(names + s[i].sh_name, wanted, sizeof wanted) == 0)
            return true;
    return false;
}

/* Say in a copy of the object where its sections are. */
static void set_addresses(unsigned char *object, const HdLoaded *l)
{
    const Elf64_Ehdr *h = (const void *)object;
    Elf64_Shdr *s = (void *)(object + h->e_shoff);

    for (unsigned i = 0; i < h->e_shnum; i++)
        if (i < l->section_count && l->places[i] != SIZE_MAX)
            s[i].sh_addr = (Elf64_Addr)(uintptr_t)(l->base + l->places[i]);
}

static void add_to_map(const HdLoaded *l, const char *kernel)
{
    char path[64];
    FILE *map;

    snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
    map = fopen(path, "ae");
    if (map == NULL)
        return;
    fprintf(map, "%llx %zx %s\n", (unsigned long long)(uintptr_t)l->base, l->bytes, kernel);
    fclose(map);
}

HdDebuggerEntry *hd_debugger_add(const unsigned char *object, size_t bytes, const HdLoaded *l,
                                 const char *kernel)
{
    HdDebuggerEntry *e;
    unsigned char *copy;

    if (hd_option_number(HD_OPTION_PERF) != 0)
        add_to_map(l, kernel);
    if (!has_lines(object) && hd_option_number(HD_OPTION_DEBUGGER) == 0)
        return NULL;
    e = hd_alloc_zero(sizeof *e + bytes);
    if (e == NULL)
        return NULL;
    copy = (unsigned char *)(e + 1);
    memcpy(copy, object, bytes);
    set_addresses(copy, l);
    e->object = (const char *)copy;
    e->bytes = bytes;
    pthread_mutex_lock(&lock);
    e->next = __jit_debug_descriptor.first;
    if (e->next != NULL)
        e->next->previous = e;
    __jit_debug_descriptor.first = e;
    tell(JIT_REGISTER, e);
    pthread_mutex_unlock(&lock);
    return e;
}

void hd_debugger_remove(HdDebuggerEntry *e)
{
    if (e == NULL)
        return;
    pthread_mutex_lock(&lock);
    if (e->next != NULL)
        e->next->previous = e->previous;
    *(e->previous != NULL ? &e->previous->next : &__jit_debug_descriptor.first) = e->next;
    tell(JIT_UNREGISTER, e);
    __jit_debug_descriptor.relevant = NULL;
    __jit_debug_descriptor.action = JIT_NOTHING;
    pthread_mutex_unlock(&lock);
    hd_free(e);
}
