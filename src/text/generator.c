/* text/generator.c -- names of the tools that have a generator number.
 *
 * SPDX-License-Identifier: MIT
 */
#include "text/generator.h"

#include <stddef.h>

/* Indexed by the upper half of the header's generator word, as Khronos' registry has them. */
static const char *const names[] = {
    "Khronos",
    "LunarG",
    "Valve",
    "Codeplay",
    "NVIDIA",
    "ARM",
    "Khronos LLVM/SPIR-V Translator",
    "Khronos SPIR-V Tools Assembler",
    "Khronos Glslang Reference Front End",
    "Qualcomm",
    "AMD",
    "Intel",
    "Imagination",
    "Google Shaderc over Glslang",
    "Google spiregg",
    "Google rspirv",
    "X-LEGEND Mesa3D GLSL-IR/SPIR-V Translator",
    "Khronos SPIR-V Tools Linker",
    "Wine VKD3D Shader Compiler",
    "Tellusim Clay Shader Compiler",
    "W3C WebGPU Group WHLSL Shader Translator",
    "Google Clspv",
    "LLVM MLIR SPIR-V Serializer",
    "Google Tint Compiler",
    "Google ANGLE Shader Compiler",
    "Netease Games Messiah Shader Compiler",
    "Xenia Xenia Emulator Microcode Translator",
    "Embark Studios Rust GPU Compiler Backend",
    "gfx-rs community Naga",
    "Mikkosoft Productions MSP Shader Compiler",
    "SpvGenTwo community SpvGenTwo SPIR-V IR Tools",
    "Google Skia SkSL",
    "TornadoVM Beehive SPIRV Toolkit",
    "DragonJoker ShaderWriter",
    "Rayan Hatout SPIRVSmith",
    "Saarland University Shady",
    "Taichi Graphics Taichi",
    "heroseh Hero C Compiler",
    "Meta SparkSL",
    "SirLynix Nazara ShaderLang Compiler",
    "Khronos Slang Compiler",
    "Zig Software Foundation Zig Compiler",
    "Rendong Liang spq",
    "LLVM LLVM SPIR-V Backend",
    "Robert Konrad Kongruent",
    "Kitsunebi Games Nuvk SPIR-V Emitter and DLSL compiler",
    "Nintendo",
    "ARM",
    "Goopax",
    "Icyllis Milica Arc3D Shader Compiler",
    "Isochron Pred",
    "apilatosba Apila Jai Compiler",
};

const char *hd_text_generator(uint32_t tool)
{
    return tool < sizeof names / sizeof *names ? names[tool] : NULL;
}
