/* check/check.h -- what a checked run knows about memory, and its findings.
 *
 * One HdCheck belongs to whoever runs kernels: a command, or a driver's process. It maps the
 * memory that kernels may touch (HdRegion: where, how much, what it is, whether it is still
 * there), with the shadow that the interpreter keeps for it, and collects defects. All functions
 * are thread-safe.
 *
 * Shadow memory of a region: one byte for each byte marks uninitialised bits (kept only if there
 * are any), one 64-bit cell for each 4 bytes records the last accesses (check/cell.h). Both are
 * mapped when a launch first needs them, and only touched pages cost memory.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CHECK_CHECK_H
#define HD_CHECK_CHECK_H

#include <stdatomic.h>

#include "check/defect.h"

typedef struct HdCheck HdCheck;

typedef enum HdRegionKind {
    HD_REGION_BUFFER,
    HD_REGION_SUB_BUFFER,
    HD_REGION_IMAGE,
    HD_REGION_SVM,
    HD_REGION_HOST,   /* unified shared memory: the host's … */
    HD_REGION_DEVICE, /* … the device's … */
    HD_REGION_SHARED, /* … of both */
    HD_REGION_PROGRAM /* a program-scope variable */
} HdRegionKind;

typedef struct HdRegion {
    uint64_t at, bytes;
    HdRegionKind kind;
    bool is_read_only;  /* kernels may not write */
    bool is_write_only; /* kernels may not read */
    bool is_released;
    atomic_bool is_undefined; /* begins without values */
    atomic_uint maps;         /* the host has parts of it mapped, between these: */
    uint64_t mapped_at, mapped_end;
    const char *name;  /* "buffer 3", a variable's name; in the check's memory */
    const char *made;  /* where in the host's program; NULL; likewise */
    const char *gone;  /* where it was released; likewise */
    const char *taken; /* what has its memory now, though it was not released; likewise; NULL */
    const void *owner; /* what it belongs to; NULL */
    /* Bits without a value; each byte is xored with 0xff when is_undefined. */
    _Atomic(unsigned char *) shadow;
    _Atomic(uint64_t *) cells, fine;
    atomic_uint refs;
} HdRegion;

/* Memory as it was when a launch began. */
typedef struct HdCheckMap {
    HdRegion **at; /* sorted by address, none overlap; held */
    size_t count;
    HdRegion **released; /* that no longer exist, the latest last */
    size_t released_count;
} HdCheckMap;

HdStatus hd_check_open(HdCheck **out);
void hd_check_close(HdCheck *c);

/* ---- memory ---- */

/* Memory has come to be; what overlaps it has gone. Memory of no bytes has a name and a place, too.
 * Texts are copied; no `name`: one is made. */
HdStatus hd_check_add(HdCheck *c, const HdRegion *what, const char *name);
/* Memory of an owner, which began at an address, is released; what has come in its place is not.
 * where: in the host's program; NULL. */
void hd_check_remove(HdCheck *c, uint64_t at, const void *owner, const char *where);
void hd_check_remove_all(HdCheck *c, const void *owner);
/* The host has written, or is about to read: bytes that kernels left without a value are a
 * defect. */
void hd_check_host_wrote(HdCheck *c, uint64_t at, uint64_t bytes);
void hd_check_host_reads(HdCheck *c, uint64_t at, uint64_t bytes, const char *what);
/* The host has mapped bytes, or unmapped the whole: kernels must not write them meanwhile. */
void hd_check_mapped(HdCheck *c, uint64_t at, uint64_t bytes);
void hd_check_unmapped(HdCheck *c, uint64_t at);
/* Does memory that is known hold an address? */
bool hd_check_knows(HdCheck *c, uint64_t at);
HdStatus hd_check_map(HdCheck *c, HdCheckMap *out);
void hd_check_unmap(HdCheckMap *m);
/* The region that holds an address; NULL. */
HdRegion *hd_check_find(const HdCheckMap *m, uint64_t at);
/* Likewise; else the one without bytes that begins there: what a pointer leads to. */
HdRegion *hd_check_find_first(const HdCheckMap *m, uint64_t at);
/* The latest released region that held it; the one nearest to it (within `reach` bytes). */
HdRegion *hd_check_find_released(const HdCheckMap *m, uint64_t at);
HdRegion *hd_check_find_near(const HdCheckMap *m, uint64_t at, uint64_t reach);
/* Shadow, made when it is not there; NULL when there is no memory. */
unsigned char *hd_region_shadow(HdRegion *r);
uint64_t *hd_region_cells(HdRegion *r);
uint64_t *hd_region_fine(HdRegion *r); /* a cell for each byte */
/* Are these bytes without a value? Says so in bits, xors taken back; shadow may be missing. */
static inline unsigned char hd_region_undefined(const HdRegion *r, const unsigned char *shadow,
                                                uint64_t offset)
{
    return (unsigned char)((shadow ? shadow[offset] : 0) ^ (r->is_undefined ? 0xff : 0));
}

/* ---- launches ---- */

/* Numbers for epochs of work between barriers (check/cell.h): `count` neighbours, for a launch
 * until its end. When they are used up all cells are emptied. Errors: HD_NO_MEMORY. */
HdStatus hd_check_epochs(HdCheck *c, uint32_t count, uint32_t *first);
void hd_check_epochs_end(HdCheck *c, uint32_t first);
void hd_check_count_launch(HdCheck *c);

/* ---- what was found ---- */

/* Note a defect, or count it when it is known (same rule, instruction, kernel and program). Strings
 * are copied. `more`, when not NULL, fills in what takes time, only for new ones. Returns whether
 * it is new; then the strings of d live as long as the check. */
typedef void HdDefectMore(void *user, HdDefect *d);
bool hd_check_report(HdCheck *c, HdDefect *d, HdDefectMore *more, void *user);
/* A copy of a file's text that lives as long as the check, for places; NULL without memory. Equal
 * texts are kept once. May be called by `more`. */
const char *hd_check_text(HdCheck *c, const char *text);
/* A defect of the host's program; `caller`: where, NULL. */
void hd_check_host(HdCheck *c, HdSeverity severity, const char *rule, const char *hint,
                   const char *caller, const char *fmt, ...) HD_PRINTF(6, 7);
/* A kernel wrote bytes without a value: found when the host reads them. The defect is copied. */
void hd_check_spoiled(HdCheck *c, uint64_t at, uint64_t bytes, HdDefect *d, HdDefectMore *more,
                      void *user);
/* Errors found up to now (each location once). */
size_t hd_check_errors(HdCheck *c);
/* All that was found, for printing; nothing may run. */
const HdDefects *hd_check_defects(HdCheck *c);
/* Name the places that debug information does not, in the file that the module was assembled from.
 *   place  of the instruction at a word: its line and column, 1 = first; false: not known
 *   file   lives as long as the check
 * Nothing may run. */
typedef bool HdCheckPlace(void *user, uint32_t word, uint32_t *line, uint32_t *column);
void hd_check_place(HdCheck *c, const char *file, HdCheckPlace *place, void *user);
/* Look at all that was found up to now, while others run: they wait. */
void hd_check_look(HdCheck *c, void (*look)(const HdDefects *all));

#endif
