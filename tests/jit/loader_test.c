/* tests/jit/loader_test.c -- objects that were damaged are refused.
 *
 * SPDX-License-Identifier: MIT
 */
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "jit/loader.h"

#if defined(__aarch64__)
#define MACHINE EM_AARCH64
#else
#define MACHINE EM_X86_64
#endif

enum { NONE, SYMBOLS, NAMES, CODE, LARGE, LARGER, LARGEST, SECTIONS };

/* Code whose one function is "k". */
typedef struct Object {
    Elf64_Ehdr head;
    Elf64_Shdr section[SECTIONS];
    Elf64_Sym symbol[2];
    char names[4];
    unsigned char code[4];
} Object;

static unsigned passed, failed;

static Object whole(void)
{
    Object o = {.head = {.e_type = ET_REL,
                         .e_machine = MACHINE,
                         .e_shoff = offsetof(Object, section),
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = SECTIONS,
                         .e_shstrndx = NAMES},
                .section = {[SYMBOLS] = {.sh_type = SHT_SYMTAB,
                                         .sh_link = NAMES,
                                         .sh_offset = offsetof(Object, symbol),
                                         .sh_size = sizeof o.symbol},
                            [NAMES] = {.sh_type = SHT_STRTAB,
                                       .sh_offset = offsetof(Object, names),
                                       .sh_size = sizeof o.names},
                            [CODE] = {.sh_type = SHT_PROGBITS,
                                      .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                                      .sh_offset = offsetof(Object, code),
                                      .sh_size = sizeof o.code}},
                .symbol = {[1] = {.st_name = 1, .st_shndx = CODE}},
                .names = "\0k"};

    memcpy(o.head.e_ident, ELFMAG, SELFMAG);
    o.head.e_ident[EI_CLASS] = ELFCLASS64;
    return o;
}

static void check(const Object *o, HdStatus wanted, const char *what)
{
    HdLoaded code;
    HdStatus st;
    HdDiags d;
    bool is_good;

    hd_diags_init(&d);
    st = hd_jit_load((const unsigned char *)o, sizeof *o, "k", &d, &code);
    is_good = st == wanted && (d.errors != 0) == (wanted != HD_OK);
    passed += is_good;
    failed += !is_good;
    if (!is_good)
        printf("failed: %s: %s\n", what, hd_status_name(st));
    hd_jit_unload(&code);
    hd_diags_drop(&d);
}

int main(void)
{
    Object o = whole();

    check(&o, HD_OK, "it loads");
    o.section[NAMES].sh_offset = (uint64_t)1 << 40;
    check(&o, HD_BAD_INPUT, "names outside the file, in a section after the symbols");
    o.section[NAMES].sh_type = SHT_NOBITS;
    check(&o, HD_BAD_INPUT, "names in a section without bytes");
    o = whole();
    for (int i = CODE; i < SECTIONS; i++) {
        o.section[i] = o.section[CODE];
        o.section[i].sh_type = SHT_NOBITS;
        o.section[i].sh_size = SIZE_MAX / 4;
    }
    o.section[LARGEST] = whole().section[CODE];
    check(&o, HD_BAD_INPUT, "sections that are together larger than memory");
    printf("%u passed, %u failed, 0 skipped\n", passed, failed);
    return failed != 0;
}
