# The commit that is built, for `heddle --version`. Included by the Makefile.
#
#   COMMIT  as git describes it, where this folder is a repository; else what the file COMMIT says, which `make dist` puts into
#           the tarball; else nothing
#
# SPDX-License-Identifier: MIT
COMMIT := $(if $(wildcard .git),$(shell git describe --tags --always --dirty --abbrev=12 2>/dev/null),$(file <COMMIT))

$(BUILD)/gen/commit.h: $(if $(findstring "$(COMMIT)",$(file <$(BUILD)/gen/commit.h)),,another-choice)
	@mkdir -p $(@D)
	@echo '#define HD_COMMIT "$(COMMIT)"' > $@

$(BUILD)/obj/tool/version.c.o: $(BUILD)/gen/commit.h
