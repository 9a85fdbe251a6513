import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Args, Model, Result, Schema } from './model.js';

/** The most calls of one task. */
const mostCalls = 8;

/** A model that does not know how to continue. */
export class GaveUp extends Error {}

/** One task of a model: the tools that it was offered, and the calls that it makes. */
export interface Conversation {
  readonly model: Model;
  readonly tools: ReadonlyMap<string, Schema>;
  /** Of the server; empty for a model that does not read them. */
  readonly instructions: string;
  /** The counts so far. */
  readonly counts: Counts;
  /** @throws GaveUp after too many calls */
  call(name: string, args: Args): Promise<Result>;
  close(): Promise<void>;
}

export interface Counts {
  calls: number;
  /** The codes of refusals, in their order. */
  readonly refusals: string[];
  /** The texts that the model has read in results. */
  readonly read: string[];
  /** The instructions and the list of tools. */
  readonly before: string;
}

const schema: z.ZodType<Schema> = z.object({
  type: z.string().optional(),
  format: z.string().optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), schema).optional();
  },
  get items() {
    return schema.optional();
  },
});

const answered = z.object({
  content: z.array(z.object({ text: z.string().optional() })),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
  _meta: z.object({ 'counterfoil/error': z.object({ code: z.string() }).optional() }).optional(),
});
const refusal = z.object({ code: z.string() });

export async function converse(origin: string, key: string, model: Model): Promise<Conversation> {
  const client = new Client({ name: 'bench', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit }));
  const { tools } = await client.listTools();
  const instructions = model.isInstructed ? (client.getInstructions() ?? '') : '';
  const counts: Counts = { calls: 0, refusals: [], read: [], before: `${instructions}\n${JSON.stringify(tools)}` };
  let isCareful = false;
  const schemas = new Map(tools.map(({ name, inputSchema }) => [name, schema.parse(inputSchema)]));
  return {
    model,
    tools: schemas,
    instructions,
    counts,
    async call(name, args) {
      if (counts.calls >= mostCalls) throw new GaveUp(`${mostCalls} calls were not enough`);
      counts.calls += 1;
      const sent = model.sent(schemas.get(name) ?? {}, args, isCareful);
      const result = await resultOf(client, name, { ...sent });
      isCareful ||= isAboutArguments(result);
      if (result.refused) counts.refusals.push(result.code ?? 'without a code');
      counts.read.push(model.reads(result));
      return result;
    },
    close: () => client.close(),
  };
}

/** Whether it says that the arguments were wrong. */
export const isAboutArguments = ({ refused, text }: Result): boolean => refused && text.includes('-32602');

async function resultOf(client: Client, name: string, args: Record<string, unknown>): Promise<Result> {
  try {
    const { content, structuredContent, isError, _meta } = answered.parse(
      await client.callTool({ name, arguments: args }),
    );
    return {
      refused: isError === true,
      text: content.map(({ text = '' }) => text).join('\n'),
      structured: structuredContent,
      code: _meta?.['counterfoil/error']?.code ?? null,
    };
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    const code = refusal.safeParse(error.data).data?.code ?? String(error.code);
    return { refused: true, text: error.message, structured: undefined, code };
  }
}
