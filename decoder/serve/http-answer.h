/* http-answer.h -- what a request is answered with.  All functions are thread safe. */
#ifndef PROFLOG_HTTP_ANSWER_H
#define PROFLOG_HTTP_ANSWER_H

#include <microhttpd.h>
#include <stddef.h>

/* Queues the response, which it takes, with the headers of all.  NULL: there is no memory. */
enum MHD_Result http_answer (struct MHD_Connection *connection, unsigned status, const char *type,
                             struct MHD_Response *response);

/* The same of a page of a report, which has its scripts in it. */
enum MHD_Result http_answer_report (struct MHD_Connection *connection, unsigned status,
                                    const char *type, struct MHD_Response *response);

/* A response of a copy of the bytes; NULL without memory. */
struct MHD_Response *http_copy_of (const void *bytes, size_t length);

enum MHD_Result http_answer_text (struct MHD_Connection *connection, unsigned status,
                                  const char *text);
enum MHD_Result http_answer_json (struct MHD_Connection *connection, unsigned status,
                                  const char *text);

/* The method is none of those that are allowed. */
enum MHD_Result http_refuse_method (struct MHD_Connection *connection, const char *allowed);

/* The page is at `location`, which is relative to that of the request. */
enum MHD_Result http_answer_moved (struct MHD_Connection *connection, const char *location);

/* A header of the request; NULL: it has none of that name. */
const char *http_header (struct MHD_Connection *connection, const char *name);

/* The host that the request names; NULL: it names none, or several, or one that is no text. */
const char *http_host (struct MHD_Connection *connection);

#endif
