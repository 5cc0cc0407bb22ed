/* cl/binary.c -- the container of program binaries: a SPIR-V module with its build options.
 *
 *     8 bytes  "HDLBIN1" and NUL
 *     4        CL_PROGRAM_BINARY_TYPE
 *     4        bytes of the options with their NUL, rounded up to whole words
 *     4        words of the module
 *     4        1: Heddle's own compiler made the module
 *     8        hash of everything that follows, in host endianness like everything here
 *     options, module
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "cl/program.h"

static const char magic[8] = "HDLBIN1";

typedef struct Header {
    char magic[8];
    uint32_t type, option_bytes, word_count, is_compiled;
    uint64_t hash;
} Header;

HdStatus hd_binary_write(cl_program_binary_type type, const char *options, HdWords words,
                         unsigned char **bytes, size_t *count)
{
    size_t length = strlen(options) + 1, padded = (length + 3) & ~(size_t)3;
    Header h = {.type = type,
                .option_bytes = (uint32_t)padded,
                .word_count = (uint32_t)words.count,
                .is_compiled = words.is_compiled};

    *count = sizeof h + padded + words.count * 4;
    HD_TAKE(*bytes, hd_alloc_zero(*count));
    memcpy(*bytes + sizeof h, options, length);
    if (words.count > 0)
        memcpy(*bytes + sizeof h + padded, words.at, words.count * 4);
    memcpy(h.magic, magic, sizeof magic);
    h.hash = hd_hash_bytes(*bytes + sizeof h, *count - sizeof h, type);
    memcpy(*bytes, &h, sizeof h);
    return HD_OK;
}

HdStatus hd_binary_read(const unsigned char *bytes, size_t count, cl_program_binary_type *type,
                        char **options, HdWords *words)
{
    const unsigned char *body = bytes + sizeof(Header);
    Header h;

    if (count < sizeof h)
        return HD_BAD_INPUT;
    memcpy(&h, bytes, sizeof h);
    if (memcmp(h.magic, magic, sizeof magic) != 0 || h.is_compiled > 1 || h.option_bytes == 0 ||
        h.option_bytes % 4 != 0 ||
        count != sizeof h + (uint64_t)h.option_bytes + (uint64_t)h.word_count * 4 ||
        h.hash != hd_hash_bytes(body, count - sizeof h, h.type) || body[h.option_bytes - 1] != '\0')
        return HD_BAD_INPUT;
    if (h.type != CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT &&
        h.type != CL_PROGRAM_BINARY_TYPE_LIBRARY && h.type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
        return HD_BAD_INPUT;
    HD_TAKE(*options, hd_strdup((const char *)body));
    words->at = hd_alloc((size_t)h.word_count * 4);
    words->count = h.word_count;
    words->is_compiled = h.is_compiled != 0;
    if (words->at == NULL) {
        hd_free(*options);
        *options = NULL;
        return HD_NO_MEMORY;
    }
    memcpy(words->at, body + h.option_bytes, (size_t)h.word_count * 4);
    *type = h.type;
    return HD_OK;
}
