#!/usr/bin/env bash
# The browser of the tests: Debian's chromium, installed if there is none (as root). Prints its path.
#   CHROMIUM=$(ops/chromium.sh) npm run test:browser
set -euo pipefail
if ! command -v chromium > /dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq update >&2
  # With a font: without one a page has no letters, only boxes.
  apt-get -qq install -y --no-install-recommends chromium fonts-dejavu-core >&2
fi
command -v chromium
