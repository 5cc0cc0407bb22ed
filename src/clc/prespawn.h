/* clc/prespawn.h -- a clang that is started before it is needed.
 *
 * Of the 35 ms that clang takes for a small source, 20 are its start. A process that compiles a
 * second source will probably compile a third: a clang is started that waits for command lines, and
 * serves them one after the other (clc/serve.h); one that cannot serve takes a single one on its
 * standard input, and while it works another one is started. It ends when nothing comes within a
 * second, so that a host which waits for all of its children is held up for no longer, and holds
 * none of the host's descriptors.
 *
 * There is none where it could differ from a clang that starts when it is needed: in another
 * folder, environment or identity, after a fork, for a compiler that HEDDLE_CLANG names, or
 * whose name leads to a program of another one (which may look at its arguments, as ccache does);
 * nor with one processor or HEDDLE_AHEAD=0.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_PRESPAWN_H
#define HD_CLC_PRESPAWN_H

#include "base/strbuf.h"
#include "clc/spawn.h"

/* Take the spare compiler and give it its arguments: consecutive NUL-terminated strings, of which
 * the first is the compiler's path. The caller reads its output and waits for it as for one that
 * was started with them. False: there is none that suits, and *p is untouched. Any thread. */
bool hd_clc_prespawn_take(const HdStrbuf *args, HdClcProcess *p);

/* Start one for the next time, unless there is one. Failures are silent. Any thread. */
void hd_clc_prespawn_make(const char *compiler);

#endif
