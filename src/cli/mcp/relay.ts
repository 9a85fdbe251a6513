import { z } from 'zod';
import { limits } from '../../../contracts/limits.js';
import { boundedFetch, Unavailable } from '../../adapters/bounded-fetch.js';
import type { RpcFault } from '../../mcp/protocol/rpc.js';
import { unknownId } from '../../mcp/protocol/version.js';
import type { Line } from '../lines.js';
import { headersOf, type Session, sessionOf } from './headers.js';
import { initializes, type Message, readMessage, refusal, refusalOfCut } from './message.js';

export interface McpService {
  /** The address of its MCP server. */
  readonly url: string;
  readonly key: string;
}

/** The code for what the transport refuses, as the service uses it. */
const refused = -32000;
const timeoutMs = 60_000;
/** More than the largest answer: a batch of 20 searches with the largest budget. */
const maxBytes = 64 * 1024 * 1024;

/** The answer to a message that was refused before it was read: versions since 2025-11-25 have no id there, earlier ones null. */
const unread = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.null().optional(),
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
});
const rpcAnswer = z.union([z.array(z.unknown()), z.object({ jsonrpc: z.literal('2.0') })]);
/** A refusal of a route that is not the MCP server, for example while the service starts. */
const restRefusal = z.object({ error: z.object({ message: z.string() }) });

/**
 * Sends the lines of a client to the service.
 * @returns a function from a line to the line of its answer, undefined when it has none
 */
export function createRelay({ url, key }: McpService): (line: Line) => Promise<string | undefined> {
  let session: Session = {};
  /** The last `initialize`, whose answer later messages wait for. */
  let opening: Promise<unknown> = Promise.resolve();

  async function exchange(bytes: Uint8Array, message: Message): Promise<string | undefined> {
    const headers = {
      ...headersOf(message.value, session),
      accept: 'application/json',
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
    };
    const answer = await boundedFetch(url, { method: 'POST', headers, body: bytes, timeoutMs, maxBytes });
    const read = readMessage(answer.body);
    if (initializes(message)) session = sessionOf(read.value, answer.headers.get('mcp-session-id')) ?? session;
    if (answer.status === 202) return undefined;
    return lineOf(answer.status, read, url, (error) => refusal(message, error, unknownId(headers)));
  }

  return async ({ bytes, cut, tail }) => {
    if (cut) {
      const error = { code: refused, message: `A message may have at most ${limits.bodyBytes} bytes.` };
      return refusalOfCut(bytes, tail, error, unknownId(headersOf(undefined, session)));
    }
    const message = readMessage(bytes);
    const answer = opening
      .then(() => exchange(bytes, message))
      .catch((error: unknown) => {
        if (!(error instanceof Unavailable)) throw error;
        const said = { code: refused, message: `${url} did not answer: ${error.message}.` };
        return refusal(message, said, unknownId(headersOf(message.value, session)));
      });
    if (initializes(message)) opening = answer;
    return answer;
  };
}

function lineOf(
  status: number,
  { value, text }: Message,
  url: string,
  refuse: (error: RpcFault) => string | undefined,
): string | undefined {
  const early = unread.safeParse(value);
  // Its client waits for an answer that has the id. The refusal of a message that was read has status 400, and its id.
  if (early.success && status !== 400) return refuse(early.data.error);
  // Texts in an answer are as they were written, also with line breaks between their values.
  if (rpcAnswer.safeParse(value).success) return text.replace(/[\r\n]+/g, ' ');
  const rest = restRefusal.safeParse(value);
  const why = rest.success ? `: ${rest.data.error.message}` : ', and not as an MCP server does. Is the address right?';
  return refuse({ code: refused, message: `${url} answered ${status}${why}` });
}
