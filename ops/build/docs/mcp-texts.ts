/** Parts of the MCP reference that no definition has. */

export const mcpTransport = `## Transport

Every request is one \`POST\` and every answer \`application/json\`. There are no streams of events and no stored sessions. \`GET\` and other methods are 405;
a browser gets a page that says how to connect.

| era | versions | how a request names it |
| --- | --- | --- |
| session | 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 | \`initialize\`, then the header \`MCP-Protocol-Version\` |
| stateless | 2026-07-28 | \`_meta["io.modelcontextprotocol/protocolVersion"]\` in each request, with the headers \`MCP-Protocol-Version\`, \`Mcp-Method\` and, where a tool, prompt or resource is named, \`Mcp-Name\` |

- **Credential**: \`Authorization: Bearer\` with an agent key (\`agk_…\`) or an access token of the service's own authorization server. Which one is not accepted, and why, says
  \`WWW-Authenticate\`, which names the metadata by which clients find the sign-in. Access tokens last 15 minutes, refresh tokens 14 days since their last use, a grant 90 days. A revoked key or
  grant is refused from the next call on.
- **Batches** of 1 to 20 messages in the session era. They run and are answered in order. A stateless message in a batch refuses the whole batch.
- **Runs**: \`Mcp-Session-Id\`, which \`initialize\` returns and which is only a label, becomes the \`run_id\` of what a session writes. Stateless requests name a run in
  \`_meta["counterfoil/run"]\` or in the header \`x-service-run\`.
- **Idempotency**: \`record_action_batch\` takes \`idempotency_key\`, or \`_meta["counterfoil/idempotencyKey"]\`. The same key and the same actions within 24 hours are recorded once.
- **Preferences**: \`_meta["counterfoil/prefer"]\` is the header \`Prefer\` of REST. With \`wait=0\` a search does not wait for what the credential has just written, nor \`remember\` for its job.
- **Ids**: the last 12 digits of the id of a memory are enough wherever a tool or an address asks for one, as long as they are of one memory that the credential reaches (else \`ambiguous_id\`).
- **Namespaces** are named by id or by name. A credential that is bound to exactly one writes to that one when none is named. \`namespace_out_of_scope\` lists those that may be used.
- **Arguments**: null or an empty id is absent, \`"5"\` is 5, a list or an object may be JSON text of up to 1 MiB with the same inside of it, a date is the beginning of its day. Everything else that is wrong is refused.
- **Tools** that a credential can never use, by its scopes or because it has no agent, are not listed.
- **Stored texts** are between tags with a random word, \`<memory-xkw id=… receipt=… source=… date=…>\`, and the tag of a text that was cut ends with \`cut\`; characters that no one sees are shown as U+FFFD. Structured content says in \`notice\` that they are no instructions.
- **Limits**: 8 MiB for a request, 120 messages a minute for a token or agent key. Writes and searches also count in the limits of the workspace. See [limits](limits.md).
- **Browsers**: pages of the origins in \`MCP_ALLOWED_ORIGINS\` may call. The header \`Host\` must be that of \`BASE_URL\`, with its port; behind \`TRUST_PROXY\` \`X-Forwarded-Host\` is compared. If \`BASE_URL\` is on this machine, \`localhost\`, \`127.0.0.1\` and \`[::1]\` with its port are all taken.

Over MCP an operation has the rights, limits, rules, receipts and webhooks that it has over REST. Its entries have \`via: "mcp"\` in \`actor\`. Agents of one
workspace read each other's memories where their namespaces overlap.`;

export const mcpOffers = `## Resources, prompts, completion

- \`memory://{id}\`: the text of a memory, and the memory as JSON. \`receipt://{receipt_id}\`: a receipt. \`resources/list\` lists the newest 1,000 memories that the credential
  reaches, 100 a page. Reading a resource writes no receipt.
- The prompt \`with_memory(question, max_tokens?)\` is a question together with the memories about it. It records a search.
- The prompt \`remember_this(text)\` asks the model to call \`remember\` with a text. It writes nothing itself.
- \`completion/complete\` proposes ids of the newest memories, by the beginning of the id or of the short id, or by words.`;

export const mcpErrors = `## Errors

What the arguments of a tool are to blame for is an error of JSON-RPC that names the argument. Everything else that a tool refuses is a result with \`isError\`, a text
\`code: what to do\`, and \`_meta["counterfoil/error"] = {code, details}\` with a code of [the REST API](errors.md). When every action of a batch
was refused, it is that of the first one.

| answer | HTTP | when |
| --- | --- | --- |
| -32700 | 400 | the body is not JSON, or has the same key twice in one object |
| -32600 | 400 | not a request of JSON-RPC; an empty batch or one of more than 20; a batch with a stateless message |
| -32601 | 200, stateless 404 | there is no such method |
| -32602 | 200 | wrong arguments of a tool or prompt, unknown resource or prompt. \`data\`: \`{code, issues: [{path, message}]}\` |
| -32602 | 400 | a stateless request without required members of \`_meta\` |
| -32020 | 400 | header and body of a stateless request differ, or a header is missing |
| -32022 | 400 | unknown version. \`data\`: \`{supported, requested}\` |
| -32603 | 200 | internal error, with \`data.request_id\` |
| -32000 | 401, 403, 413, 415, 429 | credential, missing scope, agent that is not linked, origin, host, size, type, rate |
| result with \`isError\` | 200 | unknown tool, and every other refusal |`;
