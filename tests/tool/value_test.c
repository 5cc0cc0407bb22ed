/* tests/tool/value_test.c -- typed data of the command line, its options, and pictures.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "../launch/check.h"
#include "tool/picture.h"
#include "tool/run_args.h"
#include "tool/tool.h"
#include "tool/value.h"

static void expect(Checks *c, int line, const char *spec, const char *want)
{
    HdStrbuf text = {0};
    HdDiags d;
    HdData data;

    hd_diags_init(&d);
    if (hd_data_parse(spec, &d, &data) == HD_OK) {
        hd_data_print_type(&text, &data);
        hd_strbuf_add(&text, " = ");
        hd_data_print(&text, &data, 0, false);
        hd_data_close(&data);
    } else {
        hd_strbuf_add(&text, d.errors > 0 ? "error" : "silent error");
    }
    if (strcmp(hd_strbuf_text(&text), want) != 0)
        printf("line %d: '%s' gave '%s'\n", line, spec, hd_strbuf_text(&text));
    check_at(c, strcmp(hd_strbuf_text(&text), want) == 0, spec, __FILE__, line);
    hd_strbuf_free(&text);
    hd_diags_drop(&d);
}

#define IS(spec, want) expect(c, __LINE__, spec, want)

static void test_values(Checks *c)
{
    IS("f32[4]=3,nan,1.5,2", "f32[4] = 3, nan, 1.5, 2");
    IS("f32[1]=9", "f32[1] = 9");
    IS("f32[3]=0.1,-0,inf", "f32[3] = 0.1, -0, inf");
    IS("f32[2]=16777216,1e-45", "f32[2] = 16777216, 1e-45");
    IS("f32[4]=100,1e8,1e9,12345678", "f32[4] = 100, 100000000, 1e+09, 12345678");
    IS("f64[3]=0.1,1e300,-inf", "f64[3] = 0.1, 1e+300, -inf");
    IS("f16[4]=0.1,65504,1e9,1", "f16[4] = 0.1, 65504, inf, 1");
    IS("u32[4]=range", "u32[4] = 0, 1, 2, 3");
    IS("i8[3]=range:-1:-1", "i8[3] = -1, -2, -3");
    IS("f32[3]=range:0:0.5", "f32[3] = 0, 0.5, 1");
    IS("u8[3]=fill:0xff", "u8[3] = 255, 255, 255");
    IS("i8[2]=255,-128", "i8[2] = -1, -128");
    IS("i64[2]=-9223372036854775808,1", "i64[2] = -9223372036854775808, 1");
    IS("u64[1]=18446744073709551615", "u64[1] = 18446744073709551615");
    IS("u32[3]=7", "u32[3] = 7, 0, 0");
    IS("u16[2]", "u16[2] = 0, 0");
    IS("u16[2]=zeros", "u16[2] = 0, 0");
    IS("i32=5", "i32[1] = 5");
    IS("read_only:u16[2]=3,4", "u16[2] = 3, 4");
    IS("write_only:u16[2]", "u16[2] = 0, 0");
    IS("read_only:i32=5", "error");
    IS("write_only:local[8]", "error");
    IS("read_only:write_only:u16[2]", "error");
    IS("f32x4=1,2,3,4", "f32x4[1] = (1, 2, 3, 4)");
    IS("i32x3[2]=1,2,3,4,5,6", "i32x3[2] = (1, 2, 3), (4, 5, 6)");
    IS("bytes[3]=00fFa1", "bytes[3] = 00ffa1");
    IS("u32[0]", "u32[0] = ");
}

static void test_wrong(Checks *c)
{
    static const char *const specs[] = {"",
                                        "f31[1]",
                                        "f32",
                                        "f32[",
                                        "f32[1",
                                        "f32[-1]",
                                        "f32[1]x",
                                        "f32[1]=1,2",
                                        "f32[2]=1;",
                                        "u8[1]=256",
                                        "i8[1]=-129",
                                        "u32[1]=1.5",
                                        "u32x5[1]",
                                        "local[0]",
                                        "local[x]",
                                        "bytes[2]=0",
                                        "bytes[1]=zz",
                                        "bytes=00",
                                        "u8[2]=random:",
                                        "u8[1]=range:1:",
                                        "u32[1]=@/nonexistent/file",
                                        "u8[1]=fill:",
                                        "i32=",
                                        "u64[1000000000000000]",
                                        "f64[99999999999999999999]"};

    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        IS(specs[i], "error");
}

static void test_compare(Checks *c)
{
    HdData a, b;
    HdDiags d;

    hd_diags_init(&d);
    CHECK(c, hd_data_parse("f32[4]=1,nan,0,1000", &d, &a) == HD_OK);
    CHECK(c, hd_data_like(&a, "1,nan,-0,1000", &d, &b) == HD_OK);
    CHECK(c, hd_data_compare(&a, &b, 0) == UINT64_MAX);
    hd_data_close(&b);
    CHECK(c, hd_data_like(&a, "1,nan,0,1001", &d, &b) == HD_OK);
    CHECK(c, hd_data_compare(&a, &b, 0) == 3);
    CHECK(c, hd_data_compare(&a, &b, 0.01) == UINT64_MAX);
    hd_data_close(&b);
    CHECK(c, hd_data_like(&a, "1,2,0,1000", &d, &b) == HD_OK);
    CHECK(c, hd_data_compare(&a, &b, 100) == 1);
    hd_data_close(&a);
    hd_data_close(&b);
    CHECK(c, hd_data_parse("f32[9]=random:1", &d, &a) == HD_OK);
    CHECK(c, hd_data_like(&a, "random:2", &d, &b) == HD_OK);
    CHECK(c, hd_data_compare(&a, &b, 0) == 0);
    hd_data_close(&a);
    hd_data_close(&b);
    hd_diags_drop(&d);
}

/* -1: goes on; else the exit code. */
static int parse(HdRunOptions *o, int argc, const char *const *argv)
{
    char *words[24];
    int code;

    for (int i = 0; i < argc; i++)
        words[i] = (char *)(uintptr_t)argv[i];
    code = hd_run_options_parse(argc, words, HD_ENGINE_COMPILED, o);
    if (code >= 0)
        hd_run_options_close(o);
    return code;
}

#define PARSE(...)                                                           \
    parse(&o, (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)), \
          (const char *[]){__VA_ARGS__})

static void test_options(Checks *c)
{
    HdRunOptions o;

    CHECK(c, PARSE("run", "a.spv", "k", "--global", "4,5", "--local=2", "--arg", "u32[4]", "--arg",
                   "i32=-5", "--width", "8", "--expect", "0=range", "--spec", "3=true") == -1);
    CHECK(c, strcmp(o.file, "a.spv") == 0 && strcmp(o.kernel, "k") == 0);
    CHECK(c, o.work_dim == 2 && o.global[0] == 4 && o.global[1] == 5 && o.global[2] == 1);
    CHECK(c, o.local[0] == 2 && o.local[1] == 1 && o.local[2] == 1 && o.width == 8);
    CHECK(c, o.args.count == 2 && strcmp(o.args.at[1], "i32=-5") == 0);
    CHECK(c, o.expect.count == 1 && o.expect.at[0].index == 0);
    CHECK(c, o.spec.count == 1 && o.spec.at[0].id == 3);
    hd_run_options_close(&o);
    CHECK(c, PARSE("run", "-", "--dump=ir") == -1);
    hd_run_options_close(&o);
    CHECK(c, PARSE("run", "--help") == HD_EXIT_FINE);
    CHECK(c, PARSE("run", "a.spv") == HD_EXIT_USAGE);
    CHECK(c, PARSE("run", "--global", "4") == HD_EXIT_USAGE);
    CHECK(c, PARSE("run", "a", "--global", "1,2,3,4") == HD_EXIT_USAGE);
    CHECK(c, PARSE("run", "a", "--global", "-1") == HD_EXIT_USAGE);
    CHECK(c, PARSE("run", "a", "--global") == HD_EXIT_USAGE);
    CHECK(c, PARSE("run", "a", "--global=1", "--width=3") == HD_EXIT_USAGE);
    CHECK(c, PARSE("run", "a", "--global=1", "--local=4,0") == HD_EXIT_USAGE);
    CHECK(c, PARSE("run", "a", "--global=1", "--nothing") == HD_EXIT_USAGE);
    CHECK(c, PARSE("run", "a", "--global=1", "--time=1") == HD_EXIT_USAGE);
    CHECK(c, PARSE("run", "a", "b", "c", "--global=1") == HD_EXIT_USAGE);
    CHECK(c, PARSE("run", "a", "--global=1", "--engine=x") == HD_EXIT_USAGE);
    CHECK(c, PARSE("run", "a", "--global=1", "--sarif") == HD_EXIT_USAGE);
    CHECK(c, PARSE("check", "a", "--global=1", "--engine=compiled") == HD_EXIT_USAGE);
    CHECK(c, PARSE("check", "a", "--global=1", "--schedule=0x10") == -1 && o.schedule == 16);
    hd_run_options_close(&o);
    CHECK(c, PARSE("debug", "a", "--global=1", "--batch") == -1 && o.batch);
    hd_run_options_close(&o);
}

static void test_pictures(Checks *c)
{
    static const unsigned char red[] = {255, 0, 0, 255, 0, 255, 0, 255};
    static const float grey[] = {0, 0.5f, 1, 2};
    char folder[] = "/tmp/heddle-picture-XXXXXX", spec[128], *bytes;
    size_t count;
    HdDiags d;

    hd_diags_init(&d);
    CHECK(c, mkdtemp(folder) != NULL);
    snprintf(spec, sizeof spec, "2x1:rgba8:%s/a.ppm", folder);
    CHECK(c, hd_picture_write(spec, red, sizeof red, &d) == HD_OK);
    CHECK(c, hd_file_read(spec + 10, &d, &bytes, &count) == HD_OK);
    CHECK(c, count == 17 && memcmp(bytes, "P6\n2 1\n255\n\xff\0\0\0\xff\0", 17) == 0);
    hd_free(bytes);
    unlink(spec + 10);
    snprintf(spec, sizeof spec, "2x2:grayf:%s/a.png", folder);
    CHECK(c, hd_picture_write(spec, (const unsigned char *)grey, sizeof grey, &d) == HD_OK);
    CHECK(c, hd_file_read(spec + 10, &d, &bytes, &count) == HD_OK);
    /* signature, size, and the raw rows in a stored block */
    CHECK(c,
          count > 60 && memcmp(bytes, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\2\0\0\0\2\x8", 25) == 0);
    CHECK(c, memmem(bytes, count, "\1\6\0\xf9\xff\0\0\x80\0\xff\xff", 11) != NULL);
    CHECK(c, memcmp(bytes + count - 8, "IEND\xae\x42\x60\x82", 8) == 0);
    hd_free(bytes);
    unlink(spec + 10);
    rmdir(folder);
    CHECK(c, hd_picture_write("9x9:gray8:/tmp/x.png", red, sizeof red, &d) == HD_BAD_INPUT);
    CHECK(c, hd_picture_write("0x9:gray8:/tmp/x.png", red, sizeof red, &d) == HD_BAD_INPUT);
    CHECK(c, hd_picture_write("1x1:gray9:/tmp/x.png", red, sizeof red, &d) == HD_BAD_INPUT);
    CHECK(c, hd_picture_write("1x1:gray8:/tmp/x.jpg", red, sizeof red, &d) == HD_BAD_INPUT);
    hd_diags_drop(&d);
}

int main(void)
{
    Checks checks = {0};

    test_values(&checks);
    test_wrong(&checks);
    test_compare(&checks);
    test_options(&checks);
    test_pictures(&checks);
    return checks_end(&checks, "value");
}
