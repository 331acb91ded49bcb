/* remote-process.c -- the files and the memory of another process. */
#include "config.h"

#include "decoder/attach/remote-process.h"
#include "decoder/core/elf-file.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>

static void
clear_file (gpointer data)
{
  g_free (((struct remote_file *) data)->path);
}

/* A line of /proc/PID/maps: "START-END rights offset device inode   PATH".  Of a process that has
 * called chroot, the kernel states paths below this process's root: `root` is then to be left out.
 */
static void
add_mapping (struct remote_process *p, const char *root, const char *line)
{
  uint64_t start, end, offset;
  int path_at = 0;
  if (sscanf (line,
              "%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x %*s %" G_GINT64_MODIFIER
              "x %*s %*s %n",
              &start, &end, &offset, &path_at)
          != 3
      || line[path_at] != '/')
    return;
  const char *path = line + path_at;
  if (g_str_has_prefix (path, root) && path[strlen (root)] == '/')
    path += strlen (root);
  struct remote_file *last = p->files->len != 0
                                 ? &g_array_index (p->files, struct remote_file, p->files->len - 1)
                                 : NULL;
  if (last != NULL && strcmp (last->path, path) == 0) {
    last->end = end;
  } else if (offset == 0) {
    const struct remote_file file = { g_strdup (path), start, end };
    g_array_append_val (p->files, file);
  }
}

bool
remote_process_open (struct remote_process *p, long pid, GError **error)
{
  g_autofree char *path = g_strdup_printf ("/proc/%ld/maps", pid);
  g_autofree char *text = NULL;
  *p = (struct remote_process){ .pid = pid };
  if (!g_file_get_contents (path, &text, NULL, error))
    return false;
  g_autofree char *root_link = g_strdup_printf ("/proc/%ld/root", pid);
  g_autofree char *root = g_file_read_link (root_link, NULL);
  p->files = g_array_new (FALSE, FALSE, sizeof (struct remote_file));
  g_array_set_clear_func (p->files, clear_file);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    add_mapping (p, root != NULL ? root : "", *line);
  return true;
}

void
remote_process_close (struct remote_process *p)
{
  g_clear_pointer (&p->files, g_array_unref);
}

char *
remote_process_path (const struct remote_process *p, const char *path)
{
  return g_strdup_printf ("/proc/%ld/root%s", p->pid, path);
}

bool
remote_process_find_export (const struct remote_process *p, const char *name, const char *symbol,
                            uint64_t *address)
{
  for (guint i = 0; i < p->files->len; i++) {
    const struct remote_file *file = &g_array_index (p->files, struct remote_file, i);
    g_autofree char *base = g_path_get_basename (file->path);
    g_autofree char *path = remote_process_path (p, file->path);
    struct elf_file elf;
    uint64_t offset;
    if (!g_str_has_prefix (base, name) || !elf_file_open (&elf, path))
      continue;
    const bool found = elf_file_find_export (&elf, symbol, &offset);
    elf_file_close (&elf);
    if (found) {
      *address = file->start + offset;
      return true;
    }
  }
  return false;
}

bool
remote_process_read (const struct remote_process *p, uint64_t address, void *to, size_t length)
{
  const struct iovec here = { to, length }, there = { (void *) (uintptr_t) address, length };
  const ssize_t done = process_vm_readv ((pid_t) p->pid, &here, 1, &there, 1, 0);
  if (done >= 0 && (size_t) done != length)
    errno = EFAULT;
  return done >= 0 && (size_t) done == length;
}

bool
remote_process_write (const struct remote_process *p, uint64_t address, const void *from,
                      size_t length)
{
  const struct iovec here = { (void *) (uintptr_t) from, length },
                     there = { (void *) (uintptr_t) address, length };
  const ssize_t done = process_vm_writev ((pid_t) p->pid, &here, 1, &there, 1, 0);
  if (done >= 0 && (size_t) done != length)
    errno = EFAULT;
  return done >= 0 && (size_t) done == length;
}
