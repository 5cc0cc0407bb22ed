# Heddle. `make run` and `make test` are all a fresh machine needs; `make help` lists the rest.
#
# SPDX-License-Identifier: MIT

.DEFAULT_GOAL := all
BUILD    ?= build
# Where `make install` puts things; libraries that nobody links stand in a folder of their own.
PREFIX   ?= /usr/local
BINDIR   ?= $(PREFIX)/bin
LIBDIR   ?= $(PREFIX)/lib
PRIVATE  := $(LIBDIR)/heddle
INCLUDEDIR ?= $(PREFIX)/include
DATADIR  ?= $(PREFIX)/share
MANDIR   ?= $(DATADIR)/man
SYSCONFDIR ?= $(if $(filter /usr,$(PREFIX)),/etc,$(if $(filter /usr/local,$(PREFIX)),/etc,$(PREFIX)/etc))
VENDORDIR ?= $(SYSCONFDIR)/OpenCL/vendors
DESTDIR  ?=
FROM_COMMAND := $(shell realpath -m --relative-to=$(BINDIR) $(PRIVATE))
CC       := $(if $(filter default,$(origin CC)),gcc,$(CC))
MACHINE  := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
CJSON_LIBS ?= -lcjson
VERSION  := 0.1.0
# Of libheddle.so's interface: one more when a program that was linked before would not run any more.
SOVERSION := 0
SAN      ?=
JOBS     ?= $(shell nproc)
LTO      ?=

WARN := -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes -Wvla \
        -Werror=implicit
OPT  ?= $(if $(SAN),-Og -g1,-O2 -g)
# gcc sees fewer assignments through sanitizers, and TSan no fences: their builds do not warn of either.
SANFLAGS := $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -DHD_VERIFY_PASSES=1 \
            -Wno-unknown-warning-option -Wno-maybe-uninitialized $(if $(filter thread,$(SAN)),-Wno-tsan))
CFLAGS_ALL = -std=c17 -D_GNU_SOURCE -DHD_VERSION='"$(VERSION)"' $(OPT) $(if $(LTO),-flto) $(WARN) $(SANFLAGS) \
        -fvisibility=hidden -fPIC -pthread -Isrc -I$(BUILD) -Iinclude $(CPPFLAGS) $(CFLAGS)
# With a build id, by which the disk cache tells builds apart (src/base/build.h).
LDFLAGS_ALL = $(SANFLAGS) $(if $(LTO),-flto) -pthread -Wl,--build-id $(LDFLAGS)

# Rooms, lowest first: tools/lint.py holds who may include whom.
LIB_ROOMS := base grammar module text check val ir opt build interp ops xform lanes group rt jit launch clc lib
CL_ROOMS  := cl api
GEN := $(addprefix $(BUILD)/gen/,spirv.h opix.h extinst.h tables.c)

sources = $(sort $(shell find $(addprefix src/,$(1)) -name '*.c' -o -name '*.S' 2>/dev/null))
objects = $(patsubst src/%,$(BUILD)/obj/%.o,$(1))

# The linker keeps the order. What the validator runs comes first and together, so that it takes few
# pages of the processes that do nothing else.
VAL_SRC  := $(call sources,base grammar module val lib) $(filter %_rule.c,$(call sources,ops))
LIB_OBJ  := $(BUILD)/obj/gen/tables.o \
            $(call objects,$(VAL_SRC) $(filter-out $(VAL_SRC),$(call sources,$(LIB_ROOMS))))
CL_OBJ   := $(call objects,$(call sources,$(CL_ROOMS)))
TOOL_OBJ := $(call objects,$(call sources,debug tool))
LLVM_OBJ := $(call objects,$(call sources,base ir codegen))

include tools/llvm.mk
include tools/commit.mk

# With a sanitizer, its functions come from the program.
comma := ,
NO_UNDEFINED := $(if $(SAN),,-Wl$(comma)-z$(comma)defs)

.PHONY: all
all: $(BUILD)/heddle $(BUILD)/libheddle.so \
     $(if $(filter no,$(LLVM)),,$(BUILD)/libheddle-cl.so $(BUILD)/libheddle-llvm.so $(BUILD)/libheddle-clang.so $(BUILD)/heddle.icd)

# ---- what is made ---------------------------------------------------------------------------
$(BUILD)/libheddle.a: $(LIB_OBJ)
	@rm -f $@.new
	@ar rcs $@.new $^
	@mv $@.new $@

$(BUILD)/libheddle.so: $(BUILD)/libheddle.so.$(SOVERSION)
	@ln -sf $(<F) $@

$(BUILD)/libheddle.so.$(SOVERSION): $(BUILD)/libheddle.a tools/heddle.map
	@echo '  LD $@'
	@$(CC) -shared $(LDFLAGS_ALL) $(NO_UNDEFINED) -Wl,--version-script=tools/heddle.map \
	    -Wl,-soname,$(@F) -o $@.new -Wl,--whole-archive $(BUILD)/libheddle.a \
	    -Wl,--no-whole-archive -lm -ldl
	@mv $@.new $@

$(BUILD)/libheddle-cl.so: $(CL_OBJ) $(BUILD)/libheddle.a tools/heddle-cl.map
	@echo '  LD $@'
	@$(CC) -shared $(LDFLAGS_ALL) $(NO_UNDEFINED) -Wl,--version-script=tools/heddle-cl.map \
	    -Wl,-soname,libheddle-cl.so -o $@.new $(CL_OBJ) $(BUILD)/libheddle.a -lm -ldl
	@mv $@.new $@

$(BUILD)/libheddle-llvm.so: $(LLVM_OBJ) tools/heddle-llvm.map $(BUILD)/gen/llvm-libs
	@echo '  LD $@'
	@$(CC) -shared $(LDFLAGS_ALL) $(NO_UNDEFINED) -Wl,--version-script=tools/heddle-llvm.map -o $@.new \
	    $(LLVM_OBJ) $(LLVM_LINK) -lm
	@mv $@.new $@

# clang loads it: it has nothing of a sanitizer.
$(BUILD)/libheddle-clang.so: src/clang/serve.c
	@mkdir -p $(@D)
	@echo '  LD $@'
	@$(CC) -shared $(filter-out $(SANFLAGS),$(CFLAGS_ALL)) $(DEPS) $(filter-out $(SANFLAGS),$(LDFLAGS_ALL)) \
	    -o $@.new $< -ldl
	@mv $@.new $@

$(BUILD)/heddle: $(TOOL_OBJ) $(BUILD)/libheddle.a
	@echo '  LD $@'
	@$(CC) $(LDFLAGS_ALL) -o $@.new $^ $(CJSON_LIBS) -lm -ldl
	@mv $@.new $@

# What they load when they compile.
ifneq ($(LLVM),no)
$(BUILD)/heddle $(BUILD)/libheddle.so.$(SOVERSION) $(BUILD)/libheddle-cl.so: | $(BUILD)/libheddle-llvm.so
endif

# The command as LLVM=no makes it, from the objects of any build.
$(BUILD)/without-llvm/generator.o: src/jit/generator.c $(BUILD)/gen/config.h
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS_ALL) -DHD_LLVM='""' $(DEPS) -c -o $@ $<

$(BUILD)/without-llvm/heddle: $(BUILD)/without-llvm/generator.o $(TOOL_OBJ) $(BUILD)/libheddle.a
	@echo '  LD $@'
	@$(CC) $(LDFLAGS_ALL) -o $@.new $^ $(CJSON_LIBS) -lm -ldl
	@mv $@.new $@

# It names the driver by its whole path: a tree that was copied gets its own.
$(BUILD)/heddle.icd: $(if $(filter $(abspath $(BUILD)/libheddle-cl.so),$(file <$(BUILD)/heddle.icd)),,another-tree) \
    | $(BUILD)/libheddle-cl.so
	@echo $(abspath $(BUILD)/libheddle-cl.so) > $@

.PHONY: another-tree

$(GEN) &: src/grammar/generate.py $(wildcard src/grammar/*.grammar)
	@mkdir -p $(BUILD)/gen
	@echo '  GEN $(BUILD)/gen'
	@python3 src/grammar/generate.py src/grammar $(BUILD)/gen

# The mathematics that goes into kernels.
MATH_SRC := $(wildcard src/rt/math/*.h) src/rt/math/inline.def src/rt/math/math.def
$(BUILD)/gen/mathcode.h: src/rt/math/translate.py $(MATH_SRC)
	@mkdir -p $(@D)
	@$(CC) -std=c17 -E -P -D_GNU_SOURCE -DHD_TRANSLATE -Isrc src/rt/math/kernels.h > $@.i
	@echo '  GEN $@'
	@python3 src/rt/math/translate.py $@.i src/rt/math/inline.def src/rt/math/math.def > $@.new
	@mv $@.new $@

$(BUILD)/obj/codegen/mathcode.c.o: $(BUILD)/gen/mathcode.h

# Tables of the conversion from and to sRGB.
$(BUILD)/gen/srgb.h: src/rt/srgb.py
	@mkdir -p $(@D)
	@echo '  GEN $@'
	@python3 $< > $@.new
	@mv $@.new $@

$(BUILD)/obj/rt/image_v3.c.o $(BUILD)/obj/rt/image_v4.c.o: $(BUILD)/gen/srgb.h

# The rules that `heddle explain` knows, from where they are checked and tested.
$(BUILD)/gen/rules.h: tools/rules.py $(call sources,module text val ops xform interp launch cl) \
    tests/val/examples.txt tests/text/refused_test.py tests/interp/guards_test.py docs/undefined.md \
    $(wildcard tests/checked/*.cl) $(shell find src tests -name '*.spvasm' 2>/dev/null)
	@mkdir -p $(@D)
	@echo '  GEN $@'
	@python3 tools/rules.py $@

$(BUILD)/obj/tool/explain.c.o: $(BUILD)/gen/rules.h

-include tools/flags.mk

# What an object is made of; by its own name, which ccache with a base folder would shorten.
DEPS = -MMD -MP -MT $@

$(BUILD)/obj/%.c.o: src/%.c | $(GEN)
	@mkdir -p $(@D)
	@echo '  CC $<'
	@$(CC) $(CFLAGS_ALL) $(EXTRA) $(DEPS) -c -o $@ $<

$(BUILD)/obj/%.S.o: src/%.S
	@mkdir -p $(@D)
	@echo '  CC $<'
	@$(CC) $(CFLAGS_ALL) $(DEPS) -c -o $@ $<

$(BUILD)/obj/gen/tables.o: $(BUILD)/gen/tables.c
	@mkdir -p $(@D)
	@echo '  CC $<'
	@$(CC) $(CFLAGS_ALL) $(DEPS) -c -o $@ $<

-include $(shell find $(BUILD) -path $(BUILD)/aarch64 -prune -o -type f -name '*.d' -print 2>/dev/null)

# ---- programs of tests, examples, benchmarks ------------------------------------------------
# tests/<room>/<name>_test.c is a program; the folder's other files are linked to all of them.
UNIT_ROOMS := $(filter-out kernels api fuzz lib,$(notdir $(patsubst %/,%,$(wildcard tests/*/))))
UNIT_SRC   := $(wildcard $(addsuffix /*_test.c,$(addprefix tests/,$(UNIT_ROOMS))))
UNIT_BIN   := $(patsubst tests/%.c,$(BUILD)/tests/%,$(UNIT_SRC))
API_SRC    := $(wildcard tests/api/*_test.c)
API_BIN    := $(patsubst tests/%.c,$(BUILD)/tests/%,$(API_SRC))
AUX_BIN    := $(BUILD)/tests/text/text_serve $(BUILD)/tests/grammar/grammar_dump $(BUILD)/tests/build/build_dump
TEST_FLAGS = $(filter-out -fvisibility=hidden,$(CFLAGS_ALL)) -Itests

AUX_SRC := tests/text/text_serve.c tests/grammar/grammar_dump.c tests/build/build_dump.c tests/tool/serve.c
# The files of the program whose main file is $(1).
program = $(1) $(filter-out %_test.c $(AUX_SRC),$(wildcard $(dir $(1))*.c))

.SECONDEXPANSION:
$(UNIT_BIN) $(AUX_BIN): $(BUILD)/tests/%: $$(call program,tests/%.c) $(BUILD)/libheddle.a
	@mkdir -p $(@D)
	@echo '  LD $@'
	@$(CC) $(TEST_FLAGS) $(LDFLAGS_ALL) -MMD -MP -MF $@.d -o $@ $(call program,tests/$*.c) \
	    $(filter %.o,$^) $(BUILD)/libheddle.a \
	    $(if $(findstring tests/math,$@)$(findstring tests/interp,$@),-lmpfr -lgmp) -lm -ldl

# The driver's rooms are tested without their shared library, which hides what tests ask for.
$(filter $(BUILD)/tests/cl/%,$(UNIT_BIN)): $(CL_OBJ)

# The public API is tested as a user has it: through the shared library.
LIB_BIN := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/lib/*_test.c))
$(LIB_BIN): $(BUILD)/tests/%: tests/%.c tests/counts.h include/heddle/heddle.h $(BUILD)/libheddle.so
	@mkdir -p $(@D)
	@echo '  LD $@'
	@$(CC) $(TEST_FLAGS) $(LDFLAGS_ALL) -o $@ $< -L$(BUILD) -Wl,-rpath,$(abspath $(BUILD)) -lheddle -lm

# Fuzzers are linked by `make fuzz` only; that they compile is seen with the tests.
FUZZ_OBJ := $(patsubst tests/%.c,$(BUILD)/tests/%.o,$(wildcard tests/fuzz/*.c))
$(FUZZ_OBJ): $(BUILD)/tests/%.o: tests/%.c
	@mkdir -p $(@D)
	@$(CC) $(TEST_FLAGS) -Wno-missing-prototypes -MMD -MP -c -o $@ $<

API_COMMON := $(filter-out %_test.c,$(wildcard tests/api/*.c))
$(API_BIN): $(BUILD)/tests/%: tests/%.c $(API_COMMON) $(wildcard tests/api/*.h)
	@mkdir -p $(@D)
	@echo '  LD $@'
	@$(CC) $(TEST_FLAGS) $(LDFLAGS_ALL) -o $@ $(filter %.c,$^) -lOpenCL -ldl -lm

# A driver that says what a test tells it to, for the ICD loader. Processes of other programs load it.
FAKE_DRIVER := $(BUILD)/tests/device/fake_driver.so
$(FAKE_DRIVER): tests/device/fake_driver.c
	@mkdir -p $(@D)
	@echo '  LD $@'
	@$(CC) -std=c17 -O1 -g $(WARN) -fPIC -shared -o $@ $<

# What makes the command a server for tests that start it often, of any build (tools/served.py).
SERVE := $(BUILD)/tests/tool/serve.so
$(SERVE): tests/tool/serve.c
	@mkdir -p $(@D)
	@echo '  LD $@'
	@$(CC) -std=c17 -D_GNU_SOURCE -O1 -g $(WARN) -fPIC -shared -o $@ $< -ldl

# `heddle run` of shaders by Vulkan's driver on the CPU, where Vulkan's headers and loader are installed.
VULKAN_HOST := $(if $(SAN),,$(if $(wildcard /usr/include/vulkan/vulkan.h),$(BUILD)/tests/vulkan/vulkan_host))
VULKAN_SOURCES := tests/vulkan/vulkan_host.c tests/vulkan/vulkan_image.c tests/vulkan/vulkan_sampler.c
$(BUILD)/tests/vulkan/vulkan_host: $(VULKAN_SOURCES) tests/vulkan/vulkan_image.h tests/vulkan/vulkan_sampler.h $(TOOL_OBJ) $(BUILD)/libheddle.a
	@mkdir -p $(@D)
	@echo '  LD $@'
	@$(CC) $(TEST_FLAGS) $(LDFLAGS_ALL) -o $@ $(VULKAN_SOURCES) $(filter-out %/main.c.o,$(TOOL_OBJ)) $(BUILD)/libheddle.a \
	    $(CJSON_LIBS) -lvulkan -lm -ldl

$(BUILD)/kernels: $(wildcard tests/kernels/*.c tests/kernels/*.h tests/kernels/cases.def)
	@echo '  LD $@'
	@mkdir -p $(@D)
	@$(CC) -std=c17 $(OPT) $(WARN) $(SANFLAGS) -o $@ $(wildcard tests/kernels/*.c) -lOpenCL -lm

# What bench/latency.py runs.
$(BUILD)/latency: bench/latency.c
	@echo '  LD $@'
	@mkdir -p $(@D)
	@$(CC) -std=c17 -O2 -g $(WARN) -o $@ $< -lOpenCL

$(BUILD)/mandelbrot: $(wildcard examples/mandelbrot/*.c examples/mandelbrot/*.h)
	@echo '  LD $@'
	@mkdir -p $(@D)
	@$(CC) -std=c17 -O2 -g $(WARN) -o $@ $(wildcard examples/mandelbrot/*.c) -lOpenCL -lpng -lm

$(BUILD)/mandelbrot.spv: examples/mandelbrot/mandelbrot.cl
	@mkdir -p $(@D)
	clang-22 -target spirv64 -cl-std=CL3.0 -O2 -Xclang -finclude-default-header -c $< -o $@

.PHONY: tests
tests: $$(WHEELS)
tests: $(BUILD)/without-llvm/heddle $(FUZZ_OBJ) $(UNIT_BIN) $(LIB_BIN) $(AUX_BIN) $(API_BIN) $(BUILD)/kernels $(FAKE_DRIVER) $(SERVE) $(VULKAN_HOST)

# Those of them that run under sanitizers (tools/test.py): address,undefined, and thread.
.PHONY: memory-tests thread-tests
memory-tests: thread-tests $(filter-out $(BUILD)/tests/math/% $(BUILD)/tests/lanes/%,$(UNIT_BIN)) $(SERVE)
thread-tests: $(filter $(BUILD)/tests/launch/%,$(UNIT_BIN)) $(LIB_BIN) $(API_BIN) $(BUILD)/kernels

include tools/wheel.mk

# ---- the two commands -----------------------------------------------------------------------
.PHONY: packages packages-run run test check lint
packages:
	@tools/packages.sh build run wheel test

packages-run:
	@tools/packages.sh build run

# A real kernel through the whole of Heddle: checked, compiled, run by an ordinary OpenCL program.
run: packages-run
	@$(MAKE) --no-print-directory -j$(JOBS) all $(BUILD)/mandelbrot $(BUILD)/mandelbrot.spv
	@echo; echo '== heddle val'
	$(BUILD)/heddle val --env opencl3.0 $(BUILD)/mandelbrot.spv && echo valid
	@echo; echo '== an OpenCL program on Heddle'
	OCL_ICD_VENDORS=$(abspath $(BUILD))/heddle.icd $(BUILD)/mandelbrot --device Heddle \
	    --output $(BUILD)/mandelbrot.png $(BUILD)/mandelbrot.spv

# Every suite; ends with one line of counts. SANITIZERS=yes: also two builds for sanitizers, and their tests, as CI does.
SANITIZERS ?= no
test: packages
	@$(MAKE) --no-print-directory -j$(JOBS) all tests
ifneq ($(SANITIZERS),no)
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=$(BUILD)/asan SAN=address,undefined all memory-tests
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=$(BUILD)/tsan SAN=thread all thread-tests
endif
	@tools/test.py --build $(BUILD) $(if $(SEED),--seed $(SEED)) $(if $(filter no,$(SANITIZERS)),,--asan $(BUILD)/asan --tsan $(BUILD)/tsan)

# The quick part: two minutes of a processor. ROOM=val: all tests of that room.
ROOM ?=
check: all $(AUX_BIN) $(SERVE) \
       $(if $(ROOM),$(filter $(BUILD)/tests/$(ROOM)/%,$(UNIT_BIN) $(LIB_BIN) $(API_BIN)),$(UNIT_BIN) $(LIB_BIN))
	@tools/test.py --build $(BUILD) $(if $(ROOM),--room $(ROOM),--quick)

lint:
	@tools/lint.py

# ---- installing -----------------------------------------------------------------------------
COMPLETIONS := bash-completion/completions zsh/site-functions fish/vendor_completions.d
.PHONY: install install-driver uninstall
SPACED := $(strip $(foreach v,DESTDIR PREFIX BINDIR LIBDIR INCLUDEDIR DATADIR MANDIR SYSCONFDIR VENDORDIR,$(if $(word 2,$($(v))),$(v))))
ifneq ($(filter install uninstall,$(MAKECMDGOALS)),)
$(if $(SPACED),$(error $(firstword $(SPACED)) has a space, with which make cannot install: choose a folder without one))
endif
install: all $(if $(filter no,$(LLVM)),,install-driver)
	install -d $(addprefix $(DESTDIR),$(BINDIR) $(LIBDIR)/pkgconfig $(INCLUDEDIR)/heddle $(MANDIR)/man1 $(addprefix $(DATADIR)/,$(COMPLETIONS)))
	install -m 755 $(BUILD)/heddle $(DESTDIR)$(BINDIR)/heddle
	install -m 644 $(BUILD)/libheddle.so.$(SOVERSION) $(DESTDIR)$(LIBDIR)/
	ln -sf libheddle.so.$(SOVERSION) $(DESTDIR)$(LIBDIR)/libheddle.so
	install -m 644 $(wildcard include/heddle/*.h) $(DESTDIR)$(INCLUDEDIR)/heddle/
	sed -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@INCLUDEDIR@|$(INCLUDEDIR)|; s|@VERSION@|$(VERSION)|' \
	    tools/heddle.pc.in > $(DESTDIR)$(LIBDIR)/pkgconfig/heddle.pc
	install -m 644 $(wildcard docs/man/*.1) $(DESTDIR)$(MANDIR)/man1/
	install -m 644 tools/completion.bash $(DESTDIR)$(DATADIR)/bash-completion/completions/heddle
	install -m 644 tools/completion.zsh $(DESTDIR)$(DATADIR)/zsh/site-functions/_heddle
	install -m 644 tools/completion.fish $(DESTDIR)$(DATADIR)/fish/vendor_completions.d/heddle.fish

install-driver: all
	install -d $(addprefix $(DESTDIR),$(PRIVATE) $(VENDORDIR))
	install -m 644 $(addprefix $(BUILD)/,libheddle-cl.so libheddle-llvm.so libheddle-clang.so) $(DESTDIR)$(PRIVATE)/
	echo $(PRIVATE)/libheddle-cl.so > $(DESTDIR)$(VENDORDIR)/heddle.icd

uninstall:
	rm -f $(addprefix $(DESTDIR),$(BINDIR)/heddle $(LIBDIR)/libheddle.so $(LIBDIR)/libheddle.so.$(SOVERSION) $(LIBDIR)/pkgconfig/heddle.pc \
	    $(addprefix $(MANDIR)/man1/,$(notdir $(wildcard docs/man/*.1))) $(VENDORDIR)/heddle.icd \
	    $(addprefix $(DATADIR)/,bash-completion/completions/heddle zsh/site-functions/_heddle fish/vendor_completions.d/heddle.fish))
	rm -rf $(DESTDIR)$(INCLUDEDIR)/heddle $(DESTDIR)$(PRIVATE)

# ---- releasing ------------------------------------------------------------------------------
# The committed tree. The same commit makes the same bytes.
DIST := $(BUILD)/heddle-$(VERSION).tar.gz
.PHONY: dist
dist:
	@mkdir -p $(BUILD)
	@git diff --quiet HEAD -- || echo 'make dist: changes that are not committed are left out' >&2
	git describe --tags --always --abbrev=12 HEAD > $(BUILD)/COMMIT
	git archive --format=tar --prefix=heddle-$(VERSION)/ --add-file=$(BUILD)/COMMIT HEAD | gzip -n -9 > $(DIST)
	@sha256sum $(DIST)

.PHONY: clean help
clean:
	rm -rf $(BUILD)

help:
	@echo 'make             build into $(BUILD)/'
	@echo 'make run         install packages, build, run a real kernel and show its result'
	@echo 'make test        install packages, build, run every test; SANITIZERS=yes: under sanitizers, too'
	@echo 'make check       the quick tests; ROOM=val: all tests of a room;  make lint: layers, format, exports, globals, sizes'
	@echo 'make install     make uninstall takes it away; variables, of make, too: PREFIX, BINDIR, LIBDIR (PREFIX/lib),'
	@echo '                 INCLUDEDIR, DATADIR, MANDIR, SYSCONFDIR, VENDORDIR (of OpenCL: SYSCONFDIR/OpenCL/vendors); DESTDIR'
	@echo 'make wheel       heddle and heddle-tools for pip, in $(BUILD)/wheel'
	@echo 'make dist        the committed tree as $(BUILD)/heddle-$(VERSION).tar.gz'
	@echo 'make fuzz T=read,as,dis,val,edit,code,debug,arg [SECONDS=300] [SEEDS=folder]    libFuzzer targets'
	@echo 'variables: LLVM=static|shared|no  LLVM_CONFIG=llvm-config-22'
	@echo '           BUILD=folder  SAN=address,undefined|thread  LTO=1  CC=clang-22  OPT=-O3'

# ---- fuzzers --------------------------------------------------------------------------------
# All that they call, in a build of its own: what libFuzzer counts is in each object.
$(BUILD)/fuzz.a: $(LIB_OBJ) $(CL_OBJ) $(filter-out %/main.c.o,$(TOOL_OBJ))
	@rm -f $@
	@ar rcs $@ $^

FUZZ_SAN  := address,undefined -fno-sanitize-recover=undefined
FUZZ_ROOM := $(BUILD)/fuzz/all
.PHONY: fuzz fuzzed
fuzzed: $(GEN)
	@$(MAKE) BUILD=$(FUZZ_ROOM) CC=clang-22 SAN='fuzzer-no-link,$(FUZZ_SAN)' $(FUZZ_ROOM)/fuzz.a

$(BUILD)/fuzz/%: tests/fuzz/fuzz_%.c fuzzed
	@echo '  LD $@'
	@clang-22 $(filter-out $(OPT),$(CFLAGS_ALL)) -g -O1 -fsanitize=fuzzer,$(FUZZ_SAN) -I$(FUZZ_ROOM) -o $@ $< \
	    $(FUZZ_ROOM)/fuzz.a $(CJSON_LIBS) -lm -ldl

SECONDS ?= 300
fuzz: $(addprefix $(BUILD)/fuzz/,$(subst $(comma), ,$(T)))
	@for t in $(subst $(comma), ,$(T)); do mkdir -p $(BUILD)/fuzz/corpus-$$t; \
	    $(BUILD)/fuzz/$$t -max_total_time=$(SECONDS) -timeout=20 -rss_limit_mb=4096 \
	    $(BUILD)/fuzz/corpus-$$t $(SEEDS) || exit 1; done
