/* tool/pipe_arg.c -- pipes on the command line.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/pipe_arg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define MOST_BYTES (UINT64_C(1) << 32)

static HdStatus bad(HdDiags *d, const char *spec, const char *why)
{
    return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.argument", "argument '%s': %s", spec, why);
}

static bool take_number(const char **p, uint32_t *n)
{
    char *end;
    unsigned long x = strtoul(*p, &end, 10);

    if (end == *p || x == 0 || x > HD_PIPE_MOST_PACKETS)
        return false;
    *n = (uint32_t)x;
    *p = end;
    return true;
}

static uint64_t element_bytes(const HdData *data)
{
    return (uint64_t)hd_value_bytes(data->type.kind) * data->type.stride;
}

/* The packets that are in it at first: "TYPE[COUNT]=…", or "TYPE" for none. */
static HdStatus first_packets(const char *text, HdDiags *d, HdData *out)
{
    bool is_empty = strpbrk(text, "[=") == NULL;
    char one[32];

    if (is_empty)
        snprintf(one, sizeof one, "%.20s[1]", text);
    HD_TRY(hd_data_parse(is_empty ? one : text, d, out));
    if (is_empty)
        out->count = out->size = 0;
    return HD_OK;
}

/* A pipe with these packets in it, and data as long as it can get. */
static HdStatus make(const HdData *first, uint32_t packet_bytes, uint32_t max_packets, HdDiags *d,
                     HdPipe **pipe, HdData *data)
{
    HdData model = *first;
    HdPipe *p;

    HD_TAKE(p, hd_alloc_zero((size_t)hd_pipe_bytes(packet_bytes, max_packets)));
    *p = (HdPipe){.packet_bytes = packet_bytes, .max_packets = max_packets};
    p->writes.taken = p->writes.done = first->size / packet_bytes;
    memcpy(hd_pipe_packet(p, 0), first->bytes, (size_t)first->size);
    *pipe = p;
    model.count = (uint64_t)packet_bytes * max_packets / element_bytes(first);
    model.size = model.count * element_bytes(first);
    HD_TRY(hd_data_like(&model, "zeros", d, data));
    hd_pipe_look(p, data);
    return HD_OK;
}

HdStatus hd_pipe_parse(const char *spec, HdDiags *d, HdPipe **pipe, HdData *data)
{
    const char *p = spec + strlen("pipe:");
    uint32_t max_packets, packet_bytes = 0;
    HdData first;
    HdStatus st;

    *pipe = NULL;
    *data = (HdData){0};
    if (!take_number(&p, &max_packets) || (*p == 'x' && (p++, !take_number(&p, &packet_bytes))) ||
        *p++ != ':')
        return bad(d, spec, "a pipe is written pipe:PACKETS:TYPE[COUNT]=…");
    HD_TRY(first_packets(p, d, &first));
    if (packet_bytes == 0 && first.bytes != NULL)
        packet_bytes = (uint32_t)element_bytes(&first);
    if (first.form != HD_DATA_ARRAY)
        st = bad(d, spec, "the packets must be written TYPE[COUNT]=…, or TYPE for none");
    else if (packet_bytes % element_bytes(&first) != 0 || first.size % packet_bytes != 0)
        st = bad(d, spec, "the contents are not a whole number of packets");
    else if (first.size / packet_bytes > max_packets)
        st = bad(d, spec, "there are more packets than the pipe holds");
    else if ((uint64_t)packet_bytes * max_packets > MOST_BYTES)
        st = bad(d, spec, "the pipe is too large");
    else
        st = make(&first, packet_bytes, max_packets, d, pipe, data);
    hd_data_close(&first);
    return st;
}

void hd_pipe_look(HdPipe *p, HdData *data)
{
    unsigned char *to = data->bytes;

    for (uint64_t n = p->reads.taken; n < p->writes.done; n++, to += p->packet_bytes)
        memcpy(to, hd_pipe_packet(p, n), p->packet_bytes);
    data->size = (uint64_t)(to - data->bytes);
    data->count = data->size / element_bytes(data);
}
