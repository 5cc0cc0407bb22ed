/* clc/cache.h -- cache of modules compiled from OpenCL C (base/store.h).
 *
 * An entry is keyed by the source, its headers, the options and the compiler; it records the other
 * files that the compiler read, and is a miss if one of them has changed. Sources that use the time
 * are never cached.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_CACHE_H
#define HD_CLC_CACHE_H

#include <stdbool.h>

#include "base/store.h"
#include "clc/clc.h"

/* The key of a compilation.
 *   compiler   path of the program
 *   prelude    what is put before the source */
HdStoreKey hd_clc_cache_key(const char *compiler, const char *translator, const char *prelude,
                            const HdClcSource *source, const HdClcOptions *options);

/* What an earlier compilation made. log gets its messages; words is heap. False: not there. */
bool hd_clc_cache_get(const HdStoreKey *k, HdStrbuf *log, uint32_t **words, size_t *nwords);

#define HD_CLC_MOST_PATH 4096

/* The files of a rule for make, without its escapes.
 *   at    NULL at first
 * False: there is no further one. */
bool hd_clc_next_path(const char *files, const char **at, char path[HD_CLC_MOST_PATH]);
/* Is a path inside a folder? */
bool hd_clc_is_inside(const char *path, const char *folder);

/* Keep what a compilation made; failures are silent.
 *   files    a rule for make: what the compiler read, paths with its escapes
 *   folder   files in it do not count: they are part of the key
 *   log      the compiler's messages, NUL-terminated */
void hd_clc_cache_put(const HdStoreKey *k, const char *files, const char *folder, const char *log,
                      const uint32_t *words, size_t nwords);

#endif
