#!/usr/bin/env bash
# Makes a virtual environment of Python with the packages that test/slow/otlp/python.test.ts runs, and prints where it is.
set -euo pipefail
directory=${1:-/tmp/counterfoil-otlp-python}
if ! test -f "$directory/ready"; then
  python3 -m venv "$directory"
  "$directory/bin/pip" install --quiet --disable-pip-version-check \
    opentelemetry-sdk==1.45.2 opentelemetry-exporter-otlp-proto-http==1.45.2 \
    opentelemetry-instrumentation-openai-v2==2.4b0 opentelemetry-util-genai==1.1b0 openinference-instrumentation-openai==0.1.66 \
    'pydantic-ai-slim[openai]==2.68.0' openai==3.54.0 httpx==0.28.1 >&2
  touch "$directory/ready"
fi
echo "$directory"
