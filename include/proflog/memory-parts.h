/* memory-parts.h -- the parts of the process's memory whose sizes a log of our module has. */
#ifndef PROFLOG_MEMORY_PARTS_H
#define PROFLOG_MEMORY_PARTS_H

/* Each is a counter of section PROFILER, in bytes, whose name begins with this. */
#define MLPD_MEMORY "Memory: "

/* Resident are RESIDENT, FILES (pages of files and shared memory) and STACKS (of threads that have
 * samples); the rest are sizes that the runtime has got from the system or counts itself. */
#define MEMORY_PARTS(PART)                                                                         \
  PART (RESIDENT, "resident")                                                                      \
  PART (FILES, "files")                                                                            \
  PART (NURSERY, "nursery")                                                                        \
  PART (OLD, "old generation")                                                                     \
  PART (LARGE, "large objects")                                                                    \
  PART (CODE, "JIT code")                                                                          \
  PART (METADATA, "metadata")                                                                      \
  PART (STACKS, "thread stacks")

enum memory_part {
#define MEMORY_PART_ID(ID, name) MEMORY_##ID,
  MEMORY_PARTS (MEMORY_PART_ID)
#undef MEMORY_PART_ID
      MEMORY_PART_COUNT,
};

#endif
