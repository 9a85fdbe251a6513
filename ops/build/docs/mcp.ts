import { z } from 'zod';
import { tools } from '../../../src/mcp/offer.js';
import type { Tool } from '../../../src/mcp/tool.js';
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
  const rows = rowsOf(argumentsShape.parse(inputSchema), '');
  const list = rows.length === 0 ? 'No arguments.' : table(['argument', 'type', 'meaning'], rows);
  const result = results[name];
  if (result === undefined) throw new Error(`ops/build/docs/mcp.ts does not describe the result of ${name}`);
  return [`### ${name}`, description + note, list, `Result: ${result}`].join('\n\n');
}

/** Everything that is used here of a JSON Schema. */
const shape = z.object({
  type: z.string().optional(),
  description: z.string(),
  default: z.unknown().optional(),
  enum: z.array(z.string()).optional(),
  format: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), shape).optional();
  },
  get items() {
    return shape.optional();
  },
});
type Value = z.output<typeof shape>;
const argumentsShape = shape.pick({ properties: true, required: true });

/** A row for each argument, and below it one for each of its members. */
function rowsOf(
  { properties = {}, required = [] }: Pick<Value, 'properties' | 'required'>,
  prefix: string,
): string[][] {
  return Object.entries(properties).flatMap(([name, value]) => {
    const path = `${prefix}${name}`;
    const type = required.includes(name) ? `${typeOf(value)}, required` : typeOf(value);
    const inside = value.items ? rowsOf(value.items, `${path}[].`) : rowsOf(value, `${path}.`);
    return [[code(path), type, value.description], ...inside];
  });
}

function typeOf(value: Value): string {
  const kind = value.enum ? value.enum.map(code).join(', ') : String(value.type);
  const format = value.format ? ` (${value.format})` : '';
  const bounds = [
    range(value.minimum, value.maximum, ''),
    range(value.minLength, value.maxLength, ' characters'),
    range(value.minItems, value.maxItems, ' elements'),
    value.default === undefined ? '' : `default ${String(value.default)}`,
  ].filter((one) => one !== '');
  const of = value.items ? ` of ${typeOf(value.items)}` : '';
  return [`${kind}${format}${of}`, ...bounds].join(', ');
}

function range(from: number | undefined, to: number | undefined, unit: string): string {
  if (from !== undefined && to !== undefined) return `${from} to ${to}${unit}`;
  if (from !== undefined) return `at least ${from}${unit}`;
  return to === undefined ? '' : `at most ${to}${unit}`;
}

/** The structured content of each tool. */
const results: Readonly<Record<string, string>> = {
  list_subscriptions: '`{data: [webhook]}`, as `GET /v1/webhooks` has them.',
  recall:
    '`{receipt_id, receipt_hash, mode, degraded, data: [hit], tokens_used, token_budget}`, as `POST /v1/memories/search`. The text holds excerpts within half the budget.',
  get_context:
    '`{context, sources: [{number, memory_id, receipt_id, receipt_hash, truncated}], receipt_id, receipt_hash, mode, degraded, tokens_used, max_tokens}`.',
  record_action_batch:
    '`{results}`, in the order of the actions: `{index, ok: true, kind, receipt_id, receipt_hash, memory_id?, job_id?, duplicate?}` or `{index, ok: false, error: {code, message, details}}`. It is an error only when every action was refused.',
  subscribe: 'the webhook with its `secret`, which is shown once.',
  unsubscribe: '`{id, deleted: true}`.',
  search: '`{results: [{id, title, url}]}`, with the receipt of the search.',
  fetch: '`{id, title, text, url, metadata}`.',
};
