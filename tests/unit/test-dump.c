/* test-dump.c -- the lines of a dump. */
#include "config.h"

#include "decoder/filter/filter-options.h"
#include "decoder/views/mlpd/dump.h"
#include "tests/unit/log-script.h"
#include "tests/unit/test.h"

#include <string.h>

enum { NODE = 0x1000, METHOD = 0x5000, OBJECT = 0x8000 };

static GString *
dump_selected (const GByteArray *log, gsize length, enum emitter_format format,
               const struct selection *selection)
{
  GString *out = g_string_new (NULL);
  struct mlpd_reader *reader = mlpd_reader_new ();
  const struct mlpd_item *item;
  struct dump d;
  dump_init (&d, format, selection);
  mlpd_reader_push (reader, log->data, length);
  while (mlpd_reader_next (reader, &item) == PROFLOG_EVENT)
    dump_item (&d, item, out);
  mlpd_reader_finish (reader);
  while (mlpd_reader_next (reader, &item) == PROFLOG_EVENT)
    dump_item (&d, item, out);
  dump_clear (&d);
  mlpd_reader_free (reader);
  return out;
}

static GString *
dump (const GByteArray *log, gsize length, enum emitter_format format)
{
  return dump_selected (log, length, format, NULL);
}

/* Offsets are computed from the bytes of the events: event byte, then a byte for each number
 * here, text with its NUL.
 *   32  buffer           48
 *   80  alloc             5   class, object are the bases: differences of 0
 *   85  metadata-class   12   time, mtype, class, image (-100: 2 bytes), flags, "Node"
 *   97  alloc             6   object is 64 bytes on: a difference of 8; size 300 takes 2
 *  103  heap-start        2
 *  105  heap-object       6   object, class, size, count, reference
 *  111  buffer           48   the end mark */
static GByteArray *
small_log (void)
{
  struct script log;
  const uint64_t references[] = { OBJECT };
  script_begin (&log);
  script_buffer (&log, 0x7f, UINT64_C (1000000000));
  script_alloc (&log, UINT64_C (1000000005), NODE, OBJECT, 24);
  const union mlpd_payload klass = { .metadata_class = { .action = MLPD_LOAD_END_LOAD,
                                                         .time = UINT64_C (1000000010),
                                                         .klass = NODE,
                                                         .image = NODE - 100,
                                                         .name = { "Node", 4 } } };
  script_event (&log, MLPD_METADATA_CLASS, &klass);
  script_alloc (&log, UINT64_C (1000000020), NODE, OBJECT + 64, 300);
  script_shot_start (&log, UINT64_C (1000000025));
  script_shot_object (&log, OBJECT, NODE, 24, references, 1);
  return script_end (&log);
}

#define HEADER_TEXT                                                                                \
  "         0 file-header id=0x4d505a01 major=0 minor=4 data_version=1 pointer_size=8 "            \
  "start_ms=1278000000000 timer_overhead_ns=25 flags=0 pid=4711 port=0 system=0x33e\n"             \
  "        32 0.000000000 0x7f buffer id=0x4d504c01 length=31 time_base=1000000000 "               \
  "ptr_base=0x1000 obj_base=0x1000 thread=0x7f method_base=0x0\n"                                  \
  "        80 0.000000005 0x7f alloc klass=0x1000 object=0x8000 size=24\n"

TEST (test_text)
{
  GByteArray *log = small_log ();
  GString *out = dump (log, log->len, EMITTER_TEXT);
  assert_string_equal (
      out->str, HEADER_TEXT
      "        85 0.000000010 0x7f metadata-class action=load klass=0x1000 image=0xf9c flags=0 "
      "name=\"Node\"\n"
      "        97 0.000000020 0x7f alloc klass=0x1000 \"Node\" object=0x8040 size=300\n"
      "       103 0.000000025 0x7f heap-start\n"
      "       105 0.000000025 0x7f heap-object object=0x8000 klass=0x1000 \"Node\" size=24 "
      "references=[0x8000]\n"
      "       111 -1.000000000 0x0 buffer id=0x4d504c01 length=0 time_base=0 ptr_base=0x0 "
      "obj_base=0x0 thread=0x0 method_base=0x0\n");
  g_string_free (out, TRUE);
  g_byte_array_unref (log);
}

TEST (test_json)
{
  GByteArray *log = small_log ();
  GString *out = dump (log, log->len - 48, EMITTER_JSON);
  char **lines = g_strsplit (out->str, "\n", -1);
  static const char *const expected[] = {
    "{\"item\":\"file-header\",\"offset\":0,\"size\":32,\"fields\":{\"id\":\"0x4d505a01\","
    "\"major\":0,\"minor\":4,\"data_version\":1,\"pointer_size\":8,\"start_ms\":1278000000000,"
    "\"timer_overhead_ns\":25,\"flags\":0,\"pid\":4711,\"port\":0,\"system\":\"0x33e\"}}",
    "{\"item\":\"buffer\",\"offset\":32,\"size\":48,\"thread\":\"0x7f\",\"time_ns\":1000000000,"
    "\"fields\":{\"id\":\"0x4d504c01\",\"length\":31,\"time_base\":1000000000,"
    "\"ptr_base\":\"0x1000\",\"obj_base\":\"0x1000\",\"thread\":\"0x7f\","
    "\"method_base\":\"0x0\"}}",
    "{\"item\":\"event\",\"offset\":80,\"size\":5,\"thread\":\"0x7f\",\"time_ns\":1000000005,"
    "\"kind\":\"alloc\",\"fields\":{\"time\":1000000005,\"klass\":\"0x1000\","
    "\"object\":\"0x8000\",\"size\":24}}",
    "{\"item\":\"event\",\"offset\":85,\"size\":12,\"thread\":\"0x7f\",\"time_ns\":1000000010,"
    "\"kind\":\"metadata-class\",\"fields\":{\"action\":32,\"action_name\":\"load\","
    "\"time\":1000000010,\"mtype\":1,\"klass\":\"0x1000\",\"image\":\"0xf9c\",\"flags\":0,"
    "\"name\":\"Node\"}}",
    "{\"item\":\"event\",\"offset\":97,\"size\":6,\"thread\":\"0x7f\",\"time_ns\":1000000020,"
    "\"kind\":\"alloc\",\"fields\":{\"time\":1000000020,\"klass\":\"0x1000\","
    "\"klass_name\":\"Node\",\"object\":\"0x8040\",\"size\":300}}",
    "{\"item\":\"event\",\"offset\":103,\"size\":2,\"thread\":\"0x7f\",\"time_ns\":1000000025,"
    "\"kind\":\"heap-start\",\"fields\":{\"time\":1000000025}}",
    "{\"item\":\"event\",\"offset\":105,\"size\":6,\"thread\":\"0x7f\",\"time_ns\":1000000025,"
    "\"kind\":\"heap-object\",\"fields\":{\"object\":\"0x8000\",\"klass\":\"0x1000\","
    "\"klass_name\":\"Node\",\"size\":24,\"references\":[\"0x8000\"]}}",
  };
  for (size_t i = 0; i < G_N_ELEMENTS (expected); i++)
    assert_string_equal (lines[i], expected[i]);
  /* That the end mark is missing is damage. */
  assert_true (g_str_has_prefix (
      lines[7], "{\"item\":\"damage\",\"offset\":111,\"size\":0,\"reason\":\"truncated\","
                "\"skipped\":0,\"missing\":0,\"message\":\""));
  assert_string_equal (lines[8], "");
  g_strfreev (lines);
  g_string_free (out, TRUE);
  g_byte_array_unref (log);
}

/* Methods of a backtrace have their names, as far as they are known. */
TEST (test_backtrace)
{
  struct script log;
  const uint64_t frames[] = { METHOD, METHOD + 64 };
  const union mlpd_payload thrown
      = { .exception_throw = { .time = 1010, .object = OBJECT, .backtrace = { frames, 2 } } };
  script_begin (&log);
  script_buffer (&log, 1, 1000);
  script_jit (&log, 1005, METHOD, 0x9000, 8, "A:\"Main\" ()");
  script_event (&log, MLPD_EXCEPTION_THROW, &thrown);
  GByteArray *bytes = script_end (&log);
  GString *text = dump (bytes, bytes->len, EMITTER_TEXT),
          *json = dump (bytes, bytes->len, EMITTER_JSON);
  assert_non_null (strstr (text->str, " exception-throw object=0x8000 "
                                      "backtrace=[\"A:\\\"Main\\\" ()\",0x5040]\n"));
  assert_non_null (strstr (json->str, "\"object\":\"0x8000\",\"backtrace\":[\"0x5000\",\"0x5040\"],"
                                      "\"backtrace_names\":[\"A:\\\"Main\\\" ()\",null]}}\n"));
  g_string_free (text, TRUE);
  g_string_free (json, TRUE);
  g_byte_array_unref (bytes);
}

/* An event of no type, 4 bytes before the end of its buffer. */
TEST (test_damage)
{
  struct script log;
  script_begin (&log);
  script_buffer (&log, 1, 1000);
  script_bytes (&log, "\x0f\x01\x02\x03", 4);
  GByteArray *bytes = script_end (&log);
  GString *out = dump (bytes, bytes->len, EMITTER_TEXT);
  assert_non_null (strstr (out->str, "        80 0.000000000 0x1 damage reason=unknown skipped=4 "
                                     "missing=0 "));
  g_string_free (out, TRUE);
  g_byte_array_unref (bytes);
}

TEST (test_csv)
{
  GByteArray *log = small_log ();
  GString *out = dump (log, log->len, EMITTER_CSV);
  static const char head[] = "offset,size,thread,time_ns,kind,fields\n"
                             "0,32,,,file-header,\"{\"\"id\"\":\"\"0x4d505a01\"\",";
  assert_true (g_str_has_prefix (out->str, head));
  assert_non_null (strstr (out->str, "\n97,6,0x7f,1000000020,alloc,\"{\"\"time\"\":1000000020,"
                                     "\"\"klass\"\":\"\"0x1000\"\",\"\"klass_name\"\":\"\"Node\"\","
                                     "\"\"object\"\":\"\"0x8040\"\",\"\"size\"\":300}\"\n"));
  assert_non_null (strstr (out->str, "\n103,2,0x7f,1000000025,heap-start,\"{"));
  g_string_free (out, TRUE);
  g_byte_array_unref (log);
}

/* The first of the allocations comes before its class has a name. */
TEST (test_filter)
{
  GByteArray *log = small_log ();
  struct selection s = { 0 };
  assert_true (selection_filter (&s, "^Node$", NULL));
  /* Without the end mark: damage is reported whatever is requested. */
  GString *out = dump_selected (log, log->len - 48, EMITTER_TEXT, &s);
  static const char expected[]
      = "        85 0.000000010 0x7f metadata-class action=load klass=0x1000 image=0xf9c flags=0 "
        "name=\"Node\"\n"
        "        97 0.000000020 0x7f alloc klass=0x1000 \"Node\" object=0x8040 size=300\n"
        "       105 0.000000025 0x7f heap-object object=0x8000 klass=0x1000 \"Node\" size=24 ";
  assert_true (g_str_has_prefix (out->str, expected));
  const char *last = strchr (out->str + strlen (expected), '\n');
  assert_non_null (strstr (last, " damage reason=truncated "));
  assert_null (strchr (strchr (last + 1, '\n') + 1, '\n'));
  g_string_free (out, TRUE);
  selection_clear (&s);

  assert_true (selection_exclude (&s, "od", NULL));
  out = dump_selected (log, log->len, EMITTER_TEXT, &s);
  assert_null (strstr (out->str, "Node"));
  assert_non_null (strstr (out->str, " file-header "));
  assert_non_null (strstr (out->str, " alloc klass=0x1000 object=0x8000 "));
  assert_non_null (strstr (out->str, " heap-start\n"));
  g_string_free (out, TRUE);
  selection_clear (&s);
  g_byte_array_unref (log);
}

/* How many lines are of a kind. */
static guint
count_kind (const GString *out, const char *kind)
{
  guint n = 0;
  char *wanted = g_strdup_printf (" %s ", kind);
  for (const char *p = out->str; (p = strstr (p, wanted)) != NULL; p++)
    n++;
  g_free (wanted);
  return n;
}

/* Thread 1 is in METHOD, which calls METHOD + 1, which calls METHOD + 2 twice and ends with it by
 * an exception; thread 2, in between, calls METHOD + 2 alone.  The last leave is of no call. */
TEST (test_depth)
{
  struct script log;
  script_begin (&log);
  script_buffer (&log, 1, 1000);
  script_enter (&log, 1010, METHOD);
  script_enter (&log, 1020, METHOD + 1);
  script_enter (&log, 1030, METHOD + 2);
  script_buffer (&log, 2, 1000);
  script_enter (&log, 1010, METHOD + 2);
  script_leave (&log, 1020, METHOD + 2);
  script_buffer (&log, 1, 1040);
  script_leave (&log, 1040, METHOD + 2);
  script_enter (&log, 1050, METHOD + 2);
  script_exc_leave (&log, 1060, METHOD + 2);
  script_exc_leave (&log, 1070, METHOD + 1);
  script_alloc (&log, 1080, NODE, OBJECT, 24);
  script_leave (&log, 1090, METHOD);
  script_leave (&log, 1095, METHOD + 7);
  GByteArray *bytes = script_end (&log);
  static const guint expected[][3] = { { 5, 4, 2 }, { 2, 3, 0 }, { 3, 3, 1 }, { 5, 4, 2 } };
  for (guint depth = 0; depth < G_N_ELEMENTS (expected); depth++) {
    const struct selection s = { .depth = depth };
    GString *out = dump_selected (bytes, bytes->len, EMITTER_TEXT, &s);
    assert_int_equal (count_kind (out, "method-enter"), expected[depth][0]);
    assert_int_equal (count_kind (out, "method-leave"), expected[depth][1]);
    assert_int_equal (count_kind (out, "method-exc-leave"), expected[depth][2]);
    assert_int_equal (count_kind (out, "alloc"), 1);
    g_string_free (out, TRUE);
  }
  g_byte_array_unref (bytes);
}

/* Events that state a size. */
TEST (test_min_bytes)
{
  GByteArray *log = small_log ();
  struct selection s = { .min_bytes = 24 };
  GString *out = dump_selected (log, log->len, EMITTER_TEXT, &s);
  assert_int_equal (count_kind (out, "alloc"), 2);
  assert_int_equal (count_kind (out, "heap-object"), 1);
  assert_int_equal (count_kind (out, "metadata-class") + count_kind (out, "buffer"), 0);
  g_string_free (out, TRUE);
  s.min_bytes = 25;
  out = dump_selected (log, log->len, EMITTER_TEXT, &s);
  assert_string_equal (out->str, "        97 0.000000020 0x7f alloc klass=0x1000 \"Node\" "
                                 "object=0x8040 size=300\n");
  g_string_free (out, TRUE);
  /* Both count. */
  assert_true (selection_exclude (&s, "Node", NULL));
  out = dump_selected (log, log->len, EMITTER_TEXT, &s);
  assert_string_equal (out->str, "");
  g_string_free (out, TRUE);
  selection_clear (&s);
  g_byte_array_unref (log);
}
