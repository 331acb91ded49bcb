/* push-http.c -- reads credentials; libcurl's requests, and when they are repeated. */
#include "config.h"

#include "decoder/push/push-http.h"
#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* ---- secrets ---- */

enum { FILE_BYTES = 1 << 16 };

/* The field of a name; NULL: there is none. */
static char **
field_of (struct push_secret *secret, const char *name)
{
  return strcmp (name, "user") == 0       ? &secret->user
         : strcmp (name, "password") == 0 ? &secret->password
         : strcmp (name, "token") == 0    ? &secret->token
         : strcmp (name, "key") == 0      ? &secret->key
                                          : NULL;
}

static bool
refuse (GError **error, const char *path, const char *problem)
{
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", path, problem);
  return false;
}

bool
push_http_is_one_line (const char *text)
{
  for (; *text != 0; text++)
    if (g_ascii_iscntrl (*text))
      return false;
  return true;
}

static bool
parse_line (struct push_secret *secret, const char *path, guint number, char *line, GError **error)
{
  if (*g_strstrip (line) == 0 || *line == '#')
    return true;
  char *const value = strchr (line, '=');
  if (value != NULL)
    *value = 0;
  char **const field = field_of (secret, line);
  if (value == NULL || field == NULL || !push_http_is_one_line (value + 1)) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                 "%s: line %u: user=, password=, token= or key= is needed", path, number);
    return false;
  }
  g_free (*field);
  *field = g_strdup (value + 1);
  return true;
}

static bool
parse (struct push_secret *secret, const char *path, char *text, GError **error)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (!parse_line (secret, path, i + 1, lines[i], error))
      return false;
  return true;
}

static bool
read_file (struct push_secret *secret, const char *path, GError **error)
{
  struct stat state;
  char text[FILE_BYTES];
  const int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0)
    return refuse (error, path, g_strerror (errno));
  const bool is_private
      = fstat (fd, &state) == 0 && (!S_ISREG (state.st_mode) || (state.st_mode & 077) == 0);
  const ssize_t length = read (fd, text, sizeof text - 1);
  const int read_errno = errno;
  close (fd);
  if (!is_private)
    return refuse (error, path, "other users can read it: chmod 600 is needed");
  if (length < 0)
    return refuse (error, path, g_strerror (read_errno));
  text[length] = 0;
  const bool good = parse (secret, path, text, error);
  memset (text, 0, sizeof text);
  return good;
}

static bool
read_environment (struct push_secret *secret, GError **error)
{
  static const char *const names[] = { "user", "password", "token", "key" };
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *upper = g_ascii_strup (names[i], -1);
    g_autofree char *variable = g_strconcat ("PROFLOG_PUSH_", upper, NULL);
    const char *value = g_getenv (variable);
    if (value != NULL && !push_http_is_one_line (value))
      return refuse (error, variable, "it has more than one line");
    *field_of (secret, names[i]) = g_strdup (value);
  }
  return true;
}

bool
push_secret_read (struct push_secret *secret, const char *path, GError **error)
{
  *secret = (struct push_secret){ NULL, NULL, NULL, NULL };
  if (!(path != NULL ? read_file (secret, path, error) : read_environment (secret, error)))
    return false;
  if (secret->token != NULL && *secret->token == 0)
    return refuse (error, path != NULL ? path : "PROFLOG_PUSH_TOKEN", "the token is empty");
  return true;
}

void
push_secret_clear (struct push_secret *secret)
{
  g_free (secret->user);
  g_free (secret->password);
  g_free (secret->token);
  g_free (secret->key);
}

/* ---- requests ---- */

enum {
  ANSWER_BYTES = 16 << 20, /* the rest of a longer one is an error */
  MESSAGE_BYTES = 300,
  FIRST_WAIT_US = 100000,
  LONGEST_WAIT_US = 5000000,
  CONNECT_MS = 10000,
  SLOW_SECONDS = 60, /* a connection without a byte */
};

struct push_http {
  CURL *curl;
  uint64_t patience;
  char *authorization; /* a header; NULL: none */
  GString *packed;
  uint64_t sent;
};

struct push_http *
push_http_new (const struct push_secret *secret, uint64_t patience)
{
  struct push_http *http = g_new0 (struct push_http, 1);
  curl_global_init (CURL_GLOBAL_DEFAULT);
  http->curl = curl_easy_init ();
  http->patience = patience;
  http->packed = g_string_new (NULL);
  if (secret->token != NULL)
    http->authorization = g_strconcat ("Authorization: Bearer ", secret->token, NULL);
  if (http->curl != NULL && secret->token == NULL && secret->user != NULL) {
    curl_easy_setopt (http->curl, CURLOPT_USERNAME, secret->user);
    curl_easy_setopt (http->curl, CURLOPT_PASSWORD,
                      secret->password != NULL ? secret->password : "");
  }
  return http;
}

void
push_http_free (struct push_http *http)
{
  if (http->curl != NULL)
    curl_easy_cleanup (http->curl);
  g_string_free (http->packed, TRUE);
  g_free (http->authorization);
  g_free (http);
}

/* ---- one request ---- */

static size_t
take_answer (char *bytes, size_t size, size_t n, void *data)
{
  GString *answer = data;
  if (answer->len + size * n > ANSWER_BYTES)
    return 0;
  g_string_append_len (answer, bytes, (gssize) (size * n));
  return size * n;
}

/* False: there is no memory for it. */
static bool
pack (struct push_http *http, const struct push_request *request)
{
  z_stream stream = { 0 };
  const int window_and_gzip = 15 + 16;
  if (deflateInit2 (&stream, Z_BEST_SPEED, Z_DEFLATED, window_and_gzip, 8, Z_DEFAULT_STRATEGY)
      != Z_OK)
    return false;
  g_string_set_size (http->packed, deflateBound (&stream, request->length));
  stream.next_in = (Bytef *) (uintptr_t) request->bytes;
  stream.avail_in = (uInt) request->length;
  stream.next_out = (Bytef *) http->packed->str;
  stream.avail_out = (uInt) http->packed->len;
  const bool good = deflate (&stream, Z_FINISH) == Z_STREAM_END;
  g_string_set_size (http->packed, stream.total_out);
  deflateEnd (&stream);
  return good;
}

static struct curl_slist *
make_headers (const struct push_http *http, const struct push_request *request, bool is_packed)
{
  struct curl_slist *list = curl_slist_append (NULL, "Expect:"); /* no round trip before the body */
  for (const char *const *header = request->headers; header != NULL && *header != NULL; header++)
    list = curl_slist_append (list, *header);
  if (http->authorization != NULL)
    list = curl_slist_append (list, http->authorization);
  if (is_packed)
    list = curl_slist_append (list, "Content-Encoding: gzip");
  return list;
}

/* The first line of an answer, printable (transfer full). */
static char *
first_line (const GString *answer)
{
  const size_t length = MIN (strcspn (answer->str, "\r\n"), MESSAGE_BYTES);
  g_autofree char *line = g_utf8_make_valid (answer->str, (gssize) length);
  for (char *c = line; *c != 0; c++)
    if (g_ascii_iscntrl (*c))
      *c = ' ';
  return g_steal_pointer (&line);
}

/* A server that is busy or starts, or another one in front of it that does not reach it. */
static bool
is_temporary (long code)
{
  return code == 408 || code == 425 || code == 429 || code == 502 || code == 503 || code == 504;
}

static enum push_outcome
judge (struct push_http *http, const char *url, CURLcode result, const GString *answer,
       GError **error)
{
  long code = 0;
  curl_easy_getinfo (http->curl, CURLINFO_RESPONSE_CODE, &code);
  if (result == CURLE_OK && code >= 200 && code < 300)
    return PUSH_DONE;
  if (result == CURLE_OK) {
    g_autofree char *line = first_line (answer);
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s answered with status %ld: %s", url,
                 code, *line != 0 ? line : "nothing else");
    return is_temporary (code) ? PUSH_UNSURE : PUSH_REFUSED;
  }
  const bool is_hopeless = result == CURLE_UNSUPPORTED_PROTOCOL || result == CURLE_URL_MALFORMAT
                           || result == CURLE_PEER_FAILED_VERIFICATION
                           || result == CURLE_WRITE_ERROR;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", url,
               result == CURLE_WRITE_ERROR ? "its answer is too long"
                                           : curl_easy_strerror (result));
  return is_hopeless ? PUSH_REFUSED : PUSH_UNSURE;
}

/* The part of a URL that messages show: without the statement. */
static char *
shown_url (const char *url)
{
  const size_t length = strcspn (url, "?");
  return g_strndup (url, length);
}

enum push_outcome
push_http_post (struct push_http *http, const struct push_request *request, GString *answer,
                GError **error)
{
  CURL *curl = http->curl;
  if (curl == NULL) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "libcurl cannot be used");
    return PUSH_REFUSED;
  }
  const bool is_packed = request->compress && pack (http, request);
  struct curl_slist *headers = make_headers (http, request, is_packed);
  g_autofree char *url = shown_url (request->url);
  g_string_truncate (answer, 0);
  curl_easy_setopt (curl, CURLOPT_URL, request->url);
  curl_easy_setopt (curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt (curl, CURLOPT_POST, 1L);
  curl_easy_setopt (curl, CURLOPT_POSTFIELDS, is_packed ? http->packed->str : request->bytes);
  curl_easy_setopt (curl, CURLOPT_POSTFIELDSIZE_LARGE,
                    (curl_off_t) (is_packed ? http->packed->len : request->length));
  curl_easy_setopt (curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt (curl, CURLOPT_WRITEFUNCTION, take_answer);
  curl_easy_setopt (curl, CURLOPT_WRITEDATA, answer);
  curl_easy_setopt (curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt (curl, CURLOPT_CONNECTTIMEOUT_MS, (long) CONNECT_MS);
  curl_easy_setopt (curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt (curl, CURLOPT_LOW_SPEED_TIME,
                    (long) CLAMP (http->patience / 1000000000, 1, SLOW_SECONDS));
  curl_easy_setopt (curl, CURLOPT_USERAGENT, PACKAGE_NAME "/" PACKAGE_VERSION);
  const CURLcode result = curl_easy_perform (curl);
  curl_off_t sent = 0;
  curl_easy_getinfo (curl, CURLINFO_SIZE_UPLOAD_T, &sent);
  http->sent += (uint64_t) sent;
  curl_slist_free_all (headers);
  return judge (http, url, result, answer, error);
}

/* ---- repetition ---- */

void
push_wait_begin (struct push_wait *wait, const struct push_http *http)
{
  wait->pause = FIRST_WAIT_US;
  wait->deadline = g_get_monotonic_time () + (gint64) (http->patience / 1000);
}

enum push_outcome
push_wait_after (struct push_wait *wait, enum push_outcome outcome, GError **problem,
                 GError **error)
{
  const gint64 left = wait->deadline - g_get_monotonic_time ();
  if (outcome == PUSH_DONE)
    return PUSH_DONE;
  if (outcome == PUSH_REFUSED || left <= 0) {
    g_propagate_error (error, g_steal_pointer (problem));
    return PUSH_REFUSED;
  }
  g_clear_error (problem);
  g_usleep ((gulong) MIN (left, wait->pause));
  wait->pause = MIN (wait->pause * 2, LONGEST_WAIT_US);
  return PUSH_UNSURE;
}

bool
push_http_repeat (struct push_http *http, const struct push_request *request, GString *answer,
                  GError **error)
{
  struct push_wait wait;
  enum push_outcome outcome;
  push_wait_begin (&wait, http);
  do {
    GError *problem = NULL;
    outcome = push_http_post (http, request, answer, &problem);
    outcome = push_wait_after (&wait, outcome, &problem, error);
  } while (outcome == PUSH_UNSURE);
  return outcome == PUSH_DONE;
}

uint64_t
push_http_sent (const struct push_http *http)
{
  return http->sent;
}
