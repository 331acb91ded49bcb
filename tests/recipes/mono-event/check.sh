./proflog dump "$tree/tests/logs/all-v18.mlpd" >"$work/dump"
sees 'meta-note level=5 text="hi"' "$work/dump"
./proflog dump --format json "$tree/tests/logs/all-v18.mlpd" >"$work/dump"
sees '"meta-note".*"level": *5.*"text": *"hi"' "$work/dump"
