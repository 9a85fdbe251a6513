#!/usr/bin/env bash
# Installs other servers of memories for `npm run bench -- mcp-tokens`, beside the project, and prints where they are. They
# are only run: nothing of them is part of the project. Basic Memory needs Python 3.12; where there is an older one, Debian
# 13 is put beside it (as root, on Debian).
#   npm run bench -- mcp-tokens "$(ops/memory-servers.sh)"
set -euo pipefail
directory=${1:-/tmp/counterfoil-memory-servers}
if ! test -f "$directory/ready-1"; then
  mkdir -p "$directory"
  echo '{"name":"memory-servers","private":true}' > "$directory/package.json"
  npm install --prefix "$directory" --no-audit --no-fund --ignore-scripts --loglevel=error \
    @modelcontextprotocol/server-memory@2026.8.31 >&2
  ln -sf node_modules/.bin/mcp-server-memory "$directory/reference"

  # The server of mem0 was written for version 1 of the SDK, and does not say so.
  python3 -m venv "$directory/python-mem0"
  "$directory/python-mem0/bin/pip" install --quiet --disable-pip-version-check \
    mem0-mcp-server==0.2.1 mem0ai==2.2.1 'mcp<2' >&2
  # A link would not find the packages beside it.
  printf '#!/bin/sh\nexec %s/python-mem0/bin/python "$@"\n' "$directory" > "$directory/mem0"
  chmod +x "$directory/mem0"

  basic='basic-memory==0.24.1'
  if python3 -c 'import sys; sys.exit(sys.version_info < (3, 12))'; then
    python3 -m venv "$directory/python-basic-memory"
    "$directory/python-basic-memory/bin/pip" install --quiet --disable-pip-version-check "$basic" >&2
    ln -sf python-basic-memory/bin/basic-memory "$directory/basic-memory"
  else
    root=$directory/debian-13
    command -v debootstrap > /dev/null || apt-get -qq install -y debootstrap >&2
    test -f "$root/usr/bin/python3" || debootstrap --variant=minbase --include=ca-certificates,python3-venv trixie "$root" >&2
    cp /etc/resolv.conf "$root/etc/"
    cp -L --recursive --remove-destination /etc/ssl/certs/. "$root/etc/ssl/certs/"
    chroot "$root" sh -c "python3 -m venv /opt/venv && /opt/venv/bin/pip install --quiet --disable-pip-version-check $basic" >&2
    # shellcheck disable=SC2016 # The script that is written expands them.
    printf '#!/bin/sh\nexec unshare --mount sh -c '\''mount --bind /tmp "$0/tmp" && exec chroot "$0" /opt/venv/bin/basic-memory "$@"'\'' %s "$@"\n' "$root" > "$directory/basic-memory"
    chmod +x "$directory/basic-memory"
  fi
  touch "$directory/ready-1"
fi
echo "$directory"
