#!/usr/bin/env bash
# The browser of the tests: Debian's chromium without its windows, installed if there is none (as root). Prints its path. A page
# takes two thirds of the processor time that it takes in the whole chromium.
#   CHROMIUM=$(ops/chromium.sh) npm run test:browser
set -euo pipefail
if ! command -v chromium-headless-shell > /dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq update >&2
  # With a font: without one a page has no letters, only boxes.
  apt-get -qq install -y --no-install-recommends chromium-headless-shell fonts-dejavu-core >&2
fi
command -v chromium-headless-shell
