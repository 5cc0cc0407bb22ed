# Flags that single files need: kernels' run-time code is built for several instruction sets.

# Vector mathematics, once per instruction set; the machine chooses when it runs.
ifeq ($(shell uname -m),x86_64)
VECFLAGS := -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math
$(BUILD)/obj/rt/math/vec_v3.c.o: EXTRA = $(VECFLAGS) -march=x86-64-v3
$(BUILD)/obj/rt/math/vec_v4.c.o: EXTRA = $(VECFLAGS) -march=x86-64-v4 -mprefer-vector-width=512
endif
