import type { Audience, Operation } from '../../api/operation.js';

/** A sentence about the clients that may call. */
const who = {
  anybody: 'Anyone; no credential is needed.',
  'a session': 'A person who is signed in.',
  'a person': 'A person who is signed in, with or without a workspace. 120 requests a minute.',
  'a person or anyone': 'Anyone. The answer depends on the person who is signed in.',
  'a session cookie': 'A person who is signed in.',
  'memory.read':
    'An API key that is not limited by scopes or has the scope memory.read or memory.write, or a signed-in person with a role in the workspace.',
  'receipts.read': 'An API key, limited by scopes or not, or a signed-in person with a role in the workspace.',
  'memory.write':
    'An API key that is not limited by scopes or has the scope memory.write, or a signed-in person whose role may write.',
  'submit task receipts':
    'An API key that is not limited by scopes or has the scope memory.write, or a signed-in person whose role may write.',
  'export memories': 'An API key that is not limited by scopes, or an owner or admin who is signed in.',
  'export receipts': 'An API key with the scope receipts.read, or an owner or admin who is signed in.',
  'manage namespaces': 'An owner or admin who is signed in.',
  'see key bindings': 'A signed-in person with a role in the workspace.',
  'see agents': 'A signed-in person with a role in the workspace.',
  'bind keys': 'An owner or admin who is signed in.',
  'manage the workspace': 'An owner or admin who is signed in.',
  'decide approvals': 'An owner or admin who is signed in.',
  'manage keys': 'An owner or admin who is signed in.',
  'manage own grants': 'A signed-in person with a role in the workspace.',
  'see operations': 'An operator of the service who is signed in and has a role in the workspace.',
} as const satisfies Record<Audience, string>;

export function whoMayCall({ access }: Operation): string {
  return who[access];
}

/** The parameters that several queries share with the same meaning. */
const common: Readonly<Record<string, string>> = {
  state: 'Only deliveries in this state.',
  status: 'Only approvals in this state, as of now.',
  limit: 'The maximum number of items on a page.',
  sort: 'The order of the list.',
  user_id: 'Only what this person wrote.',
  agent_id: 'Only what this agent wrote.',
  app_id: 'Only what this application wrote.',
  run_id: 'Only what was written in this run.',
};

export function saysOfParameter(name: string): string {
  return common[name] ?? `The ${name.replaceAll('_', ' ')}.`;
}

interface Tag {
  readonly name: string;
  readonly description: string;
}

const operationTag: Tag = { name: 'Operation', description: 'For the operators of the service.' };

const sessionTag: Tag = {
  name: 'Session',
  description: 'Sign-in and sign-out. The cookie of a session replaces an API key.',
};
const identityTag: Tag = {
  name: 'Identities',
  description: 'Identities of agents, which anyone may have issued and read. They need no credential.',
};
const feedTag: Tag = {
  name: 'Public feeds',
  description: 'Figures that are computed from the public task receipts of all workspaces. They need no credential.',
};

/** The first part of the path → where its operations stand. What is not here stands under its own name. */
const tags: Readonly<Record<string, Tag>> = {
  memories: {
    name: 'Memories',
    description: 'Write, list, read, search, export and delete. Every write, delete and search has a receipt.',
  },
  ingest: {
    name: 'Ingest',
    description: 'Import texts, files and pages, and follow the jobs that make memories searchable.',
  },
  namespaces: {
    name: 'Namespaces',
    description: 'Parts of the workspace. A key reaches the namespaces that it is limited to.',
  },
  keys: { name: 'Keys', description: 'API keys, their scopes and the namespaces that they are limited to.' },
  rules: { name: 'Rules', description: 'What the workspace demands of writes.' },
  workspace: { name: 'Workspace', description: 'The workspace and its people.' },
  members: { name: 'Workspace', description: 'The workspace and its people.' },
  receipts: {
    name: 'Receipts',
    description: 'The entries of the ledger, and proofs of them that need no trust in this service.',
  },
  ledger: {
    name: 'Public log',
    description: 'The public log of the heads of all chains (C2SP tlog-tiles). It needs no credential.',
  },
  session: sessionTag,
  sessions: sessionTag,
  discovery: feedTag,
  standards: feedTag,
  trading: feedTag,
  treasury: feedTag,
  attribution: feedTag,
  embed: { name: 'Widgets', description: 'Pictures of public figures for a README or any other page.' },
  terminal: {
    name: 'Terminal',
    description: 'The public figures of the market, and the watchlists, alerts and streams of a person.',
  },
  grants: { name: 'Grants', description: 'The programs that people have connected over MCP, and what each may do.' },
  'attestation-keys': {
    name: 'Attestation keys',
    description: 'Public keys with which the attestations of task receipts are checked.',
  },
  otlp: { name: 'OpenTelemetry', description: 'Spans of GenAI as task receipts, over OTLP.' },
  webhooks: { name: 'Webhooks', description: 'Addresses that are notified when a matching memory is ready.' },
  approvals: {
    name: 'Approvals',
    description: 'Writes and deletes that wait for the decision of a person, and the decisions.',
  },
  operations: operationTag,
  usage: { name: 'Usage', description: 'What the workspace has used of its plan.' },
  'agent-id': identityTag,
  registry: identityTag,
  agents: { name: 'Agents', description: 'Agents that are linked to the workspace.' },
};

export function tagOf({ path }: Pick<Operation, 'path'>): Tag {
  if (!path.startsWith('/v1/')) return operationTag;
  const [, , first = ''] = path.split('/');
  const name = first.charAt(0).toUpperCase() + first.slice(1);
  return tags[first] ?? { name, description: `${name}.` };
}

export const introduction = `Counterfoil stores text memories for agents and keeps a receipt of every write, delete and search.

**Bodies** are JSON objects, with any content type. A duplicate key in one object, text that is not UTF-8, and nesting
deeper than 64 levels are refused as \`invalid_json\`, and so is a body of more than 40,000 values. An unknown field is refused as
\`invalid_request\` (in a search as \`unknown_field\`), and the message names it; a call that takes no fields takes no body, or \`{}\`. A
query parameter that a call below \`/v1/\` does not have is refused as \`invalid_request\` with its name, public files included. Text with a NUL or half a surrogate pair is refused with the code of its field.

**Refusals** are \`{"error": {"code", "message", "details", "request_id"}}\`. Match on the code; the message is for people and may
change. Every answer has its \`request_id\` in the header \`x-request-id\` too: name it when you ask the operator about a request.
Do not repeat a request that was refused with a 4xx other than 429. After 429 wait as long as \`Retry-After\` says, then retry
with jitter; retry 500 and 503 with backoff. Answers with 402 have another body, \`PlanLimit\`.

**Lists** give \`next_cursor\`: send it as \`cursor\` for the next page, with the same filters, until it is null.

**Bodies may be compressed** with gzip, deflate or br, as \`content-encoding\` says; the limits hold for them before and after
decompression. Every GET is also answered as HEAD, except streams and paths that say which methods they take.

**Limits**: 300 requests a minute from one address; 600 writes and 300 searches a minute in one workspace. Bodies have at most
8 MiB. The headers \`RateLimit\` and \`RateLimit-Policy\` say what is left of each budget, before and with a 429.`;
