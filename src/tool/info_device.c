/* tool/info_device.c -- the device as heddle info shows it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/info_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/option.h"
#include "base/strbuf.h"
#include "jit/generator.h"
#include "launch/cpus.h"
#include "tool/tool.h"
#include "tool/version.h"
#include "val/device.h"

static const struct {
    const char *name;
    unsigned on;
} extensions[] = {
#define EXTENSION(name, major, minor, patch, is_on) {#name, is_on},
#include "val/device.def"
};

/* All that can be set, with what is. A name that there is not was meant to be one that there is. */
static void print_options(void)
{
    puts("environment variables:");
    for (unsigned i = 0; hd_option_name(i) != NULL; i++) {
        const char *value = getenv(hd_option_name(i));
        int n = printf("  %s%s%s", hd_option_name(i), value != NULL ? "=" : "",
                       value != NULL ? value : "");

        printf("%*s  %s\n", n < 24 ? 24 - n : 0, "", hd_option_meaning(i));
    }
    for (char **e = environ; *e != NULL; e++) {
        size_t len = strcspn(*e, "=");
        bool is_known = strncmp(*e, "HEDDLE_", 7) != 0;

        for (unsigned i = 0; !is_known && hd_option_name(i) != NULL; i++)
            is_known = strlen(hd_option_name(i)) == len && memcmp(*e, hd_option_name(i), len) == 0;
        if (!is_known)
            printf("  %s: set, but there is no such variable\n", *e);
    }
}

static void add_string(HdStrbuf *out, const char *before, const char *text)
{
    hd_strbuf_add(out, before);
    hd_strbuf_add_json(out, text);
}

static int print_json(void)
{
    HdStrbuf out = {0};
    bool is_first = true;

    add_string(&out, "{\"version\": ", HD_VERSION);
    add_string(&out, ",\n \"llvm\": ", hd_jit_llvm_version());
    add_string(&out, ",\n \"git\": ", hd_tool_commit());
    hd_strbuf_printf(&out,
                     ",\n \"opencl\": \"3.1\",\n \"threads\": %u,\n \"spirv\": [\"1.0\", "
                     "\"1.1\", \"1.2\", \"1.3\", \"1.4\", \"1.5\", \"1.6\"],\n "
                     "\"extensions\": [",
                     (unsigned)hd_launch_cpus());
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (hd_val_device_has(extensions[i].on)) {
            add_string(&out, is_first ? "" : ", ", extensions[i].name);
            is_first = false;
        }
    hd_strbuf_add(&out, "],\n \"environment\": {");
    is_first = true;
    for (unsigned i = 0; hd_option_name(i) != NULL; i++)
        if (getenv(hd_option_name(i)) != NULL) {
            add_string(&out, is_first ? "" : ", ", hd_option_name(i));
            add_string(&out, ": ", getenv(hd_option_name(i)));
            is_first = false;
        }
    hd_strbuf_add(&out, "}}");
    if (!out.failed)
        puts(hd_strbuf_text(&out));
    is_first = out.failed;
    hd_strbuf_free(&out);
    return is_first ? HD_EXIT_FAILED : HD_EXIT_FINE;
}

int hd_tool_info_device(bool json)
{
    if (json)
        return print_json();
    printf("Heddle %s: OpenCL 3.1 on this machine's CPU\n", HD_VERSION);
    printf("threads: %u\n", (unsigned)hd_launch_cpus());
    printf("SPIR-V: 1.0 to 1.6\nextensions:");
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (hd_val_device_has(extensions[i].on))
            printf(" %s", extensions[i].name);
    putchar('\n');
    print_options();
    return HD_EXIT_FINE;
}
