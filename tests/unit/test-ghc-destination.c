/* test-ghc-destination.c -- where an eventlog goes, and the places where it cannot go. */
#include "config.h"

#include "ghc/ghc-destination.h"
#include "tests/unit/test.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

struct place {
  char *folder;
  char *path; /* in it */
};

static struct place
make_place (const char *name)
{
  struct place p = { .folder = g_dir_make_tmp ("destination-XXXXXX", NULL) };
  assert_non_null (p.folder);
  p.path = g_build_filename (p.folder, name, NULL);
  return p;
}

static void
remove_place (struct place *p)
{
  g_unlink (p->path);
  assert_int_equal (g_rmdir (p->folder), 0);
  g_free (p->path);
  g_free (p->folder);
}

/* The message with which a destination is refused, at first and as a later one. */
static void
refused (const char *output, const char *message)
{
  struct ghc_destination d;
  char why[4 * PATH_MAX] = "";
  assert_false (ghc_destination_open (&d, output, why, sizeof why));
  assert_non_null (strstr (why, message));
  assert_int_equal (d.fd, -1);
  assert_int_equal (d.listener, -1);
  why[0] = 0;
  assert_false (ghc_destination_open_other (&d, output, why, sizeof why));
  assert_non_null (strstr (why, message));
}

TEST (test_refused)
{
  char *long_path = g_strnfill (PATH_MAX, 'x');
  g_autofree char *long_socket = g_strdup_printf ("unix-listen:/tmp/%.120s", long_path);
  g_autofree char *long_command = g_strdup_printf ("|cat %s", long_path);
  refused ("#", "# is no open descriptor");
  refused ("#x", "#x is no open descriptor");
  refused ("#1x", "#1x is no open descriptor");
  refused ("#-1", "#-1 is no open descriptor");
  refused ("#99999999999", "is no open descriptor");
  refused ("#1000000", "#1000000 is no open descriptor");
  refused ("/no/such/folder/log", "/no/such/folder/log: No such file or directory");
  refused ("/", "/: Is a directory");
  refused ("unix-listen:", ": File name too long");
  refused ("unix-listen:/no/such/folder/socket", "/no/such/folder/socket: No such file");
  refused (long_socket, ": File name too long");
  refused (long_path, "output: File name too long");
  refused (long_command, "output: an argument is longer than ");
  refused ("|", "a command is missing");
  refused ("|/no/such/program", "No such file or directory");
  g_free (long_path);
}

/* What is there stays: another's socket, a link, as a later destination a file. */
TEST (test_occupied)
{
  struct ghc_destination d, second;
  char why[4 * PATH_MAX];
  struct place p = make_place ("socket");
  g_autofree char *listen = g_strconcat ("unix-listen:", p.path, NULL);
  assert_true (ghc_destination_open (&d, listen, why, sizeof why));
  assert_true (d.listener > STDERR_FILENO);
  assert_false (ghc_destination_open (&second, listen, why, sizeof why));
  assert_non_null (strstr (why, "Address already in use"));
  ghc_destination_close (&d);
  ghc_destination_close (&d);
  assert_int_equal (access (p.path, F_OK), -1);
  assert_int_equal (symlink ("/etc/passwd", p.path), 0);
  assert_false (ghc_destination_open (&d, p.path, why, sizeof why));
  assert_non_null (strstr (why, "symbolic links"));
  g_unlink (p.path);
  assert_true (g_file_set_contents (p.path, "a log", -1, NULL));
  assert_false (ghc_destination_open_other (&d, p.path, why, sizeof why));
  assert_non_null (strstr (why, "there is "));
  char *contents;
  assert_true (g_file_get_contents (p.path, &contents, NULL, NULL));
  assert_string_equal (contents, "a log");
  g_free (contents);
  /* The first one replaces a file. */
  assert_true (ghc_destination_open (&d, p.path, why, sizeof why));
  assert_int_equal (ghc_destination_find_reader (&d), -1);
  struct stat st;
  assert_int_equal (fstat (d.fd, &st), 0);
  assert_int_equal (st.st_size, 0);
  close (d.fd);
  remove_place (&p);
}

TEST (test_reader_of_socket)
{
  struct ghc_destination d, client;
  char why[4 * PATH_MAX];
  struct place p = make_place ("socket");
  g_autofree char *listen = g_strconcat ("unix-listen:", p.path, NULL);
  g_autofree char *connect = g_strconcat ("unix:", p.path, NULL);
  assert_true (ghc_destination_open (&client, connect, why, sizeof why));
  assert_int_equal (ghc_destination_find_reader (&client), -1); /* nothing listens */
  assert_int_equal (errno, ENOENT);
  assert_false (ghc_destination_open_other (&client, connect, why, sizeof why));
  assert_non_null (strstr (why, "No such file or directory"));
  assert_true (ghc_destination_open (&d, listen, why, sizeof why));
  struct stat st;
  assert_int_equal (stat (p.path, &st), 0);
  assert_int_equal (st.st_mode & 0777, 0600);
  assert_int_equal (ghc_destination_find_reader (&d), -1);
  assert_int_equal (errno, EAGAIN);
  assert_true (ghc_destination_open_other (&client, connect, why, sizeof why));
  const int reader = ghc_destination_find_reader (&d);
  assert_true (reader > STDERR_FILENO);
  char text[8] = "";
  assert_int_equal (write (reader, "ab", 2), 2);
  assert_int_equal (read (client.fd, text, sizeof text), 2);
  assert_string_equal (text, "ab");
  close (reader);
  close (client.fd);
  ghc_destination_close (&d);
  remove_place (&p);
}

TEST (test_reader_of_fifo)
{
  struct ghc_destination d;
  char why[4 * PATH_MAX];
  struct place p = make_place ("fifo");
  assert_int_equal (mkfifo (p.path, 0600), 0);
  assert_true (ghc_destination_open (&d, p.path, why, sizeof why));
  assert_int_equal (d.kind, GHC_DESTINATION_FIFO);
  assert_int_equal (ghc_destination_find_reader (&d), -1);
  assert_int_equal (errno, ENXIO);
  assert_false (ghc_destination_open_other (&d, p.path, why, sizeof why));
  assert_non_null (strstr (why, "is a FIFO without a reader"));
  const int reader = open (p.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  assert_true (ghc_destination_open_other (&d, p.path, why, sizeof why));
  assert_true (d.fd > STDERR_FILENO);
  close (d.fd);
  close (reader);
  remove_place (&p);
}

/* A copy: the program's own descriptor stays open. */
TEST (test_descriptor)
{
  struct ghc_destination d;
  char why[4 * PATH_MAX];
  int ends[2];
  assert_int_equal (pipe (ends), 0);
  g_autofree char *output = g_strdup_printf ("#%d", ends[1]);
  assert_true (ghc_destination_open (&d, output, why, sizeof why));
  assert_int_not_equal (d.fd, ends[1]);
  close (d.fd);
  assert_int_equal (write (ends[1], "x", 1), 1);
  close (ends[0]);
  close (ends[1]);
}
