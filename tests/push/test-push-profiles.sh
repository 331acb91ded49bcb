#!/bin/sh
# `proflog push --to pyroscope|parca|otlp`: a server on loopback gets what pprof, and the export of folded stacks,
# find in the log.
. "${srcdir:-.}/tests/push/lib.sh"
. "$tests/push/stub.sh"
need_built SQLITE proflog-query
need_built CURL proflog-push
need python3

start_stub

push_profile ()
{
  expected_status=$1
  shift
  rm -f requests/*
  "$proflog" push --url "$url" "$@" >out 2>err
  status=$?
  test $status = "$expected_status" || fail "proflog push $*: status $status, not $expected_status"
  checks=$((checks + 1))
}

# folded LOG: the same of the export.
folded ()
{
  "$proflog" export -q --format folded "$@" | awk '{ n++; total += $NF } END { printf "%d %.0f\n", n, total }'
}

for log in stock-samples.mlpd.gz module-calls.mlpd.gz ghc-ticks.eventlog.gz; do
  case=$log
  cp "$logs/$log" .
  "$proflog" export -q --format folded "$log" >theirs || fail "no stacks of $log"
  for to in pyroscope parca otlp; do
    push_profile 0 --to $to --label env=test --label 'release=1,2' --host web1 "$log"
    quiet
    test "$(ls requests/[0-9]*.request | wc -l)" = 1 || fail "not one request"
    case $to in
      otlp)
        # The last profile is that of the weights.
        awk '/^##/ { n = 0; next } /^#/ { next } { line[++n] = $0 } END { for (i = 1; i <= n; i++) print line[i] }' \
          requests/1.folded | LC_ALL=C sort >sent
        LC_ALL=C sort theirs >wanted
        grep -v '^#' requests/1.folded | grep -q . || fail 'nothing was sent'
        same wanted sent
        says requests/1.folded '# {"env": "test", "host.name": "web1", '
        says requests/1.folded '"release": "1,2", "service.name": "'
        ;;
      *)
        test "$(samples requests/1.pprof)" = "$(folded "$log")" \
          || fail "$to: pprof has $(samples requests/1.pprof), the export $(folded "$log")"
        checks=$((checks + 1))
        ;;
    esac
  done
done
says requests/1.request /v1development/profiles

case='the resource, as the variables of OpenTelemetry state it'
otel ()
{
  rm -f requests/*
  env OTEL_EXPORTER_OTLP_ENDPOINT="$url/" OTEL_EXPORTER_OTLP_HEADERS=' api-key = a%20b , x=y' \
    OTEL_RESOURCE_ATTRIBUTES='service.name=other,deployment.environment.name=prod%2C1,host.name=h' "$@" \
    "$proflog" push --to otlp stock-samples.mlpd.gz >out 2>err
}
otel OTEL_SERVICE_NAME=shop || fail "$(cat err)"
pid=$("$proflog" report -q --format json stock-samples.mlpd.gz | "$json_paths" | sed -n 's/^log.pid	//p')
grep '^# ' requests/1.folded >resource
echo '# {"deployment.environment.name": "prod,1", "host.name": "h", "process.pid": '"$pid"', "process.runtime.name": "mono", "service.name": "shop"}' >wanted
same wanted resource
says requests/1.request /v1development/profiles
says requests/1.request 'api-key: a b'
says requests/1.request 'x: y'
# A frame is native where the report calls it that; frames in brackets are no code.
"$proflog" report -q --format json --reports=cpu stock-samples.mlpd.gz | python3 -c '
import json, sys
for m in sorted(json.load(sys.stdin)["cpu"]["methods"], key=lambda m: m["name"]):
    if not m["name"].startswith("["):
        print("###", m["name"], "profile.frame.type=" + {"native": "native", "managed": "dotnet"}[m["kind"]])' | LC_ALL=C sort >wanted
grep '^###' requests/1.folded | LC_ALL=C sort >types
for type in dotnet native; do
  grep -q "=$type\$" types || fail "there is no $type frame"
done
same wanted types
otel OTEL_EXPORTER_OTLP_PROFILES_ENDPOINT="$url/own/v1development/profiles" OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf \
  OTEL_EXPORTER_OTLP_PROFILES_HEADERS=z=1 || fail "$(cat err)"
says requests/1.request /own/v1development/profiles
says requests/1.request 'z: 1'
grep -q api-key requests/1.request && fail 'headers of all signals were sent'
push_profile 0 --to otlp --label program=mine --label version=2 stock-samples.mlpd.gz
says requests/1.folded '"service.name": "mine", "service.version": "2"'
for wrong in OTEL_EXPORTER_OTLP_PROTOCOL=grpc OTEL_EXPORTER_OTLP_ENDPOINT=collector:4317 OTEL_EXPORTER_OTLP_HEADERS=a%0ab=c \
  OTEL_EXPORTER_OTLP_HEADERS=a%20b=c \
  OTEL_EXPORTER_OTLP_HEADERS=secret OTEL_RESOURCE_ATTRIBUTES=a=%f; do
  otel $wrong && fail "$wrong is accepted"
  says err "proflog push: ${wrong%%=*}"
  grep -q secret err && fail 'the message has the value of a header'
done

otel OTEL_SDK_DISABLED=True || fail "$(cat err)"
says err 'OTEL_SDK_DISABLED is true, so nothing is sent'
test ! -e requests/1.request || fail 'something was sent'

case='metrics beside profiles'
push_profile 0 --to otlp stock-samples.mlpd.gz
says requests/metrics.request /v1/metrics
otel OTEL_METRICS_EXPORTER=none || fail "$(cat err)"
test ! -e requests/metrics.request || fail 'metrics were sent, though none are wanted'
otel OTEL_EXPORTER_OTLP_METRICS_ENDPOINT="$url/m/v1/metrics" OTEL_EXPORTER_OTLP_METRICS_HEADERS=k=v || fail "$(cat err)"
says requests/metrics.request /m/v1/metrics
says requests/metrics.request 'k: v'

case='labels and times'
push_profile 0 --to parca --label env=test --host web1 stock-samples.mlpd.gz
same_line ()
{
  echo "$2" >wanted
  same wanted "$1"
}
same_line requests/1.labels '{"__name__": "cpu", "env": "test", "instance": "web1", "job": "stock-samples"}'
start=$("$proflog" report -q --format json stock-samples.mlpd.gz | "$json_paths" | sed -n 's/^log.start_time	//p')
push_profile 0 --to pyroscope --label program=shop --label 'release={1,2}' --host web1 --tenant team stock-samples.mlpd.gz
says requests/1.request "/ingest?name=shop.cpu%7Bhost%3Dweb1%2Cprogram%3Dshop%2Crelease%3D_1_2_%7D&from=$((start / 1000))&until="
says requests/1.request 'X-Scope-OrgID: team'
"$PROFLOG_PEERS/pprof" -raw requests/1.pprof >raw
says raw 'Duration: 1.3'

case='a cost'
cp "$logs/stock-alloc.mlpd.gz" .
push_profile 0 --to pyroscope --cost alloc stock-alloc.mlpd.gz
bytes=$("$proflog" report -q --format json stock-alloc.mlpd.gz | "$json_paths" | sed -n 's/^allocations.bytes	//p')
test "$(samples requests/1.pprof | cut -d ' ' -f 2)" = "$bytes" || fail "$(samples requests/1.pprof), not $bytes"
push_profile 3 --to pyroscope --cost wall stock-alloc.mlpd.gz
says err 'it has no samples of the wall clock'

case='a server that is busy'
url=$url/busy
push_profile 0 --to otlp --retry 10s stock-samples.mlpd.gz
test "$(ls requests/[0-9]*.request | wc -l)" = 1 || fail 'it was not tried again'
url=${url%/busy}

case='secrets'
printf 'token=t0ken\n' >token
chmod 600 token
push_profile 0 --to otlp --credentials token stock-samples.mlpd.gz
says requests/1.request 'Authorization: Bearer t0ken'
printf '  # indented\n  token=t0ken2\n' >token
push_profile 0 --to otlp --credentials token stock-samples.mlpd.gz
says requests/1.request 'Authorization: Bearer t0ken2'

case='no log'
push_profile 3 --to otlp nothing.mlpd
echo 'proflog push: nothing.mlpd: No such file or directory' >wanted
same wanted err

echo "$checks checks passed"
