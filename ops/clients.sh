#!/usr/bin/env bash
# Generates clients in TypeScript, Python and Go from contracts/openapi.yaml, prints how many files and types each has, and runs a
# program with each that writes a memory, searches for it and gets its proof. Needs npm, Python and Go.
#   URL=http://127.0.0.1:8080 KEY=ak_… ops/clients.sh [directory]
set -euo pipefail
: "${URL:?set URL to the address of a running service}" "${KEY:?set KEY to an API key}"
spec=$(cd "$(dirname "$0")/.." && pwd)/contracts/openapi.yaml
directory=${1:-/tmp/counterfoil-clients}
mkdir -p "$directory"/{typescript,python,go}

typescript() {
  cd "$directory/typescript"
  echo '{"name":"client","private":true,"type":"module"}' > package.json
  npm install --no-audit --no-fund --loglevel=error \
    openapi-typescript@7.13.0 openapi-fetch@0.17.0 typescript@5.9 @types/node@20 >&2
  npx openapi-typescript "$spec" -o schema.d.ts >&2
  cat > program.ts <<'TS'
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

const api = createClient<paths>({
  baseUrl: process.env.URL ?? '',
  headers: { authorization: `Bearer ${process.env.KEY}`, prefer: 'wait=5' },
});
const written = await api.POST('/v1/memories', { body: { content: 'The TypeScript client prefers tea.' } });
if (!written.data) throw new Error(JSON.stringify(written.error));
const path = { memory_id: written.data.memory_id };
const found = await api.POST('/v1/memories/search', { body: { query: 'TypeScript client tea' } });
const memory = await api.GET('/v1/memories/{memory_id}', { params: { path } });
const receipt_id = memory.data?.receipt_id ?? '';
const proof = await api.GET('/v1/receipts/{receipt_id}/proof', { params: { path: { receipt_id } } });
console.log('typescript:', found.data?.data.length, 'hits, proof', proof.data?.format);
TS
  npx tsc --strict --module nodenext --target es2022 --skipLibCheck program.ts
  node program.js
  echo "typescript: 1 file, $(wc -l < schema.d.ts) lines"
}

python() {
  cd "$directory/python"
  test -d venv || python3 -m venv venv
  venv/bin/pip install --quiet --disable-pip-version-check openapi-python-client==0.29.1 >&2
  rm -rf counterfoil
  venv/bin/openapi-python-client generate --path "$spec" --output-path counterfoil --meta none > generate.log 2>&1
  cat > program.py <<'PY'
import os
from counterfoil import AuthenticatedClient
from counterfoil.api.memories import add_memory, get_memory, search_memories
from counterfoil.api.receipts import get_proof
from counterfoil.models import MemoryIn, MemorySearchIn

client = AuthenticatedClient(base_url=os.environ["URL"], token=os.environ["KEY"], headers={"prefer": "wait=5"})
written = add_memory.sync(client=client, body=MemoryIn(content="The Python client prefers tea."))
found = search_memories.sync(client=client, body=MemorySearchIn(query="Python client tea"))
memory = get_memory.sync(client=client, memory_id=written.memory_id)
proof = get_proof.sync(client=client, receipt_id=memory.receipt_id)
print("python:", len(found.data), "hits, proof", proof.format_)
PY
  venv/bin/python program.py
  echo "python: $(find counterfoil -name '*.py' | wc -l) files"
}

go_client() {
  cd "$directory/go"
  mkdir -p counterfoil
  printf 'package: counterfoil\ngenerate: {models: true, client: true}\noutput-options: {skip-prune: true}\noutput: counterfoil/client.go\n' > config.yaml
  test -f go.mod || go mod init example.org/client >&2 2>&1
  go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config config.yaml "$spec"
  cat > main.go <<'GO'
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"example.org/client/counterfoil"
)

func main() {
	ctx := context.Background()
	signed := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
		request.Header.Set("Prefer", "wait=5")
		return nil
	}
	api, err := counterfoil.NewClientWithResponses(os.Getenv("URL"), counterfoil.WithRequestEditorFn(signed))
	if err != nil {
		log.Fatal(err)
	}
	written, err := api.AddMemoryWithResponse(ctx, nil, counterfoil.MemoryIn{Content: "The Go client prefers tea."})
	if err != nil {
		log.Fatal(err)
	}
	accepted := written.JSON202
	if accepted == nil {
		accepted = written.JSON200
	}
	found, err := api.SearchMemoriesWithResponse(ctx, nil, counterfoil.MemorySearchIn{Query: "Go client tea"})
	if err != nil {
		log.Fatal(err)
	}
	memory, err := api.GetMemoryWithResponse(ctx, accepted.MemoryId, nil)
	if err != nil {
		log.Fatal(err)
	}
	proof, err := api.GetProofWithResponse(ctx, *memory.JSON200.ReceiptId, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("go:", len(found.JSON200.Data), "hits, proof", proof.JSON200.Format)
}
GO
  go mod tidy > tidy.log 2>&1
  go run .
  echo "go: 1 file, $(grep -c '^type ' counterfoil/client.go) types"
}

(typescript)
(python)
(go_client)
