/* driver.c -- runs a fuzz target without libFuzzer: replays its corpus, and mutates it at random.
 *
 *   fuzz-FORMAT-NAME [-runs=N] [-max_total_time=SECONDS] [-seed=N] [-max_len=BYTES] [INPUT...]
 *
 * These are libFuzzer's options; an INPUT is a file or a folder of them.  Files alone are run once,
 * as they are.  Without any argument the corpus of the source tree is replayed
 * (tests/fuzz/corpus/FORMAT), each byte of it is changed, and some thousand mutations follow; these
 * are the same each time.  An input that ends the process is written to crash-NAME, one that takes
 * too long to hang-NAME. */
#include "config.h"

#include "tests/fuzz/fuzz.h"

#ifndef PROFLOG_LIBFUZZER
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum {
  MAX_LEN = 4096,
  REPLAY_RUNS = 3000, /* mutations of `make check` */
  HANG_SECONDS = 20,  /* for this many runs: */
  RUNS_A_BEAT = 256,
  CHANGES_MOST = 4,
  SHORT = 64,
};

struct input {
  guint8 *bytes;
  gsize length;
};

static const struct settings {
  guint64 runs, seconds, seed, max_len;
} defaults = { .seed = 1, .max_len = MAX_LEN };

static GArray *corpus; /* struct input */
static const char *target_name;
static guint8 *current;
static size_t current_length;
static uint64_t random_state;
static volatile sig_atomic_t is_interrupted;

/* Not in all targets. */
extern __typeof__ (LLVMFuzzerCustomMutator) LLVMFuzzerCustomMutator __attribute__ ((weak));
void __sanitizer_set_death_callback (void (*callback) (void)) __attribute__ ((weak));

static size_t
below (size_t bound)
{
  return (size_t) (fuzz_next (&random_state) % bound);
}

/* From 1 to a power of two, but no more than there are. */
static size_t
short_length (size_t most, unsigned bits)
{
  const size_t bound = (size_t) 1 << below (bits);
  return 1 + below (bound < most ? bound : most);
}

/* ---- findings ---- */

static void
save_current (const char *kind)
{
  char path[256];
  if (current == NULL)
    return; /* it is no input's */
  g_snprintf (path, sizeof path, "%s-%s", kind, target_name);
  const int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0 || write (fd, current, current_length) != (ssize_t) current_length)
    return;
  close (fd);
  g_printerr ("%s: the input of %zu bytes is in %s\n", target_name, current_length, path);
}

static void
save_crash (void)
{
  save_current ("crash");
}

static void
handle_signal (int number)
{
  save_current (number == SIGPROF ? "hang" : "crash");
  signal (number, SIG_DFL);
  raise (number);
}

/* The runs until then are reported. */
static void
handle_interrupt (int number)
{
  (void) number;
  is_interrupted = 1;
}

/* From now on, `seconds` seconds of the processor: a busy machine is no hang.  0: no limit. */
static void
limit_runs (int seconds)
{
  const struct itimerval limit = { .it_value.tv_sec = seconds };
  setitimer (ITIMER_PROF, &limit, NULL);
}

static void
watch_findings (void)
{
  static const int numbers[] = { SIGABRT, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPROF };
  const gboolean has_sanitizer = __sanitizer_set_death_callback != NULL;
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (!has_sanitizer || numbers[i] == SIGPROF || numbers[i] == SIGTRAP)
      signal (numbers[i], handle_signal);
  signal (SIGTERM, handle_interrupt);
  signal (SIGINT, handle_interrupt);
  if (has_sanitizer)
    __sanitizer_set_death_callback (save_crash);
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);
}

/* A copy of its own, so that a sanitizer sees each wrong access. */
static void
run (const guint8 *bytes, gsize length)
{
  current = malloc (MAX (length, 1));
  memcpy (current, bytes, length);
  current_length = length;
  LLVMFuzzerTestOneInput (current, length);
  free (current);
  current = NULL;
  current_length = 0;
}

/* ---- the corpus ---- */

static void
add_file (const char *path)
{
  struct input input;
  GError *error = NULL;
  if (!g_file_get_contents (path, (char **) &input.bytes, &input.length, &error))
    g_error ("%s", error->message);
  g_array_append_val (corpus, input);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* In the order of their names, so that runs can be repeated. */
static void
add_folder (const char *path)
{
  GDir *dir = g_dir_open (path, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  if (dir == NULL)
    g_error ("%s: there is no such folder", path);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    g_ptr_array_add (names, g_build_filename (path, name, NULL));
  g_dir_close (dir);
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    add_file (names->pdata[i]);
}

static void
add_own_corpus (void)
{
  const char *srcdir = g_getenv ("srcdir");
  g_auto (GStrv) words = g_strsplit (target_name, "-", 3); /* fuzz, FORMAT, ... */
  g_autofree char *path
      = g_build_filename (srcdir != NULL ? srcdir : ".", "tests", "fuzz", "corpus", words[1], NULL);
  add_folder (path);
}

/* ---- mutation ---- */

static uint64_t
odd_number (void)
{
  static const uint64_t numbers[] = { 0,
                                      1,
                                      0x7f,
                                      0x80,
                                      0xff,
                                      0x7fff,
                                      0x8000,
                                      0xffff,
                                      0x7fffffff,
                                      0x80000000,
                                      UINT32_MAX,
                                      INT64_MAX,
                                      UINT64_C (1) << 63,
                                      UINT64_MAX };
  return numbers[below (G_N_ELEMENTS (numbers))];
}

/* Opens a hole, or removes bytes if `more` is below 0; the new size. */
static size_t
move_tail (uint8_t *data, size_t size, size_t at, ptrdiff_t more)
{
  const size_t from = more < 0 ? at + (size_t) -more : at;
  memmove (data + at + (more > 0 ? more : 0), data + from, size - from);
  return (size_t) ((ptrdiff_t) size + more);
}

/* Bytes of the input itself, or of another, are inserted or replace present ones. */
static size_t
copy_range (uint8_t *data, size_t size, size_t max_size)
{
  const struct input *other = &g_array_index (corpus, struct input, below (corpus->len));
  const gboolean is_own = below (2) == 0 && size != 0;
  const uint8_t *from = is_own ? data : other->bytes;
  const size_t from_size = is_own ? size : other->length;
  if (from_size == 0)
    return size;
  const size_t start = below (from_size), at = below (size + 1);
  const size_t wanted = short_length (from_size - start, 13);
  if (below (2) == 0) {
    const size_t length = MIN (wanted, size - at);
    memmove (data + at, from + start, length);
    return size;
  }
  const size_t length = MIN (wanted, max_size - size);
  g_autofree uint8_t *copy = g_memdup2 (from + start, length);
  move_tail (data, size, at, (ptrdiff_t) length);
  if (length != 0)
    memcpy (data + at, copy, length);
  return size + length;
}

/* A number that tends to hurt, with its lowest or its highest byte first. */
static void
put_number (uint8_t *data, size_t size)
{
  const size_t wide = (size_t) 1 << below (4), width = MIN (wide, size),
               at = below (size - width + 1);
  const gboolean is_big = below (2) == 0;
  const uint64_t number = odd_number ();
  for (size_t i = 0; i < width; i++)
    data[at + i] = (uint8_t) (number >> 8 * (is_big ? width - 1 - i : i));
}

/* The same as LEB128: up to ten bytes replace one. */
static size_t
put_leb128 (uint8_t *data, size_t size, size_t max_size)
{
  uint8_t bytes[10];
  size_t length = 0, at = below (size);
  for (uint64_t number = odd_number (); length < sizeof bytes; number >>= 7) {
    bytes[length++] = (uint8_t) (number & 0x7f) | (number >> 7 != 0 ? 0x80 : 0);
    if (number >> 7 == 0)
      break;
  }
  if (size + length - 1 > max_size)
    return size;
  size = move_tail (data, size, at, (ptrdiff_t) length - 1);
  memcpy (data + at, bytes, length);
  return size;
}

/* A number in digits becomes another one. */
static size_t
put_digits (uint8_t *data, size_t size, size_t max_size)
{
  char digits[24];
  size_t at = below (size);
  while (at < size && !g_ascii_isdigit (data[at]))
    at++;
  size_t end = at;
  while (end < size && g_ascii_isdigit (data[end]))
    end++;
  g_snprintf (digits, sizeof digits, "%" G_GUINT64_FORMAT, odd_number ());
  const size_t length = strlen (digits);
  if (at == size || size - (end - at) + length > max_size)
    return size;
  size = move_tail (data, size, at, (ptrdiff_t) length - (ptrdiff_t) (end - at));
  memcpy (data + at, digits, length);
  return size;
}

size_t
LLVMFuzzerMutate (uint8_t *data, size_t size, size_t max_size)
{
  if (size == 0)
    return copy_range (data, size, max_size);
  const size_t at = below (size);
  switch (below (9)) {
  case 0:
    data[at] ^= (uint8_t) (1u << below (8));
    return size;
  case 1:
    data[at] = (uint8_t) below (256);
    return size;
  case 2:
    put_number (data, size);
    return size;
  case 3:
    return put_leb128 (data, size, max_size);
  case 4:
    return move_tail (data, size, at, -(ptrdiff_t) short_length (size - at, 11));
  case 5:
    memset (data + at, below (2) == 0 ? 0 : 0xff, short_length (size - at, 7));
    return size;
  case 6:
    return below (8) == 0 ? at : size; /* cut */
  case 7:
    return put_digits (data, size, max_size);
  default:
    return copy_range (data, size, max_size);
  }
}

static void
run_mutation (uint8_t *room, size_t max_len)
{
  const struct input *input = &g_array_index (corpus, struct input, below (corpus->len));
  size_t size = MIN (input->length, max_len);
  memcpy (room, input->bytes, size);
  /* Of a short text much is left. */
  const size_t most = size < SHORT ? 2 : CHANGES_MOST;
  for (size_t changes = 1 + below (most); changes != 0; changes--)
    size = LLVMFuzzerCustomMutator != NULL && below (4) == 0
               ? LLVMFuzzerCustomMutator (room, size, max_len, (unsigned) fuzz_next (&random_state))
               : LLVMFuzzerMutate (room, size, max_len);
  run (room, size);
}

/* ---- runs ---- */

static void
replay (void)
{
  for (guint i = 0; i < corpus->len; i++) {
    const struct input *input = &g_array_index (corpus, struct input, i);
    limit_runs (HANG_SECONDS);
    run (input->bytes, input->length);
  }
}

/* Each byte of the corpus becomes, in turn, one that tends to hurt. */
static guint64
change_each_byte (gsize step)
{
  static const guint8 values[] = { 0x00, 0x01, 0x10, 0x26, 0x31, 0x7f, 0x80, 0xff };
  guint64 runs = 0;
  for (guint i = 0; i < corpus->len; i++) {
    const struct input *input = &g_array_index (corpus, struct input, i);
    for (gsize at = 0; at < input->length; at += step) {
      const guint8 old = input->bytes[at];
      input->bytes[at] = values[runs++ % G_N_ELEMENTS (values)];
      limit_runs (HANG_SECONDS);
      run (input->bytes, input->length);
      input->bytes[at] = old;
    }
  }
  return runs;
}

static guint64
fuzz (const struct settings *s)
{
  const gint64 start = g_get_monotonic_time ();
  g_autofree uint8_t *room = g_malloc (s->max_len);
  guint64 runs = 0;
  random_state = s->seed * UINT64_C (0x9e3779b97f4a7c15) | 1;
  for (; !is_interrupted && (s->runs == 0 || runs < s->runs); runs++) {
    if (runs % RUNS_A_BEAT == 0) {
      limit_runs (HANG_SECONDS);
      if (s->seconds != 0
          && g_get_monotonic_time () - start >= (gint64) s->seconds * G_USEC_PER_SEC)
        break;
    }
    run_mutation (room, s->max_len);
  }
  return runs;
}

static gboolean
read_setting (const char *argument, const char *name, guint64 *value)
{
  if (!g_str_has_prefix (argument, name))
    return FALSE;
  *value = g_ascii_strtoull (argument + strlen (name), NULL, 10);
  return TRUE;
}

static void
read_arguments (struct settings *s, char **argv)
{
  for (char **word = argv; *word != NULL; word++)
    if (!read_setting (*word, "-runs=", &s->runs) && !read_setting (*word, "-seed=", &s->seed)
        && !read_setting (*word, "-max_total_time=", &s->seconds)
        && !read_setting (*word, "-max_len=", &s->max_len)) {
      if (g_file_test (*word, G_FILE_TEST_IS_DIR))
        add_folder (*word);
      else
        add_file (*word);
    }
}

/* The thread sanitizer, which finds nothing in one thread, and the address sanitizer, which is
 * slow, see a part of the changes. */
#if defined __SANITIZE_THREAD__ || defined __SANITIZE_ADDRESS__
enum { STEP = 11 };
#else
enum { STEP = 1 };
#endif

int
main (int argc, char **argv)
{
  struct settings settings = defaults;
  guint64 runs = 0;
  target_name = strrchr (argv[0], '/') != NULL ? strrchr (argv[0], '/') + 1 : argv[0];
  corpus = g_array_new (FALSE, FALSE, sizeof (struct input));
  watch_findings ();
  read_arguments (&settings, argv + 1);
  if (corpus->len == 0)
    add_own_corpus ();
  replay ();
  if (argc == 1) {
    const guint64 step = STEP * (&fuzz_weight != NULL ? fuzz_weight : 1);
    runs = change_each_byte (step);
    settings.runs = REPLAY_RUNS / step;
  }
  if (settings.runs != 0 || settings.seconds != 0)
    runs += fuzz (&settings);
  limit_runs (0);
  const double seconds = (double) (clock () + 1) / CLOCKS_PER_SEC;
  g_print ("%s: %u inputs and %" G_GUINT64_FORMAT
           " changed ones in %.1f s of the processor, %.0f a second\n",
           target_name, corpus->len, runs, seconds, (double) (corpus->len + runs) / seconds);
  return 0;
}
#endif
