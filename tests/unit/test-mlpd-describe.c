/* test-mlpd-describe.c -- names, field tables and the walk over an event's fields. */
#include "config.h"

#include "decoder/mlpd/mlpd-describe.h"
#include "tests/unit/test.h"

#include <glib.h>

TEST (test_kinds)
{
  const struct mlpd_description *gc = mlpd_describe (MLPD_GC_EVENT);
  assert_int_equal (gc->kind, MLPD_GC_EVENT);
  assert_string_equal (gc->name, "gc-event");
  assert_int_equal (gc->type, 1);
  assert_int_equal (gc->exinfo, 0x10);
  assert_int_equal (gc->since, 1);
  assert_int_equal (gc->until, MLPD_LATEST);
  assert_int_equal (gc->mtype, 0);
  assert_string_equal (mlpd_describe (MLPD_ALLOC)->name, "alloc");
  assert_string_equal (mlpd_describe (MLPD_METHOD_EXC_LEAVE)->name, "method-exc-leave");
  assert_int_equal (mlpd_describe (MLPD_METADATA_IMAGE)->mtype, 2);
  for (unsigned kind = 0; kind < MLPD_KINDS; kind++) {
    assert_int_equal (mlpd_describe (kind)->kind, kind);
    assert_null (strchr (mlpd_describe (kind)->name, '_'));
    assert_true (mlpd_describe (kind)->n_fields > 0);
  }
}

TEST (test_fields)
{
  const struct mlpd_description *alloc = mlpd_describe (MLPD_ALLOC);
  assert_int_equal (alloc->n_fields, 6);
  assert_string_equal (alloc->fields[1].name, "klass");
  assert_int_equal (alloc->fields[1].wire, MLPD_WIRE_PTR);
  assert_int_equal (alloc->fields[1].unit, MLPD_UNIT_CLASS);
  assert_int_equal (alloc->fields[1].when.since, 1);
  assert_int_equal (alloc->fields[1].when.until, 14);
  assert_int_equal (alloc->fields[5].offset, offsetof (struct mlpd_alloc, backtrace));
  assert_int_equal (alloc->fields[5].when.mask, 0x10);
  assert_int_equal (alloc->fields[5].when.value, 0x10);
}

TEST (test_time)
{
  union mlpd_payload p = { .metadata_class = { .action = 32, .time = 77 } };
  uint64_t time = 5;
  assert_true (mlpd_event_time (MLPD_METADATA_CLASS, &p, &time));
  assert_int_equal (time, 77);
  p = (union mlpd_payload){ .heap_object = { .object = 8 } };
  assert_false (mlpd_event_time (MLPD_HEAP_OBJECT, &p, &time));
  assert_int_equal (time, 77);
  p = (union mlpd_payload){ .metadata_class = { .action = 32, .time = 0 } };
  assert_true (mlpd_event_time (MLPD_METADATA_CLASS, &p, &time)); /* all data versions state it */
  assert_int_equal (time, 0);
  p = (union mlpd_payload){ .sample_hit = { .sampled_at = 78 } };
  assert_true (mlpd_event_time (MLPD_SAMPLE_HIT, &p, &time));
  assert_int_equal (time, 78);
  p.sample_hit = (struct mlpd_sample_hit){ .time = 79 };
  assert_true (mlpd_event_time (MLPD_SAMPLE_HIT, &p, &time));
  assert_int_equal (time, 79);
}

TEST (test_values)
{
  assert_string_equal (mlpd_value_name (MLPD_UNIT_GC_EVENT, 6), "pre-stop-world");
  assert_string_equal (mlpd_value_name (MLPD_UNIT_CLAUSE_TYPE, 2), "finally");
  assert_string_equal (mlpd_value_name (MLPD_UNIT_MONITOR_EVENT, 1), "contention");
  assert_string_equal (mlpd_value_name (MLPD_UNIT_LOAD, 0x20), "load");
  assert_null (mlpd_value_name (MLPD_UNIT_CLAUSE_TYPE, 3));
  assert_null (mlpd_value_name (MLPD_UNIT_BYTES, 1));
  for (unsigned unit = MLPD_UNIT_NUMBER; unit <= MLPD_UNIT_SYNC_TYPE; unit++)
    assert_non_null (mlpd_unit_name (unit));
}

static void
see_number (const struct mlpd_field *field, uint64_t value, void *data)
{
  g_string_append_printf (data, "%s=%" G_GUINT64_FORMAT " ", field->name, value);
}

static void
see_text (const struct mlpd_field *field, struct mlpd_string text, void *data)
{
  g_string_append_printf (data, "%s='%s' ", field->name, text.text);
}

static void
see_list (const struct mlpd_field *field, struct mlpd_list list, void *data)
{
  g_string_append_printf (data, "%s=#%" G_GSIZE_FORMAT " ", field->name, list.count);
}

static void
see_open (const struct mlpd_field *field, size_t count, void *data)
{
  g_string_append_printf (data, "%s=#%" G_GSIZE_FORMAT "( ", field->name, count);
}

static void
see_item (void *data)
{
  g_string_append (data, "; ");
}

static void
see_close (const struct mlpd_field *field G_GNUC_UNUSED, void *data)
{
  g_string_append (data, ") ");
}

static void
check_visit (enum mlpd_kind kind, union mlpd_payload payload, unsigned version,
             const char *expected)
{
  static const struct mlpd_visitor visitor
      = { see_number, see_text, see_list, see_open, see_item, see_close };
  GString *seen = g_string_new (NULL);
  mlpd_visit (kind, &payload, version, &visitor, seen);
  assert_string_equal (seen->str, expected);
  g_string_free (seen, TRUE);
}

TEST (test_visit)
{
  static const uint64_t frames[] = { 1, 2 };
  union mlpd_payload p = { .alloc = { .time = 1, .klass = 2, .object = 3, .size = 4 } };
  check_visit (MLPD_ALLOC, p, 1, "time=1 klass=2 object=3 size=4 ");
  p.alloc.backtrace = (struct mlpd_list){ frames, 2 };
  check_visit (MLPD_ALLOC, p, 1, "time=1 klass=2 object=3 size=4 backtrace=#2 ");
  check_visit (MLPD_ALLOC, p, 15, "time=1 vtable=0 object=3 size=4 backtrace=#2 ");
  p = (union mlpd_payload){ .metadata_domain
                            = { .action = 0, .time = 1, .mtype = 4, .name = { "d", 1 } } };
  check_visit (MLPD_METADATA_DOMAIN, p, 1, "action=0 time=1 mtype=4 domain=0 flags=0 name='d' ");
  p.metadata_domain.action = 0x20;
  check_visit (MLPD_METADATA_DOMAIN, p, 1, "action=32 time=1 mtype=4 domain=0 flags=0 ");
}

TEST (test_visit_lists)
{
  static const uint64_t items[] = { 8, 16 }, offsets[] = { 24, 32 };
  union mlpd_payload p = { .heap_object = { .references = { items, NULL, 2 } } };
  check_visit (MLPD_HEAP_OBJECT, p, 1, "object=0 klass=0 size=0 references=#2 ");
  p.heap_object.references.offsets = offsets;
  check_visit (MLPD_HEAP_OBJECT, p, 2,
               "object=0 klass=0 size=0 references=#2( ; offset=24 object=8 ; offset=32 object=16 "
               ") ");
  const struct mlpd_root root = { .address = 1, .object = 8, .type = 3, .extra = 4 };
  p = (union mlpd_payload){ .heap_root = { .roots = { &root, 1, 7 } } };
  check_visit (MLPD_HEAP_ROOT, p, 14,
               "time=0 collections=7 roots=#1( ; object=8 type=3 extra=4 ) ");
  check_visit (MLPD_HEAP_ROOT, p, 15, "time=0 roots=#1( ; address=1 object=8 ) ");
}
