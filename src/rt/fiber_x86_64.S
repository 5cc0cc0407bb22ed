/* rt/fiber_x86_64.S -- switching stacks on x86-64 (System V).
 *
 * Saved: the callee-saved registers, MXCSR and the x87 control word. The switch ends in `pop; jmp`
 * and not in `ret`: the return predictor would be wrong each time, since call and return are on
 * different stacks.
 *
 * SPDX-License-Identifier: MIT
 */
#if defined(__x86_64__)
    .text

/* void hd_rt_fiber_swap(void **save, void *to): leave the stack pointer in *save, continue at to */
    .globl hd_rt_fiber_swap
    .hidden hd_rt_fiber_swap
    .type hd_rt_fiber_swap, @function
    .p2align 4
hd_rt_fiber_swap:
    .cfi_startproc
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    subq $8, %rsp
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    ldmxcsr (%rsp)
    fldcw 4(%rsp)
    addq $8, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    popq %rcx
    jmp *%rcx
    .cfi_endproc
    .size hd_rt_fiber_swap, . - hd_rt_fiber_swap

/* Where a new fiber begins: r12 holds the argument, r13 the function, which does not return. */
    .globl hd_rt_fiber_begin
    .hidden hd_rt_fiber_begin
    .type hd_rt_fiber_begin, @function
    .p2align 4
hd_rt_fiber_begin:
    .cfi_startproc
    .cfi_undefined rip
    movq %r12, %rdi
    callq *%r13
    ud2
    .cfi_endproc
    .size hd_rt_fiber_begin, . - hd_rt_fiber_begin
#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
