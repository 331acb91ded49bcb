# agree.sh -- two readers of logs that know nothing of ours: mprof-report and Mono.Profiler.Log, the
# managed reader.  How they are run, how readers are compared, and the known differences of each.
# Sourced; needs a function `fail` and the variables `work`, a directory, `sources`, this one, `log`, which
# may be packed, and `recorded`: its name in messages.  read_our_events needs tests/lib.sh, too.

managed_reader=$(find /usr/lib/mono /usr/local/lib/mono -name Mono.Profiler.Log.dll 2>/dev/null | head -n 1)

# compile_log_counts: makes the program that drives the managed reader.
compile_log_counts ()
{
  mcs -nologo -nowarn:618 -r:"$managed_reader" -out:"$work/log-counts.exe" "$sources/log-counts.cs" \
    || fail "log-counts.cs does not compile"
}

# find_dump_counts: $dump_counts is the program that counts what `proflog dump` prints.
find_dump_counts ()
{
  dump_counts=$top_builddir/tests/mono/dump-counts
  test -x "$dump_counts" || fail "dump-counts is not built"
}

# read_our_events: what proflog dumps of $log, into ours.
read_our_events ()
{
  timeout 120 "$proflog" dump --format json "$log" >"$work/dump" 2>"$work/dump.err" \
    || fail "$recorded: proflog dump fails"
  "$dump_counts" <"$work/dump" >"$work/ours" || fail "dump-counts fails"
}

# drop_lines RE FILE...: those lines of files in $work are not compared.
drop_lines ()
{
  re=$1
  shift
  for file; do
    grep -Ev "$re" "$work/$file" >"$work/rest"
    mv "$work/rest" "$work/$file"
  done
}

# read_managed: the findings of the managed reader in the log $work/unpacked, into managed, which are events, and
# managed.figures.
read_managed ()
{
  timeout 120 mono "$work/log-counts.exe" "$work/unpacked" >"$work/managed.all" \
    || fail "the managed reader fails"
  grep -v '^figure:' "$work/managed.all" >"$work/managed"
  sed -n 's/^figure://p' "$work/managed.all" >"$work/managed.figures"
}

# read_mprof: the findings of mprof-report in $log, into mprof and mprof.figures; its text stays in mprof.debug
# and mprof.out.
read_mprof ()
{
  timeout 120 mprof-report --debug --reports=stats "$log" >"$work/mprof.debug" || fail "mprof-report fails"
  awk -f "$sources/mprof-counts.awk" "$work/mprof.debug" >"$work/mprof" || fail "mprof-counts.awk fails"
  timeout 120 mprof-report --verbose "$log" >"$work/mprof.out" || fail "mprof-report fails"
  # Functions of our module are one row here.
  awk -f "$sources/mprof-paths.awk" "$work/mprof.out" | awk -F '\t' '
    $1 ~ /^samples\.methods\[libmono-profiler-proflog\.so[:+]/ { recording += $2; next }
    { print }
    END { if (recording) printf "samples.methods[[recording]].hits\t%d\n", recording }' >"$work/mprof.figures" \
    || fail "mprof-paths.awk fails"
}

# read_others: the findings of both in $log.
read_others ()
{
  gzip -cdf "$log" >"$work/unpacked" || fail "$log cannot be unpacked"
  read_managed
  read_mprof
}

# agree NAME FILE NAME FILE KEYS UNWRITTEN [MODE]: two files of "key value [off]" lines have the same for
# all keys that match KEYS; one of them may lack those that match UNWRITTEN.  See agree.awk.
agree ()
{
  a=$1 b=$3 keys=$5 unwritten=$6 mode=${7:-} awk -F '\t' -f "$sources/agree.awk" "$2" "$4" >"$work/agree" \
    || { head -n 40 "$work/agree"; fail "$1 and $3 differ about $recorded"; }
  tail -n 1 "$work/agree"
}

# add_thread_counts FILE: to the figures of a report, how many threads have a name.
add_thread_counts ()
{
  awk -F '\t' '
    { print }
    $1 ~ /^threads\[.*\]\.id$/ && $1 !~ /^threads\[([0-9]*|null)\]\.id$/ {
      sub (/\.id$/, ".count", $1)
      printf "%s\t1\n", $1
    }' "$1" >"$1.all" && mv "$1.all" "$1" || fail "threads cannot be counted"
}

# add_sample_figures FILE: to the figures of a report, hits by the place of the instruction pointer alone,
# as the others count them: not charged to the method that called native code.
add_sample_figures ()
{
  awk -F '\t' '
    { print }
    $1 ~ /^cpu\.(hits|managed|unmanaged|unresolved)$/ { printf "samples%s\t%s\n", substr ($1, 4), $2 }
    $1 ~ /^cpu\.(methods|native)\[.*\]\.(hits|native_hits)$/ {
      name = $1
      sub (/^cpu\.(methods|native)\[/, "", name)
      sub (/\]\.(hits|native_hits)$/, "", name)
      sub (/ \[native\]$/, "", name)
      hits[name] += $1 ~ /native_hits$/ ? -$2 : $2
    }
    END {
      for (name in hits)
        if (hits[name] != 0)
          printf "samples.methods[%s].hits\t%d\n", name, hits[name]
    }' "$1" >"$1.all" && mv "$1.all" "$1" || fail "samples cannot be counted"
}

# ---- Events ----

# The managed reader hides where an event stands.
unwritten_by_managed='^(bytes|min|max):|^bytes$'
# Of the fields of events mprof-report prints few.  Its statistics leave out three kinds of event.
unwritten_by_mprof='^(sum|items|backtraces):|^(bytes|min|max):(heap-root-register|heap-root-unregister|metadata\.name)$|^bytes$'
# Which of the heap's events only add references: a matter of heapshots[].objects here.
unwritten_by_us='^objects:heap-object$'

# ---- Figures ----

no_key='^$'
common='log\.(data_version|pid)'
common="$common|jit\.(methods|code_bytes|helpers|helper_bytes)"
common="$common|gc\.(resizes|max_heap_bytes|moves)|gc\.generations\[[0-9]+\]\.collections"
common="$common|gc\.handles\[(weak|weak-track-resurrection|normal)\]\.(created|destroyed)"
common="$common|allocations\.(objects|bytes)|allocations\.types\[.*\]\.(objects|bytes)"
common="$common|calls\.total|calls\.methods\[.*\]\.calls"
common="$common|exceptions\.throws|exceptions\.clauses\[.*\]\.count"
common="$common|monitors\.(contentions|acquired|failed)|metadata\.(images|assemblies)"
common="$common|heapshots\[[0-9]+\]\.(objects|bytes)|heapshots\[[0-9]+\]\.types\[.*\]\.(objects|bytes)"

# What the managed reader's events add up to.  mprof-report
#   does not report pinned handles;
#   takes from the order in the file how many handles there were at most, where those of other threads
#   stand elsewhere, so that it can say 2^64 - 1;
#   has 0 roots in every snapshot of data version 15 and later;
#   counts all classes of a snapshot that are not announced yet as one;
#   adds up the values of counters that programs make, which are no differences;
#   has one thread and one domain for each id, and ids are used again.
managed_more='log\.pointer_size|gc\.handles\[pinned\]\.(created|destroyed)|gc\.handles\[[a-z-]+\]\.max'
managed_more="$managed_more|metadata\.(classes|domains)|samples\.hits|heapshots\[[0-9]+\]\.(roots|classes)"
managed_more="$managed_more|threads\[.*\]\.count"
managed_more="$managed_more|counters\[.*\]\.last"
# What of mprof-report's would have to be worked out from the managed reader's events.
mprof_more='gc\.generations\[[0-9]+\]\.(total_ns|max_ns)'
mprof_more="$mprof_more|samples\.(managed|unmanaged|unresolved)|samples\.methods\[.*\]\.hits"
mprof_more="$mprof_more|monitors\.objects\[.*\]\.(contentions|wait_total_ns|wait_max_ns)"

common_figures="^($common)\$"
managed_figures="^($common|$managed_more)\$"
mprof_figures="^($common|$mprof_more)\$"

# How mprof-report finds types, see agree.awk.
names=announced

# others_agree: they do with each other.
others_agree ()
{
  agree mprof-report "$work/mprof" "the managed reader" "$work/managed" . \
    "$unwritten_by_managed|$unwritten_by_mprof"
  agree mprof-report "$work/mprof.figures" "the managed reader" "$work/managed.figures" \
    "$common_figures" "$no_key" "$names"
}
