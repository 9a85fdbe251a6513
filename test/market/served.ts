import type { World } from '../../src/base/world.js';
import { linkProof } from '../../src/domain/identity/proof.js';
import { newHolder } from '../domain/identity/holder.js';
import { administration } from '../http/keys.js';
import { type Person, signedIn } from '../http/person.js';
import { eagerWorld, laterWorld, type Service, startService } from '../http/service.js';
import { cutToMinute } from './live.js';

/** A workspace of a service that takes part in the market. */
export interface Participant {
  readonly workspaceId: string;
  /** Its owner, who has just signed in. */
  owner(): Promise<Person>;
  /** Submits task receipts. @returns the answer with its status */
  submit(...receipts: readonly object[]): Promise<{ status: number; json: SubmitAnswer }>;
  publish(isPublic: boolean): Promise<void>;
  /** Links a handle to a new identity with proof. */
  link(handle: string): Promise<LinkRequest>;
}

/** The body that was sent to link a handle. */
export interface LinkRequest {
  readonly agent_id: string;
  readonly handle: string;
  readonly proof: { readonly challenge: string; readonly signature: string };
}

interface SubmitAnswer {
  readonly data: readonly { readonly id: string; readonly receipt_hash: string }[];
  readonly error?: { readonly code: string };
}

export interface MarketService {
  readonly service: Service;
  /** Puts the clock of the service at a moment. It must not be before the present one. */
  setClock(ms: number): void;
  now(): number;
  participant(): Promise<Participant>;
  /** The text of a public address. */
  read(path: string): Promise<string>;
  /** Moves the clock just far enough for feeds at t, and waits until they are served. @param t a whole minute */
  feedsAt(t: number): Promise<Readonly<Record<string, string>>>;
  stop(): Promise<void>;
}

const feedPaths = ['terminal', 'discovery', 'standards/disputes', 'trading', 'treasury', 'attribution'];
/** Feeds are made of minutes that ended this number of milliseconds ago. */
const behindMs = 5000;
const longestMs = 60_000;

/** The worker that closes days looks at the clock without a pause too. */
export const closingWorld: World = {
  ...eagerWorld,
  sleep: (ms, signal) => eagerWorld.sleep(ms === 5000 ? 50 : ms, signal),
};

/** A service whose clock the test moves. */
export async function openMarketService(
  env: Readonly<Record<string, string>> = {},
  world: World = eagerWorld,
): Promise<MarketService> {
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const service = await startService(
    env,
    laterWorld(world, () => ahead),
  );
  const admin = administration(service);
  const read = async (path: string) => (await service.call('GET', path, undefined, { authorization: '' })).text;

  async function participant(): Promise<Participant> {
    const { workspaceId, key } = await admin.workspace();
    const who = await admin.member(workspaceId, 'owner');
    // A session ends when the clock moves by a day.
    const owner = () => signedIn(service, who);
    const authorization = `Bearer ${key}`;
    return {
      workspaceId,
      owner,
      submit: (...receipts) => service.call('POST', '/v1/receipts', { receipts }, { authorization }),
      async publish(isPublic) {
        const { status, text } = await (await owner()).call('PATCH', '/v1/workspace', {
          publish_task_receipts: isPublic,
        });
        if (status !== 200) throw new Error(text);
      },
      async link(handle) {
        const holder = newHolder('Ed25519');
        const { json: issued } = await service.call('POST', '/v1/agent-id', { public_key: holder.publicKey });
        const { challenge } = (await service.call('GET', '/v1/agent-id/challenge')).json;
        const signature = holder.sign(linkProof(issued.agn_id, challenge, workspaceId, handle));
        const body = { agent_id: issued.agn_id, handle, proof: { challenge, signature } };
        const { status, text } = await (await owner()).call('POST', '/v1/agents', body);
        if (status !== 201) throw new Error(text);
        return body;
      },
    };
  }

  return {
    service,
    now,
    setClock(ms) {
      if (ms < now()) throw new Error('the clock never goes back');
      ahead = ms - Date.now();
    },
    participant,
    read,
    async feedsAt(t) {
      const due = t + behindMs + 500;
      if (due > now()) ahead = due - Date.now();
      const end = Date.now() + longestMs;
      for (;;) {
        const texts = await Promise.all(feedPaths.map((path) => read(`/v1/${path}`)));
        const feeds = Object.fromEntries(feedPaths.map((path, at) => [path, texts[at] ?? '']));
        if (texts.every((text) => asOf(text) === t)) return feeds;
        if (Date.now() > end) throw new Error(`the feeds of ${new Date(t).toISOString()} are not served: ${texts[0]}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    stop: () => service.stop(),
  };
}

function asOf(text: string): number {
  const { summary, stats } = JSON.parse(text);
  return cutToMinute(Date.parse((summary ?? stats)?.as_of ?? ''));
}
