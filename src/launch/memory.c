/* launch/memory.c -- the program-scope variables of a program.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/round.h"
#include "base/memory.h"
#include "launch/hooks.h"
#include "launch/memory.h"

/* Bytes: the largest alignment of a type of OpenCL C. */
#define MIN_ALIGN 128u

HdStatus hd_program_memory_open(const HdProgram *p, HdProgramMemory *out)
{
    const HdBuildLayout *l = hd_program_layout(p);
    uint64_t align = l->image_align > MIN_ALIGN ? l->image_align : MIN_ALIGN;
    void *block;
    HdStatus st;

    *out = (HdProgramMemory){0};
    if (l->image_bytes == 0)
        return hd_launch_hooks_open(p, out);
    if (l->image_bytes > SIZE_MAX / 2 || align > SIZE_MAX / 4)
        return HD_NO_MEMORY;
    HD_TAKE(block, hd_alloc((size_t)(l->image_bytes + align) + sizeof block));
    out->at = hd_align_pointer((unsigned char *)block + sizeof block, align);
    memcpy(out->at - sizeof block, &block, sizeof block); /* for giving it back */
    memcpy(out->at, l->image, (size_t)l->image_bytes);
    for (size_t i = 0; i < l->reloc_count; i++) {
        uint64_t address = (uint64_t)(uintptr_t)out->at + l->relocs[i].target;

        memcpy(out->at + l->relocs[i].at, &address, sizeof address);
    }
    st = hd_launch_hooks_open(p, out);
    if (st != HD_OK)
        hd_program_memory_close(out);
    return st;
}

void hd_program_memory_close(HdProgramMemory *m)
{
    void *block;

    hd_launch_hooks_close(m);
    if (m->at == NULL)
        return;
    memcpy(&block, m->at - sizeof block, sizeof block);
    hd_free(block);
    m->at = NULL;
}
