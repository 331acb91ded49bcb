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

# compare_prof FILE: as many samples of each innermost cost centre as the time profile tells ticks.
compare_prof ()
{
  sed -n 's/^\([A-Za-z]*\)  *Main  *[^ ]*  *[0-9.]*  *[0-9.]*  *\([0-9]*\)  *[0-9]*$/\1 \2/p' "$1" \
    | awk '$2 > 0' | sort >"$work/ticks"
  awk '$4 == "heap-prof-cost-centre" {
         split ($5, id, "=")
         text = $0
         sub (/.* label="/, "", text)
         sub (/".*/, "", text)
         label[id[2]] = text
       }
       $4 == "prof-sample-cost-centre" {
         text = $0
         sub (/.*stack=\[/, "", text)
         sub (/[],].*/, "", text)
         ticks[label[text]]++
       }
       END { for (l in ticks) if (l != "MAIN") print l, ticks[l] }' "$work/events" | sort >"$work/sampled"
  test -s "$work/ticks" || fail "$name: the time profile is empty"
  cmp -s "$work/ticks" "$work/sampled" || { diff "$work/ticks" "$work/sampled" >&2; fail "$name: other ticks than the time profile"; }
  checks=$((checks + $(wc -l <"$work/ticks")))
}
