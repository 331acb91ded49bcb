/* test-ghc-destination.c -- where the eventlog of a GHC program goes: each kind of destination, and
 * those that are refused. */
#include "config.h"

#include "agent/command.h"
#include "ghc/ghc-destination.h"
#include "tests/unit/test.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static char *folder, *before;

/* Each test is in an empty folder. */
static void
enter_folder (void)
{
  before = g_get_current_dir ();
  folder = g_dir_make_tmp ("proflog-destination.XXXXXX", NULL);
  assert_non_null (folder);
  assert_int_equal (g_chdir (folder), 0);
}

static void
leave_folder (void)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    g_remove (name);
  g_dir_close (dir);
  assert_int_equal (g_chdir (before), 0);
  g_rmdir (folder);
  g_free (folder);
  g_free (before);
}

#define FOLDER_TEST(name) TEST_WITH (name, enter_folder, leave_folder)

static void
check_sent (int from, int to)
{
  char text[8] = "";
  assert_int_equal (write (from, "sent", 4), 4);
  assert_int_equal (read (to, text, sizeof text), 4);
  assert_string_equal (text, "sent");
}

static int
connect_to (const char *path)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  const int fd = socket (AF_UNIX, SOCK_STREAM, 0);
  g_strlcpy (address.sun_path, path, sizeof address.sun_path);
  assert_int_equal (connect (fd, (struct sockaddr *) &address, sizeof address), 0);
  return fd;
}

FOLDER_TEST (test_file)
{
  struct ghc_destination d;
  struct stat st;
  char why[256];
  assert_true (ghc_destination_open (&d, "a:b c", why, sizeof why));
  assert_int_equal (d.kind, GHC_DESTINATION_FILE);
  assert_true (d.fd > STDERR_FILENO);
  assert_int_equal (d.listener, -1);
  assert_int_equal (ghc_destination_find_reader (&d), -1);
  assert_int_equal (stat ("a:b c", &st), 0);
  assert_int_equal (st.st_mode & 07777, 0600);
  ghc_destination_close (&d); /* closes a listener, and there is none */
  assert_int_equal (fcntl (d.fd, F_GETFD), FD_CLOEXEC);
  close (d.fd);
  assert_false (ghc_destination_open_other (&d, "a:b c", why, sizeof why));
  assert_string_equal (why, "there is a:b c");
  assert_true (ghc_destination_open_other (&d, "other", why, sizeof why));
  close (d.fd);
}

/* The program's descriptor stays its own. */
FOLDER_TEST (test_descriptor)
{
  int fds[2];
  struct ghc_destination d;
  char why[256];
  assert_int_equal (pipe (fds), 0);
  char *text = g_strdup_printf ("#%d", fds[1]);
  assert_true (ghc_destination_open (&d, text, why, sizeof why));
  assert_int_equal (d.kind, GHC_DESTINATION_FILE);
  assert_int_not_equal (d.fd, fds[1]);
  check_sent (d.fd, fds[0]);
  close (d.fd);
  check_sent (fds[1], fds[0]);
  close (fds[0]);
  close (fds[1]);
  g_free (text);
}

FOLDER_TEST (test_fifo)
{
  struct ghc_destination d;
  char why[256];
  assert_int_equal (mkfifo ("fifo", 0600), 0);
  assert_true (ghc_destination_open (&d, "fifo", why, sizeof why));
  assert_int_equal (d.kind, GHC_DESTINATION_FIFO);
  assert_int_equal (d.fd, -1);
  assert_int_equal (ghc_destination_find_reader (&d), -1);
  assert_false (ghc_destination_open_other (&d, "fifo", why, sizeof why));
  assert_string_equal (why, "fifo: is a FIFO without a reader");
  const int reader = open ("fifo", O_RDONLY | O_NONBLOCK);
  const int fd = ghc_destination_find_reader (&d);
  assert_true (fd > STDERR_FILENO);
  check_sent (fd, reader);
  close (fd);
  assert_true (ghc_destination_open_other (&d, "fifo", why, sizeof why));
  check_sent (d.fd, reader);
  close (d.fd);
  close (reader);
}

/* It listens under a name that holds also in another directory, and is the user's own. */
FOLDER_TEST (test_listen)
{
  struct ghc_destination d;
  struct stat st;
  char why[256];
  assert_true (ghc_destination_open_other (&d, "unix-listen:here", why, sizeof why));
  assert_int_equal (d.kind, GHC_DESTINATION_LISTEN);
  assert_int_equal (d.fd, -1);
  assert_true (g_path_is_absolute (d.path));
  assert_int_equal (stat ("here", &st), 0);
  assert_int_equal (st.st_mode & 07777, 0600);
  assert_int_equal (ghc_destination_find_reader (&d), -1);
  const int reader = connect_to ("here");
  const int fd = ghc_destination_find_reader (&d);
  assert_true (fd > STDERR_FILENO);
  check_sent (fd, reader);
  close (fd);
  close (reader);
  /* There is one already. */
  struct ghc_destination other;
  assert_false (ghc_destination_open (&other, "unix-listen:here", why, sizeof why));
  assert_string_equal (why, "here: Address already in use");
  ghc_destination_close (&d);
  assert_int_equal (d.listener, -1);
  assert_int_not_equal (stat ("here", &st), 0);
}

FOLDER_TEST (test_connect)
{
  struct ghc_destination listener, d;
  char why[256];
  /* The first destination may come later; another one must be there. */
  assert_true (ghc_destination_open (&d, "unix:there", why, sizeof why));
  assert_int_equal (d.kind, GHC_DESTINATION_CONNECT);
  assert_int_equal (ghc_destination_find_reader (&d), -1);
  assert_int_equal (errno, ENOENT);
  assert_false (ghc_destination_open_other (&d, "unix:there", why, sizeof why));
  assert_string_equal (why, "there: No such file or directory");
  assert_true (ghc_destination_open (&listener, "unix-listen:there", why, sizeof why));
  assert_true (ghc_destination_open_other (&d, "unix:there", why, sizeof why));
  const int reader = ghc_destination_find_reader (&listener);
  check_sent (d.fd, reader);
  close (d.fd);
  close (reader);
  ghc_destination_close (&listener);
}

FOLDER_TEST (test_command)
{
  struct ghc_destination d;
  char why[256], outcome[256];
  assert_true (ghc_destination_open (&d, "|tee 'a b'", why, sizeof why));
  assert_int_equal (d.kind, GHC_DESTINATION_FILE);
  assert_true (d.command > 0);
  assert_string_equal (d.path, "tee 'a b'");
  close (d.fd);
  command_wait (d.command, d.path, outcome, sizeof outcome);
  assert_string_equal (outcome, "");
  assert_int_equal (access ("a b", R_OK), 0);
  assert_false (ghc_destination_open (&d, "|no-such-command-anywhere", why, sizeof why));
  assert_int_equal (d.command, 0);
  assert_int_equal (d.fd, -1);
}

/* Each with a message that names it. */
FOLDER_TEST (test_refusals)
{
  char *long_path = g_strnfill (PATH_MAX, 'x'), *long_name = g_strnfill (108, 'x');
  char *long_socket = g_strconcat ("unix-listen:", long_name, NULL);
  char *long_message = g_strconcat (long_name, ": File name too long", NULL);
  char *long_word = g_strnfill (PATH_MAX - 2, 'w');
  char *long_command = g_strconcat ("|", long_word, NULL);
  const struct {
    const char *output, *why;
  } cases[] = {
    { "#", "# is no open descriptor" },
    { "#x", "#x is no open descriptor" },
    { "#1x", "#1x is no open descriptor" },
    { "#-1", "#-1 is no open descriptor" },
    { "#1000000", "#1000000 is no open descriptor" },
    { "#99999999999", "#99999999999 is no open descriptor" },
    { "", ": No such file or directory" },
    { ".", ".: Is a directory" },
    { "no/file", "no/file: No such file or directory" },
    { "link", "link: Too many levels of symbolic links" },
    { long_path, "output: File name too long" },
    { "unix-listen:", ": File name too long" },
    { "unix-listen:no/socket", "no/socket: No such file or directory" },
    { long_socket, long_message },
  };
  assert_int_equal (symlink ("target", "link"), 0);
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    struct ghc_destination d;
    char why[PATH_MAX + 256] = "";
    if (ghc_destination_open (&d, cases[i].output, why, sizeof why))
      fail_msg ("'%s' is accepted", cases[i].output);
    assert_string_equal (why, cases[i].why);
    assert_int_equal (d.fd, -1);
    assert_int_equal (d.listener, -1);
  }
  assert_int_not_equal (access ("target", F_OK), 0);
  struct ghc_destination d;
  char why[PATH_MAX + 256] = "";
  assert_false (ghc_destination_open (&d, long_command, why, sizeof why));
  assert_string_not_equal (why, "");
  g_free (long_command);
  g_free (long_word);
  g_free (long_message);
  g_free (long_socket);
  g_free (long_name);
  g_free (long_path);
}
