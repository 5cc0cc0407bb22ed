/* jit/relocate_x86_64.c -- relocations of x86-64 objects.
 *
 * Numbers and meanings: System V ABI, AMD64 supplement, "Relocation Types".
 *
 * SPDX-License-Identifier: MIT
 */
#include <elf.h>
#include <string.h>

#include "jit/relocate.h"

static unsigned bytes(unsigned kind)
{
    return kind == R_X86_64_64 || kind == R_X86_64_PC64 ? 8 : 4;
}

static HdRelocated apply(const HdRelocation *r)
{
    uint64_t place = (uint64_t)(uintptr_t)r->at, target = r->target;
    int64_t value;
    int32_t narrow;

    switch (r->kind) {
    case R_X86_64_64:
        value = (int64_t)(target + (uint64_t)r->addend);
        memcpy(r->at, &value, 8);
        return HD_RELOCATED;
    case R_X86_64_PC64:
        value = (int64_t)(target - place + (uint64_t)r->addend);
        memcpy(r->at, &value, 8);
        return HD_RELOCATED;
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
        if (r->entry == 0)
            return HD_RELOCATE_INSIDE;
        target = r->entry;
        break;
    case R_X86_64_PC32:
    case R_X86_64_PLT32: break;
    default: return HD_RELOCATE_UNKNOWN;
    }
    value = (int64_t)(target - place + (uint64_t)r->addend);
    narrow = (int32_t)value;
    if (narrow != value)
        return HD_RELOCATE_FAR;
    memcpy(r->at, &narrow, 4);
    return HD_RELOCATED;
}

/* jmp *entry(%rip) */
static void jump(unsigned char *at, uint64_t entry)
{
    int32_t away = (int32_t)(entry - ((uint64_t)(uintptr_t)at + 6));

    at[0] = 0xff;
    at[1] = 0x25;
    memcpy(at + 2, &away, 4);
}

const HdRelocator hd_relocate_x86_64 = {EM_X86_64, bytes, apply, jump};
