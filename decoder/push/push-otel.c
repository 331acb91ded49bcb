/* push-otel.c -- reads the variables by which programs of OpenTelemetry know their collector.
 *
 * Those of profiles, or of metrics, come before those of all data.  Empty ones are as if they were
 * not there.
 */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/push/push.h"
#include <string.h>

/* A kind of data, and its part of the names of variables. */
struct signal {
  const char *name;
  char *(*place) (const char *url);
};

static const struct signal profiles = { "PROFILES_", push_otlp_profiles_place };
static const struct signal metrics = { "METRICS_", push_otlp_metrics_place };

/* The value of a variable of the exporter, and which one it is; NULL: there is none. */
static const char *
value_of (const struct signal *signal, const char *name, bool *is_own, char **variable)
{
  const char *const parts[] = { signal->name, "" };
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++) {
    g_autofree char *found = g_strconcat ("OTEL_EXPORTER_OTLP_", parts[i], name, NULL);
    const char *value = g_getenv (found);
    if (value == NULL || *value == 0)
      continue;
    *is_own = i == 0;
    *variable = g_steal_pointer (&found);
    return value;
  }
  return NULL;
}

/* The URL of one kind of data is used as it is, that of all has a path for each. */
static bool
read_url (const struct signal *signal, struct push_signal *to, GError **error)
{
  bool is_own;
  g_autofree char *variable = NULL;
  const char *url = value_of (signal, "ENDPOINT", &is_own, &variable);
  if (url == NULL)
    return true;
  if (!g_str_has_prefix (url, "http://") && !g_str_has_prefix (url, "https://"))
    return cli_refuse (error, "%s: http://HOST:PORT or https://HOST:PORT is needed", variable);
  to->url = is_own ? g_strdup (url) : signal->place (url);
  return true;
}

/* There is no other than that of HTTP: another one would be sent what it cannot read. */
static bool
check_protocol (const struct signal *signal, const struct push_signal *of, GError **error)
{
  bool is_own;
  g_autofree char *variable = NULL;
  const char *protocol = value_of (signal, "PROTOCOL", &is_own, &variable);
  return of->url == NULL || protocol == NULL || strcmp (protocol, "http/protobuf") == 0
         || cli_refuse (error, "%s=%s: proflog has http/protobuf only; --url is used with that",
                        variable, protocol);
}

/* A word of a list, without the blanks around it and with its '%' decoded (transfer full); NULL: it
 * is damaged, or would break a header. */
static char *
decode (const char *text, gsize length)
{
  g_autofree char *word = g_strstrip (g_strndup (text, length));
  g_autofree char *decoded = g_uri_unescape_string (word, NULL);
  return decoded != NULL && push_http_is_one_line (decoded) ? g_steal_pointer (&decoded) : NULL;
}

/* Adds names and values of NAME=VALUE,...  The message has no values: they may be secrets. */
static bool
read_pairs (const char *variable, const char *list, GPtrArray *pairs, GError **error)
{
  g_auto (GStrv) items = g_strsplit (list, ",", -1);
  for (char **item = items; *item != NULL; item++) {
    const char *const equals = strchr (*item, '=');
    if (equals == NULL && *g_strstrip (*item) == 0)
      continue;
    g_autofree char *name = equals != NULL ? decode (*item, (gsize) (equals - *item)) : NULL;
    g_autofree char *value = equals != NULL ? decode (equals + 1, strlen (equals + 1)) : NULL;
    if (name == NULL || *name == 0 || value == NULL)
      return cli_refuse (error, "%s: NAME=VALUE,... is needed, with %%XX for other characters",
                         variable);
    g_ptr_array_add (pairs, g_steal_pointer (&name));
    g_ptr_array_add (pairs, g_steal_pointer (&value));
  }
  return true;
}

/* Is it the name of a header: a token of RFC 9110? */
static bool
is_token (const char *name)
{
  static const char others[] = "!#$%&'*+-.^_`|~";
  while (g_ascii_isalnum (*name) || (*name != 0 && strchr (others, *name) != NULL))
    name++;
  return *name == 0;
}

static bool
read_headers (const struct signal *signal, struct push_signal *to, GError **error)
{
  bool is_own;
  g_autofree char *variable = NULL;
  g_autoptr (GPtrArray) pairs = g_ptr_array_new_with_free_func (g_free);
  const char *list = value_of (signal, "HEADERS", &is_own, &variable);
  if (list != NULL && !read_pairs (variable, list, pairs, error))
    return false;
  for (guint i = 0; i < pairs->len; i += 2) {
    if (!is_token (pairs->pdata[i]))
      return cli_refuse (error, "%s: the name of header %u has characters that no name has",
                         variable, i / 2 + 1);
    g_ptr_array_add (to->headers, g_strconcat (pairs->pdata[i], ": ", pairs->pdata[i + 1], NULL));
  }
  return true;
}

static bool
read_signal (const struct signal *signal, struct push_signal *to, GError **error)
{
  to->headers = g_ptr_array_new_with_free_func (g_free);
  return read_url (signal, to, error) && check_protocol (signal, to, error)
         && read_headers (signal, to, error);
}

/* The name of the service has a variable of its own, which comes first. */
static bool
read_attributes (struct push_otel *otel, GError **error)
{
  static const char variable[] = "OTEL_RESOURCE_ATTRIBUTES";
  const char *list = g_getenv (variable), *service = g_getenv ("OTEL_SERVICE_NAME");
  if (list != NULL && !read_pairs (variable, list, otel->attributes, error))
    return false;
  if (service != NULL && *service != 0) {
    g_ptr_array_add (otel->attributes, g_strdup ("service.name"));
    g_ptr_array_add (otel->attributes, g_strdup (service));
  }
  return true;
}

bool
push_otel_read (struct push_otel *otel, GError **error)
{
  *otel = (struct push_otel){ .attributes = g_ptr_array_new_with_free_func (g_free) };
  const char *disabled = g_getenv ("OTEL_SDK_DISABLED");
  otel->is_disabled = disabled != NULL && g_ascii_strcasecmp (disabled, "true") == 0;
  otel->has_no_metrics = g_strcmp0 (g_getenv ("OTEL_METRICS_EXPORTER"), "none") == 0;
  return read_signal (&profiles, &otel->profiles, error)
         && read_signal (&metrics, &otel->metrics, error) && read_attributes (otel, error);
}

static void
clear_signal (struct push_signal *signal)
{
  g_clear_pointer (&signal->url, g_free);
  g_clear_pointer (&signal->headers, g_ptr_array_unref);
}

void
push_otel_clear (struct push_otel *otel)
{
  clear_signal (&otel->profiles);
  clear_signal (&otel->metrics);
  g_clear_pointer (&otel->attributes, g_ptr_array_unref);
}
