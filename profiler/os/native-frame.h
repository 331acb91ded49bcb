/* native-frame.h -- steps from the frame of a native function to its caller's, by unwind tables.
 *
 * Of x86-64, and of functions whose frame is found from the stack pointer alone, as those of the C
 * library are: the other registers of a thread that waits are not known.
 */
#ifndef PROFILER_NATIVE_FRAME_H
#define PROFILER_NATIVE_FRAME_H

#include <stdbool.h>
#include <stdint.h>

struct native_frame {
  uint64_t pc, sp;
  bool is_caller; /* pc is after a call, which may have been the function's last instruction */
};

/* Makes the frame that of the caller.  The stack is read from `memory`, a descriptor of
 * /proc/PID/mem; the code is of this process.  False, and the frame is as it was, where the tables
 * have no such function, or need other registers.  Waits for the loader's lock: not for signal
 * handlers. */
bool native_frame_leave (struct native_frame *frame, int memory);

/* Where the function of an instruction begins, by the same tables, which are those for exceptions
 * and have all functions of a file; 0: unknown.  It waits likewise. */
uint64_t native_frame_function (uint64_t pc);

#endif
