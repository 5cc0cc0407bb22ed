/* base/arena.h -- memory of one lifetime, dropped at once.
 *
 * An arena belongs to one owner (a module, a pass, a build, a launch) and one thread at a time.
 * Nothing in it is freed alone. Every function returns NULL when there is no memory; wrap calls in
 * HD_TAKE.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_ARENA_H
#define HD_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct HdArena HdArena;

/* Open an empty arena; NULL when there is no memory. */
HdArena *hd_arena_open(void);
/* The same with a first piece of `bytes`, of which the first `certain` ones will be used for sure:
 * these come in large pages as far as they fill them, and the rest takes memory where it is used.
 */
HdArena *hd_arena_open_for(size_t bytes, size_t certain);
/* The same in what the newest memory of another arena has left, which is that one's again when this
 * one is dropped: that must be before the other one is dropped, cleared or emptied. */
HdArena *hd_arena_open_in(HdArena *lender);
/* Free the arena and all that is in it. NULL is fine. */
void hd_arena_drop(HdArena *a);
/* Give up all that is in the arena, but keep the newest of its memory for what comes next. */
void hd_arena_clear(HdArena *a);
/* The same without keeping any. */
void hd_arena_empty(HdArena *a);
/* Take `bytes`, 16-byte aligned, not initialised / zeroed. */
void *hd_arena_take(HdArena *a, size_t bytes);
void *hd_arena_zero(HdArena *a, size_t bytes);
/* Copy `bytes` or a string (of at most `len` bytes, a NUL is added) into the arena. */
void *hd_arena_copy(HdArena *a, const void *from, size_t bytes);
char *hd_arena_string(HdArena *a, const char *s, size_t len);
/* Format into the arena as printf does. */
char *hd_arena_printf(HdArena *a, const char *fmt, ...) HD_PRINTF(2, 3);

/* `count` objects of `type`, zeroed; NULL on overflow or no memory. */
#define HD_NEW(arena, type, count) ((type *)hd_arena_zero_array((arena), sizeof(type), (count)))
void *hd_arena_zero_array(HdArena *a, size_t size, size_t count);

#endif
