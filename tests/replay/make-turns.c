/* make-turns.c -- writes a log to standard output in which the order in which it is to be replayed,
 * and the names of things, do not follow from where they stand: test-replay-order.sh states the
 * result. */
#include "config.h"

#include <proflog/mlpd-encode.h>
#include <stdio.h>

#define TEXT(text)                                                                                 \
  {                                                                                                \
    text, sizeof text - 1                                                                          \
  }

enum {
  VERSION = 14, /* the last with classes of objects instead of vtables */
  START = 1000000,
  FIRST = 0x1000, /* threads */
  SECOND = 0x2000,
  IMAGE = 0x10000,
  CLASS = 0x20000,
  OTHER_CLASS = 0x20100,
  FAILING_CLASS = 0x20200,
  OBJECT = 0x30000, /* and after it three more */
};

static struct mlpd_encoder encoder;
static uint8_t bytes[4096];
static uint8_t *position;

static void
begin (uint64_t time)
{
  mlpd_encoder_start (&encoder, VERSION, START + time);
  position = bytes;
}

static void
end (uint64_t thread)
{
  uint8_t header[MLPD_BUFFER_HEADER_SIZE];
  const size_t length = (size_t) (position - bytes);
  const struct mlpd_buffer_header h = mlpd_encoder_header (&encoder, thread, (uint32_t) length);
  mlpd_put_buffer_header (header, &h);
  fwrite (header, 1, sizeof header, stdout);
  fwrite (bytes, 1, length, stdout);
}

#define PUT(when, id, ...)                                                                         \
  position = mlpd_put_##id (&encoder, position,                                                    \
                            &(struct mlpd_##id){ .time = START + (when), __VA_ARGS__ })

static void
load_class (uint64_t time, uint64_t klass, struct mlpd_string name)
{
  PUT (time, metadata_class, .action = MLPD_LOAD_END_LOAD, .klass = klass, .image = IMAGE,
       .name = name);
}

static void
put_thread (uint64_t time, uint64_t action)
{
  PUT (time, metadata_thread, .action = action, .thread = SECOND);
}

static void
phase (uint64_t time, uint64_t event)
{
  PUT (time, gc_event, .event = event, .generation = 1);
}

static void
wait_for (uint64_t time, uint64_t object)
{
  PUT (time, monitor, .event = MLPD_MONITOR_EVENT_CONTENTION, .object = object);
  PUT (time + 5, monitor, .event = MLPD_MONITOR_EVENT_DONE, .object = object);
}

/* Something while the first thread has stopped the world. */
static void
second_thread (void)
{
  begin (10);
  load_class (50, OTHER_CLASS, (struct mlpd_string) TEXT ("Turns.Second"));
  PUT (100, gc_resize, .size = 1);
  PUT (350, gc_resize, .size = 2);
  put_thread (360, MLPD_LOAD_END_UNLOAD);
  end (SECOND);
}

/* An object is moved to where another was, which is moved, too; a class comes in another's place.
 */
static void
first_thread (void)
{
  const uint64_t moves[] = { OBJECT, OBJECT + 64, OBJECT + 64, OBJECT + 128 };
  begin (0);
  PUT (10, metadata_image, .action = MLPD_LOAD_END_LOAD, .image = IMAGE,
       .name = TEXT ("turns.exe"));
  load_class (20, CLASS, (struct mlpd_string) TEXT ("Turns.First"));
  PUT (30, alloc, .klass = CLASS, .object = OBJECT, .size = 24);
  PUT (31, alloc, .klass = OTHER_CLASS, .object = OBJECT + 64, .size = 32);
  PUT (100, gc_resize, .size = 3);
  phase (200, MLPD_GC_EVENT_PRE_STOP_WORLD);
  phase (201, MLPD_GC_EVENT_PRE_STOP_WORLD_LOCKED);
  phase (300, MLPD_GC_EVENT_POST_STOP_WORLD);
  phase (310, MLPD_GC_EVENT_START);
  PUT (320, gc_move, .objects = { moves, sizeof moves / sizeof moves[0] });
  phase (330, MLPD_GC_EVENT_END);
  phase (400, MLPD_GC_EVENT_PRE_START_WORLD);
  phase (500, MLPD_GC_EVENT_POST_START_WORLD);
  phase (510, MLPD_GC_EVENT_POST_START_WORLD_UNLOCKED);
  wait_for (600, OBJECT + 64);
  wait_for (620, OBJECT + 128);
  load_class (700, CLASS, (struct mlpd_string) TEXT ("Turns.Third"));
  PUT (710, alloc, .klass = CLASS, .object = OBJECT, .size = 16);
  wait_for (720, OBJECT + 64);
  end (FIRST);
}

/* Another thread that was passed the id of one that has ended.  A class cannot be loaded, for which
 * an exception is thrown at once. */
static void
third_thread (void)
{
  begin (800);
  put_thread (800, MLPD_LOAD_END_LOAD);
  PUT (810, gc_resize, .size = 4);
  PUT (811, metadata_class, .action = MLPD_LOAD_START_LOAD, .klass = FAILING_CLASS, .image = IMAGE,
       .name = TEXT ("Turns.Fourth"));
  PUT (812, metadata_class, .action = MLPD_LOAD_END_LOAD_ERROR, .klass = FAILING_CLASS,
       .image = IMAGE, .name = TEXT ("Turns.Fourth"));
  PUT (812, exception_throw, .object = OBJECT);
  put_thread (820, MLPD_LOAD_END_UNLOAD);
  end (SECOND);
}

int
main (void)
{
  const struct mlpd_file_header header
      = { .id = MLPD_FILE_ID, .major = 0, .minor = 4, .data_version = VERSION, .pointer_size = 8 };
  uint8_t raw[MLPD_FILE_HEADER_SIZE];
  mlpd_put_file_header (raw, &header);
  fwrite (raw, 1, sizeof raw, stdout);
  second_thread ();
  first_thread ();
  third_thread ();
  return 0;
}
