/* push-profiles.c -- the requests of Pyroscope and Parca.
 *
 * They take the protocol buffers of pprof: Pyroscope as the body of /ingest, Parca in base64 within
 * the JSON of /profiles/writeraw. */
#include "config.h"

#include "decoder/output/emitter.h"
#include "decoder/push/push.h"
#include <string.h>

enum { SECOND_NS = 1000000000 };

/* ---- pprof ---- */

static bool
keep_bytes (void *data, const GString *bytes)
{
  g_string_append_len (data, bytes->str, (gssize) bytes->len);
  return true;
}

static GString *
make_pprof (const struct export_stacks *stacks)
{
  GString *pprof = g_string_new (NULL);
  struct export_out out = { .bytes = g_string_new (NULL), .put = keep_bytes, .data = pprof };
  export_pprof.write_stacks (stacks, &out);
  g_string_free (out.bytes, TRUE);
  return pprof;
}

/* ---- Pyroscope ---- */

/* Signs that end a label there become '_'. */
static void
append_value (GString *to, const char *value)
{
  for (; *value != 0; value++)
    g_string_append_c (to, strchr ("{}=,\"", *value) != NULL ? '_' : *value);
}

static void
append_label (GString *to, const char *name, const char *value)
{
  if (to->str[to->len - 1] != '{')
    g_string_append_c (to, ',');
  g_string_append_printf (to, "%s=", name);
  append_value (to, value);
}

/* PROGRAM.KIND{NAME=VALUE,...} (transfer full). */
static char *
pyroscope_name (const struct push_profile *p)
{
  g_autoptr (GString) name = g_string_new (NULL);
  append_value (name, p->program);
  g_string_append_printf (name, ".%s{", p->kind);
  if (*p->host != 0)
    append_label (name, "host", p->host);
  for (guint i = 0; i < p->labels->len; i += 2)
    append_label (name, p->labels->pdata[i], p->labels->pdata[i + 1]);
  g_string_append_c (name, '}');
  return g_uri_escape_string (name->str, NULL, FALSE);
}

static bool
send_pyroscope (const struct push_profile *p, const char *url, const struct push_values *values,
                struct push_http *http, GString *answer, GError **error)
{
  g_autofree char *name = pyroscope_name (p);
  g_autofree char *tenant
      = values->tenant != NULL ? g_strconcat ("X-Scope-OrgID: ", values->tenant, NULL) : NULL;
  const char *const headers[] = { "Content-Type: application/octet-stream", tenant, NULL };
  const uint64_t from = p->stacks->start_ns / SECOND_NS;
  const uint64_t until = (p->stacks->start_ns + p->stacks->duration_ns) / SECOND_NS;
  g_autofree char *place
      = g_strdup_printf ("%s/ingest?name=%s&from=%" G_GUINT64_FORMAT "&until=%" G_GUINT64_FORMAT
                         "&format=pprof&spyName=" PACKAGE_NAME,
                         url, name, from, MAX (until, from + 1));
  g_autoptr (GString) pprof = make_pprof (p->stacks);
  const struct push_request request
      = { .url = place, .headers = headers, .bytes = pprof->str, .length = pprof->len };
  return push_http_repeat (http, &request, answer, error);
}

/* ---- Parca ---- */

static void
append_json_label (GString *to, const char *name, const char *value)
{
  g_string_append (to, to->str[to->len - 1] == '[' ? "{\"name\":" : ",{\"name\":");
  emitter_append_json_string (to, name, strlen (name));
  g_string_append (to, ",\"value\":");
  emitter_append_json_string (to, value, strlen (value));
  g_string_append_c (to, '}');
}

static bool
send_parca (const struct push_profile *p, const char *url, struct push_http *http, GString *answer,
            GError **error)
{
  static const char *const headers[] = { "Content-Type: application/json", NULL };
  g_autofree char *place = g_strconcat (url, "/profiles/writeraw", NULL);
  g_autoptr (GString) pprof = make_pprof (p->stacks);
  g_autofree char *base64 = g_base64_encode ((const guchar *) pprof->str, pprof->len);
  g_autoptr (GString) json = g_string_new ("{\"series\":[{\"labels\":{\"labels\":[");
  append_json_label (json, "__name__", p->kind);
  append_json_label (json, "job", p->program);
  if (*p->host != 0)
    append_json_label (json, "instance", p->host);
  for (guint i = 0; i < p->labels->len; i += 2)
    append_json_label (json, p->labels->pdata[i], p->labels->pdata[i + 1]);
  g_string_append_printf (json, "]},\"samples\":[{\"rawProfile\":\"%s\"}]}],\"normalized\":false}",
                          base64);
  const struct push_request request
      = { .url = place, .headers = headers, .bytes = json->str, .length = json->len };
  return push_http_repeat (http, &request, answer, error);
}

/* ---- all ---- */

bool
push_profile_send (const struct push_profile *p, const struct push_values *values,
                   struct push_http *http, GError **error)
{
  g_autoptr (GString) answer = g_string_new (NULL);
  bool good = true;
  if (values->to == PUSH_OTLP)
    return push_otlp_send_stacks (p, values, http, error);
  for (guint i = 0; good && i < values->urls->len; i++) {
    g_autofree char *url = g_strdup (values->urls->pdata[i]);
    while (g_str_has_suffix (url, "/"))
      url[strlen (url) - 1] = 0;
    good = values->to == PUSH_PYROSCOPE ? send_pyroscope (p, url, values, http, answer, error)
                                        : send_parca (p, url, http, answer, error);
  }
  return good;
}
