/* debug/dap_state.h -- what the protocol's parts share: run control, breakpoints, views.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_DEBUG_DAP_STATE_H
#define HD_DEBUG_DAP_STATE_H

#include <cjson/cJSON.h>

#include "debug/dap.h"
#include "debug/value.h"

/* What a variablesReference refers to, until the run continues. */
typedef enum HdDapViewKind {
    HD_VIEW_ARGS,
    HD_VIEW_LOCALS,
    HD_VIEW_IDS,
    HD_VIEW_GLOBALS,
    HD_VIEW_ITEM, /* built-in ids */
    HD_VIEW_VALUE
} HdDapViewKind;

typedef struct HdDapView {
    HdDapViewKind kind;
    uint32_t item, frame;
    HdDebugValue value;
} HdDapView;

/* A breakpoint that the client set, and for what: a file, "function", "instruction" or "data". */
typedef struct HdDapBreak {
    uint32_t number;
    char *of;
} HdDapBreak;

/* Memory that the client asked about: its dataId is a number of this list. */
typedef struct HdDapData {
    char *name; /* heap */
    const HdType *type;
    uint64_t address;
    bool is_of_group;
    uint64_t group[3]; /* of local and private memory */
} HdDapData;

struct HdDap {
    HdDapIo io;
    HdDebug *d;
    int sequence;
    int line_base; /* 1, or 0 when the client counts so */
    cJSON *launch; /* the request, until it has been answered */
    HD_ARRAY(char *) words;
    HD_ARRAY(HdDapBreak) breaks;
    HD_ARRAY(HdDapView) views;
    HD_ARRAY(HdDapData) data;
    const HdDefect *defect; /* that the run stopped at */
    bool stops_at_entry, no_debug, is_configured, has_begun;
    bool wants_pause, wants_away, goes_on;
    bool is_broken; /* what was read is no message */
};

/* One request: fills the body, or says why not. */
typedef void HdDapFn(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why);

/* A member of an object. */
static inline const cJSON *hd_dap_get(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* NULL: it is not there, or no text. */
static inline const char *hd_dap_text(const cJSON *object, const char *key)
{
    return cJSON_GetStringValue(hd_dap_get(object, key));
}

static inline int64_t hd_dap_number(const cJSON *object, const char *key, int64_t otherwise)
{
    const cJSON *n = hd_dap_get(object, key);

    return cJSON_IsNumber(n) ? (int64_t)n->valuedouble : otherwise;
}

/* Add a text about kernels in the words of what is debugged. */
void hd_dap_add_words(const HdDap *p, cJSON *to, const char *key, const char *text);
/* A Source object of a file of the debugger's lines. */
cJSON *hd_dap_source(HdDap *p, uint32_t file);

HdDapFn hd_dap_set_breakpoints, hd_dap_set_function_breakpoints, hd_dap_set_instruction_breakpoints,
    hd_dap_set_exception_breakpoints, hd_dap_set_data_breakpoints, hd_dap_exception_info;
HdDapFn hd_dap_threads, hd_dap_stack_trace, hd_dap_scopes, hd_dap_variables, hd_dap_evaluate,
    hd_dap_set_variable, hd_dap_set_expression, hd_dap_source_text, hd_dap_read_memory,
    hd_dap_disassemble, hd_dap_loaded_sources, hd_dap_data_info;

/* Forget a breakpoint that went with its work-group: its number; 0 when there is none. */
uint32_t hd_dap_gone_break(HdDap *p);

#endif
