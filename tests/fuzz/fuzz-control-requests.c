/* fuzz-control-requests.c -- any text as a request at the control socket: the reply is whole, and
 * JSON if that is requested.  The verbs are stand-ins that give back their arguments, and parse
 * those of `set`. */
#include "config.h"

#include "agent/requests.h"
#include "tests/fuzz/fuzz.h"
#include <proflog/module-options.h>

static void
echo (struct reply *reply, size_t count, char **words)
{
  reply_number (reply, "count", count);
  reply_list (reply, "words");
  for (size_t i = 0; i < count; i++) {
    reply_row (reply);
    reply_text (reply, "word", words[i]);
    reply_bool (reply, "empty", *words[i] == 0);
    reply_id (reply, "length", strlen (words[i]));
    reply_end_row (reply);
  }
  reply_end_list (reply);
}

static void
set (struct reply *reply, size_t count, char **words)
{
  struct proflog_heapshot_mode heapshot;
  struct proflog_calls_mode calls;
  for (size_t i = 0; i < count; i++) {
    if (proflog_parse_heapshot (words[i], &heapshot))
      reply_number (reply, "heapshot", heapshot.interval);
    else if (proflog_parse_calls (words[i], &calls))
      reply_number (reply, "calls", calls.threshold_ns);
    else
      reply_error (reply, PROFLOG_CONTROL_USAGE, "'%s' is none", words[i]);
  }
}

static const struct control_verb list[] = { { "echo", 0, CONTROL_WORDS_MAX, echo },
                                            { "none", 0, 0, echo },
                                            { "two", 2, 2, echo },
                                            { "mark", 1, CONTROL_TEXT, echo },
                                            { "set", 1, CONTROL_WORDS_MAX, set } };
static const struct control_verbs verbs = { list, G_N_ELEMENTS (list) };

/* Quotes that are open, and braces: those between quotes do not count. */
static void
check_json (const struct reply *reply)
{
  int depth = 0;
  bool is_quoted = false;
  for (size_t i = 0; i < reply->length; i++) {
    const char c = reply->text[i];
    if (is_quoted && c == '\\')
      i++;
    else if (c == '"')
      is_quoted = !is_quoted;
    else if (!is_quoted)
      depth += (c == '{' || c == '[') - (c == '}' || c == ']');
    else if ((unsigned char) c < ' ')
      g_error ("a control character is in a text of the reply");
  }
  if (depth != 0 || is_quoted)
    g_error ("the reply is not JSON: %s", reply->text);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  char request[PROFLOG_CONTROL_REQUEST_MAX];
  const size_t length = MIN (size, sizeof request - 1);
  struct reply reply = { .json = size % 2 == 0 };
  memcpy (request, data, length);
  request[length] = 0;
  control_dispatch (&verbs, request, &reply);
  reply_finish (&reply);
  if (reply.text != NULL && reply.json)
    check_json (&reply);
  reply_clear (&reply);
  return 0;
}
