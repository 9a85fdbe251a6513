#!/usr/bin/env bash
# A throw-away PostgreSQL 15 with pgvector for the tests, with a server's default durability. Debian, as root.
#   eval "$(ops/postgres.sh start)"   installs what is missing, starts it, sets DATABASE_URL
#   ops/postgres.sh stop
set -euo pipefail
bin=/usr/lib/postgresql/15/bin
dir=${PG_TEST_DIR:-/tmp/counterfoil-postgres}
port=${PG_TEST_PORT:-54329}

install_missing() {
  export DEBIAN_FRONTEND=noninteractive
  if ! [ -x $bin/initdb ]; then
    apt-get -qq update
    apt-get -qq install -y postgresql-15
  fi
  [ -f /usr/share/postgresql/15/extension/vector.control ] && return
  # Debian 12 has no pgvector, so the source package of Debian 13 is built against the installed server.
  local mirror key
  mirror=$(grep -rhoE 'https?://[^ ]+/debian/?( |$)' /etc/apt --include=*.list --include=*.sources 2>/dev/null | head -1 | tr -d ' ')
  key=/usr/share/keyrings/debian-archive-keyring.gpg
  echo "deb-src [signed-by=$key] $mirror trixie main" > /etc/apt/sources.list.d/counterfoil-trixie-src.list
  apt-get -qq update
  apt-get -qq install -y postgresql-server-dev-15 make gcc dpkg-dev
  local build
  build=$(mktemp -d)
  (cd "$build" && apt-get -qq source pgvector && cd pgvector-*/ &&
    make -s PG_CONFIG=$bin/pg_config OPTFLAGS="" && make -s install PG_CONFIG=$bin/pg_config)
  rm -rf "$build" /etc/apt/sources.list.d/counterfoil-trixie-src.list
}

case "${1:-}" in
  start)
    install_missing >&2
    if ! [ -s "$dir/data/PG_VERSION" ]; then
      mkdir -p "$dir"
      chown postgres "$dir"
      runuser -u postgres -- $bin/initdb -D "$dir/data" -U postgres --auth=trust --encoding=UTF8 --locale=C.UTF-8 >&2
    fi
    # After a crash the data directory is synced as one, not file by file: the tests leave it with thousands.
    runuser -u postgres -- $bin/pg_ctl -D "$dir/data" status >&2 ||
      runuser -u postgres -- $bin/pg_ctl -D "$dir/data" -w -l "$dir/log" \
        -o "-p $port -c listen_addresses=127.0.0.1 -c recovery_init_sync_method=syncfs -k $dir" start >&2
    echo "export DATABASE_URL=postgres://postgres@127.0.0.1:$port/postgres"
    ;;
  stop)
    runuser -u postgres -- $bin/pg_ctl -D "$dir/data" -m fast stop
    rm -rf "$dir"
    ;;
  *)
    echo "usage: $0 start | stop" >&2
    exit 2
    ;;
esac
