/* http-answer.c -- responses, their headers and policies. */
#include "config.h"

#include "decoder/serve/http.h"
#include <glib.h>
#include <string.h>

static const char *const headers[][2] = {
  { MHD_HTTP_HEADER_CACHE_CONTROL, "no-store" },
  { "Cross-Origin-Opener-Policy", "same-origin" },
  { "Cross-Origin-Resource-Policy", "same-origin" },
  { "Referrer-Policy", "no-referrer" },
  { "X-Content-Type-Options", "nosniff" },
  { "X-Frame-Options", "DENY" },
};

static const char own_policy[]
    = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
      "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/* The report's page has a policy of its own for its scripts. */
static const char report_policy[]
    = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; "
      "form-action 'none'; frame-ancestors 'none'";

/* Takes the response. */
static enum MHD_Result
answer_with_policy (struct MHD_Connection *connection, unsigned status, const char *type,
                    struct MHD_Response *response, const char *policy)
{
  if (response == NULL)
    return MHD_NO;
  MHD_add_response_header (response, "Content-Security-Policy", policy);
  for (size_t i = 0; i < G_N_ELEMENTS (headers); i++)
    MHD_add_response_header (response, headers[i][0], headers[i][1]);
  MHD_add_response_header (response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
  const enum MHD_Result result = MHD_queue_response (connection, status, response);
  MHD_destroy_response (response);
  return result;
}

enum MHD_Result
http_answer (struct MHD_Connection *connection, unsigned status, const char *type,
             struct MHD_Response *response)
{
  return answer_with_policy (connection, status, type, response, own_policy);
}

enum MHD_Result
http_answer_report (struct MHD_Connection *connection, unsigned status, const char *type,
                    struct MHD_Response *response)
{
  return answer_with_policy (connection, status, type, response, report_policy);
}

struct MHD_Response *
http_copy_of (const void *bytes, size_t length)
{
  return MHD_create_response_from_buffer (length, (void *) bytes, MHD_RESPMEM_MUST_COPY);
}

enum MHD_Result
http_answer_text (struct MHD_Connection *connection, unsigned status, const char *text)
{
  return http_answer (connection, status, "text/plain; charset=utf-8",
                      http_copy_of (text, strlen (text)));
}

enum MHD_Result
http_answer_json (struct MHD_Connection *connection, unsigned status, const char *text)
{
  return http_answer (connection, status, "application/json", http_copy_of (text, strlen (text)));
}

enum MHD_Result
http_refuse_method (struct MHD_Connection *connection, const char *allowed)
{
  static const char text[] = "This method is not allowed here.\n";
  struct MHD_Response *response = http_copy_of (text, strlen (text));
  if (response != NULL)
    MHD_add_response_header (response, MHD_HTTP_HEADER_ALLOW, allowed);
  return http_answer (connection, MHD_HTTP_METHOD_NOT_ALLOWED, "text/plain; charset=utf-8",
                      response);
}

enum MHD_Result
http_answer_moved (struct MHD_Connection *connection, const char *location)
{
  static const char text[] = "The page has moved.\n";
  struct MHD_Response *response = http_copy_of (text, strlen (text));
  if (response != NULL)
    MHD_add_response_header (response, MHD_HTTP_HEADER_LOCATION, location);
  return http_answer (connection, MHD_HTTP_MOVED_PERMANENTLY, "text/plain; charset=utf-8",
                      response);
}

const char *
http_header (struct MHD_Connection *connection, const char *name)
{
  return MHD_lookup_connection_value (connection, MHD_HEADER_KIND, name);
}

/* Hosts that a request names. */
struct hosts {
  unsigned n;
  const char *value; /* NULL: there is none that is a text */
};

static enum MHD_Result
note_host (void *data, enum MHD_ValueKind kind, const char *key, size_t key_size, const char *value,
           size_t size)
{
  struct hosts *hosts = data;
  (void) kind;
  (void) key_size;
  if (g_ascii_strcasecmp (key, MHD_HTTP_HEADER_HOST) != 0)
    return MHD_YES;
  hosts->n++;
  hosts->value = value != NULL && strlen (value) == size ? value : NULL;
  return MHD_YES;
}

const char *
http_host (struct MHD_Connection *connection)
{
  struct hosts hosts = { 0 };
  MHD_get_connection_values_n (connection, MHD_HEADER_KIND, note_host, &hosts);
  return hosts.n == 1 ? hosts.value : NULL;
}

static enum MHD_Result
add_header_size (void *data, enum MHD_ValueKind kind, const char *key, size_t key_size,
                 const char *value, size_t value_size)
{
  size_t *size = data;
  (void) kind;
  (void) key;
  (void) value;
  *size += key_size + strlen (": ") + value_size + strlen ("\r\n");
  return MHD_YES;
}

bool
http_is_all_seen (struct MHD_Connection *connection, const char *method, const char *version)
{
  const union MHD_ConnectionInfo *head
      = MHD_get_connection_info (connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  size_t seen = strlen (method) + strlen (" ") + http_clients_target (connection) + strlen (" ")
                + strlen (version) + strlen ("\r\n");
  MHD_get_connection_values_n (connection, MHD_HEADER_KIND, add_header_size, &seen);
  return head != NULL && head->header_size <= seen + strlen ("\r\n");
}
