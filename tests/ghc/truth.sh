# truth.sh -- compares an eventlog with what its program printed and the runtime wrote beside it.
# Sourced; expects $proflog, $work and fail.

# begin_log LOG NAME: the log's events are in $work/events: offset, time, cap, kind, fields.
begin_log ()
{
  name=$2
  "$proflog" dump "$1" >"$work/dump" 2>"$work/dump.err" || fail "$name: dump ended with $?"
  test ! -s "$work/dump.err" || { cat "$work/dump.err" >&2; fail "$name: dump complains"; }
  awk '$3 != "end" && $2 != "end" && $2 != "header"' "$work/dump" >"$work/events"
  checks=$((checks + 1))
}

# same_number WHAT FOUND EXPECTED
same_number ()
{
  test "$2" = "$3" || fail "$name: $1: $2, not $3"
  checks=$((checks + 1))
}

# count KIND: how many there are in the log.
count ()
{
  awk -v kind="$1" '$4 == kind' "$work/events" | wc -l
}

# stops LABEL STATUS: how often threads of this name stopped so.
stops ()
{
  label=$1 awk -v status="status=$2" '
    $4 == "thread-label" {
      text = $0
      sub (/.* label="/, "", text)
      sub (/"$/, "", text)
      if (text == ENVIRON["label"]) named[$5] = 1
    }
    $4 == "stop-thread" && $6 == status && $5 in named { n++ }
    END { print n + 0 }' "$work/events"
}

# number_of LABEL: the thread of that name.
number_of ()
{
  sed -n "s/.* thread-label thread=\\([0-9]*\\) label=\"$1\"\$/\\1/p" "$work/events"
}

# compare_truth FILE: what the program printed holds of the log.
compare_truth ()
{
  while read -r key value; do
    case $key in
      markers) same_number "$key" "$(count user-marker)" "$value" ;;
      messages) same_number "$key" "$(count user-msg)" "$value" ;;
      labels) same_number "$key" "$(awk '$4 == "thread-label" && $0 !~ /IOManager|TimerManager/' \
        "$work/events" | wc -l)" "$value" ;;
      blocks | stops)
        test "$(stops "${value#* }" "${value%% *}")" -gt 0 \
          || fail "$name: ${value#* } does not stop with ${value%% *}"
        checks=$((checks + 1))
        ;;
      owns-black-hole)
        grep -q "status=black-hole info=$(number_of "$value")\$" "$work/events" \
          || fail "$name: '$value' owns no black hole"
        checks=$((checks + 1))
        ;;
    esac
  done <"$1"
}

# compare_hp FILE: the sums of samples with anything in them are those of the heap profile, which
# the runtime writes in the same order.
compare_hp ()
{
  awk '/^BEGIN_SAMPLE/ { sum = 0 } /^END_SAMPLE/ && sum != 0 { print sum }
       !/^[A-Z_]+ ["0-9]/ { sum += $NF }' "$1" >"$work/hp"
  awk '$4 ~ /^heap(-bio)?-prof-sample-begin$/ { if (sum) print sum; sum = 0 }
       $4 ~ /^heap-prof-sample-(string|cost-centre)$/ { sub (/.*residency=/, ""); sum += $1 }
       END { if (sum) print sum }' "$work/events" >"$work/sums"
  test -s "$work/hp" || fail "$name: the heap profile is empty"
  cmp -s "$work/hp" "$work/sums" || { diff "$work/hp" "$work/sums" >&2; fail "$name: other sums than the heap profile"; }
  checks=$((checks + $(wc -l <"$work/hp")))
}

# report_csv LOG SECTION: that section of the report, in $work/report.
report_csv ()
{
  "$proflog" report --reports "$2" --format csv "$1" >"$work/report" 2>"$work/report.err" \
    || { cat "$work/report.err" >&2; fail "$name: report ended with $?"; }
  test ! -s "$work/report.err" || { cat "$work/report.err" >&2; fail "$name: report complains"; }
}

# compare_bands LOG FILE: each band has in each sample of the report what it has in the heap profile
# that the runtime wrote.
compare_bands ()
{
  report_csv "$1" heap_profiles
  awk -F '\t' '/^BEGIN_SAMPLE/ { n++; any = 0 } /^END_SAMPLE/ && !any { n-- }
       NF == 2 && $2 != 0 { sub (/^\([0-9]+\)/, "", $1); print n, $1, $2; any = 1 }' "$2" | sort >"$work/hp"
  sed -n 's/^heap_profiles.samples,1,\([0-9]*\),[0-9]*,\([0-9]*\),.*/\1 \2/p' "$work/report" \
    | awk '$2 != 0 { print $1, ++n }' >"$work/numbers"
  sed -n 's/^heap_profiles.bands.points,1,\(.*\),\([0-9]*\),\([0-9]*\)$/\2 \3 \1/p' "$work/report" \
    | awk -v numbers="$work/numbers" '
        BEGIN { while ((getline line <numbers) > 0) { split (line, f, " "); number[f[1]] = f[2] } }
        {
          n = number[$1]
          bytes = $2
          sub (/^[0-9]+ [0-9]+ /, "")
          gsub (/^"|"$/, "")
          gsub (/""/, "\"")
          sub (/^\([0-9]+\)/, "")
          print n, $0, bytes
        }' | sort >"$work/points"
  test -s "$work/hp" || fail "$name: the heap profile is empty"
  cmp -s "$work/hp" "$work/points" \
    || { diff "$work/hp" "$work/points" | head -20 >&2; fail "$name: other bands than the heap profile"; }
  checks=$((checks + $(wc -l <"$work/hp")))
}

# Cost centres of the runtime itself, which time profiles leave out; a tick now and then is in one.
internal_centres=' MAIN GC SYSTEM OVERHEAD DONT_CARE IDLE '

# prof_tree FILE: of the second table of a time profile what has ticks: depth, cost centre, ticks.
prof_tree ()
{
  awk '/^COST CENTRE .* entries/ { tree = 1; next }
       tree && NF && $(NF - 1) != 0 && $1 != "MAIN" {
         match ($0, /^ */)
         print RLENGTH, $1 == "CAF" ? $2 "." $1 : $1, $(NF - 1)
       }' "$1"
}

# compare_tree LOG FILE: the tree of the report has the ticks of the time profile's second table.
compare_tree ()
{
  report_csv "$1" time_profile
  prof_tree "$2" | sort >"$work/prof"
  sed -n 's/^time_profile.tree,//p' "$work/report" \
    | awk -F , -v internal="$internal_centres" \
      '$4 != 0 && !index (internal, " " $11 " ") { print $9, $11, $4 }' \
    | sort >"$work/tree"
  test -s "$work/prof" || fail "$name: the time profile is empty"
  cmp -s "$work/tree" "$work/prof" \
    || { diff "$work/prof" "$work/tree" >&2; fail "$name: another tree than the time profile"; }
  checks=$((checks + $(wc -l <"$work/prof")))
}

# compare_waits LOG FILE: the report has the reasons that the program printed for the waits of threads, and the
# owner of the black hole.
compare_waits ()
{
  report_csv "$1" threads,scheduling
  while read -r key value; do
    case $key in
      blocks)
        # The column of the reason is more than 0 for a thread of that name.
        reason=$(echo "${value%% *}_ns" | tr - _) label=${value#* } awk -F , '
          $1 == "table" { for (i = 1; i <= NF; i++) if ($i == ENVIRON["reason"]) at = i
                          for (i = 1; i <= NF; i++) if ($i == "label") name = i }
          $1 == "threads" && $name == ENVIRON["label"] && $at > 0 { found = 1 }
          END { exit !found }' "$work/report" || fail "$name: '${value#* }' did not wait for ${value%% *}"
        checks=$((checks + 1))
        ;;
      owns-black-hole)
        grep -q "^scheduling.black_holes,.*,$value,[0-9]*,guest\$" "$work/report" \
          || fail "$name: '$value' owned no black hole of the guest"
        checks=$((checks + 1))
        ;;
      rounds)
        # On one capability each round runs both.
        case $name in *-N2) continue ;; esac
        for label in ping pong*; do
          runs=$(awk -F , -v label="$label" '
            $1 == "table" { for (i = 1; i <= NF; i++) { if ($i == "runs") at = i
                                                        if ($i == "label") name = i } }
            $1 == "threads" && index ($name, substr (label, 1, 4)) == 1 { print $at }' "$work/report")
          test "${runs:-0}" -ge "$value" || fail "$name: $label ran $runs times in $value rounds"
          checks=$((checks + 1))
        done
        ;;
    esac
  done <"$2"
}

# compare_prof FILE: as many samples of each innermost cost centre as the time profile states ticks.
compare_prof ()
{
  prof_tree "$1" | awk '{ ticks[$2] += $3 } END { for (c in ticks) print c, ticks[c] }' \
    | sort >"$work/ticks"
  awk -v internal="$internal_centres" '$4 == "heap-prof-cost-centre" {
         split ($5, id, "=")
         text = module = $0
         sub (/.* label="/, "", text)
         sub (/".*/, "", text)
         sub (/.* module="/, "", module)
         sub (/".*/, "", module)
         label[id[2]] = / flags=1$/ ? module "." text : text
       }
       $4 == "prof-sample-cost-centre" {
         text = $0
         sub (/.*stack=\[/, "", text)
         sub (/[],].*/, "", text)
         if (text != "") ticks[label[text]]++
       }
       END { for (l in ticks) if (!index (internal, " " l " ")) print l, ticks[l] }' "$work/events" | sort >"$work/sampled"
  test -s "$work/ticks" || fail "$name: the time profile is empty"
  cmp -s "$work/ticks" "$work/sampled" || { diff "$work/ticks" "$work/sampled" >&2; fail "$name: other ticks than the time profile"; }
  checks=$((checks + $(wc -l <"$work/ticks")))
}
