/* push-values.h -- the values of the options of proflog push. */
#ifndef PROFLOG_PUSH_VALUES_H
#define PROFLOG_PUSH_VALUES_H

#include "decoder/query/query-values.h"
#include "decoder/live/live-reading.h"
#include "decoder/stacks/mono-stacks.h"

enum push_target { PUSH_NOWHERE, PUSH_CLICKHOUSE, PUSH_PYROSCOPE, PUSH_PARCA, PUSH_OTLP };

/* The address and the headers of one kind of data of OpenTelemetry. */
struct push_signal {
  char *url;          /* where it goes; NULL: no variable states it */
  GPtrArray *headers; /* of char *: "NAME: VALUE" */
};

/* The values of the variables OTEL_* (push-otel.c). */
struct push_otel {
  struct push_signal profiles, metrics;
  bool has_no_metrics;
  bool is_disabled;      /* nothing is to be sent at all */
  GPtrArray *attributes; /* of char *: names and values in turn; the service is one of them */
};

struct push_values {
  struct query_values query;
  enum push_target to;
  GPtrArray *urls;   /* of const char *, borrowed from argv; NULL: none */
  GPtrArray *labels; /* of const char * "NAME=VALUE", likewise */
  const char *credentials;
  const char *host;
  const char *database, *cluster, *tables; /* of ClickHouse */
  const char *tenant;                      /* of Pyroscope */
  struct push_otel otel;                   /* of OTLP */
  enum stacks_cost cost;                   /* of profiles */
  const char *watch;                       /* a folder; NULL: logs are sent once */
  const char *queue;          /* the folder of waiting logs; NULL: one within `watch` */
  uint64_t queue_bytes;       /* bytes that may wait */
  struct cli_number patience; /* how long a request is repeated */
  struct live_options live;   /* of programs that run */
  struct cli_number every;    /* how often their profiles are sent; not set: logs are */
  bool anonymize;
  const struct cli_command *anonymizer; /* proflog anonymize; set by main */
};

#endif
