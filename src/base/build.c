/* base/build.c -- which build of a library or a program it is.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/build.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/round.h"
#include "base/file.h"
#include "base/map.h"

#define PATH_ROOM 4096
/* Linkers put headers and notes first: they are searched for in the part that is certainly
 * mapped. */
#define HEAD_BYTES 4096

/* The number of a build id among these notes; 0 when there is none. */
static uint64_t find_id(const unsigned char *notes, size_t count, size_t align)
{
    for (size_t at = 0; at + sizeof(Elf64_Nhdr) <= count;) {
        Elf64_Nhdr n;
        size_t name = at + sizeof n, value, end;

        memcpy(&n, notes + at, sizeof n);
        value = hd_round_up(name + n.n_namesz, align);
        end = value + n.n_descsz;
        if (end > count)
            return 0;
        if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == sizeof ELF_NOTE_GNU &&
            memcmp(notes + name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0)
            return hd_hash_bytes(notes + value, n.n_descsz, NT_GNU_BUILD_ID);
        at = hd_round_up(end, align);
    }
    return 0;
}

/* From the first bytes of a file, or of its image in memory. */
static uint64_t id_of_head(const unsigned char *head)
{
    Elf64_Ehdr h;
    uint64_t id = 0;

    memcpy(&h, head, sizeof h);
    if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_ident[EI_CLASS] != ELFCLASS64)
        return 0;
    for (size_t i = 0; id == 0 && i < h.e_phnum; i++) {
        size_t at = h.e_phoff + i * sizeof(Elf64_Phdr);
        Elf64_Phdr p;

        if (at > HEAD_BYTES - sizeof p)
            return 0;
        memcpy(&p, head + at, sizeof p);
        if (p.p_type == PT_NOTE && p.p_offset <= HEAD_BYTES &&
            p.p_filesz <= HEAD_BYTES - p.p_offset)
            id = find_id(head + p.p_offset, p.p_filesz, p.p_align == 8 ? 8 : 4);
    }
    return id;
}

uint64_t hd_build_of_file(const char *path)
{
    unsigned char head[HEAD_BYTES] = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    uint64_t id = 0;
    struct stat st;

    if (fd < 0)
        return 0;
    if (pread(fd, head, sizeof head, 0) > 0)
        id = id_of_head(head);
    if (id == 0 && fstat(fd, &st) == 0)
        id = hd_hash_bytes(&st.st_mtim, sizeof st.st_mtim, (uint64_t)st.st_size);
    close(fd);
    return id;
}

uint64_t hd_build_of_code(const void *function)
{
    Dl_info found;
    uint64_t id;

    if (dladdr(function, &found) == 0)
        return 0;
    id = id_of_head(found.dli_fbase);
    return id != 0 ? id : hd_build_of_file(found.dli_fname);
}

uint64_t hd_build_own(void)
{
    char path[PATH_ROOM];
    Dl_info found;
    uint64_t id = 0;

    if (dladdr((const void *)(uintptr_t)&hd_build_own, &found) != 0)
        id = id_of_head(found.dli_fbase);
    /* A program's name there may be without its folder. */
    return id == 0 && hd_file_self(path, sizeof path) ? hd_build_of_file(path) : id;
}
