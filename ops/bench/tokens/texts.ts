import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { z } from 'zod';

/** The texts that a model reads from one server, by the name of the row in the table. */
export type Texts = Readonly<Record<string, string>>;

/** A server of memories whose texts are counted. */
export interface Measured {
  readonly name: string;
  /** Whether its results name where a memory comes from, in one sentence for the reader of the table. */
  readonly source: string;
  readonly texts: Texts;
}

/** Facts of about 20 tokens each. */
export const facts = [
  'Ada moved to Lisbon in March and works in the harbour office on the third floor since then.',
  'The harbour office in Lisbon opens at nine and closes at five, except on Fridays in winter.',
  'Bruno keeps the keys of the harbour office, and Carla has the second set in her desk.',
  'The printer of the harbour office needs paper of size A4, which is kept in room twelve.',
  'Letters for the harbour office go to the post box in Lisbon and not to the street address.',
  'The lift of the harbour office is out of order, and the repair is planned for the next week.',
  'Dora cleans the harbour office on Mondays and asks that no cups are left on the tables.',
  'The harbour office pays its rent on the first of the month from the account in Lisbon.',
  'Visitors of the harbour office sign in at the desk and get a badge for the same day.',
  'The alarm of the harbour office is tested on the last Tuesday of every second month.',
];
export const oneFact = 'The tide table hangs beside the door.';
/** Words of every fact. */
export const query = 'harbour office';
export const hitCounts = [1, 3, 5];
/** The row of what Claude Code and Codex give to a model. */
export const structuredSearch = 'a search with 3 hits, structured content';

const answered = z.object({
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
  structuredContent: z.unknown().optional(),
});

export interface Connection {
  /** The list of tools as the server sent it. */
  readonly tools: string;
  /** The text of a result, or the sentence of an error. */
  call(name: string, args: Record<string, unknown>): Promise<string>;
  /** The structured content of a result, which some clients give to the model instead of the text. */
  structured(name: string, args: Record<string, unknown>): Promise<string>;
}

/** An error of the protocol, which a client shows to its model as a text. */
const asText = (error: unknown) => ({ content: [{ type: 'text', text: String(error) }] });

export async function connected<T>(transport: Transport, use: (connection: Connection) => Promise<T>): Promise<T> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    const ask = async (name: string, args: Record<string, unknown>) =>
      answered.parse(await client.callTool({ name, arguments: args }).catch(asText));
    const call = async (name: string, args: Record<string, unknown>) =>
      (await ask(name, args)).content.map(({ text = '' }) => text).join('\n');
    const structured = async (name: string, args: Record<string, unknown>) =>
      JSON.stringify((await ask(name, args)).structuredContent ?? null);
    return await use({ tools: JSON.stringify(tools), call, structured });
  } finally {
    await client.close();
  }
}

/** A program that speaks MCP on its standard input and output. */
export const program = (command: string, args: readonly string[], env: Readonly<Record<string, string>>) =>
  new StdioClientTransport({
    command,
    args: [...args],
    env: { PATH: process.env.PATH ?? '', ...env },
    stderr: 'ignore',
  });

/** The texts of one call for each fact, as a model reads them that has no tool for several facts. */
export async function oneByOne(write: (fact: string, n: number) => Promise<string>): Promise<string> {
  const texts: string[] = [];
  for (const [n, fact] of facts.entries()) texts.push(await write(fact, n));
  return texts.join('\n');
}
