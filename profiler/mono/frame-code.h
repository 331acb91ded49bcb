/* frame-code.h -- the layout of a method's frame, read from its code.
 *
 * The runtime's compiler begins a method of x86-64 in one of two ways (as seen in the code of Mono
 * 5.8 to 6.12):
 *
 *     push %rbp; mov %rsp, %rbp       the frame is found by %rbp
 *     sub $N, %rsp                    it has N bytes; %rbp is the caller's, or in the frame
 *
 * Any thread may call this, also in a handler.
 */
#ifndef PROFILER_FRAME_CODE_H
#define PROFILER_FRAME_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frame_code {
  uint32_t bytes; /* from the stack pointer to the return address; 0: %rbp is right below that */
  int32_t rbp_at; /* bytes from the stack pointer to the caller's %rbp; -1: it is in the register */
};

/* Reads the beginning of a method's code.  False if it is another one. */
bool frame_code_read (struct frame_code *frame, const uint8_t *code, size_t size);

#endif
