/* embedder.c -- a C program that embeds Mono and has the module record it.
 *
 *   embedder OPTIONS ASSEMBLY END [ARGUMENT...]
 *
 * loads the module as --profile=proflog:OPTIONS does (not if OPTIONS is empty) and runs the
 * assembly twice, in two domains one after the other.  END is cleanup (mono_jit_cleanup, then the
 * end of main), return (main ends without it), exit or _exit.  Prints what the program prints, and
 * "domains N".
 */
#include <mono/jit/jit.h>
#include <mono/metadata/appdomain.h>
#include <mono/metadata/assembly.h>
#include <mono/metadata/mono-config.h>
#include <mono/metadata/profiler.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Runs the assembly in a domain of its own.  (It is not unloaded: this Mono comes to grief at that,
 * also without a profiler.) */
static int
run_in_domain (MonoDomain *root, char *file, int argc, char **argv)
{
  static char name[] = "another";
  MonoDomain *domain = mono_domain_create_appdomain (name, NULL);
  if (domain == NULL || !mono_domain_set (domain, 0))
    return -1;
  MonoAssembly *assembly = mono_domain_assembly_open (domain, file);
  const int status = assembly != NULL ? mono_jit_exec (domain, assembly, argc, argv) : -1;
  mono_domain_set (root, 0);
  return status;
}

int
main (int argc, char **argv)
{
  char description[4096];
  if (argc < 4)
    return 2;
  snprintf (description, sizeof description, "proflog:%s", argv[1]);
  if (*argv[1] != 0)
    mono_profiler_load (description);
  mono_config_parse (NULL); /* names of libraries, such as libc */
  MonoDomain *root = mono_jit_init_version ("embedder", "v4.0.30319");
  if (root == NULL)
    return 3;
  int domains = 0;
  for (int i = 0; i < 2; i++)
    domains += run_in_domain (root, argv[2], argc - 3, argv + 3) == 0;
  printf ("domains %d\n", domains);
  fflush (stdout);
  if (strcmp (argv[3], "cleanup") == 0)
    mono_jit_cleanup (root);
  else if (strcmp (argv[3], "exit") == 0)
    exit (0);
  else if (strcmp (argv[3], "_exit") == 0)
    _exit (0);
  return 0;
}
