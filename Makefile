# Heddle. `make run` and `make test` are all a fresh machine needs; `make help` lists the rest.
#
# SPDX-License-Identifier: MIT

BUILD    ?= build
PREFIX   ?= /usr/local
SYSCONFDIR ?= $(if $(filter /usr,$(PREFIX)),/etc,$(if $(filter /usr/local,$(PREFIX)),/etc,$(PREFIX)/etc))
DESTDIR  ?=
CC       := $(if $(filter default,$(origin CC)),gcc,$(CC))
LLVM_CONFIG ?= llvm-config-22
VERSION  := 0.1.0
SAN      ?=
LTO      ?=

WARN := -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes -Wvla \
        -Werror=implicit
OPT  ?= -O2 -g
SANFLAGS := $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer)
CFLAGS_ALL = -std=c17 -D_GNU_SOURCE -DHD_VERSION='"$(VERSION)"' $(OPT) $(if $(LTO),-flto) $(WARN) $(SANFLAGS) \
        -fvisibility=hidden -fPIC -pthread -Isrc -I$(BUILD) -Iinclude $(CFLAGS)
LDFLAGS_ALL = $(SANFLAGS) $(if $(LTO),-flto) -pthread $(LDFLAGS)

# Rooms, lowest first: tools/layers.py holds who may include whom.
LIB_ROOMS := base grammar module text val ir build interp ops xform lanes group rt jit launch clc
CL_ROOMS  := cl api
GEN := $(addprefix $(BUILD)/gen/,spirv.h opix.h extinst.h tables.c)

sources = $(sort $(shell find $(addprefix src/,$(1)) -name '*.c' -o -name '*.S' 2>/dev/null))
objects = $(patsubst src/%,$(BUILD)/obj/%.o,$(1))

LIB_OBJ  := $(call objects,$(call sources,$(LIB_ROOMS))) $(BUILD)/obj/gen/tables.o
CL_OBJ   := $(call objects,$(call sources,$(CL_ROOMS)))
TOOL_OBJ := $(call objects,$(call sources,tool))
LLVM_OBJ := $(call objects,$(call sources,base ir codegen))

.PHONY: all
all: $(BUILD)/heddle $(BUILD)/libheddle.so $(BUILD)/libheddle-cl.so $(BUILD)/libheddle-llvm.so \
     $(BUILD)/heddle.icd

# ---- what is made ---------------------------------------------------------------------------
$(BUILD)/libheddle.a: $(LIB_OBJ)
	@rm -f $@
	@ar rcs $@ $^

$(BUILD)/libheddle.so: $(BUILD)/libheddle.a tools/heddle.map
	$(CC) -shared $(LDFLAGS_ALL) -Wl,-z,defs -Wl,--version-script=tools/heddle.map \
	    -Wl,-soname,libheddle.so -o $@ -Wl,--whole-archive $(BUILD)/libheddle.a \
	    -Wl,--no-whole-archive -lm -ldl

$(BUILD)/libheddle-cl.so: $(CL_OBJ) $(BUILD)/libheddle.a tools/heddle-cl.map
	$(CC) -shared $(LDFLAGS_ALL) -Wl,-z,defs -Wl,--version-script=tools/heddle-cl.map \
	    -Wl,-soname,libheddle-cl.so -o $@ $(CL_OBJ) $(BUILD)/libheddle.a -lm -ldl

$(BUILD)/libheddle-llvm.so: $(LLVM_OBJ) tools/heddle-llvm.map
	$(CC) -shared $(LDFLAGS_ALL) -Wl,-z,defs -Wl,--version-script=tools/heddle-llvm.map -o $@ \
	    $(LLVM_OBJ) $(shell $(LLVM_CONFIG) --ldflags --libs 2>/dev/null) -lm

$(BUILD)/heddle: $(TOOL_OBJ) $(BUILD)/libheddle.a
	$(CC) $(LDFLAGS_ALL) -o $@ $^ -lm -ldl

$(BUILD)/heddle.icd: | $(BUILD)/libheddle-cl.so
	@echo $(abspath $(BUILD)/libheddle-cl.so) > $@

$(GEN) &: src/grammar/generate.py $(wildcard src/grammar/*.grammar)
	@mkdir -p $(BUILD)/gen
	python3 src/grammar/generate.py src/grammar $(BUILD)/gen

$(BUILD)/obj/codegen/%.o: EXTRA = -isystem $(shell $(LLVM_CONFIG) --includedir 2>/dev/null)
-include tools/flags.mk

$(BUILD)/obj/%.c.o: src/%.c | $(GEN)
	@mkdir -p $(@D)
	@echo '  CC $<'
	@$(CC) $(CFLAGS_ALL) $(EXTRA) -MMD -MP -c -o $@ $<

$(BUILD)/obj/%.S.o: src/%.S
	@mkdir -p $(@D)
	@echo '  CC $<'
	@$(CC) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

$(BUILD)/obj/gen/tables.o: $(BUILD)/gen/tables.c
	@mkdir -p $(@D)
	@echo '  CC $<'
	@$(CC) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)

.PHONY: clean
clean:
	rm -rf $(BUILD)
