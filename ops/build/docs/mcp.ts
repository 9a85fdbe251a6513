import { tools } from '../../../src/mcp/offer.js';
import type { Tool, ValueSchema } from '../../../src/mcp/tool.js';
import { connectorTools } from '../../../src/mcp/tools/connector.js';
import { code, page, table } from './markdown.js';
import { mcpErrors, mcpOffers, mcpTransport } from './mcp-texts.js';

/** The reference of the MCP server: its tools are read from their definitions. */
export function mcpReference(): string {
  const lead =
    '`POST BASE_URL/mcp` is a server of the Model Context Protocol. How to connect a client: [MCP clients](../guides/mcp.md).';
  const optional = connectorTools('').map((tool) => sectionOf(tool, ' Only with the setting `MCP_SEARCH_FETCH=on`.'));
  return page('MCP', lead, [
    mcpTransport,
    '## Tools',
    ...tools.map((tool) => sectionOf(tool)),
    ...optional,
    mcpOffers,
    mcpErrors,
  ]);
}

function sectionOf({ definition }: Tool, note = ''): string {
  const { name, description, inputSchema } = definition;
  const rows = rowsOf(inputSchema.properties, inputSchema.required ?? [], '');
  const list = rows.length === 0 ? 'No arguments.' : table(['argument', 'type', 'meaning'], rows);
  const result = results[name];
  if (result === undefined) throw new Error(`ops/build/docs/mcp.ts does not describe the result of ${name}`);
  return [`### ${name}`, description + note, list, `Result: ${result}`].join('\n\n');
}

/** A row for each argument, and below it one for each of its members. */
function rowsOf(given: Readonly<Record<string, ValueSchema>>, required: readonly string[], prefix: string): string[][] {
  return Object.entries(given).flatMap(([name, value]) => {
    const path = `${prefix}${name}`;
    const type = required.includes(name) ? `${typeOf(value)}, required` : typeOf(value);
    const inside = value.type === 'array' ? rowsOf(membersOf(value.items), [], `${path}[].`) : [];
    return [[code(path), type, value.description], ...inside, ...rowsOf(membersOf(value), [], `${path}.`)];
  });
}

const membersOf = (value: ValueSchema) => (value.type === 'object' ? (value.properties ?? {}) : {});

function typeOf(value: ValueSchema): string {
  return [kindOf(value), ...boundsOf(value)].filter((one) => one !== '').join(', ');
}

function kindOf(value: ValueSchema): string {
  if (value.type === 'array') return `array of ${typeOf(value.items)}`;
  if (value.type !== 'string') return value.type;
  const kind = value.enum ? value.enum.map(code).join(', ') : value.type;
  return value.format ? `${kind} (${value.format})` : kind;
}

function boundsOf(value: ValueSchema): string[] {
  switch (value.type) {
    case 'string':
      return [range(value.minLength, value.maxLength, ' characters')];
    case 'integer':
      return [range(value.minimum, value.maximum, ''), value.default === undefined ? '' : `default ${value.default}`];
    case 'array':
      return [range(value.minItems, value.maxItems, ' elements')];
    default:
      return [];
  }
}

function range(from: number | undefined, to: number | undefined, unit: string): string {
  if (from !== undefined && to !== undefined) return `${from} to ${to}${unit}`;
  if (from !== undefined) return `at least ${from}${unit}`;
  return to === undefined ? '' : `at most ${to}${unit}`;
}

/** The structured content of each tool. */
const results: Readonly<Record<string, string>> = {
  remember:
    '`{memory_id, short_id, receipt_id, receipt_hash, duplicate, redacted: {kind: number}, similar: [{memory_id, excerpt}], searchable, message}`. It waits up to 2 seconds until the memory is searchable.',
  forget: '`{memory_id, deleted: true, receipt_id}`.',
  list_subscriptions: '`{data: [webhook]}`, as `GET /v1/webhooks` has them.',
  recall:
    '`{receipt_id, receipt_hash, mode, degraded, data: [hit], left_out, tokens_used, token_budget}`, as `POST /v1/memories/search`, with `notice` and `message`. The text holds excerpts within half the budget.',
  get_context:
    '`{context, sources: [{number, memory_id, receipt_id, receipt_hash, truncated}], receipt_id, receipt_hash, mode, degraded, left_out, tokens_used, max_tokens}`.',
  record_action_batch:
    '`{results}`, in the order of the actions: `{index, ok: true, kind, receipt_id, receipt_hash, memory_id?, job_id?, duplicate?, redacted?}` or `{index, ok: false, error: {code, message, details}}`. It is an error only when every action was refused.',
  subscribe: 'the webhook with its `secret`, which is shown once.',
  unsubscribe: '`{id, deleted: true}`.',
  search: '`{results: [{id, title, url}]}`, with the receipt of the search.',
  fetch: '`{id, title, text, url, metadata}`.',
};
