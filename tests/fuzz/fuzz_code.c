/* tests/fuzz/fuzz_code.c -- program binaries and compiled code, from any bytes.
 *
 * The first byte chooses, the rest is the one or the other. A binary's checksum is set right: what
 * is behind it is of interest. Besides not crashing: a binary that is taken has in it what was
 * taken; code that is refused has a finding, and what was found of it lies in it.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "cl/program.h"
#include "jit/loader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TYPE_AT = 8, HASH_AT = 24, BODY_AT = 32 };

static void read_binary(unsigned char *bytes, size_t size)
{
    cl_program_binary_type type = 0;
    char *options = NULL;
    HdWords words = {0};

    if (size >= BODY_AT) {
        uint32_t seed;
        uint64_t hash;

        memcpy(&seed, bytes + TYPE_AT, sizeof seed);
        hash = hd_hash_bytes(bytes + BODY_AT, size - BODY_AT, seed);
        memcpy(bytes + HASH_AT, &hash, sizeof hash);
    }
    if (hd_binary_read(bytes, size, &type, &options, &words) == HD_OK) {
        unsigned char *again = NULL;
        size_t count;

        if (hd_binary_write(type, options, words, &again, &count) == HD_OK &&
            (count > size ||
             memcmp(again + count - words.count * 4, words.at, words.count * 4) != 0))
            abort();
        hd_free(again);
        hd_free(words.at);
        hd_free(options);
    }
}

static void load(const unsigned char *bytes, size_t size)
{
    HdLoaded code;
    HdStatus st;
    HdDiags d;

    hd_diags_init(&d);
    st = hd_jit_load(bytes, size, "", &d, &code);
    if (st == HD_OK) {
        const unsigned char *entry = code.entry;

        if (entry < code.base || entry > code.base + code.bytes)
            abort();
        for (size_t i = 0; i < code.section_count; i++)
            if (code.places[i] != SIZE_MAX && code.places[i] > code.bytes)
                abort();
        hd_jit_unload(&code);
    } else if ((d.errors == 0 && st != HD_NO_MEMORY) || code.base != NULL) {
        abort();
    }
    hd_diags_drop(&d);
}

/* Both want their bytes aligned as the heap has them. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char *bytes;

    if (size < 1 || (bytes = malloc(size)) == NULL)
        return 0;
    memcpy(bytes, data + 1, size - 1);
    if (data[0] & 1)
        load(bytes, size - 1);
    else
        read_binary(bytes, size - 1);
    free(bytes);
    return 0;
}
