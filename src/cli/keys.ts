import { z } from 'zod';
import { boundedFetch, Unavailable } from '../adapters/bounded-fetch.js';
import { addSigningKey, type ListedKey, listSigningKeys, retireSigningKey } from '../adapters/signing-keys.js';
import { openKeys } from '../app.js';
import type { Config } from '../config.js';
import { realWorld } from '../world.js';
import { readSettings } from './settings.js';
import { type Terminal, terminal } from './terminal.js';

type Out = Pick<Terminal, 'out' | 'err'>;

/** The keys that a signed checkpoint has shown: their ids, with the leaf that each stands at. */
type InLog = ReadonlyMap<string, number>;

const answer = z.object({ data: z.array(z.object({ id: z.string(), index: z.int().nonnegative() })) });

/** Prints the signing keys of the log. */
export function listKeys(out: Out = terminal): Promise<void> {
  return withKeys(out, async ({ directory, askLog }) => {
    const inLog = await askLog().catch(unlessAway);
    const lines = listSigningKeys(directory).map((key) => `${key.id}  ${key.notBefore}  ${stateOf(key, inLog)}`);
    if (inLog) return ['key id    since', ...lines].join('\n');
    return ['key id    since', ...lines, '', 'The service does not answer, so what is in its log is not known.'].join(
      '\n',
    );
  });
}

/** Makes a further key, which the others vouch for. */
export function addKey(out: Out = terminal): Promise<void> {
  return withKeys(out, async ({ directory }) => {
    const before = inUse(directory);
    const id = addSigningKey(directory, realWorld.now());
    return [
      `Key ${id} was made, and ${before.join(' and ')} vouches for it.`,
      'The next checkpoint has it in the log, and those after it are signed with it as well. The service needs no restart.',
      `When counterfoil keys says that it is in the log, an old one can go: counterfoil keys retire ${before[0]}`,
    ].join('\n');
  });
}

/** Lets a key sign no more, when another one has been shown to everybody that can. */
export function retireKey(id: string, out: Out = terminal): Promise<void> {
  return withKeys(out, async ({ directory, askLog }) => {
    const others = inUse(directory).filter((one) => one !== id);
    const inLog = await askLog();
    // Without one the service could not sign at all, and nobody would have reason to believe a key that appears later.
    if (others.length > 0 && !others.some((one) => inLog.has(one))) {
      throw new Error(`No other key is in the log yet: ${others.join(', ')} comes into it with the next checkpoint.`);
    }
    retireSigningKey(directory, id);
    return [
      `Key ${id} signs no more. From the next checkpoint on they are signed by ${others.join(' and ')}.`,
      'What it has signed stays valid, and who knows only it trusts the others because it vouched for them.',
    ].join('\n');
  });
}

interface Keys {
  readonly directory: string;
  /** @throws Unavailable when the service does not answer */
  askLog(): Promise<InLog>;
}

/** Exit codes are those of the other commands: 2 when it cannot be done. */
async function withKeys({ out, err }: Out, work: (keys: Keys) => Promise<string>): Promise<void> {
  try {
    const config = readSettings();
    out(await work({ directory: openKeys(config, realWorld).place, askLog: () => keysInLog(config) }));
  } catch (error) {
    err(`counterfoil: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 2;
  }
}

async function keysInLog({ baseUrl }: Config): Promise<InLog> {
  const url = `${baseUrl}/v1/ledger/keys`;
  const limits = { timeoutMs: 5000, maxBytes: 1024 * 1024 };
  const { status, body } = await boundedFetch(url, limits).catch((error: unknown) => {
    const reason = error instanceof Unavailable ? error.message : String(error);
    throw new Unavailable(`Which keys are in the log is not known: ${url}: ${reason}.`);
  });
  if (status !== 200) throw new Unavailable(`Which keys are in the log is not known: ${url} answered ${status}.`);
  const { data } = answer.parse(JSON.parse(Buffer.from(body).toString('utf8')));
  return new Map(data.map(({ id, index }) => [id, index]));
}

function unlessAway(error: unknown): null {
  if (error instanceof Unavailable) return null;
  throw error;
}

const inUse = (directory: string): string[] =>
  listSigningKeys(directory).flatMap(({ id, retired }) => (retired ? [] : [id]));

function stateOf({ id, retired }: ListedKey, inLog: InLog | null): string {
  const use = retired ? 'retired' : 'in use';
  if (!inLog) return use;
  const index = inLog.get(id);
  return `${use}, ${index === undefined ? 'not in the log yet' : `in the log at leaf ${index}`}`;
}
