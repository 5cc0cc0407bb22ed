# Flags that single files need: kernels' run-time code is built for several instruction sets.

# The interpreter is loops over lanes.
$(BUILD)/obj/interp/%.c.o: EXTRA = -O3
$(BUILD)/obj/ops/%_eval.c.o: EXTRA = -O3

# Vector mathematics, once per instruction set; the machine chooses when it runs.
ifeq ($(MACHINE),x86_64)
VECFLAGS := -ffp-contract=off -fno-math-errno -fno-trapping-math
V2FLAGS := $(VECFLAGS) -march=x86-64-v2
V3FLAGS := $(VECFLAGS) -march=x86-64-v3
V4FLAGS := $(VECFLAGS) -march=x86-64-v4 -mprefer-vector-width=512
# GCC otherwise unrolls loops over one vector's lanes before it looks for vectors.
V2FLAGS += $(if $(findstring clang,$(CC)),,--param=max-completely-peel-times=3)
V3FLAGS += $(if $(findstring clang,$(CC)),,--param=max-completely-peel-times=3)
V4FLAGS += $(if $(findstring clang,$(CC)),,--param=max-completely-peel-times=3)
$(BUILD)/obj/rt/math/vec_v2.c.o: EXTRA = -O3 $(V2FLAGS)
$(BUILD)/obj/rt/math/vec_v3.c.o: EXTRA = -O3 $(V3FLAGS)
$(BUILD)/obj/rt/math/vec_v4.c.o: EXTRA = -O3 $(V4FLAGS)
$(BUILD)/obj/rt/math/convert_v3.c.o: EXTRA = -O2 -ftree-vectorize $(V3FLAGS)
$(BUILD)/obj/rt/math/convert_v4.c.o: EXTRA = -O2 -ftree-vectorize $(V4FLAGS)
# Vectors of 64 bytes stay within the file; those that nobody needs are not set. Loops over components
# and dimensions become straight code.
UNROLL := $(if $(findstring clang,$(CC)),,-Wno-maybe-uninitialized --param=max-completely-peel-times=8)
$(BUILD)/obj/rt/image_v3.c.o: EXTRA = -O3 -Wno-psabi $(V3FLAGS) $(UNROLL)
$(BUILD)/obj/rt/image_v4.c.o: EXTRA = -O3 $(V4FLAGS) $(UNROLL)
endif
