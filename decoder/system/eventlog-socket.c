/* eventlog-socket.c -- builds the bytes of the commands of eventlog-socket. */
#include "config.h"

#include "decoder/system/eventlog-socket.h"
#include <string.h>

static const guint8 magic[] = { 0xf0, 0x9e, 0x97, 0x8c };

enum { PROTOCOL_VERSION = 0, SPACE_MAX = 255, COMMAND_MAX = 255 };

#define OWN_SPACE "eventlog-socket"

/* In the order of their numbers, from 1 on. */
static const char *const names[] = {
  "start-logging", "stop-logging", "start-heap-profile", "stop-heap-profile", "heap-census",
};

static void
append_command (GByteArray *bytes, const char *space, gsize length, guint number)
{
  const guint8 version = PROTOCOL_VERSION, size = (guint8) length, command = (guint8) number;
  g_byte_array_append (bytes, magic, sizeof magic);
  g_byte_array_append (bytes, &version, 1);
  g_byte_array_append (bytes, &size, 1);
  g_byte_array_append (bytes, (const guint8 *) space, (guint) length);
  g_byte_array_append (bytes, &command, 1);
}

bool
eventlog_socket_command (GByteArray *bytes, const char *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (text, names[i]) == 0) {
      append_command (bytes, OWN_SPACE, strlen (OWN_SPACE), i + 1);
      return true;
    }
  const char *colon = strrchr (text, ':');
  guint64 number;
  if (colon == NULL || colon == text || colon - text > SPACE_MAX
      || !g_ascii_string_to_unsigned (colon + 1, 10, 0, COMMAND_MAX, &number, NULL))
    return false;
  append_command (bytes, text, (gsize) (colon - text), (guint) number);
  return true;
}

const char *
eventlog_socket_names (void)
{
  return "start-logging, stop-logging, start-heap-profile, stop-heap-profile, heap-census";
}
