/* debug/dap.h -- the debugger for editors: the Debug Adapter Protocol.
 *
 * Messages are JSON after a header with their length. Threads are the work-items of the running
 * group; all stop together.
 *
 * Spec: Debug Adapter Protocol (microsoft.github.io/debug-adapter-protocol), "Specification".
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_DEBUG_DAP_H
#define HD_DEBUG_DAP_H

#include "debug/debug.h"

typedef struct HdDap HdDap;

typedef struct HdDapIo {
    void *user;
    /* Read so many bytes; false at the end. */
    bool (*read)(void *user, char *to, size_t count);
    bool (*has_input)(void *user);
    void (*write)(void *user, const char *text, size_t len);
    /* What the kernel and the command have printed since the last time. */
    void (*printed)(void *user, HdStrbuf *out, HdStrbuf *err);
} HdDapIo;

HdStatus hd_dap_open(const HdDapIo *io, HdDap **out);
/* Did the session end because something was read that is no message of the protocol? */
bool hd_dap_is_broken(const HdDap *p);
void hd_dap_close(HdDap *p);
/* Talk until the client says what to launch: the words of a command line, the first is "debug";
 * they live as long as p. False: it has gone away. */
bool hd_dap_launch(HdDap *p, const char *const **words, int *count);
HdDebugHost hd_dap_host(HdDap *p);
/* The program is loaded: let the client set breakpoints. False: the client does not want to run
 * it. */
bool hd_dap_ready(HdDap *p, HdDebug *d);
/* Should the run stop where it begins? */
bool hd_dap_stops_at_entry(const HdDap *p);
/* All is over, or could not begin; wait until the client leaves. */
void hd_dap_end(HdDap *p, int exit_code);

#endif
