./proflog info --format json "$tree/tests/logs/all-v18.mlpd" >"$work/info"
sees '"data_version": 18' "$work/info"
if test -x tests/host/proflog-host; then
  # The module writes it, too.
  record format=18
  ./proflog info --format json "$work/log" >"$work/info"
  sees '"data_version": 18' "$work/info"
  record format=17
  ./proflog info --format json "$work/log" >"$work/info"
  sees '"data_version": 17' "$work/info"
fi
