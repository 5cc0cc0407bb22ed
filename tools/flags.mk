# Flags that single files need: kernels' run-time code is built for several instruction sets.

# The interpreter is loops over lanes. For sanitizers it is compiled like the rest.
INTERPRETED := $(if $(SAN),,-O3)
$(BUILD)/obj/interp/%.c.o: EXTRA = $(INTERPRETED)
$(BUILD)/obj/ops/%_eval.c.o: EXTRA = $(INTERPRETED)

# Vector mathematics, once per instruction set; the machine chooses when it runs. Its functions are many and have few
# variables that anybody looks at: with -g1 they compile in half the time. Sanitizers see nothing in them.
ifeq ($(MACHINE),x86_64)
VECFLAGS := -g1 -ffp-contract=off -fno-math-errno -fno-trapping-math
V2FLAGS := $(VECFLAGS) -march=x86-64-v2
V3FLAGS := $(VECFLAGS) -march=x86-64-v3
V4FLAGS := $(VECFLAGS) -march=x86-64-v4 -mprefer-vector-width=512
# GCC otherwise unrolls loops over one vector's lanes before it looks for vectors.
V2FLAGS += $(if $(findstring clang,$(CC)),,--param=max-completely-peel-times=3)
V3FLAGS += $(if $(findstring clang,$(CC)),,--param=max-completely-peel-times=3)
V4FLAGS += $(if $(findstring clang,$(CC)),,--param=max-completely-peel-times=3)
VECTORS := $(if $(SAN),-fno-sanitize=all,-O3)
CONVERT := $(if $(SAN),-fno-sanitize=all,-O2 -ftree-vectorize)
$(BUILD)/obj/rt/math/vec_v2.c.o: EXTRA = $(VECTORS) $(V2FLAGS)
$(BUILD)/obj/rt/math/vec_v3.c.o: EXTRA = $(VECTORS) $(V3FLAGS)
$(BUILD)/obj/rt/math/vec_v4.c.o: EXTRA = $(VECTORS) $(V4FLAGS)
$(BUILD)/obj/rt/math/convert_v3.c.o: EXTRA = $(CONVERT) $(V3FLAGS)
$(BUILD)/obj/rt/math/convert_v4.c.o: EXTRA = $(CONVERT) $(V4FLAGS)
# Vectors of 64 bytes stay within the file; those that nobody needs are not set. Loops over components
# and dimensions become straight code. Without their flags the files call rt/image.c, which does for threads.
UNROLL := $(if $(findstring clang,$(CC)),,-Wno-maybe-uninitialized --param=max-completely-peel-times=8)
ifeq ($(filter thread,$(SAN)),)
IMAGES := $(if $(SAN),,-O3)
$(BUILD)/obj/rt/image_v3.c.o: EXTRA = $(IMAGES) -Wno-psabi $(V3FLAGS) $(UNROLL)
$(BUILD)/obj/rt/image_v4.c.o: EXTRA = $(IMAGES) $(V4FLAGS) $(UNROLL)
endif
endif
