"""run-page.py PAGE FOLDER -- runs the commands of a page of the tutorial in FOLDER, in one shell.

What they print is printed, what is wrong on standard error.  Each line that the page shows must be there, in its
order, whatever the numbers and the widths of columns are; "..." stands for any lines.
"""
import os
import re
import subprocess
import sys

MARK = "=== the end of a command ==="


def normal (line):
    line = re.sub (r"0x[0-9a-f]+", "0x#", line)
    line = re.sub (r"(?<= )-(?= )", "#", line)  # in place of a number
    line = re.sub (r"[-+]?\d[\d.,]*( ?(ns|us|ms|s|min|B|kB|MB|GB)\b)?", "#", line)
    # Mono's console throws one in some environments.
    return re.sub (", # exception$", "", " ".join (line.split ()))


def blocks (text):
    """Each command of the page with the lines that follow it, and the number of its line."""
    command, shown, inside = None, [], False
    for number, line in enumerate (text.splitlines (), 1):
        if line.startswith ("```"):
            if command is not None:
                yield number, command, shown
            command, shown, inside = None, [], line == "```console"
        elif inside and line.startswith ("$ "):
            if command is not None:
                yield number, command, shown
            command, shown = line[2:], []
        elif inside:
            shown.append (line)


def run (commands, folder):
    script = "".join ("%s\necho '%s'\n" % (command, MARK) for command in commands)
    script += "kill $(jobs -p) 2>/dev/null; wait\n"
    done = subprocess.run (["bash", "-c", script], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           stdin=subprocess.DEVNULL, timeout=300)
    # A path without a folder is the same file.
    output = done.stdout.decode ("utf-8", "replace").replace (os.path.realpath (folder) + "/", "")
    return output.split (MARK + "\n")[:len (commands)]


def missing (shown, printed):
    """The first line that the page shows and that is not printed where it should be, or None."""
    at, anywhere = 0, False
    for line in shown:
        if line.strip () == "...":
            anywhere = True
            continue
        wanted = normal (line)
        here = [i for i in range (at, len (printed)) if normal (printed[i]) == wanted]
        if not here or (not anywhere and here[0] != at):
            return line
        at, anywhere = here[0] + 1, False
    return None


def report (message):
    print (message, file=sys.stderr)


def main ():
    page, folder = sys.argv[1:3]
    with open (page, encoding="utf-8") as file:
        parts = list (blocks (file.read ()))
    outputs = run ([command for _, command, _ in parts], folder)
    wrong = 0
    for (number, command, shown), output in zip (parts, outputs):
        line = missing (shown, output.splitlines ())
        print ("$ " + command)
        print (output, end="")
        if line is not None:
            wrong += 1
            report ("%s:%d: of '%s' this is not printed: %s" % (page, number, command, line))
    if len (outputs) < len (parts):
        wrong += 1
        report ("%s: only %d of %d commands ended" % (page, len (outputs), len (parts)))
    print ("%d commands, %d wrong" % (len (parts), wrong))
    return wrong != 0


sys.exit (main ())
