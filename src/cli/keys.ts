import { z } from 'zod';
import { boundedFetch, Unavailable } from '../adapters/bounded-fetch.js';
import {
  addSigningKey,
  disownKey as disown,
  type ListedKey,
  listSigningKeys,
  retireSigningKey,
} from '../adapters/signing-keys.js';
import { realWorld } from '../base/world.js';
import type { Config } from '../settings/config.js';
import { parseVerifierKey } from '../verifier/note.js';
import { openKeys } from '../wiring/start/store.js';
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

/** The keys that a signed checkpoint contains, by their ids. */
type InLog = ReadonlyMap<string, z.output<typeof loggedKey>>;

/** Prints the signing keys of the log. */
export function listKeys(out: Out = terminal): Promise<void> {
  return withKeys(out, async ({ directory, askLog }) => {
    const inLog = await askLog().catch(nullIfUnavailable);
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

/** Creates a further key, which the existing keys endorse. */
export function addKey(out: Out = terminal): Promise<void> {
  return withKeys(out, async ({ directory }) => {
    const before = inUse(directory);
    const id = addSigningKey(directory, realWorld.now());
    return [
      `Key ${id} was made, and it is endorsed by ${before.join(' and ')}.`,
      'The next checkpoint has it in the log, and later checkpoints are signed with it as well. The service needs no restart.',
      `When counterfoil keys shows that it is in the log, an old key can be retired: counterfoil keys retire ${before[0]}`,
    ].join('\n');
  });
}

/** Retires a key. Another key must be in the public log before. */
export function retireKey(id: string, out: Out = terminal): Promise<void> {
  return withKeys(out, async ({ directory, askLog }) => {
    const others = inUse(directory).filter((one) => one !== id);
    const inLog = await askLog();
    // Without another key the service could not sign at all, and there would be no reason to trust a key that appears later.
    if (others.length > 0 && !others.some((one) => inLog.has(one))) {
      throw new Error(`No other key is in the log yet: ${others.join(', ')} will be in it with the next checkpoint.`);
    }
    retireSigningKey(directory, id);
    return [
      `Key ${id} signs no more. From the next checkpoint on, checkpoints are signed by ${others.join(' and ')}.`,
      'That checkpoint has a leaf that says so. Earlier signatures of the key stay valid, and a reader who knows only this key',
      'trusts the other keys because this key has endorsed them.',
    ].join('\n');
  });
}

/** Records in the log that one of its keys entered it by mistake, with another service's key file. */
export function disownKey(id: string, out: Out = terminal): Promise<void> {
  return withKeys(out, async ({ directory, askLog }) => {
    const key = (await askLog()).get(id);
    if (!key) throw new Error(`There is no key ${id} in the log.`);
    if (key.state === 'disowned') return `The log says already that key ${id} is not one of its keys.`;
    if (key.state !== 'unvouched') {
      throw new Error(`Other keys of the log have endorsed key ${id}. To end it: counterfoil keys retire ${id}`);
    }
    disown(directory, parseVerifierKey(key.verifier_key));
    return [
      `Key ${id} is not a key of this log. The next checkpoint has a leaf that says so, signed by ${inUse(directory).join(' and ')}.`,
      'From then on, auditors find the log correct. The service needs no restart.',
    ].join('\n');
  });
}

interface Keys {
  readonly directory: string;
  /** @throws Unavailable when the service does not answer */
  askLog(): Promise<InLog>;
}

/** The exit code is 2 when the command cannot be executed, as with other commands. */
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

function nullIfUnavailable(error: unknown): null {
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
