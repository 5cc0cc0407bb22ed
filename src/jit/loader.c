/* jit/loader.c -- ELF objects into memory.
 *
 * One mapping: code, then read-only data, then a table of addresses for symbols that live
 * elsewhere, with a jump for each. Every offset and size in the file is checked before it is used:
 * the file may come from a disk.
 *
 * SPDX-License-Identifier: MIT
 */
#include "jit/loader.h"

#include <elf.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/round.h"
#include "base/half.h"
#include "base/memory.h"
#include "jit/relocate.h"

#if defined(__aarch64__)
#define THIS_MACHINE (&hd_relocate_aarch64)
#else
#define THIS_MACHINE (&hd_relocate_x86_64)
#endif

typedef struct Object {
    const unsigned char *bytes;
    size_t count;
    const Elf64_Ehdr *head;
    const Elf64_Shdr *sections;
    const Elf64_Sym *symbols;
    size_t symbol_count;
    const char *names;
    size_t names_bytes;
    size_t *place;  /* [sections] offset in the mapping; SIZE_MAX = not loaded */
    size_t *linked; /* [symbols] index in the table of outside symbols + 1; 0 = none */
    size_t outside;
    size_t code_bytes, data_at, table_at, stubs_at, total;
    unsigned char *map;
    HdDiags *d;
} Object;

static HdStatus broken(Object *o, const char *why)
{
    return hd_fail(o->d, HD_BAD_INPUT, HD_NO_PLACE, "loader.object", "damaged object file: %s",
                   why);
}

static bool in_file(const Object *o, uint64_t offset, uint64_t size)
{
    return offset <= o->count && size <= o->count - offset;
}

/* ---- outside symbols ------------------------------------------------------------------------- */

/* LLVM calls these for double to half where the processor has no instruction. */
static _Float16 double_to_half(double x)
{
    uint16_t bits = hd_half_round(x, HD_ROUND_RTE);
    _Float16 half;

    memcpy(&half, &bits, sizeof half);
    return half;
}

static _Float16 float_to_half(float x)
{
    uint16_t bits = hd_half_round_float(x, HD_ROUND_RTE);
    _Float16 half;

    memcpy(&half, &bits, sizeof half);
    return half;
}

static float half_to_float(_Float16 x)
{
    uint16_t bits;

    memcpy(&bits, &x, sizeof bits);
    return hd_half_widen(bits);
}

static uint64_t outside_address(const char *name)
{
    static const struct {
        const char *name;
        void (*fn)(void);
    } known[] = {
        {"memcpy", (void (*)(void))memcpy},
        {"memmove", (void (*)(void))memmove},
        {"memset", (void (*)(void))memset},
        {"fma", (void (*)(void))fma},
        {"__truncdfhf2", (void (*)(void))double_to_half},
        {"__truncsfhf2", (void (*)(void))float_to_half},
        {"__extendhfsf2", (void (*)(void))half_to_float},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            return (uint64_t)(uintptr_t)known[i].fn;
    return 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

static HdStatus read_symbols(Object *o, const Elf64_Shdr *s)
{
    const Elf64_Shdr *names;

    if (s->sh_link >= o->head->e_shnum || s->sh_offset % 8 != 0)
        return broken(o, "the symbol table has no names");
    names = &o->sections[s->sh_link];
    if (names->sh_type != SHT_STRTAB || names->sh_size == 0 ||
        o->bytes[names->sh_offset + names->sh_size - 1] != '\0')
        return broken(o, "symbol names do not end");
    o->symbols = (const void *)(o->bytes + s->sh_offset);
    o->symbol_count = s->sh_size / sizeof(Elf64_Sym);
    o->names = (const char *)o->bytes + names->sh_offset;
    o->names_bytes = names->sh_size;
    return HD_OK;
}

static HdStatus read_head(Object *o)
{
    const Elf64_Ehdr *h = (const void *)o->bytes;

    if (o->count < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 ||
        h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_type != ET_REL ||
        h->e_machine != THIS_MACHINE->machine || h->e_shentsize != sizeof(Elf64_Shdr) ||
        h->e_shstrndx >= h->e_shnum || h->e_shoff % 8 != 0 ||
        !in_file(o, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr)))
        return broken(o, "no section table");
    o->head = h;
    o->sections = (const void *)(o->bytes + h->e_shoff);
    for (unsigned i = 0; i < h->e_shnum; i++) {
        const Elf64_Shdr *s = &o->sections[i];

        if (s->sh_type != SHT_NOBITS && s->sh_type != SHT_NULL &&
            !in_file(o, s->sh_offset, s->sh_size))
            return broken(o, "a section ends outside the file");
        if (s->sh_addralign > 4096 || s->sh_size > UINT32_MAX)
            return broken(o, "a section is too large");
    }
    for (unsigned i = 0; i < h->e_shnum; i++)
        if (o->sections[i].sh_type == SHT_SYMTAB)
            HD_TRY(read_symbols(o, &o->sections[i]));
    return o->symbols != NULL ? HD_OK : broken(o, "no symbol table");
}

static bool is_loaded(const Elf64_Shdr *s)
{
    return (s->sh_flags & SHF_ALLOC) != 0 &&
           (s->sh_type == SHT_PROGBITS || s->sh_type == SHT_NOBITS);
}

static size_t place_sections(Object *o, bool code, size_t at)
{
    for (unsigned i = 0; i < o->head->e_shnum; i++) {
        const Elf64_Shdr *s = &o->sections[i];

        if (!is_loaded(s) || ((s->sh_flags & SHF_EXECINSTR) != 0) != code)
            continue;
        at = hd_round_up(at, s->sh_addralign);
        o->place[i] = at;
        at += s->sh_size;
    }
    return at;
}

static const char *symbol_name(const Object *o, const Elf64_Sym *s)
{
    return s->st_name < o->names_bytes ? o->names + s->st_name : "";
}

#define STUB_BYTES ((size_t)16)

static HdStatus lay_out(Object *o, HdArena *a)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    HD_TAKE(o->place, HD_NEW(a, size_t, o->head->e_shnum + 1u));
    HD_TAKE(o->linked, HD_NEW(a, size_t, o->symbol_count + 1));
    for (unsigned i = 0; i < o->head->e_shnum; i++)
        o->place[i] = SIZE_MAX;
    for (size_t i = 1; i < o->symbol_count; i++)
        if (o->symbols[i].st_shndx == SHN_UNDEF && symbol_name(o, &o->symbols[i])[0] != '\0')
            o->linked[i] = ++o->outside;
    o->stubs_at = hd_round_up(place_sections(o, true, 0), STUB_BYTES);
    o->code_bytes = hd_round_up(o->stubs_at + o->outside * STUB_BYTES, page);
    o->data_at = o->code_bytes;
    o->table_at = hd_round_up(place_sections(o, false, o->data_at), 8);
    o->total = hd_round_up(o->table_at + o->outside * 8 + 1, page);
    return HD_OK;
}

static void copy_sections(Object *o)
{
    for (unsigned i = 0; i < o->head->e_shnum; i++)
        if (o->place[i] != SIZE_MAX && o->sections[i].sh_type == SHT_PROGBITS)
            memcpy(o->map + o->place[i], o->bytes + o->sections[i].sh_offset,
                   o->sections[i].sh_size);
}

static uint64_t address_in(const Object *o, size_t at)
{
    return (uint64_t)(uintptr_t)(o->map + at);
}

/* A jump through the table for each outside symbol. */
static HdStatus write_stubs(Object *o)
{
    for (size_t i = 1; i < o->symbol_count; i++) {
        size_t n = o->linked[i], slot = o->table_at + (n - 1) * 8;
        uint64_t address;

        if (n == 0)
            continue;
        address = outside_address(symbol_name(o, &o->symbols[i]));
        if (address == 0)
            return hd_fail(o->d, HD_UNSUPPORTED, HD_NO_PLACE, "loader.symbol",
                           "compiled code calls '%s', which the loader does not know",
                           symbol_name(o, &o->symbols[i]));
        memcpy(o->map + slot, &address, 8);
        THIS_MACHINE->jump(o->map + o->stubs_at + (n - 1) * STUB_BYTES, address_in(o, slot));
    }
    return HD_OK;
}

/* ---- relocations ------------------------------------------------------------------------------
 */

/* Offset of a symbol in the mapping; SIZE_MAX when it has none. */
static size_t symbol_place(const Object *o, size_t i)
{
    const Elf64_Sym *s = &o->symbols[i];

    if (s->st_shndx == SHN_UNDEF)
        return o->linked[i] != 0 ? o->stubs_at + (o->linked[i] - 1) * STUB_BYTES : SIZE_MAX;
    if (s->st_shndx >= o->head->e_shnum || o->place[s->st_shndx] == SIZE_MAX)
        return SIZE_MAX;
    return s->st_value <= o->sections[s->st_shndx].sh_size ? o->place[s->st_shndx] + s->st_value
                                                           : SIZE_MAX;
}

static HdStatus apply(Object *o, const Elf64_Rela *rela, size_t section, size_t size)
{
    size_t i = ELF64_R_SYM(rela->r_info), target;
    HdRelocation r = {.kind = (unsigned)ELF64_R_TYPE(rela->r_info), .addend = rela->r_addend};
    unsigned bytes = THIS_MACHINE->bytes(r.kind);

    if (i >= o->symbol_count || rela->r_offset > size || size - rela->r_offset < bytes)
        return broken(o, "a relocation lies outside its section");
    target = symbol_place(o, i);
    if (target == SIZE_MAX)
        return broken(o, "a relocation names a symbol that is not there");
    r.at = o->map + section + rela->r_offset;
    r.target = address_in(o, target);
    r.entry = o->linked[i] != 0 ? address_in(o, o->table_at + (o->linked[i] - 1) * 8) : 0;
    switch (THIS_MACHINE->apply(&r)) {
    case HD_RELOCATED: return HD_OK;
    case HD_RELOCATE_UNKNOWN:
        return hd_fail(o->d, HD_UNSUPPORTED, HD_NO_PLACE, "loader.relocation",
                       "relocation kind %u is not known", r.kind);
    case HD_RELOCATE_INSIDE:
        return hd_fail(o->d, HD_UNSUPPORTED, HD_NO_PLACE, "loader.relocation",
                       "relocation through a table to a symbol inside");
    case HD_RELOCATE_FAR: break;
    }
    return broken(o, "a relocation is out of range");
}

static HdStatus relocate(Object *o)
{
    for (unsigned i = 0; i < o->head->e_shnum; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        const Elf64_Rela *r;

        if (s->sh_type != SHT_RELA || s->sh_info >= o->head->e_shnum ||
            o->place[s->sh_info] == SIZE_MAX)
            continue;
        if (s->sh_offset % 8 != 0)
            return broken(o, "relocations are not aligned");
        r = (const void *)(o->bytes + s->sh_offset);
        for (size_t k = 0; k < s->sh_size / sizeof *r; k++)
            HD_TRY(apply(o, &r[k], o->place[s->sh_info], o->sections[s->sh_info].sh_size));
    }
    return HD_OK;
}

static bool ends_in(const char *name, const char *suffix)
{
    size_t n = strlen(name), k = strlen(suffix);

    return n >= k && strcmp(name + n - k, suffix) == 0;
}

static HdStatus find_entry(Object *o, const char *suffix, HdLoaded *out)
{
    for (size_t i = 1; i < o->symbol_count; i++)
        if (o->symbols[i].st_shndx != SHN_UNDEF && symbol_place(o, i) != SIZE_MAX &&
            ends_in(symbol_name(o, &o->symbols[i]), suffix)) {
            out->entry = o->map + symbol_place(o, i);
            return HD_OK;
        }
    return broken(o, "the kernel's symbol is missing");
}

/* Where sections are, for debuggers. */
static HdStatus keep_places(const Object *o, HdLoaded *out)
{
    size_t count = o->head->e_shnum;

    HD_TAKE(out->places, hd_alloc((count + 1) * sizeof *out->places));
    memcpy(out->places, o->place, count * sizeof *out->places);
    out->section_count = count;
    return HD_OK;
}

static HdStatus load(Object *o, HdArena *a, const char *suffix, HdLoaded *out)
{
    HD_TRY(read_head(o));
    HD_TRY(lay_out(o, a));
    o->map = mmap(NULL, o->total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (o->map == MAP_FAILED) {
        o->map = NULL;
        return HD_NO_MEMORY;
    }
    copy_sections(o);
    HD_TRY(write_stubs(o));
    HD_TRY(relocate(o));
    __builtin___clear_cache((char *)o->map, (char *)o->map + o->code_bytes);
    HD_TRY(find_entry(o, suffix, out));
    HD_TRY(keep_places(o, out));
    if (mprotect(o->map, o->code_bytes, PROT_READ | PROT_EXEC) != 0 ||
        mprotect(o->map + o->data_at, o->total - o->data_at, PROT_READ) != 0)
        return hd_fail(o->d, HD_UNSUPPORTED, HD_NO_PLACE, "loader.protection",
                       "the system does not let us make code executable");
    return HD_OK;
}

HdStatus hd_jit_load(const unsigned char *object, size_t bytes, const char *suffix, HdDiags *d,
                     HdLoaded *out)
{
    HdArena *a = hd_arena_open();
    Object o = {.bytes = object, .count = bytes, .d = d};
    HdStatus st;

    *out = (HdLoaded){0};
    if (a == NULL)
        return HD_NO_MEMORY;
    st = load(&o, a, suffix, out);
    hd_arena_drop(a);
    if (st != HD_OK) {
        if (o.map != NULL)
            munmap(o.map, o.total);
        hd_free(out->places);
        *out = (HdLoaded){0};
        return st;
    }
    out->base = o.map;
    out->bytes = o.total;
    return HD_OK;
}

void hd_jit_unload(HdLoaded *l)
{
    if (l->base != NULL)
        munmap(l->base, l->bytes);
    hd_free(l->places);
    *l = (HdLoaded){0};
}
