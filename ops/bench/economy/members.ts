import { execFileSync } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { packageRoot } from '../../../src/base/package-root.js';
import type { Society } from './society.js';

const member = z.object({ id: z.string(), email: z.string(), password: z.string(), key: z.string() });
/** A workspace of the service, with what signs in there. */
export type Member = z.output<typeof member>;

/** Of a service that runs already: a JSON file with a list of `{id, email, password, key}`. */
export function readMembers(path: string): Member[] {
  return z.array(member).parse(JSON.parse(readFileSync(path, 'utf8')));
}

/** Makes workspaces of a service on this machine, as its operator does. */
export function makeMembers(count: number, env: Readonly<Record<string, string>>): Member[] {
  const command = (...args: string[]) =>
    execFileSync(process.execPath, [join(packageRoot, 'dist/src/cli/main.js'), 'workspaces', ...args], {
      env: { PATH: process.env.PATH ?? '', ...env },
      encoding: 'utf8',
    });
  return Array.from({ length: count }, (_, index) => {
    const email = `owner-${index}@example.org`;
    const said = command('add', email);
    const [id, password, key] = [/Workspace (\S+)/, /password +(\S+)/, /API key +(\S+)/].map(
      (line) => line.exec(said)?.[1] ?? '',
    );
    if (!id || !password || !key) throw new Error(`workspaces add printed something else:\n${said}`);
    command('set', id, '--plan', 'enterprise');
    return { id, email, password, key };
  });
}

/** Sends a request and returns the answer. @throws Error when it is a refusal */
async function ask(origin: string, method: string, path: string, cookie: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { cookie },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
  return JSON.parse(text);
}

async function signIn(origin: string, { email, password }: Member): Promise<string> {
  const body = JSON.stringify({ email, password });
  const response = await fetch(`${origin}/v1/session`, { method: 'POST', body });
  const [cookie = ''] = response.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
  if (!response.ok || cookie === '') throw new Error(`signing in was answered with ${response.status}`);
  return cookie;
}

/** Allows a workspace to publish its task receipts, and links its busiest agents to identities whose keys they hold. */
export async function introduce(
  origin: string,
  members: readonly Member[],
  { workspaces }: Society,
  { seed, linked, publish }: { seed: number | string; linked: number; publish: boolean },
): Promise<void> {
  for (const [index, one] of members.entries()) {
    const cookie = await signIn(origin, one);
    if (publish) await ask(origin, 'PATCH', '/v1/workspace', cookie, { publish_task_receipts: true });
    for (const { handle, vendor } of workspaces[index]?.agents.slice(0, linked) ?? []) {
      await link(origin, cookie, one, { handle, vendor, key: keyOf(`${seed}/${index}/${handle}`) });
    }
  }
}

interface Linked {
  readonly handle: string;
  readonly vendor: string;
  readonly key: KeyObject;
}

const issued = z.object({ agn_id: z.string() });
const challenged = z.object({ challenge: z.string() });

async function link(origin: string, cookie: string, { id }: Member, { handle, vendor, key }: Linked): Promise<void> {
  const public_key = createPublicKey(key).export({ format: 'jwk' });
  const identity = { public_key, vendor, agent_name: handle.slice(1) };
  const { agn_id } = issued.parse(await ask(origin, 'POST', '/v1/agent-id', '', identity));
  const { challenge } = challenged.parse(await ask(origin, 'GET', '/v1/agent-id/challenge', ''));
  const text = ['counterfoil/agent-link/v1', agn_id, challenge, id, handle].join('\0');
  const signature = sign(null, Buffer.from(text), key).toString('base64url');
  await ask(origin, 'POST', '/v1/agents', cookie, { agent_id: agn_id, handle, proof: { challenge, signature } });
}

/** An Ed25519 key that is the same for the same name. */
function keyOf(name: string): KeyObject {
  const beginning = Buffer.from('302e020100300506032b657004220420', 'hex');
  const secret = createHash('sha256').update(`counterfoil-bench/${name}`).digest();
  return createPrivateKey({ key: Buffer.concat([beginning, secret]), format: 'der', type: 'pkcs8' });
}
