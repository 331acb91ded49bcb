/* ghc-summary-order.c -- events in order of time, for a summary. */
#include "config.h"

#include "decoder/ghc/ghc-records.h"
#include "decoder/ghc/query/ghc-summary-order.h"

void
ghc_summary_order_begin (struct ghc_summary_order *order, const struct ghc_header *header)
{
  order->header = (struct ghc_header){ .is_6_12 = header->is_6_12, .is_7_8_2 = header->is_7_8_2 };
  ghc_summary_ordered (order->summary, &(const struct ghc_item){ .type = GHC_ITEM_HEADER });
}

void
ghc_summary_order_put (GString *records, const struct ghc_item *item)
{
  if (ghc_records_can_hold (item->kind))
    ghc_records_put (records, item);
}

static bool
take_item (void *data, const struct ghc_item *item)
{
  const struct ghc_summary_order *order = data;
  ghc_summary_ordered (order->summary, item);
  return true;
}

bool
ghc_summary_order_take (const struct ghc_summary_order *order, const GString *records)
{
  return ghc_records_each (records, &order->header, take_item, (void *) order);
}
