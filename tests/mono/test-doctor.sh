#!/bin/sh
# proflog doctor: each check is as the machine is, and the line below one that is missing mends it.
. "${srcdir:-.}/tests/mono/lib.sh"
unset LD_LIBRARY_PATH
use_runtime_dir
file=libmono-profiler-proflog.so
mkdir "$work/bin" "$work/empty"

# doctor [COMMAND...] VARIABLE=VALUE...: what it prints is in out, and its status is 1 if something is missing.
doctor ()
{
  env "$@" "$proflog" doctor >"$work/out" 2>"$work/err"
  status=$?
  quiet "$work/err"
  wanted=0
  ! grep -q '^missing  ' "$work/out" || wanted=1
  test "$status" = "$wanted" || fail "doctor ended with $status, not $wanted"
  # Lines of checks, aligned, and lines that mend them below those that are missing.
  awk '/^(ok|missing|none) / {
         if (length > 80 || substr ($0, 1, 9) !~ /  $/ || substr ($0, 10, 1) == " ") exit 1
         match (substr ($0, 10), /  +/)
         at = 10 + RSTART - 1 + RLENGTH
         if (column != "" && at != column) exit 1
         column = at; missing = /^missing/; n++; next
       }
       !/^ *[^ ]/ || substr ($0, 1, 9) != "         " || !missing { exit 1 }
       END { if (n < 6) exit 1 }' "$work/out" || fail "the lines are not aligned, or not of checks"
  checks=$((checks + 1))
}

# is STATE CHECK [TEXT]: a check has this state, and its line the text.
is ()
{
  grep "^$1  *$2  " "$work/out" >"$work/line" || fail "$2 is not $1"
  test $# -lt 3 || says "$work/line" "$3"
  checks=$((checks + 1))
}

# mends CHECK TEXT: the line that mends it is this one; it is in $mend.
mends ()
{
  mend=$(grep -A 1 "^missing  $1  " "$work/out" | sed -n '2s/^         //p')
  test "$mend" = "$2" || fail "$1 is mended by '$mend', not by '$2'"
  checks=$((checks + 1))
}

# ---- Mono and the module ----

case="versions"
echo "case: $case"
doctor
version=$(mono --version | sed -n '1s/.* version \([^ ]*\).*/\1/p')
is ok Mono "$version, $(command -v mono)"
! has ghc || is ok GHC "$(ghc --numeric-version), $(command -v ghc)"
is ok module "in "
is ok 'module loads' "in $(command -v mono)"
is ok 'control directory'

case="as Mono finds the module"
echo "case: $case"
# finds: the judge.  It prints its help if it is loaded.
finds ()
{
  mono --profile=proflog:help program.exe 2>/dev/null | grep -q "^proflog records"
}
if finds; then
  is ok 'module for Mono'
else
  is missing 'module for Mono'
  mends 'module for Mono' "export LD_LIBRARY_PATH=$module_dir\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
  for before in '' "$work/empty"; do
    (
      test -z "$before" || export "LD_LIBRARY_PATH=$before"
      eval "$mend"
      finds || fail "Mono does not find it then"
      doctor
      is ok 'module for Mono' 'Mono finds it'
    ) || exit 1
  done
  LD_LIBRARY_PATH="$work/empty;$module_dir"
  export LD_LIBRARY_PATH
  finds || fail "Mono does not find it after a semicolon"
  doctor
  is ok 'module for Mono' 'Mono finds it'
  unset LD_LIBRARY_PATH
  ln -s "$module" "$work/empty/$file.0"
  doctor "LD_LIBRARY_PATH=$work/empty"
  is missing 'module for Mono'
fi

case="beside Mono, and in the linker's cache"
echo "case: $case"
mkdir -p "$work/mono/bin" "$work/mono/lib"
cat >"$work/mono/bin/mono" <<'END'
#!/bin/sh
echo "Mono JIT compiler version 6.12.0.1 (tarball)"
END
cat >"$work/bin/ldconfig" <<END
#!/bin/sh
case \$1 in
  -p) cat "$work/cache" ;;
  *) cat "$work/configured" ;;
esac
END
chmod +x "$work/mono/bin/mono" "$work/bin/ldconfig"
: >"$work/cache"
: >"$work/configured"
other="PATH=$work/mono/bin:$work/bin:$PATH"
doctor "$other"
is ok Mono '6.12.0.1, '
is ok Mono "$version, "
is missing 'module for Mono'
is missing 'module loads' 'cannot load it'
mends 'module loads' "ldd $module"
echo "$module_dir: (from /etc/ld.so.conf.d/some.conf:1)" >"$work/configured"
doctor "$other"
mends 'module for Mono' 'sudo ldconfig'
printf '1 libs found in cache\n\t%s (libc6,x86-64) => %s\n' "$file" "$module" >"$work/cache"
doctor "$other"
is ok 'module for Mono' 'Mono finds it'
: >"$work/cache"
ln -s "$module" "$work/mono/lib/$file"
doctor "$other"
is ok 'module for Mono' 'Mono finds it'
rm "$work/mono/lib/$file"
echo nothing >"$work/mono/lib/$file"
doctor "$other"
is ok 'module for Mono' 'Mono finds another one'

case="no module, and a damaged one"
echo "case: $case"
rm -f "$work/empty/$file.0"
doctor "PROFLOG_MODULE_DIR=$work/empty"
is missing module 'not in '
mends module 'export PROFLOG_MODULE_DIR=DIRECTORY'
cp "$work/mono/lib/$file" "$work/empty/$file"
doctor "PROFLOG_MODULE_DIR=$work/empty"
is ok module
is missing 'module loads'

case="no runtime"
echo "case: $case"
mkdir "$work/none"
doctor "PATH=$work/none"
is missing Mono 'there is no mono in PATH'
mends Mono 'sudo apt-get install mono-runtime'
is none GHC 'there is no ghc in PATH'
printf '#!/bin/sh\necho 9.9.9\n' >"$work/none/ghc"
chmod +x "$work/none/ghc"
doctor "PATH=$work/none"
is none Mono 'there is no mono in PATH'
is ok GHC '9.9.9, '
printf '#!/bin/sh\nexit 1\n' >"$work/none/ghc"
doctor "PATH=$work/none"
is missing GHC

# ---- the directory of sockets ----

case="the control directory"
echo "case: $case"
chmod 755 "$XDG_RUNTIME_DIR"
doctor
is missing 'control directory' 'mode 755, not 700'
mends 'control directory' "chmod 700 $XDG_RUNTIME_DIR"
eval "$mend"
doctor
is ok 'control directory'
rmdir "$XDG_RUNTIME_DIR"
doctor
is missing 'control directory'
mends 'control directory' "mkdir -m 700 $XDG_RUNTIME_DIR"
eval "$mend"
doctor
is ok 'control directory'
# Others use it: nothing to be changed.
chmod 1777 "$XDG_RUNTIME_DIR"
doctor
is missing 'control directory'
mends 'control directory' 'unset XDG_RUNTIME_DIR'
chmod 700 "$XDG_RUNTIME_DIR"
doctor "XDG_RUNTIME_DIR=$work/bin/ldconfig"
is missing 'control directory'
# As the module decides: it does not listen there.
mkdir -m 700 "$work/a b"
doctor "XDG_RUNTIME_DIR=$work/a b"
is ok 'control directory'
chmod 750 "$work/a b"
doctor "XDG_RUNTIME_DIR=$work/a b"
mends 'control directory' "chmod 700 '$work/a b'"

# ---- the kernel ----

case="ptrace"
echo "case: $case"
if has python3 && test "$(uname -m)" = x86_64; then
  # A seccomp filter: ptrace, which is number 101, fails with EPERM.
  cat >"$work/filter" <<'END'
#!/usr/bin/env python3
import ctypes, os, struct, sys
rules = [(0x20, 0, 0, 0), (0x15, 0, 1, 101), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7fff0000)]
code = ctypes.create_string_buffer (b"".join (struct.pack ("HBBI", *rule) for rule in rules))
program = ctypes.create_string_buffer (struct.pack ("HxxxxxxP", len (rules), ctypes.addressof (code)))
libc = ctypes.CDLL (None, use_errno=True)
if libc.prctl (38, 1, 0, 0, 0) != 0 or libc.prctl (22, 2, ctypes.byref (program), 0, 0) != 0:
  sys.exit ("no filter: " + os.strerror (ctypes.get_errno ()))
os.execvp (sys.argv[1], sys.argv[1:])
END
  chmod +x "$work/filter"
  "$work/filter" true || fail "no filter"
  doctor "$work/filter"
  is missing ptrace
  if test "$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null || echo 0)" = 0; then
    is missing ptrace 'seccomp'
    mends ptrace 'docker run --cap-add=SYS_PTRACE ...'
  fi
  # The kernel's settings, as other machines have them.
  if test "$(id -u)" = 0 && unshare -m true 2>/dev/null; then
    for scope in 1 2 3; do
      doctor unshare -m sh -c 'mount -t tmpfs none /proc/sys/kernel && mkdir /proc/sys/kernel/yama &&
        echo '$scope' >/proc/sys/kernel/yama/ptrace_scope && exec "$@"' sh "$work/filter"
      is missing ptrace "kernel.yama.ptrace_scope is $scope"
      test $scope = 3 || mends ptrace 'sudo sysctl kernel.yama.ptrace_scope=0'
    done
  else
    leave_out unshare "mount namespaces are not permitted"
  fi
fi

case="the clock"
echo "case: $case"
clocks=/sys/devices/system/clocksource/clocksource0
if test -r $clocks/current_clocksource; then
  doctor
  grep -q "^[a-z]*  *clock  *$(cat $clocks/current_clocksource)[, ]" "$work/out" || fail "another clock"
  if test "$(id -u)" = 0 && unshare -m true 2>/dev/null; then
    for available in 'tsc hpet acpi_pm' 'hpet acpi_pm'; do
      doctor unshare -m sh -c "mount -t tmpfs none $clocks && echo hpet >$clocks/current_clocksource &&
        echo '$available' >$clocks/available_clocksource && exec \"\$@\"" sh env
      is missing clock 'hpet is slow'
      case $available in
        tsc*) mends clock "echo tsc | sudo tee $clocks/current_clocksource" ;;
        *) mends clock 'boot Linux with tsc=reliable' ;;
      esac
    done
  else
    leave_out unshare "mount namespaces are not permitted"
  fi
fi

# ---- formats ----

case="formats"
echo "case: $case"
doctor "XDG_RUNTIME_DIR=$work/a b"
"$proflog" doctor >"$work/out" 2>&1
XDG_RUNTIME_DIR="$work/a b" "$proflog" doctor --format json >"$work/report.json"
test $? = 1 || fail "another status in JSON"
"$json_paths" <"$work/report.json" >"$figures" || fail "it is not JSON"
expect schema proflog.doctor/1
expect 'checks[2].check' 'control directory'
expect 'checks[2].state' missing
expect 'checks[2].mend' "chmod 700 '$work/a b'"
expect 'checks[0].mend' null
test "$(figure missing)" = "$(grep -c '\.state	missing$' "$figures")" || fail "another number of missing ones"
"$proflog" doctor --format csv >"$work/out"
test "$(head -n 1 "$work/out")" = state,check,finding,mend || fail "another head of CSV"
"$proflog" doctor app.exe another.exe >"$work/out" 2>"$work/err"
test $? = 2 || fail "two targets are accepted"
says "$work/err" "one process or file at a time"
echo "$checks checks"
