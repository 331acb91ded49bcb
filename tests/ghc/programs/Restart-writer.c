/* Restart-writer.c -- a writer for the runtime that appends to a file, which its own does not. */
#include <Rts.h>
#include <stdio.h>
#include <string.h>

static const char *path;
static FILE *file;

static void
begin (void)
{
  file = fopen (path, "ab");
}

static bool
write_out (void *bytes, size_t length)
{
  return file != NULL && fwrite (bytes, 1, length, file) == length;
}

static void
flush (void)
{
  if (file != NULL)
    fflush (file);
}

static void
end (void)
{
  if (file != NULL)
    fclose (file);
  file = NULL;
}

static const EventLogWriter writer = { .initEventLogWriter = begin,
                                       .writeEventLog = write_out,
                                       .flushEventLog = flush,
                                       .stopEventLogWriter = end };

void flush_recording (void);
void stop_recording (void);
int append_to (const char *new_path);

/* From 9.2 on the runtime's function has an argument. */
#if __GLASGOW_HASKELL__ >= 902

void
flush_recording (void)
{
  flushEventLog (NULL);
}

#else

void flushEventLog (void);

void
flush_recording (void)
{
  flushEventLog ();
}

#endif

void
stop_recording (void)
{
  endEventLogging ();
}

/* Goes on recording, at the end of this file.  1 if the runtime agrees. */
int
append_to (const char *new_path)
{
  path = strdup (new_path);
  return startEventLogging (&writer);
}
