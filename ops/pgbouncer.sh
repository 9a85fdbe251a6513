#!/usr/bin/env bash
# PgBouncer in session mode before the PostgreSQL server that DATABASE_URL names, for the tests. Debian, as root.
#   eval "$(ops/pgbouncer.sh start)"   installs it where it is missing, starts it, sets DATABASE_URL to its address
#   ops/pgbouncer.sh stop | kill       kill leaves its directory, and start goes on with it
set -euo pipefail
dir=${PGBOUNCER_DIR:-/tmp/counterfoil-pgbouncer}
port=${PGBOUNCER_PORT:-54330}

case "${1:-}" in
  start)
    [ -x /usr/sbin/pgbouncer ] || {
      export DEBIAN_FRONTEND=noninteractive
      apt-get -qq update
      apt-get -qq install -y --no-install-recommends pgbouncer
    } >&2
    [[ $DATABASE_URL =~ @([^:/]+):([0-9]+)/(.*)$ ]] || { echo "DATABASE_URL has no port" >&2; exit 2; }
    mkdir -p "$dir"
    printf '"postgres" ""\n' > "$dir/users"
    cat > "$dir/pgbouncer.ini" <<INI
[databases]
* = host=${BASH_REMATCH[1]} port=${BASH_REMATCH[2]}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $port
unix_socket_dir =
auth_type = trust
auth_file = $dir/users
pool_mode = session
default_pool_size = 40
logfile = $dir/log
pidfile = $dir/pid
INI
    chown -R postgres "$dir"
    runuser -u postgres -- /usr/sbin/pgbouncer -q -d "$dir/pgbouncer.ini" >&2
    # It writes the file and listens after the command above has ended, in any order.
    for _ in $(seq 600); do [ -s "$dir/pid" ] && (: < "/dev/tcp/127.0.0.1/$port") 2> /dev/null && break; sleep 0.05; done
    [ -s "$dir/pid" ] || { echo "PgBouncer does not start:" >&2; cat "$dir/log" >&2; exit 1; }
    echo "export DATABASE_URL=postgres://postgres@127.0.0.1:$port/${BASH_REMATCH[3]}"
    ;;
  kill | stop)
    [ "$1" = stop ] && signal=TERM || signal=KILL
    kill -s "$signal" "$(cat "$dir/pid")"
    while kill -0 "$(cat "$dir/pid" 2> /dev/null)" 2> /dev/null; do sleep 0.05; done
    rm -f "$dir/pid"
    [ "$1" = kill ] || rm -rf "$dir"
    ;;
  *)
    echo "usage: $0 start | stop | kill" >&2
    exit 2
    ;;
esac
