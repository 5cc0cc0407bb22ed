/* tool/picture.c -- PNG (stored, not compressed) and PPM.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

#define MAX_SIDE     65536u
#define MAX_BYTES    ((uint64_t)1 << 30)
#define STORED_BYTES 65535u /* of one stored deflate block */

typedef struct Format {
    const char *name;
    unsigned channels;
    bool is_float;
    unsigned char png_colour; /* PNG's colour type */
} Format;

static const Format formats[] = {{"gray8", 1, false, 0},
                                 {"rgb8", 3, false, 2},
                                 {"rgba8", 4, false, 6},
                                 {"grayf", 1, true, 0},
                                 {"rgbaf", 4, true, 6}};

typedef struct Picture {
    uint32_t width, height;
    const Format *format;
    const unsigned char *bytes;
} Picture;

static unsigned char sample(const Picture *p, uint64_t n)
{
    float f;

    if (!p->format->is_float)
        return p->bytes[n];
    memcpy(&f, p->bytes + n * 4, sizeof f);
    if (!(f > 0))
        return 0;
    return f >= 1 ? 255 : (unsigned char)(f * 255 + 0.5f);
}

static void add_u32(HdStrbuf *out, uint32_t v)
{
    const unsigned char bytes[4] = {(unsigned char)(v >> 24), (unsigned char)(v >> 16),
                                    (unsigned char)(v >> 8), (unsigned char)v};

    hd_strbuf_add_bytes(out, bytes, 4);
}

static uint32_t crc32_of(const unsigned char *bytes, size_t count)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1)));
    }
    return ~crc;
}

/* A chunk; its content begins with the four letters of its type. */
static void add_chunk(HdStrbuf *out, const char *bytes, size_t count)
{
    add_u32(out, (uint32_t)count - 4);
    hd_strbuf_add_bytes(out, bytes, count);
    add_u32(out, crc32_of((const unsigned char *)bytes, count));
}

static uint32_t adler32_of(const unsigned char *bytes, size_t count)
{
    uint32_t a = 1, b = 0;

    for (size_t i = 0; i < count; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

/* Rows as PNG has them: a filter byte (none), then the samples. */
static void add_rows(HdStrbuf *out, const Picture *p)
{
    uint64_t row = (uint64_t)p->width * p->format->channels;

    for (uint32_t y = 0; y < p->height; y++) {
        hd_strbuf_add_char(out, 0);
        for (uint64_t x = 0; x < row; x++)
            hd_strbuf_add_char(out, (char)sample(p, y * row + x));
    }
}

static void add_stored(HdStrbuf *out, const HdStrbuf *rows)
{
    size_t at = 0;

    hd_strbuf_add_bytes(out, "\x78\x01", 2);
    do {
        size_t left = rows->count - at, n = left < STORED_BYTES ? left : STORED_BYTES;
        const unsigned char head[5] = {left == n, (unsigned char)n, (unsigned char)(n >> 8),
                                       (unsigned char)~n, (unsigned char)(~n >> 8)};

        hd_strbuf_add_bytes(out, head, sizeof head);
        hd_strbuf_add_bytes(out, rows->at + at, n);
        at += n;
    } while (at < rows->count);
    add_u32(out, adler32_of((const unsigned char *)rows->at, rows->count));
}

static void write_png(HdStrbuf *out, const Picture *p)
{
    const char depth[5] = {8, (char)p->format->png_colour, 0, 0, 0};
    HdStrbuf head = {0}, rows = {0}, data = {0};

    hd_strbuf_add(&head, "IHDR");
    add_u32(&head, p->width);
    add_u32(&head, p->height);
    hd_strbuf_add_bytes(&head, depth, sizeof depth);
    add_rows(&rows, p);
    hd_strbuf_add(&data, "IDAT");
    if (!rows.failed)
        add_stored(&data, &rows);
    out->failed = out->failed || head.failed || rows.failed || data.failed;
    if (!out->failed) {
        hd_strbuf_add_bytes(out, "\x89PNG\r\n\x1a\n", 8);
        add_chunk(out, head.at, head.count);
        add_chunk(out, data.at, data.count);
        add_chunk(out, "IEND", 4);
    }
    hd_strbuf_free(&head);
    hd_strbuf_free(&rows);
    hd_strbuf_free(&data);
}

static void write_ppm(HdStrbuf *out, const Picture *p)
{
    unsigned channels = p->format->channels;
    uint64_t pixels = (uint64_t)p->width * p->height;

    hd_strbuf_printf(out, "P%c\n%u %u\n255\n", channels == 1 ? '5' : '6', (unsigned)p->width,
                     (unsigned)p->height);
    for (uint64_t i = 0; i < pixels; i++) {
        for (unsigned c = 0; c < (channels == 1 ? 1u : 3u); c++)
            hd_strbuf_add_char(out, (char)sample(p, i * channels + c));
    }
}

/* "WxH:FORMAT:FILE"; NULL when it is not that. */
static const char *parse(const char *spec, Picture *p)
{
    char *end;
    unsigned long w = strtoul(spec, &end, 10), h;

    if (*end != 'x')
        return NULL;
    h = strtoul(end + 1, &end, 10);
    if (*end != ':' || w == 0 || h == 0 || w > MAX_SIDE || h > MAX_SIDE)
        return NULL;
    p->width = (uint32_t)w;
    p->height = (uint32_t)h;
    end++;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        size_t len = strlen(formats[i].name);

        if (strncmp(end, formats[i].name, len) == 0 && end[len] == ':' && end[len + 1] != '\0') {
            p->format = &formats[i];
            return end + len + 1;
        }
    }
    return NULL;
}

/* The picture and its file, which ends in .png or .ppm. */
static HdStatus read_spec(const char *spec, uint64_t size, HdDiags *d, Picture *p,
                          const char **file)
{
    const char *ending;
    uint64_t need;

    *file = parse(spec, p);
    ending = *file != NULL ? strrchr(*file, '.') : NULL;
    if (ending == NULL || (strcmp(ending, ".png") != 0 && strcmp(ending, ".ppm") != 0))
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.image",
                       "'%s': an image is written WxH:FORMAT:FILE, FILE ending in .png or .ppm; "
                       "FORMAT is gray8, rgb8, "
                       "rgba8, grayf or rgbaf",
                       spec);
    need = (uint64_t)p->width * p->height * p->format->channels * (p->format->is_float ? 4 : 1);
    if (need > MAX_BYTES)
        return hd_fail(d, HD_UNSUPPORTED, HD_NO_PLACE, "run.image", "'%s': too large", spec);
    if (size < need)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.image",
                       "the picture needs %llu bytes, the argument has %llu",
                       (unsigned long long)need, (unsigned long long)size);
    return HD_OK;
}

HdStatus hd_picture_check(const char *spec, uint64_t size, HdDiags *d)
{
    const char *file;
    Picture p = {0};

    return read_spec(spec, size, d, &p, &file);
}

HdStatus hd_picture_write(const char *spec, const unsigned char *bytes, uint64_t size, HdDiags *d)
{
    Picture p = {.bytes = bytes};
    HdStrbuf out = {0};
    const char *file;
    HdStatus st;

    HD_TRY(read_spec(spec, size, d, &p, &file));
    if (strcmp(strrchr(file, '.'), ".png") == 0)
        write_png(&out, &p);
    else
        write_ppm(&out, &p);
    st = out.failed ? HD_NO_MEMORY : hd_file_write(file, out.at, out.count, d);
    hd_strbuf_free(&out);
    return st;
}
