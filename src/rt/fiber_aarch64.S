/* rt/fiber_aarch64.S -- switching stacks on AArch64 (AAPCS64).
 *
 * Saved: x19 to x30, d8 to d15 and FPCR.
 *
 * SPDX-License-Identifier: MIT
 */
#if defined(__aarch64__)
    .text

/* void hd_rt_fiber_swap(void **save, void *to) */
    .globl hd_rt_fiber_swap
    .hidden hd_rt_fiber_swap
    .type hd_rt_fiber_swap, %function
    .p2align 4
hd_rt_fiber_swap:
    .cfi_startproc
    sub sp, sp, #176
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mrs x9, fpcr
    str x9, [sp, #160]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldr x9, [sp, #160]
    msr fpcr, x9
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #176
    br x30
    .cfi_endproc
    .size hd_rt_fiber_swap, . - hd_rt_fiber_swap

/* Where a new fiber begins: x19 holds the argument, x20 the function, which does not return. */
    .globl hd_rt_fiber_begin
    .hidden hd_rt_fiber_begin
    .type hd_rt_fiber_begin, %function
    .p2align 4
hd_rt_fiber_begin:
    .cfi_startproc
    .cfi_undefined x30
    mov x0, x19
    blr x20
    brk #1
    .cfi_endproc
    .size hd_rt_fiber_begin, . - hd_rt_fiber_begin
#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
