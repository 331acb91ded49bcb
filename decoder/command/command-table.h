/* command-table.h -- the commands and their options.
 *
 * A command is a `struct cli_command` in cmd-NAME.c and a line in commands.def.  Its options are
 * rows of tables; help, manual pages, docs/cli.md, suggestions and completion come from these
 * tables.
 */
#ifndef PROFLOG_COMMAND_TABLE_H
#define PROFLOG_COMMAND_TABLE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum cli_kind {
  CLI_FLAG,   /* bool */
  CLI_STRING, /* const char *, borrowed from argv */
  CLI_NUMBER, /* struct cli_number: from `min` to `max` */
  CLI_TIME,   /* struct cli_number, in ns: seconds, or a number with a unit */
  CLI_CHOICE, /* unsigned, or an enum: the value of one of `choices` */
  CLI_PARSED, /* any type: `parse` stores it; it may be repeated */
  CLI_HELP,
  CLI_VERSION,
  CLI_ALIAS,   /* hidden: an old name of the option that `help` names */
  CLI_REFUSED, /* hidden: `help` is the reason for its refusal */
};

struct cli_number {
  bool is_set;
  uint64_t value;
};

struct cli_choice {
  const char *name; /* NULL ends the list */
  unsigned value;
  bool is_hidden; /* another name of a choice */
};

struct cli_command;

/* Adds the values that an argument may have (const char *, borrowed from static data) to `names`.
 */
typedef void cli_list_function (const struct cli_command *command, GPtrArray *names);

struct cli_option {
  const char *name; /* without the dashes; NULL ends a table */
  char letter;      /* of the short option; 0: none */
  enum cli_kind kind;
  const char *argument; /* in the help; NULL: none */
  const char *help;     /* a sentence without a full stop */
  size_t offset;        /* of the field that gets the value */
  const struct cli_choice *choices;
  uint64_t min, max;
  const char *needed; /* NUMBER, TIME: "a number of rows is needed" */
  bool (*parse) (void *field, const char *text, GError **error); /* text NULL: no argument */
  cli_list_function *list;                                       /* NULL: no fixed values */
  bool is_optional;    /* the argument, which is then given as --NAME=VALUE only */
  bool is_hidden;      /* not in the help */
  unsigned sets;       /* 0, or the option is for commands whose `selects` has one of these */
  const char *selects; /* for that: data that other commands do not show */
};

/* A table of options, whose fields are in a struct at `base` of the command's values. */
struct cli_options {
  const struct cli_option *table; /* NULL ends the list */
  size_t base;
};

#define CLI_TABLES_MAX 16

/* A command line that works as it is; tests/cli/test-cli-examples.sh runs each. */
struct cli_example {
  const char *purpose; /* a sentence without a full stop; NULL ends the list */
  const char *line;    /* for a shell, 78 columns at most */
};

#define CLI_EXAMPLES(...) ((const struct cli_example[]){ __VA_ARGS__, { NULL, NULL } })

/* How `proflog --help` groups the commands. */
enum cli_group { CLI_RECORD, CLI_INSPECT, CLI_HEAP, CLI_LIVE, CLI_CONVERT, CLI_GROUPS };

#define CLI_MORE "\f"

struct cli_command {
  const char *name;
  enum cli_group group;
  const char *summary;    /* begins in lower case, without a full stop */
  const char *parameters; /* for the line of usage ("": none); '\n' begins another */
  /* Paragraphs, and lists of lines as "  NAME  text": the help wraps both.  The text after CLI_MORE
   * is in `proflog help COMMAND` and the manual page only, as is that which `describe` appends
   * then. */
  const char *description;
  /* Appends the part of the description that is made from lists; NULL: nothing. */
  void (*describe) (const struct cli_command *command, GString *text);
  const struct cli_example *examples;
  struct cli_options options[CLI_TABLES_MAX];
  cli_list_function *words;   /* fixed values of arguments, such as the verbs of ctl; NULL: none */
  cli_list_function *columns; /* of the command's tables, for --sort and --fields; NULL: none */
  unsigned selects;           /* enum log_selects */
  bool is_posix;              /* options end at the first argument */
  const void *data;           /* of `run`, `describe` and `list` */
  /* Gets its own arguments; argv[0] is its name.  Returns the exit status. */
  int (*run) (const struct cli_command *command, int argc, char **argv);
};

/* The commands of this program up to NULL, for code that lists or finds them: its main sets it, to
 * cli_command_list or to others. */
extern const struct cli_command *const *cli_commands;

/* NULL if there is none of this name. */
const struct cli_command *cli_find_command (const char *name);

/* The option of this number, of those of a command and those of all commands; NULL after the last.
 * *base is that of its table. */
const struct cli_option *cli_option_at (const struct cli_command *command, guint index,
                                        size_t *base);

/* The option of a command with this name; NULL if it has none.  *base is that of its table. */
const struct cli_option *cli_find_option (const struct cli_command *command, const char *name,
                                          size_t *base);

/* The option of a command with this letter, which is not 0; likewise. */
const struct cli_option *cli_find_letter (const struct cli_command *command, char letter,
                                          size_t *base);

/* Can the option have an argument? */
bool cli_option_has_argument (const struct cli_option *option);

/* Is the option for this command? */
bool cli_option_applies (const struct cli_command *command, const struct cli_option *option);

/* Is the option for this command, and in its help? */
bool cli_option_is_listed (const struct cli_command *command, const struct cli_option *option);

/* Adds the names of an option's values to `names`: choices or its list. */
void cli_option_values (const struct cli_command *command, const struct cli_option *option,
                        GPtrArray *names);

/* "a, b and c" (transfer full). */
char *cli_join (const GPtrArray *names);

/* Fails with G_OPTION_ERROR: "OPTION TEXT: there are A, B and C; did you mean A?".  Returns false.
 */
bool cli_refuse_value (GError **error, const char *option, const char *text,
                       const GPtrArray *names);

/* Fails with G_OPTION_ERROR and a message.  Returns false. */
bool cli_refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

#endif
