# Which LLVM generates code, and how it is linked. Included by the Makefile.
#
#   LLVM         no: no code generation, kernels run in the interpreter; shared, static: how LLVM is linked. Static
#                is faster, and the default where the installed LLVM has static libraries (docs/adr/0048).
#   LLVM_CONFIG  the llvm-config of the LLVM to use; the newest that is supported and installed by default
#   LLVM_LIBS    what is linked, in place of what llvm-config names
#
# SPDX-License-Identifier: MIT
LLVM_SUPPORTED := 22 21 20 19
LLVM_CONFIG ?= $(firstword $(foreach v,$(LLVM_SUPPORTED),$(shell command -v llvm-config-$(v))) $(shell command -v llvm-config))
LLVM_VERSION := $(if $(LLVM_CONFIG),$(shell $(LLVM_CONFIG) --version 2>/dev/null))
LLVM_MAJOR := $(firstword $(subst ., ,$(LLVM_VERSION)))
LLVM_HAS := $(filter $(LLVM_SUPPORTED),$(LLVM_MAJOR))
LLVM_LIBDIR := $(if $(LLVM_HAS),$(shell $(LLVM_CONFIG) --libdir))
LLVM_TARGET := $(if $(filter aarch64,$(MACHINE)),AArch64,X86)

# Sanitizers keep to the shared library: it is linked faster.
LLVM ?= $(if $(SAN)$(LLVM_LIBS),shared,$(if $(wildcard $(LLVM_LIBDIR)/libLLVM$(LLVM_TARGET)CodeGen.a),static,shared))
ifeq ($(filter no shared static,$(LLVM)),)
$(error LLVM=$(LLVM): it is static, shared or no)
endif

# llvm-config names more system libraries than are needed (z3, xml2), and by names that development packages have, as
# g++ does the C++ library. LLVM's own package depends on these.
LLVM_SYSTEM_LIBS ?= -l:libz.so.1 -l:libzstd.so.1 -l:libstdc++.so.6
LLVM_STATIC = -L$(LLVM_LIBDIR) $(shell $(LLVM_CONFIG) --link-static --libs $(LLVM_TARGET) passes) \
        -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,--as-needed $(LLVM_SYSTEM_LIBS) -ldl
LLVM_SHARED = $(shell $(LLVM_CONFIG) --link-shared --ldflags --libs)
LLVM_LINK = $(or $(LLVM_LIBS),$(if $(filter static,$(LLVM)),$(LLVM_STATIC),$(LLVM_SHARED)))

# The one line of a file that is made anew when it is to be another: what depends on it is, too.
line = $(if $(findstring |$(2)|,|$(file <$(1))|),,another-choice)
.PHONY: another-choice

LLVM_CHOICE := $(LLVM) $(LLVM_CONFIG) $(LLVM_VERSION) $(LLVM_LIBS)
$(BUILD)/gen/llvm-libs: $(call line,$(BUILD)/gen/llvm-libs,$(LLVM_CHOICE))
	@mkdir -p $(@D)
	@echo '$(LLVM_CHOICE)' > $@

LLVM_HEADERS := $(LLVM) $(LLVM_CONFIG) $(LLVM_VERSION)
$(BUILD)/gen/llvm-headers: $(call line,$(BUILD)/gen/llvm-headers,$(LLVM_HEADERS))
	@[ -n '$(LLVM_HAS)' ] || { \
	    echo 'No LLVM of version 19 to 22 was found$(if $(LLVM_CONFIG), ($(LLVM_CONFIG) $(if $(LLVM_VERSION),is of $(LLVM_VERSION),does not run))).' >&2; \
	    echo 'Install llvm-22-dev (make packages does), name its llvm-config (make LLVM_CONFIG=/path/to/llvm-config), or' >&2; \
	    echo 'build what needs none (make LLVM=no): validator, assembler, interpreter, checker, debugger.' >&2; exit 1; }
	@mkdir -p $(@D)
	@echo '$(LLVM_HEADERS)' > $@

$(BUILD)/obj/codegen/%.o: EXTRA = -isystem $(shell $(LLVM_CONFIG) --includedir) \
        $(if $(filter static,$(LLVM)),-DHD_LLVM_STATIC)
$(filter $(BUILD)/obj/codegen/%,$(LLVM_OBJ)): $(BUILD)/gen/llvm-headers

# What the library knows of the build: the version of LLVM, "" where no code is generated, and where the
# command finds what is in the library's own folder.
CONFIG := /* $(if $(filter no,$(LLVM)),no LLVM,LLVM $(LLVM_VERSION)); $(FROM_COMMAND) */
$(BUILD)/gen/config.h: $(if $(findstring $(CONFIG),$(file <$(BUILD)/gen/config.h)),,another-choice)
	@mkdir -p $(@D)
	@printf '%s\n#ifndef HD_LLVM\n#define HD_LLVM "%s"\n#endif\n#define HD_FROM_COMMAND "%s/"\n' \
	    '$(CONFIG)' '$(if $(filter no,$(LLVM)),,$(LLVM_VERSION))' '$(FROM_COMMAND)' > $@

$(BUILD)/obj/jit/generator.c.o $(BUILD)/obj/clc/find.c.o $(BUILD)/obj/tool/exec.c.o: $(BUILD)/gen/config.h
