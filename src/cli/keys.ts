import { z } from 'zod';
import { boundedFetch, Unavailable } from '../adapters/bounded-fetch.js';
import {
  addSigningKey,
  disownKey as disown,
  type ListedKey,
  listSigningKeys,
  retireSigningKey,
} from '../adapters/signing-keys.js';
import type { Config } from '../config.js';
import { openKeys } from '../start/store.js';
import { parseVerifierKey } from '../verifier/note-key.js';
import { realWorld } from '../world.js';
import { readSettings } from './settings.js';
import { type Terminal, terminal } from './terminal.js';

type Out = Pick<Terminal, 'out' | 'err'>;

const loggedKey = z.object({
  id: z.string(),
  index: z.int().nonnegative(),
  verifier_key: z.string(),
  state: z.string(),
  retired_after: z.int().nullable(),
});
const answer = z.object({ data: z.array(loggedKey) });

/** The keys that a signed checkpoint has shown, by their ids. */
type InLog = ReadonlyMap<string, z.output<typeof loggedKey>>;

/** Prints the signing keys of the log. */
export function listKeys(out: Out = terminal): Promise<void> {
  return withKeys(out, async ({ directory, askLog }) => {
    const inLog = await askLog().catch(unlessAway);
    const own = listSigningKeys(directory);
    const lines = own.map((key) => `${key.id}  ${key.notBefore}  ${stateOf(key, inLog)}`);
    for (const key of inLog?.values() ?? []) {
      if (own.some(({ id }) => id === key.id)) continue;
      lines.push(`${key.id}  not in the key file, in the log at leaf ${key.index}, ${key.state}`);
    }
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
      'That checkpoint has a leaf that says so. What the key has signed before stays valid, and who knows only this key',
      'trusts the others because it vouched for them.',
    ].join('\n');
  });
}

/** Has the log say of a key in it that it came there by mistake, with another service's key file. */
export function disownKey(id: string, out: Out = terminal): Promise<void> {
  return withKeys(out, async ({ directory, askLog }) => {
    const key = (await askLog()).get(id);
    if (!key) throw new Error(`There is no key ${id} in the log.`);
    if (key.state === 'disowned') return `The log says already that key ${id} is none of its own.`;
    if (key.state !== 'unvouched') {
      throw new Error(`Other keys of the log vouch for key ${id}. To end it: counterfoil keys retire ${id}`);
    }
    disown(directory, parseVerifierKey(key.verifier_key));
    return [
      `Key ${id} is none of this log. The next checkpoint has a leaf that says so, signed by ${inUse(directory).join(' and ')},`,
      'and whoever follows the log finds it sound from there on. The service needs no restart.',
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
  return new Map(data.map((key) => [key.id, key]));
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
  const logged = inLog.get(id);
  if (!logged) return `${use}, not in the log yet`;
  const until = logged.retired_after === null ? '' : `, where it signs up to ${logged.retired_after} leaves`;
  return `${use}, in the log at leaf ${logged.index}${until}`;
}
