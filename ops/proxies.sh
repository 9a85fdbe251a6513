#!/usr/bin/env bash
# The proxies and the tools of the tests of ops/deploy, from Debian, installed where they are missing (as root). None of them is started.
#   eval "$(ops/proxies.sh)"   sets NGINX, CADDY and SHELLCHECK
set -euo pipefail
missing=()
[ -x /usr/sbin/nginx ] || missing+=(nginx-light)
command -v caddy > /dev/null || missing+=(caddy)
command -v shellcheck > /dev/null || missing+=(shellcheck)
command -v systemd-analyze > /dev/null || missing+=(systemd)
if [ ${#missing[@]} -gt 0 ]; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq update >&2
  # Debian starts what it installs, unless this says otherwise.
  policy=/usr/sbin/policy-rc.d
  [ -e "$policy" ] || { printf '#!/bin/sh\nexit 101\n' > "$policy"; chmod +x "$policy"; trap 'rm -f "$policy"' EXIT; }
  apt-get -qq install -y --no-install-recommends "${missing[@]}" >&2
fi
echo "export NGINX=/usr/sbin/nginx CADDY=$(command -v caddy) SHELLCHECK=$(command -v shellcheck)"
