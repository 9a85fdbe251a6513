import { readFileSync } from 'node:fs';
import { limits } from '../../../contracts/limits.js';
import { type Line, linesOf } from '../lines.js';
import { isClosedByReader } from '../output.js';
import { output, terminal } from '../terminal.js';
import { createRelay, type McpService } from './relay.js';

export interface McpOptions {
  readonly url?: string;
  readonly keyFile?: string;
}

/** The bounds of the messages in flight. Beyond them no further line is read. */
const maxMessages = 32;
const maxHeldBytes = 2 * limits.bodyBytes;

/**
 * Relays between a client that speaks MCP over standard input and output, and the service.
 * @returns the exit code: 0 at the end of the input, 2 without a usable key or address
 */
export async function mcp(options: McpOptions): Promise<number> {
  let service: McpService;
  try {
    service = serviceOf(options, process.env);
  } catch (error) {
    terminal.err(error instanceof Error ? error.message : String(error));
    return 2;
  }
  // Answers cannot be given any more. That is the usual end of a session when the client has closed its end.
  output.stdout.on('error', (error) => process.exit(isClosedByReader(error) ? 0 : 2));
  await relayLines(process.stdin, createRelay(service), writeLine);
  return 0;
}

/** Resolves when the line was handed to the client, so that a client that does not read is not sent more and more. */
const writeLine = (line: string) => new Promise<void>((resolve) => output.stdout.write(`${line}\n`, () => resolve()));

/** Answers every line, several at once, in the order in which the answers arrive. */
export async function relayLines(
  input: AsyncIterable<Uint8Array | string>,
  relay: (line: Line) => Promise<string | undefined>,
  write: (line: string) => Promise<void>,
): Promise<void> {
  const inFlight = new Set<Promise<void>>();
  let held = 0;
  const answer = async (line: Line) => {
    const answered = await relay(line);
    if (answered !== undefined) await write(answered);
  };
  for await (const line of linesOf(input, { line: 1, offset: 0 }, limits.bodyBytes)) {
    if (isBlank(line)) continue;
    held += line.bytes.length;
    const work: Promise<void> = answer(line).finally(() => {
      held -= line.bytes.length;
      inFlight.delete(work);
    });
    inFlight.add(work);
    while (inFlight.size >= maxMessages || held > maxHeldBytes) await Promise.race(inFlight);
  }
  await Promise.all(inFlight);
}

const isBlank = ({ bytes }: Line) => bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);

/**
 * The service that the options name, otherwise the environment. The file `.env` of the working directory is not read: a
 * client starts this program in directories of other people, and such a file could send the key to another address.
 * @throws Error with a sentence for the user
 */
function serviceOf({ url, keyFile }: McpOptions, env: NodeJS.ProcessEnv): McpService {
  const key = keyFile === undefined ? (env.COUNTERFOIL_AGENT_KEY ?? '') : readKey(keyFile);
  // The error for an invalid header would contain the key.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new Error(
      'Give an agent key (agk_…) in COUNTERFOIL_AGENT_KEY, or the file that contains it with --key-file.',
    );
  }
  const base = (url ?? env.COUNTERFOIL_URL ?? 'http://127.0.0.1:8080').replace(/(\/mcp)?\/*$/, '');
  const parsed = URL.canParse(base) ? new URL(base) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.search + parsed.hash !== '') {
    throw new Error(
      '--url or COUNTERFOIL_URL must be the http or https address of the service, such as http://127.0.0.1:8080.',
    );
  }
  return { url: `${base}/mcp`, key };
}

function readKey(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new Error(`--key-file cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
