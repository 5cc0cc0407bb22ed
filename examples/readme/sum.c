#include <heddle/heddle.h>
#include <stdio.h>
#include <string.h>

static const char text[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\n"
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"add\"\n"
    "%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%ptr = OpTypePointer CrossWorkgroup %u32\n"
    "%fn = OpTypeFunction %void %ptr %u32\n%k = OpFunction %void None %fn\n"
    "%p = OpFunctionParameter %ptr\n%n = OpFunctionParameter %u32\n%b = OpLabel\n"
    "%old = OpLoad %u32 %p Aligned 4\n%new = OpIAdd %u32 %old %n\nOpStore %p %new Aligned 4\n"
    "OpReturn\nOpFunctionEnd\n";

int main(void)
{
    uint32_t *words, cell = 40, two = 2;
    size_t nwords;
    heddle_report *r = heddle_report_open();
    heddle_program *p;
    heddle_arg args[] = {{&cell, 0}, {&two, sizeof two}};
    heddle_launch l = {
        .args = args, .arg_count = 2, .work_dim = 1, .global_size = {1}, .threads = 1};

    if (heddle_assemble(text, strlen(text), r, &words, &nwords) == HEDDLE_OK &&
        heddle_program_open(words, nwords, NULL, 0, r, &p) == HEDDLE_OK &&
        heddle_run(p, &l, r) == HEDDLE_OK)
        printf("%u\n", cell);
    fputs(heddle_report_text(r, "add.spvasm"), stderr);
}
