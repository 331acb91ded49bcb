/* test-sync-points.c -- sync points by reason. */
#include "config.h"

#include "decoder/mlpd/analyses/sync-points.h"
#include "tests/unit/summary-test.h"

static void
put (uint64_t time, uint64_t type)
{
  const union mlpd_payload event = { .meta_sync_point = { .time = time, .sync_type = type } };
  script_event (&script, MLPD_META_SYNC_POINT, &event);
}

/* The last one has a reason that no version defines. */
TEST_WITH (test_by_type, NULL, summary_test_end)
{
  script_begin_version (&script, 17);
  script_buffer (&script, 1, 1000);
  put (1010, MLPD_SYNC_TYPE_PERIODIC);
  put (1020, MLPD_SYNC_TYPE_PERIODIC);
  put (1030, SYNC_POINT_TYPES);
  script_summarize (&script, &summary);
  assert_int_equal (STATE (sync_points)->count, 3);
  assert_int_equal (STATE (sync_points)->by_type[MLPD_SYNC_TYPE_PERIODIC], 2);
}
