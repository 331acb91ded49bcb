/* parquet-writer.c -- groups of rows: for each column a dictionary, if it has one, and one page. */
#include "config.h"

#include "decoder/query/query-outputs.h"
#include "decoder/query/thrift.h"
#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

/* ---- numbers ---- */

/* Appends a number of this many bytes, the lowest first. */
static void
parquet_append_number (GString *out, uint64_t value, unsigned bytes)
{
  for (unsigned i = 0; i < bytes; i++)
    g_string_append_c (out, (char) (value >> 8 * i));
}

/* One number again and again, or eight at a time packed. */
static void
append_run (GString *out, uint64_t count, uint32_t value, unsigned bits)
{
  thrift_put_varint (out, count << 1);
  parquet_append_number (out, value, (bits + 7) / 8);
}

/* Appends numbers of this many bits (1 to 32) in the hybrid of runs and packed groups: runs of at
 * least eight, and all else packed. */
static void
parquet_append_hybrid (GString *out, const guint32 *numbers, guint n, unsigned bits)
{
  guint i = 0;
  while (i < n) {
    guint run = 1;
    while (i + run < n && numbers[i + run] == numbers[i])
      run++;
    if (run >= 8 || i + run == n) {
      append_run (out, run, numbers[i], bits);
      i += run;
      continue;
    }
    /* Groups of eight up to where a run begins. */
    guint end = i;
    while (end + 8 <= n) {
      guint same = 1;
      while (same < 8 && numbers[end + same] == numbers[end])
        same++;
      if (same == 8)
        break;
      end += 8;
    }
    if (end == i) { /* fewer than eight are left */
      append_run (out, run, numbers[i], bits);
      i += run;
      continue;
    }
    thrift_put_varint (out, (uint64_t) ((end - i) / 8) << 1 | 1);
    uint64_t word = 0;
    unsigned filled = 0;
    for (; i < end; i++) {
      word |= (uint64_t) numbers[i] << filled;
      for (filled += bits; filled >= 8; filled -= 8, word >>= 8)
        g_string_append_c (out, (char) word);
    }
  }
}

/* A group ends with either. */
#define GROUP_ROWS (1u << 20)
#define GROUP_BYTES (32u << 20)

/* Texts of a column that may differ, for a dictionary. */
#define DICTIONARY_TEXTS (1u << 16)

#define MAGIC "PAR1"

/* Of the specification. */
enum { TYPE_INT64 = 2, TYPE_DOUBLE = 5, TYPE_BYTE_ARRAY = 6 };
enum { ENCODING_PLAIN = 0, ENCODING_RLE = 3, ENCODING_RLE_DICTIONARY = 8 };
enum { CODEC_NONE = 0, CODEC_ZSTD = 6 };
enum { PAGE_DATA = 0, PAGE_DICTIONARY = 2 };
enum { REPETITION_OPTIONAL = 1 };
enum { CONVERTED_UTF8 = 0 };

struct column {
  char *name;
  enum parquet_type type;
  /* Of the group: */
  GString *values;     /* plain */
  GArray *is_there;    /* of guint8, a value each */
  GArray *codes;       /* of guint32: texts as numbers of the dictionary; NULL: it has none */
  GHashTable *numbers; /* of GBytes -> number + 1; NULL likewise */
  GString *dictionary; /* plain */
  uint64_t nulls;
  int64_t least, most;
  double least_real, most_real;
};

/* A column of a group that was written. */
struct chunk {
  uint64_t offset, dictionary_offset; /* of its pages; 0: no dictionary */
  uint64_t plain_bytes, bytes;        /* with the headers of pages */
  uint64_t values, nulls;
  bool has_bounds;
  int64_t least, most;
  double least_real, most_real;
};

struct group {
  uint64_t rows, bytes;
  struct chunk *chunks;
};

struct parquet_writer {
  char *path;
  FILE *file;
  int error; /* 0: none */
  uint64_t offset, rows;
  GPtrArray *columns; /* of struct column * */
  GArray *groups;     /* of struct group */
  guint next;         /* the column of the next value */
  guint group_rows;
  GString *page, *packed;
};

/* ---- the file ---- */

static void
put_bytes (struct parquet_writer *w, const void *bytes, size_t length)
{
  if (w->error == 0 && fwrite (bytes, 1, length, w->file) != length)
    w->error = errno != 0 ? errno : EIO;
  w->offset += length;
}

struct parquet_writer *
parquet_writer_new (const char *path, GError **error)
{
  FILE *file = g_fopen (path, "wb");
  if (file == NULL) {
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", path,
                 g_strerror (errno));
    return NULL;
  }
  struct parquet_writer *w = g_new0 (struct parquet_writer, 1);
  w->path = g_strdup (path);
  w->file = file;
  w->columns = g_ptr_array_new ();
  w->groups = g_array_new (FALSE, FALSE, sizeof (struct group));
  w->page = g_string_new (NULL);
  w->packed = g_string_new (NULL);
  put_bytes (w, MAGIC, strlen (MAGIC));
  return w;
}

/* ---- values ---- */

static void
begin_group (struct column *c)
{
  g_string_truncate (c->values, 0);
  g_array_set_size (c->is_there, 0);
  c->nulls = 0;
  c->least = INT64_MAX;
  c->most = INT64_MIN;
  c->least_real = G_MAXDOUBLE;
  c->most_real = -G_MAXDOUBLE;
  if (c->type != PARQUET_TEXT)
    return;
  g_clear_pointer (&c->numbers, g_hash_table_unref);
  c->numbers
      = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  if (c->codes == NULL)
    c->codes = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_set_size (c->codes, 0);
  g_string_truncate (c->dictionary, 0);
}

void
parquet_writer_add_column (struct parquet_writer *w, const char *name, enum parquet_type type)
{
  struct column *c = g_new0 (struct column, 1);
  c->name = g_strdup (name);
  c->type = type;
  c->values = g_string_new (NULL);
  c->is_there = g_array_new (FALSE, FALSE, 1);
  c->dictionary = g_string_new (NULL);
  begin_group (c);
  g_ptr_array_add (w->columns, c);
}

static struct column *
next_column (struct parquet_writer *w, bool is_there)
{
  struct column *c = g_ptr_array_index (w->columns, w->next++);
  const guint8 bit = is_there;
  g_array_append_val (c->is_there, bit);
  c->nulls += !is_there;
  return c;
}

void
parquet_writer_put_null (struct parquet_writer *w)
{
  next_column (w, false);
}

void
parquet_writer_put_int (struct parquet_writer *w, int64_t value)
{
  struct column *c = next_column (w, true);
  c->least = MIN (c->least, value);
  c->most = MAX (c->most, value);
  parquet_append_number (c->values, (uint64_t) value, 8);
}

void
parquet_writer_put_double (struct parquet_writer *w, double value)
{
  struct column *c = next_column (w, true);
  uint64_t bits;
  memcpy (&bits, &value, sizeof bits);
  c->least_real = MIN (c->least_real, value);
  c->most_real = MAX (c->most_real, value);
  parquet_append_number (c->values, bits, 8);
}

static void
append_text (GString *out, const char *text, size_t length)
{
  parquet_append_number (out, length, 4);
  g_string_append_len (out, text, (gssize) length);
}

void
parquet_writer_put_text (struct parquet_writer *w, const char *text, size_t length)
{
  struct column *c = next_column (w, true);
  append_text (c->values, text, length);
  if (c->numbers == NULL)
    return;
  g_autoptr (GBytes) key = g_bytes_new (text, length);
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (c->numbers, key));
  if (number == 0) {
    number = g_hash_table_size (c->numbers) + 1;
    g_hash_table_insert (c->numbers, g_bytes_ref (key), GUINT_TO_POINTER (number));
    append_text (c->dictionary, text, length);
  }
  number--;
  g_array_append_val (c->codes, number);
  if (g_hash_table_size (c->numbers) > DICTIONARY_TEXTS)
    g_clear_pointer (&c->numbers, g_hash_table_unref);
}

/* ---- levels ---- */

/* Which values are there: as numbers of one bit, after their length. */
static void
append_levels (GString *out, const struct column *c)
{
  const guint n = c->is_there->len;
  g_autofree guint32 *levels = g_new (guint32, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    levels[i] = g_array_index (c->is_there, guint8, i);
  const gsize at = out->len;
  parquet_append_number (out, 0, 4);
  parquet_append_hybrid (out, levels, n, 1);
  const uint64_t length = out->len - at - 4;
  for (unsigned i = 0; i < 4; i++)
    out->str[at + i] = (char) (length >> 8 * i);
}

/* ---- pages ---- */

/* Compresses the page into `packed`. */
static void
pack (struct parquet_writer *w)
{
#ifdef HAVE_ZSTD
  g_string_set_size (w->packed, ZSTD_compressBound (w->page->len));
  const size_t length
      = ZSTD_compress (w->packed->str, w->packed->len, w->page->str, w->page->len, 1);
  if (ZSTD_isError (length)) /* there is room for all that can come, but no memory for its work */
    w->error = ENOMEM;
  g_string_set_size (w->packed, ZSTD_isError (length) ? 0 : length);
#else
  g_string_truncate (w->packed, 0);
  g_string_append_len (w->packed, w->page->str, (gssize) w->page->len);
#endif
}

static int
codec_of (void)
{
#ifdef HAVE_ZSTD
  return CODEC_ZSTD;
#else
  return CODEC_NONE;
#endif
}

/* Writes `page`, of this many values. */
static void
put_page (struct parquet_writer *w, struct chunk *chunk, int type, uint64_t values, int encoding)
{
  g_autoptr (GString) header = g_string_new (NULL);
  struct thrift t = thrift_item (header);
  pack (w);
  thrift_i32 (&t, 1, type);
  thrift_i32 (&t, 2, (int32_t) w->page->len);
  thrift_i32 (&t, 3, (int32_t) w->packed->len);
  struct thrift page = thrift_struct (&t, type == PAGE_DATA ? 5 : 7);
  thrift_i32 (&page, 1, (int32_t) values);
  thrift_i32 (&page, 2, encoding);
  if (type == PAGE_DATA) {
    thrift_i32 (&page, 3, ENCODING_RLE);
    thrift_i32 (&page, 4, ENCODING_RLE);
  }
  thrift_end (&page);
  thrift_end (&t);
  put_bytes (w, header->str, header->len);
  put_bytes (w, w->packed->str, w->packed->len);
  chunk->bytes += header->len + w->packed->len;
  chunk->plain_bytes += header->len + w->page->len;
  g_string_truncate (w->page, 0);
}

static unsigned
bits_of (guint most)
{
  return most == 0 ? 1 : g_bit_storage (most);
}

static struct chunk
put_chunk (struct parquet_writer *w, const struct column *c)
{
  struct chunk chunk = { .values = c->is_there->len,
                         .nulls = c->nulls,
                         .has_bounds = c->type != PARQUET_TEXT && c->nulls < c->is_there->len,
                         .least = c->least,
                         .most = c->most,
                         .least_real = c->least_real,
                         .most_real = c->most_real };
  const bool has_dictionary = c->numbers != NULL && g_hash_table_size (c->numbers) > 0;
  if (has_dictionary) {
    chunk.dictionary_offset = w->offset;
    g_string_append_len (w->page, c->dictionary->str, (gssize) c->dictionary->len);
    put_page (w, &chunk, PAGE_DICTIONARY, g_hash_table_size (c->numbers), ENCODING_PLAIN);
  }
  chunk.offset = w->offset;
  append_levels (w->page, c);
  if (has_dictionary) {
    const unsigned bits = bits_of (g_hash_table_size (c->numbers) - 1);
    g_string_append_c (w->page, (char) bits);
    parquet_append_hybrid (w->page, (const guint32 *) (const void *) c->codes->data, c->codes->len,
                           bits);
  } else {
    g_string_append_len (w->page, c->values->str, (gssize) c->values->len);
  }
  put_page (w, &chunk, PAGE_DATA, chunk.values,
            has_dictionary ? ENCODING_RLE_DICTIONARY : ENCODING_PLAIN);
  return chunk;
}

static void
put_group (struct parquet_writer *w)
{
  if (w->group_rows == 0)
    return;
  struct group group = { .rows = w->group_rows, .chunks = g_new (struct chunk, w->columns->len) };
  for (guint i = 0; i < w->columns->len; i++) {
    struct column *c = g_ptr_array_index (w->columns, i);
    group.chunks[i] = put_chunk (w, c);
    group.bytes += group.chunks[i].plain_bytes;
    begin_group (c);
  }
  g_array_append_val (w->groups, group);
  w->rows += w->group_rows;
  w->group_rows = 0;
}

bool
parquet_writer_end_row (struct parquet_writer *w)
{
  gsize bytes = 0;
  w->next = 0;
  w->group_rows++;
  for (guint i = 0; i < w->columns->len; i++)
    bytes += ((const struct column *) g_ptr_array_index (w->columns, i))->values->len;
  if (w->group_rows == GROUP_ROWS || bytes > GROUP_BYTES)
    put_group (w);
  return w->error == 0;
}

/* ---- the end of the file ---- */

static int
type_of (const struct column *c)
{
  return c->type == PARQUET_INT64    ? TYPE_INT64
         : c->type == PARQUET_DOUBLE ? TYPE_DOUBLE
                                     : TYPE_BYTE_ARRAY;
}

static void
put_schema (struct thrift *t, const GPtrArray *columns)
{
  thrift_list (t, 2, THRIFT_STRUCT, columns->len + 1);
  struct thrift root = thrift_item (t->out);
  thrift_text (&root, 4, "rows");
  thrift_i32 (&root, 5, (int32_t) columns->len);
  thrift_end (&root);
  for (guint i = 0; i < columns->len; i++) {
    const struct column *c = g_ptr_array_index (columns, i);
    struct thrift element = thrift_item (t->out);
    thrift_i32 (&element, 1, type_of (c));
    thrift_i32 (&element, 3, REPETITION_OPTIONAL);
    thrift_text (&element, 4, c->name);
    if (c->type == PARQUET_TEXT)
      thrift_i32 (&element, 6, CONVERTED_UTF8);
    thrift_end (&element);
  }
}

/* A bound, as a plain value. */
static void
put_bound (struct thrift *t, int field, const void *value)
{
  g_autoptr (GString) plain = g_string_new (NULL);
  uint64_t bits;
  memcpy (&bits, value, sizeof bits);
  parquet_append_number (plain, bits, 8);
  thrift_binary (t, field, plain->str, plain->len);
}

static void
put_statistics (struct thrift *t, const struct column *c, const struct chunk *chunk)
{
  const bool is_real = c->type == PARQUET_DOUBLE;
  struct thrift s = thrift_struct (t, 12);
  thrift_i64 (&s, 3, (int64_t) chunk->nulls);
  if (chunk->has_bounds) {
    put_bound (&s, 5, is_real ? (const void *) &chunk->most_real : &chunk->most);
    put_bound (&s, 6, is_real ? (const void *) &chunk->least_real : &chunk->least);
  }
  thrift_end (&s);
}

static void
put_chunk_metadata (struct thrift *t, const struct column *c, const struct chunk *chunk)
{
  const bool has_dictionary = chunk->dictionary_offset != 0;
  struct thrift m = thrift_struct (t, 3);
  thrift_i32 (&m, 1, type_of (c));
  thrift_list (&m, 2, THRIFT_I32, has_dictionary ? 3 : 2);
  thrift_item_i32 (m.out, ENCODING_PLAIN);
  thrift_item_i32 (m.out, ENCODING_RLE);
  if (has_dictionary)
    thrift_item_i32 (m.out, ENCODING_RLE_DICTIONARY);
  thrift_list (&m, 3, THRIFT_BINARY, 1);
  thrift_item_text (m.out, c->name);
  thrift_i32 (&m, 4, codec_of ());
  thrift_i64 (&m, 5, (int64_t) chunk->values);
  thrift_i64 (&m, 6, (int64_t) chunk->plain_bytes);
  thrift_i64 (&m, 7, (int64_t) chunk->bytes);
  thrift_i64 (&m, 9, (int64_t) chunk->offset);
  if (has_dictionary)
    thrift_i64 (&m, 11, (int64_t) chunk->dictionary_offset);
  put_statistics (&m, c, chunk);
  thrift_end (&m);
}

static void
put_groups (struct thrift *t, const struct parquet_writer *w)
{
  thrift_list (t, 4, THRIFT_STRUCT, w->groups->len);
  for (guint i = 0; i < w->groups->len; i++) {
    const struct group *group = &g_array_index (w->groups, struct group, i);
    struct thrift g = thrift_item (t->out);
    thrift_list (&g, 1, THRIFT_STRUCT, w->columns->len);
    for (guint c = 0; c < w->columns->len; c++) {
      struct thrift chunk = thrift_item (t->out);
      thrift_i64 (&chunk, 2, (int64_t) group->chunks[c].offset);
      put_chunk_metadata (&chunk, g_ptr_array_index (w->columns, c), &group->chunks[c]);
      thrift_end (&chunk);
    }
    thrift_i64 (&g, 2, (int64_t) group->bytes);
    thrift_i64 (&g, 3, (int64_t) group->rows);
    thrift_end (&g);
  }
}

static void
put_footer (struct parquet_writer *w)
{
  g_autoptr (GString) footer = g_string_new (NULL);
  struct thrift t = thrift_item (footer);
  thrift_i32 (&t, 1, 1);
  put_schema (&t, w->columns);
  thrift_i64 (&t, 3, (int64_t) w->rows);
  put_groups (&t, w);
  thrift_text (&t, 6, PACKAGE_STRING);
  thrift_end (&t);
  parquet_append_number (footer, footer->len, 4);
  g_string_append (footer, MAGIC);
  put_bytes (w, footer->str, footer->len);
}

static void
free_column (struct column *c)
{
  g_free (c->name);
  g_string_free (c->values, TRUE);
  g_array_unref (c->is_there);
  g_string_free (c->dictionary, TRUE);
  g_clear_pointer (&c->codes, g_array_unref);
  g_clear_pointer (&c->numbers, g_hash_table_unref);
  g_free (c);
}

static void
free_writer (struct parquet_writer *w)
{
  for (guint i = 0; i < w->columns->len; i++)
    free_column (g_ptr_array_index (w->columns, i));
  for (guint i = 0; i < w->groups->len; i++)
    g_free (g_array_index (w->groups, struct group, i).chunks);
  g_ptr_array_unref (w->columns);
  g_array_unref (w->groups);
  g_string_free (w->page, TRUE);
  g_string_free (w->packed, TRUE);
  g_free (w->path);
  g_free (w);
}

bool
parquet_writer_close (struct parquet_writer *w, GError **error)
{
  put_group (w);
  put_footer (w);
  if (fclose (w->file) != 0 && w->error == 0)
    w->error = errno;
  const int problem = w->error;
  if (problem != 0) {
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (problem), "%s: %s", w->path,
                 g_strerror (problem));
    g_unlink (w->path);
  }
  free_writer (w);
  return problem == 0;
}
