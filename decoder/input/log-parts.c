/* log-parts.c -- finds the files of a log, and maps the bytes of the log to them. */
#include "config.h"

#include "decoder/input/log-parts.h"
#include "decoder/ghc/ghc-start.h"
#include "decoder/mlpd/mlpd-decode.h"
#include <string.h>
#include <sys/stat.h>

/* ---- the header of a part of an eventlog ---- */

/* A program whose log was redirected has written several eventlogs.  Each states its process, and
 * the time of day at which it begins. */

/* Enough for the events of a runtime up to its first flush. */
#define EVENTLOG_PART_BYTES ((size_t) 4 << 20)

/* The zero of the log's times is at one time of day, whichever part states it. */
struct program {
  char format[8];
  uint64_t pid, zero;
};

/* Searches the first bytes of an eventlog for both.  `program`: equal in all parts of a log, and in
 * no other log (transfer full).  `begin`: the time of the log at which the part states the time of
 * day.  False, and neither is set, if it does not state them there. */
static bool
eventlog_part_read (const uint8_t *bytes, size_t length, GBytes **program, uint64_t *begin)
{
  struct ghc_start start = { .has_clock = false };
  struct ghc_reader *reader = ghc_reader_new ();
  ghc_reader_push (reader, bytes, length);
  ghc_start_read (&start, reader);
  ghc_reader_free (reader);
  if (!start.has_clock || start.pid == 0)
    return false;
  const struct program found = { .format = "eventlog", .pid = start.pid, .zero = start.clock };
  *program = g_bytes_new (&found, sizeof found);
  *begin = start.clock_at;
  return true;
}

/* ---- parts ---- */

/* Bytes of a file that have its header and that of its first buffer. */
#define HEAD_BYTES ((size_t) 64 << 10)

/* Where the length stands in the header of a buffer. */
#define LENGTH_AT 4
#define LENGTH_BYTES 4

struct log_part {
  struct log_part_bytes bytes;
  char *name;
  uint64_t skipped;  /* bytes at its beginning that are not in the log */
  uint64_t offset;   /* of the next one in the log */
  uint64_t length;   /* of the bytes that are */
  bool has_end;      /* it has an end mark */
  uint64_t end_time; /* the time of the end mark */
  /* The buffer that it is cut in is shorter than its header declares. */
  bool is_cut;
  uint64_t cut_length_at; /* in the log */
  uint8_t cut_length[LENGTH_BYTES];
};

struct log_parts {
  GArray *parts;  /* of struct log_part */
  bool continues; /* the first one is not that of the log */
  GString *notes; /* of missing and cut files */
};

/* ---- the beginning and end of a file ---- */

/* Decodes the file header; its length is 0 if there is none. */
static size_t
file_header_length (const uint8_t *bytes, size_t length)
{
  struct cursor c = cursor_over (bytes, length);
  struct mlpd_file_header header;
  mlpd_decode_file_header (&c, &header);
  return c.error == CURSOR_OK && header.id == MLPD_FILE_ID ? (size_t) (c.at - bytes) : 0;
}

static bool
decode_buffer_header (const uint8_t *bytes, size_t length, struct mlpd_buffer_header *header)
{
  struct cursor c = cursor_over (bytes, length);
  mlpd_decode_buffer_header (&c, header);
  return c.error == CURSOR_OK && header->id == MLPD_BUFFER_ID;
}

static void
read_end (struct log_part_head *head, struct log_file *file)
{
  uint8_t bytes[MLPD_BUFFER_HEADER_SIZE];
  struct mlpd_buffer_header end;
  const uint64_t size = log_file_plain_size (file);
  if (size < sizeof bytes
      || log_file_read_at (file, size - sizeof bytes, bytes, sizeof bytes) != sizeof bytes
      || !decode_buffer_header (bytes, sizeof bytes, &end))
    return;
  head->has_end = mlpd_is_end_mark (&end);
  head->end_time = end.time_base;
}

/* Of a log of Mono; false: it is none. */
static bool
read_head (struct log_part_head *head, struct log_file *file, const uint8_t *bytes, size_t there)
{
  struct mlpd_buffer_header first;
  const size_t length = file_header_length (bytes, there);
  if (length == 0)
    return false;
  if (!decode_buffer_header (bytes + length, there - length, &first))
    return true;
  head->header = g_bytes_new (bytes, length);
  head->first_time = first.time_base;
  head->continues = mlpd_is_reannounced (&first);
  read_end (head, file);
  return true;
}

/* Of an eventlog: each part begins with the state by then. */
static void
read_eventlog_head (struct log_part_head *head, struct log_file *file, const uint8_t *bytes,
                    size_t there)
{
  const size_t size = (size_t) MIN (log_file_plain_size (file), EVENTLOG_PART_BYTES);
  g_autofree uint8_t *more = size > there ? g_malloc (size) : NULL;
  if (more != NULL)
    there = log_file_read_at (file, 0, more, size);
  head->continues
      = eventlog_part_read (more != NULL ? more : bytes, there, &head->header, &head->first_time);
}

void
log_part_head_read (struct log_part_head *head, const char *path)
{
  struct stat st;
  *head = (struct log_part_head){ .header = NULL };
  struct log_file *file
      = stat (path, &st) == 0 && S_ISREG (st.st_mode) ? log_file_open (path, NULL) : NULL;
  if (file == NULL)
    return;
  uint8_t *bytes = g_malloc (HEAD_BYTES);
  size_t there;
  if (log_file_peek (file, bytes, HEAD_BYTES, &there, NULL)
      && !read_head (head, file, bytes, there))
    read_eventlog_head (head, file, bytes, there);
  g_free (bytes);
  log_file_close (file);
}

void
log_part_head_clear (struct log_part_head *head)
{
  g_clear_pointer (&head->header, g_bytes_unref);
}

bool
log_part_head_precedes (const struct log_part_head *head, const struct log_part_head *next)
{
  return next->continues && g_bytes_equal (head->header, next->header)
         && head->first_time < next->first_time
         && (!head->has_end || !next->has_end || head->end_time < next->end_time);
}

/* ---- missing files ---- */

/* Adds to the damage of the files. */
static void note (GString *notes, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
note (GString *notes, const char *format, ...)
{
  va_list arguments;
  if (notes->len != 0)
    g_string_append (notes, "; ");
  va_start (arguments, format);
  g_string_append_vprintf (notes, format, arguments);
  va_end (arguments);
}

/* The number in a name after its first `at` bytes, and how many digits it has. */
static guint64
number_at (const char *name, size_t at, int *digits)
{
  char *end;
  const guint64 number = g_ascii_strtoull (name + at, &end, 10);
  *digits = (int) (end - (name + at));
  return number;
}

/* Digits of numbers that the module gives to files: app.0001.mlpd. */
#define ROTATION_DIGITS 4

/* Two names that the module gave to files in turn (rotate=), with others between them. */
struct rotation_gap {
  int at;           /* where the numbers stand */
  int digits;       /* of the last one */
  guint64 from, to; /* numbers of the files between them */
  const char *rest; /* after the numbers */
};

static bool
find_rotation_gap (struct rotation_gap *gap, const char *before, const char *after)
{
  size_t at = 0;
  int digits_before;
  while (before[at] != 0 && before[at] == after[at])
    at++;
  while (at != 0 && g_ascii_isdigit (before[at - 1]))
    at--;
  if (at == 0 || before[at - 1] != '.')
    return false;
  const guint64 earlier = number_at (before, at, &digits_before);
  const guint64 later = number_at (after, at, &gap->digits);
  if (later <= earlier || later - earlier == 1)
    return false;
  gap->at = (int) at;
  gap->from = earlier + 1;
  gap->to = later - 1;
  gap->rest = after + at + gap->digits;
  return digits_before >= ROTATION_DIGITS && gap->digits >= ROTATION_DIGITS
         && strcmp (before + at + digits_before, gap->rest) == 0;
}

static void
note_missing_files (GString *notes, const char *last, const struct rotation_gap *gap)
{
  if (gap->from == gap->to)
    note (notes, "%.*s%0*" G_GUINT64_FORMAT "%s is missing", gap->at, last, gap->digits, gap->from,
          gap->rest);
  else
    note (notes, "%.*s%0*" G_GUINT64_FORMAT "%s to %.*s%0*" G_GUINT64_FORMAT "%s are missing",
          gap->at, last, gap->digits, gap->from, gap->rest, gap->at, last, gap->digits, gap->to,
          gap->rest);
}

/* A file that goes on begins at a time before the end mark of the one before: the module begins the
 * next one first.  If it begins later, the log went on elsewhere in between.  Names only state
 * where, or whether it did if there is no end mark. */
static void
note_gap (GString *notes, const struct log_part *before, const char *name, uint64_t first_time)
{
  struct rotation_gap gap;
  if (before->has_end && first_time <= before->end_time)
    return;
  if (find_rotation_gap (&gap, before->name, name))
    note_missing_files (notes, name, &gap);
  else if (before->has_end)
    note (notes, "%.3f ms are missing between %s and %s: the log went on elsewhere",
          (double) (first_time - before->end_time) / 1e6, before->name, name);
}

/* ---- adding files ---- */

/* The buffer whose header is at `at` in the file has only `there` bytes. */
static void
cut_buffer (struct log_part *p, uint64_t at, uint32_t there)
{
  const uint32_t length = GUINT32_TO_LE (there);
  p->is_cut = true;
  p->cut_length_at = p->offset + at - p->skipped + LENGTH_AT;
  memcpy (p->cut_length, &length, LENGTH_BYTES);
}

/* Goes from buffer to buffer, from `at` on, to where the file ends: the log goes on there. */
static void
find_end (struct log_part *p, uint64_t at, GString *notes)
{
  uint8_t bytes[MLPD_BUFFER_HEADER_SIZE];
  struct mlpd_buffer_header header = { .length = 1 };
  const uint64_t size = p->skipped + p->length;
  const char *name = p->name;
  while (size - at >= sizeof bytes) {
    if (p->bytes.read_at (p->bytes.data, at, bytes, sizeof bytes) != sizeof bytes
        || !decode_buffer_header (bytes, sizeof bytes, &header))
      return; /* the reader searches for the next one */
    const uint64_t left = size - at - sizeof bytes;
    if (left < header.length) {
      note (notes, "%s is cut: its last buffer has %" G_GUINT64_FORMAT " of %u bytes", name, left,
            header.length);
      cut_buffer (p, at, (uint32_t) left);
      return;
    }
    at += sizeof bytes + header.length;
  }
  if (at != size)
    note (notes, "%s is cut: the header of its last buffer has %" G_GUINT64_FORMAT " of %d bytes",
          name, size - at, MLPD_BUFFER_HEADER_SIZE);
  p->has_end = at == size && mlpd_is_end_mark (&header);
  p->end_time = header.time_base;
  if (at == size && !p->has_end)
    note (notes, "%s has no end mark: how much is missing there is unknown", name);
  p->length -= size - at;
}

/* Bytes of the file header at the beginning; 0 if there is none.  *first is the header of the first
 * buffer, of zeros if there is none. */
static size_t
measure_header (const struct log_part *p, struct mlpd_buffer_header *first)
{
  uint8_t *bytes = g_malloc (HEAD_BYTES);
  const size_t there = p->bytes.read_at (p->bytes.data, 0, bytes, MIN (HEAD_BYTES, p->bytes.size));
  const size_t length = file_header_length (bytes, there);
  if (!decode_buffer_header (bytes + length, there - length, first))
    *first = (struct mlpd_buffer_header){ .id = 0 };
  g_free (bytes);
  return length;
}

void
log_parts_add (struct log_parts *parts, const struct log_part_bytes *bytes, bool is_last)
{
  const bool is_first = parts->parts->len == 0;
  struct log_part p = { .bytes = *bytes, .name = g_strdup (bytes->name) };
  struct mlpd_buffer_header first;
  const size_t header = measure_header (&p, &first);
  if (is_first)
    parts->continues = mlpd_is_reannounced (&first);
  if (!is_first) {
    const guint before = parts->parts->len - 1;
    note_gap (parts->notes, &g_array_index (parts->parts, struct log_part, before), p.name,
              first.time_base);
    p.skipped = header;
    p.offset = log_parts_size (parts);
  }
  p.length = p.bytes.size - p.skipped;
  if (!is_last)
    find_end (&p, header, parts->notes);
  g_array_append_val (parts->parts, p);
}

static void
clear_part (void *data)
{
  struct log_part *p = data;
  g_free (p->name);
}

struct log_parts *
log_parts_new (void)
{
  struct log_parts *parts = g_new0 (struct log_parts, 1);
  parts->parts = g_array_new (FALSE, FALSE, sizeof (struct log_part));
  g_array_set_clear_func (parts->parts, clear_part);
  parts->notes = g_string_new (NULL);
  return parts;
}

void
log_parts_free (struct log_parts *parts)
{
  g_array_unref (parts->parts);
  g_string_free (parts->notes, TRUE);
  g_free (parts);
}

/* ---- reading ---- */

uint64_t
log_parts_size (const struct log_parts *parts)
{
  const struct log_part *last
      = &g_array_index (parts->parts, struct log_part, parts->parts->len - 1);
  return last->offset + last->length;
}

/* The part that a byte of the log is in, which has to be one. */
static const struct log_part *
part_at (const struct log_parts *parts, uint64_t offset)
{
  guint low = 0, high = parts->parts->len;
  while (high - low > 1) {
    const guint middle = low + (high - low) / 2;
    if (g_array_index (parts->parts, struct log_part, middle).offset <= offset)
      low = middle;
    else
      high = middle;
  }
  return &g_array_index (parts->parts, struct log_part, low);
}

static void
put_cut_length (const struct log_part *p, uint64_t offset, uint8_t *to, size_t length)
{
  for (size_t i = 0; p->is_cut && i < LENGTH_BYTES; i++)
    if (p->cut_length_at + i >= offset && p->cut_length_at + i - offset < length)
      to[p->cut_length_at + i - offset] = p->cut_length[i];
}

size_t
log_parts_read_at (const struct log_parts *parts, uint64_t offset, uint8_t *to, size_t length)
{
  size_t done = 0;
  while (done < length && offset + done < log_parts_size (parts)) {
    const struct log_part *p = part_at (parts, offset + done);
    const uint64_t from = offset + done - p->offset;
    const size_t wanted = (size_t) MIN (length - done, p->length - from);
    const size_t n = p->bytes.read_at (p->bytes.data, p->skipped + from, to + done, wanted);
    put_cut_length (p, offset + done, to + done, n);
    done += n;
    if (n < wanted)
      break;
  }
  return done;
}

const char *
log_parts_first (const struct log_parts *parts)
{
  return parts->continues ? g_array_index (parts->parts, struct log_part, 0).name : NULL;
}

const char *
log_parts_notes (const struct log_parts *parts)
{
  return parts->notes->str;
}
