#!/usr/bin/env bash
# A throw-away PostgreSQL 17 with pgvector for the tests, beside that of ops/postgres.sh. Debian, as root.
#   eval "$(ops/postgres17.sh start)"   makes a Debian 13 in a directory of its own where it is missing, starts its server, sets
#                                       DATABASE_URL_17 and PG_BIN_17, where its clients are
#   DATABASE_URL=$DATABASE_URL_17 PG_BIN=$PG_BIN_17 npm run test:server
#   ops/postgres17.sh stop              removes the data, and keeps the Debian 13, so that the next start takes seconds
# Debian 12 has PostgreSQL 15 only, and the packages of Debian 13 need its C library: so they run in a chroot.
set -euo pipefail
cache=${PG17_CACHE:-/var/cache/counterfoil/postgres17}
port=${PG17_TEST_PORT:-54317}
root=$cache/debian-13
bin=/usr/lib/postgresql/17/bin
data=/srv/tests-$port
# apt and initdb look at these, and those of the machine may name what the chroot does not have.
export LC_ALL=C.UTF-8 TZ=UTC DEBIAN_FRONTEND=noninteractive

install_missing() {
  [ -d "$root" ] && return
  command -v debootstrap > /dev/null || {
    apt-get -qq update
    apt-get -qq install -y --no-install-recommends debootstrap
  }
  local mirror new=$root.new
  mirror=$(grep -rhoE 'https?://[^ ]+/debian/?( |$)' /etc/apt --include=*.list --include=*.sources 2> /dev/null | head -1 | tr -d ' ')
  rm -rf "$new"
  mkdir -p "$cache"
  debootstrap --variant=minbase --include=ca-certificates trixie "$new" ${mirror:+"$mirror"}
  # Debian makes and starts a server when it installs one, which would take the port of another one on this machine.
  mkdir -p "$new/etc/postgresql-common"
  echo 'create_main_cluster = false' > "$new/etc/postgresql-common/createcluster.conf"
  printf '#!/bin/sh\nexit 101\n' > "$new/usr/sbin/policy-rc.d"
  chmod +x "$new/usr/sbin/policy-rc.d"
  # Without a fsync of each file: a Debian that is not complete is made again from the beginning.
  echo force-unsafe-io > "$new/etc/dpkg/dpkg.cfg.d/unsafe-io"
  chroot "$new" apt-get -qq update
  chroot "$new" apt-get -qq install -y --no-install-recommends postgresql-17 postgresql-17-pgvector
  chroot "$new" apt-get -qq clean
  mv "$new" "$root"
}

as_postgres() { chroot --userspec=postgres:postgres "$root" "$@"; }

running() { as_postgres $bin/pg_ctl -D "$data" status; }

# Programs of PostgreSQL 17 that run outside of the chroot and read and write files there: pg_dump of 15 refuses a server of 17.
make_clients() {
  mkdir -p "$cache/bin"
  local name
  for name in pg_dump pg_restore psql; do
    # shellcheck disable=SC2016 # Arguments of the script that is written.
    printf '#!/bin/sh\nexec %q --library-path %q %q "$@"\n' "$root/usr/lib64/ld-linux-x86-64.so.2" \
      "$root/usr/lib/x86_64-linux-gnu" "$root$bin/$name" > "$cache/bin/$name"
    chmod +x "$cache/bin/$name"
  done
}

# mmap, because a chroot has no /dev/shm.
serve() {
  as_postgres $bin/pg_ctl -D "$data" -w -t 120 -l "$data/log" -o "-p $port -c listen_addresses=127.0.0.1 \
    -c unix_socket_directories= -c dynamic_shared_memory_type=mmap -c recovery_init_sync_method=syncfs" start
}

case "${1:-}" in
  start)
    {
      install_missing
      if ! [ -s "$root$data/PG_VERSION" ]; then
        rm -rf "${root:?}$data"
        install -d -m 0700 "$root$data"
        chroot "$root" chown postgres: "$data"
        as_postgres $bin/initdb -D "$data" -U postgres --auth=trust --encoding=UTF8 --locale=C.UTF-8
      fi
      make_clients
      running || serve
    } >&2
    echo "export DATABASE_URL_17=postgres://postgres@127.0.0.1:$port/postgres PG_BIN_17=$cache/bin"
    ;;
  stop)
    if running > /dev/null; then as_postgres $bin/pg_ctl -D "$data" -m fast stop; fi
    rm -rf "${root:?}$data"
    ;;
  *)
    echo "usage: $0 start | stop" >&2
    exit 2
    ;;
esac
