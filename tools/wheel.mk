# `make wheel`: heddle and heddle-tools for pip, in $(BUILD)/wheel. Included by the Makefile.
#
# They need nothing but the C library: LLVM, clang, zlib, zstd and the C++ library are linked statically, and libcjson is brought
# along. docs/wheels.md says what is in them.
#
#   BINUTILS  what stands before the names of strip and readelf, "aarch64-linux-gnu-"
#   CJSON_SO  the cJSON library that is brought along; the one that this machine's programs load by default
#
# SPDX-License-Identifier: MIT
WHEEL := $(BUILD)/wheel
WHEEL_LIBS = -l:libz.a -l:libzstd.a -l:libstdc++.a -static-libgcc
WHEEL_COMMAND_FLAGS = $(LDFLAGS_ALL) -s -Wl,-rpath,'$$ORIGIN/../lib/heddle'
CXX := $(if $(filter default,$(origin CXX)),g++,$(CXX))

$(WHEEL)/libheddle-llvm.so: $(LLVM_OBJ) tools/heddle-llvm.map $(BUILD)/gen/llvm-libs
	@mkdir -p $(@D)
	@echo '  LD $@'
	@$(CC) -shared -s $(LDFLAGS_ALL) $(NO_UNDEFINED) -Wl,--version-script=tools/heddle-llvm.map -o $@.new \
	    $(LLVM_OBJ) $(filter-out $(LLVM_SYSTEM_LIBS),$(LLVM_STATIC)) $(WHEEL_LIBS) -lm
	@mv $@.new $@

$(WHEEL)/heddle: $(TOOL_OBJ) $(BUILD)/libheddle.a
	@mkdir -p $(@D)
	@echo '  LD $@'
	@$(CC) $(WHEEL_COMMAND_FLAGS) -o $@.new $^ $(CJSON_LIBS) -lm -ldl
	@mv $@.new $@

$(WHEEL)/heddle-tools: $(BUILD)/without-llvm/generator.o $(TOOL_OBJ) $(BUILD)/libheddle.a
	@mkdir -p $(@D)
	@echo '  LD $@'
	@$(CC) $(WHEEL_COMMAND_FLAGS) -o $@.new $^ $(CJSON_LIBS) -lm -ldl
	@mv $@.new $@

# The small compiler of OpenCL C. clang asks for all plug-ins that it was built with, Polly among them: there is none.
CLANG_PARTS := CodeGen Frontend Driver Parse Sema Serialization Analysis AnalysisLifetimeSafety APINotes Edit ASTMatchers AST Lex \
        Basic Support Options
CLANG_LLVM_PARTS := spirv passes coverage frontendopenmp frontenddriver frontendhlsl frontendoffloading frontendopenacc lto \
        objcarcopts option windowsdriver targetparser irreader irprinter
CLANG_LIBS = -L$(LLVM_LIBDIR) -Wl,--start-group $(CLANG_PARTS:%=-lclang%) -Wl,--end-group \
        $(filter-out -lPolly%,$(shell $(LLVM_CONFIG) --link-static --libs $(CLANG_LLVM_PARTS)))

$(WHEEL)/main.o: src/clang/main.cc $(BUILD)/gen/llvm-headers
	@mkdir -p $(@D)
	@[ '$(LLVM_MAJOR)' = 22 ] || { echo 'The compiler of OpenCL C is made of clang 22; llvm-config is of $(LLVM_VERSION).' >&2; exit 1; }
	@echo '  CXX $<'
	@$(CXX) -std=c++17 -O2 -fno-rtti -fno-exceptions -Wall -Wextra -isystem $(shell $(LLVM_CONFIG) --includedir) \
	    -D_GNU_SOURCE -D__STDC_CONSTANT_MACROS -D__STDC_FORMAT_MACROS -D__STDC_LIMIT_MACROS $(DEPS) -c -o $@ $<

$(WHEEL)/clang-heddle: $(WHEEL)/main.o
	@echo '  LD $@'
	@$(CXX) -s -Wl,--build-id -o $@.new $< $(CLANG_LIBS) -static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,--as-needed \
	    $(LDFLAGS) -l:libz.a -l:libzstd.a -ldl -lm
	@mv $@.new $@

CLANG_HEADERS = $(LLVM_LIBDIR)/clang/$(LLVM_MAJOR)/include

# Made with the tests, too, where all is installed that they are made of.
WHEELS := $(if $(SAN)$(filter-out 22,$(LLVM_MAJOR)),,$(if $(wildcard $(LLVM_LIBDIR)/libclangCodeGen.a),wheels))

.PHONY: packages-wheel wheels wheel
packages-wheel:
	@tools/packages.sh build wheel

wheels: $(WHEEL)/heddle $(WHEEL)/heddle-tools $(WHEEL)/libheddle-llvm.so $(WHEEL)/clang-heddle \
        $(BUILD)/libheddle.so $(BUILD)/libheddle-cl.so $(BUILD)/libheddle-clang.so
	@tools/wheel.py --build $(BUILD) --machine $(MACHINE) --version $(VERSION) --headers $(CLANG_HEADERS) \
	    $(if $(BINUTILS),--binutils $(BINUTILS)) $(if $(CJSON_SO),--cjson $(CJSON_SO))

wheel: packages-wheel
	@$(MAKE) --no-print-directory -j$(JOBS) wheels
