/* jit/relocate_aarch64.c -- relocations of AArch64 objects, little-endian.
 *
 * Numbers and meanings: ELF for the Arm 64-bit Architecture, "Relocation types".
 *
 * SPDX-License-Identifier: MIT
 */
#include <elf.h>
#include <stdbool.h>
#include <string.h>

#include "jit/relocate.h"

#define PAGE (~UINT64_C(0xfff))

static unsigned bytes(unsigned kind)
{
    return kind == R_AARCH64_ABS64 || kind == R_AARCH64_PREL64 ? 8 : 4;
}

static bool fits(int64_t value, unsigned bits)
{
    int64_t half = INT64_C(1) << (bits - 1);

    return value >= -half && value < half;
}

/* Put `bits` bits of a value at a place in the instruction. */
static void put(unsigned char *at, uint64_t value, unsigned shift, unsigned bits)
{
    uint32_t inst, mask = ((UINT32_C(1) << bits) - 1) << shift;

    memcpy(&inst, at, 4);
    inst = (inst & ~mask) | ((uint32_t)(value << shift) & mask);
    memcpy(at, &inst, 4);
}

/* ADR and ADRP: the two low bits are encoded separately. */
static HdRelocated put_adr(unsigned char *at, int64_t value)
{
    if (!fits(value, 21))
        return HD_RELOCATE_FAR;
    put(at, (uint64_t)value, 29, 2);
    put(at, (uint64_t)value >> 2, 5, 19);
    return HD_RELOCATED;
}

/* A branch of so many bits, counted in instructions. */
static HdRelocated put_branch(unsigned char *at, int64_t value, unsigned shift, unsigned bits)
{
    if (!fits(value, bits + 2) || value % 4 != 0)
        return HD_RELOCATE_FAR;
    put(at, (uint64_t)(value / 4), shift, bits);
    return HD_RELOCATED;
}

static HdRelocated put_data(unsigned char *at, int64_t value, unsigned size)
{
    if (size == 4 && !fits(value, 32) && (value < 0 || value > UINT32_MAX))
        return HD_RELOCATE_FAR;
    memcpy(at, &value, size);
    return HD_RELOCATED;
}

/* The low 12 bits of an address, in units of an access's size. */
static HdRelocated put_low(unsigned char *at, uint64_t value, unsigned unit_log2)
{
    put(at, (value & 0xfff) >> unit_log2, 10, 12);
    return HD_RELOCATED;
}

static HdRelocated apply(const HdRelocation *r)
{
    uint64_t place = (uint64_t)(uintptr_t)r->at;
    uint64_t target = r->target + (uint64_t)r->addend;
    int64_t away = (int64_t)(target - place);
    bool is_table = r->kind == R_AARCH64_ADR_GOT_PAGE || r->kind == R_AARCH64_LD64_GOT_LO12_NC;

    if (is_table && r->entry == 0)
        return HD_RELOCATE_INSIDE;
    switch (r->kind) {
    case R_AARCH64_ABS64: return put_data(r->at, (int64_t)target, 8);
    case R_AARCH64_ABS32: return put_data(r->at, (int64_t)target, 4);
    case R_AARCH64_PREL64: return put_data(r->at, away, 8);
    case R_AARCH64_PREL32: return put_data(r->at, away, 4);
    case R_AARCH64_ADR_PREL_LO21: return put_adr(r->at, away);
    case R_AARCH64_ADR_PREL_PG_HI21:
    case R_AARCH64_ADR_PREL_PG_HI21_NC:
        return put_adr(r->at, (int64_t)((target & PAGE) - (place & PAGE)) >> 12);
    case R_AARCH64_ADR_GOT_PAGE:
        return put_adr(r->at, (int64_t)((r->entry & PAGE) - (place & PAGE)) >> 12);
    case R_AARCH64_ADD_ABS_LO12_NC:
    case R_AARCH64_LDST8_ABS_LO12_NC: return put_low(r->at, target, 0);
    case R_AARCH64_LDST16_ABS_LO12_NC: return put_low(r->at, target, 1);
    case R_AARCH64_LDST32_ABS_LO12_NC: return put_low(r->at, target, 2);
    case R_AARCH64_LDST64_ABS_LO12_NC: return put_low(r->at, target, 3);
    case R_AARCH64_LDST128_ABS_LO12_NC: return put_low(r->at, target, 4);
    case R_AARCH64_LD64_GOT_LO12_NC: return put_low(r->at, r->entry, 3);
    case R_AARCH64_TSTBR14: return put_branch(r->at, away, 5, 14);
    case R_AARCH64_CONDBR19:
    case R_AARCH64_LD_PREL_LO19: return put_branch(r->at, away, 5, 19);
    case R_AARCH64_JUMP26:
    case R_AARCH64_CALL26: return put_branch(r->at, away, 0, 26);
    default: return HD_RELOCATE_UNKNOWN;
    }
}

/* adrp x16, entry; ldr x16, [x16, low bits of entry]; br x16 */
static void jump(unsigned char *at, uint64_t entry)
{
    static const uint32_t insts[3] = {0x90000010, 0xf9400210, 0xd61f0200};
    uint64_t place = (uint64_t)(uintptr_t)at;

    memcpy(at, insts, sizeof insts);
    (void)put_adr(at, (int64_t)((entry & PAGE) - (place & PAGE)) >> 12);
    (void)put_low(at + 4, entry, 3);
}

const HdRelocator hd_relocate_aarch64 = {EM_AARCH64, bytes, apply, jump};
