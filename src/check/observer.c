/* check/observer.c -- who looks on at checked runs.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check/observer.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "check/private.h"

#define ENTRY "heddle_observer_open"

void hd_check_observe(HdCheck *c, const heddle_observer *o)
{
    if (c->has_observer && c->observer.close != NULL)
        c->observer.close(c->observer.user);
    c->has_observer = o != NULL;
    if (o != NULL)
        c->observer = *o;
}

const heddle_observer *hd_check_observer(const HdCheck *c)
{
    return c->has_observer ? &c->observer : NULL;
}

static HdStatus fail(HdDiags *d, const char *path, const char *reason)
{
    return hd_fail(d, HD_IO, HD_NO_PLACE, "observer.load", "cannot load the observer %s: %s", path,
                   reason);
}

/* A file of the current folder comes before the system's of that name. */
static void *load(const char *path)
{
    char here[PATH_MAX];
    bool is_here = strchr(path, '/') == NULL &&
                   snprintf(here, sizeof here, "./%s", path) < (int)sizeof here &&
                   access(here, R_OK) == 0;

    return dlopen(is_here ? here : path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

HdStatus hd_check_load_observer(HdCheck *c, const char *path, HdDiags *d)
{
    heddle_observer o = {0};
    heddle_observer_open_fn *open;
    void *library, *entry;
    char reason[64];
    int refusal;

    /* The environment of such a process is another user's. */
    if (getauxval(AT_SECURE) != 0)
        return fail(d, path, "the process has more rights than its user");
    library = load(path);
    if (library == NULL)
        return fail(d, path, dlerror());
    entry = dlsym(library, ENTRY);
    if (entry == NULL)
        return fail(d, path, "it does not export " ENTRY);
    memcpy(&open, &entry, sizeof open);
    refusal = open(&o, sizeof o);
    if (refusal != 0) {
        snprintf(reason, sizeof reason, ENTRY " returned %d", refusal);
        return fail(d, path, reason);
    }
    hd_check_observe(c, &o);
    return HD_OK;
}

heddle_place hd_count_place(const HdCountCode *code, const HdCountInst *in)
{
    return (heddle_place){
        .function = code->functions[in->function].name,
        .source = in->file != HD_COUNT_NO_FILE ? code->files[in->file].name : NULL,
        .line = in->line,
        .column = in->column,
        .byte = (uint64_t)in->word * 4,
    };
}
