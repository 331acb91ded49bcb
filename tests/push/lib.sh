# lib.sh -- what the tests of `proflog push` share: servers of ClickHouse on loopback.  They run in $work.
. "${srcdir:-.}/tests/lib.sh"
cd "$work" || exit 1
test -x "$proflog" || fail "$proflog is not built"

# free_ports N: so many ports that nothing listens on, in one line.
free_ports ()
{
  python3 -c '
import socket, sys
sockets = [socket.socket() for i in range(int(sys.argv[1]))]
for s in sockets: s.bind(("127.0.0.1", 0))
print(*[s.getsockname()[1] for s in sockets])' "$1"
}

# configure_shards: two servers, of a cluster named fleet, in $work/1 and $work/2; their addresses are in
# $url_1 and $url_2.
configure_shards ()
{
  # The servers write many small files.
  data=$(mktemp -d /dev/shm/proflog-push.XXXXXX 2>/dev/null) || data=$work
  trap 'stop_shards; rm -rf "$work" "$data"' EXIT
  # shellcheck disable=SC2046
  set -- $(free_ports 6)
  http_1=$1 http_2=$2 url_1=http://127.0.0.1:$1 url_2=http://127.0.0.1:$2
  for shard in 1 2; do
    mkdir -p "$work/$shard" "$data/$shard"
    eval "http=\$http_$shard"
    test $shard = 1 && native=$3 other=$5 || { native=$4 other=$6; }
    cat >"$work/$shard/config.xml" <<END
<yandex>
  <logger><level>warning</level><log>$work/$shard/log</log><errorlog>$work/$shard/errors</errorlog></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>$http</http_port>
  <tcp_port>$native</tcp_port>
  <interserver_http_port>$other</interserver_http_port>
  <path>$data/$shard/data/</path>
  <tmp_path>$data/$shard/tmp/</tmp_path>
  <format_schema_path>$work/$shard/schemas/</format_schema_path>
  <users_config>$work/$shard/users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <mark_cache_size>16777216</mark_cache_size>
  <timezone>UTC</timezone>
  <remote_servers>
    <fleet>
      <shard><replica><host>127.0.0.1</host><port>$3</port><user>writer</user><password>s3cret</password></replica></shard>
      <shard><replica><host>127.0.0.1</host><port>$4</port><user>writer</user><password>s3cret</password></replica></shard>
    </fleet>
  </remote_servers>
</yandex>
END
    cat >"$work/$shard/users.xml" <<'END'
<yandex>
  <profiles><default><max_threads>2</max_threads></default></profiles>
  <quotas><default/></quotas>
  <users>
    <writer>
      <password>s3cret</password>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile><quota>default</quota>
    </writer>
  </users>
</yandex>
END
  done
  printf 'user=writer\npassword=s3cret\n' >"$work/credentials"
  chmod 600 "$work/credentials"
}

# Whether a server answers.
answers ()
{
  test "$(curl -s "$1/ping")" = Ok.
}

# start_shard N: starts one of them; its process is $shard_N.
start_shard ()
{
  eval "url=\$url_$1"
  clickhouse-server --config-file="$work/$1/config.xml" >"$work/$1/out" 2>&1 &
  eval "shard_$1=$!"
  watched=$!
  wait_for answers "$url"
  watched=
}

shard_1= shard_2=
stop_shards ()
{
  for shard in $shard_1 $shard_2; do
    kill -9 "$shard" 2>/dev/null || :
    wait "$shard" 2>/dev/null || : # bench/run-fleet ends at an error
  done
}

# write_fleet_queries FOLDER: the queries of docs/fleet.md, a file each.
write_fleet_queries ()
{
  awk -v folder="$1" '/^```/ { is_sql = /^```sql/; n += is_sql; next } is_sql { print >(folder "/" n) }' \
    "$tests/../docs/fleet.md"
}

# ask URL SQL: the answer of a server.
ask ()
{
  curl -s -S -u writer:s3cret -o "$work/answer" -w "%{http_code}" --data-binary "$2" "$1/" >"$work/code"
  test "$(cat "$work/code")" = 200 || fail "$1 answers to $2: $(head -c 1000 "$work/answer")"
  cat "$work/answer"
}

# push STATUS ARGUMENT...: sends logs to both; what is printed is in out and err.
push ()
{
  expected_status=$1
  shift
  "$proflog" push --to clickhouse --url "$url_1" --url "$url_2" --cluster fleet --credentials "$work/credentials" \
    "$@" >out 2>err
  status=$?
  test "$status" = "$expected_status" || fail "proflog push $*: status $status, not $expected_status"
  checks=$((checks + 1))
}
