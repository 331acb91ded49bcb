# lib.sh -- what the tests of `proflog serve` share.  Sourced after the lib.sh of the test's folder.
need_built LIBMICROHTTPD proflog-serve
served=

# serve ARGUMENT...: a server in the background, as $served, with this standard input; its address is
# in $url, with the port in $port and the token in $token.
serve ()
{
  : >"$work/url"
  # What is in the background would have no input, and no Ctrl-C, else.
  { env --default-signal=INT "$proflog" serve "$@" >"$work/url" 2>"$work/serve.err" <&3 3<&- & } 3<&0
  served=$!
  until grep -q /$ "$work/url"; do
    kill -0 "$served" 2>/dev/null || fail "the server ended: $(cat "$work/serve.err")"
    sleep 0.02
  done
  url=$(cat "$work/url")
  port=${url#http://127.0.0.1:}
  token=${port#*/}
  port=${port%%/*} token=${token%/}
}

# end_server SIGNAL STATUS
end_server ()
{
  kill "-$1" "$served"
  status=0
  wait "$served" || status=$?
  served=
  test "$status" = "$2" || fail "after $1 the status is $status: $(cat "$work/serve.err")"
}

# metric NAME: its value; nothing if there is none.
metric ()
{
  curl -sf "${url}metrics" | awk -v name="$1" '$1 == name { print $2 }'
}

# metric_becomes NAME VALUE
is_metric ()
{
  test "$(metric "$1")" = "$2"
}

metric_becomes ()
{
  wait_for is_metric "$@"
}

# browse STEP...: the page in Chromium (browse.mjs); what it prints is in $work/page.
browse ()
{
  node "$tests/serve/browse.mjs" "$url" "$@" >"$work/page" || fail "the page: $(cat "$work/page")"
}

# All numbers of the page, as `proflog top --format jsonl` calls them.
page_numbers='Object.fromEntries([...document.querySelectorAll("#numbers dd")].map((e) =>
  [e.id.replace("figure-", ""), JSON.parse(e.dataset.value.includes(",") ? `[${e.dataset.value}]` : e.dataset.value)]))'

# page_row TABLE NAME COLUMN: an expression: the number in the row of this name.
page_row ()
{
  echo "Number([...document.querySelectorAll('[aria-labelledby=table-$1] tbody tr')]
    .find((row) => row.lastChild.textContent === '$2')?.children[$3].dataset.value)"
}

# same_numbers PAGE TOP: each number of the page (a line of JSON) is that of top (the last line), but for those
# of the process, which goes on.
same_numbers ()
{
  "$json_paths" <"$1" | grep -v '^process_' | sort >"$work/numbers"
  tail -n 1 "$2" | "$json_paths" | sort >"$work/numbers.top"
  test "$(wc -l <"$work/numbers")" -ge 25 || fail "few numbers: $(cat "$work/numbers")"
  comm -23 "$work/numbers" "$work/numbers.top" >"$work/numbers.other"
  test ! -s "$work/numbers.other" || fail "top does not say: $(cat "$work/numbers.other")"
}
