import type { Logger } from 'pino';
import { type MemoryView, type SummaryRow, summariesByIds } from '../../projections/memory/queries.js';
import {
  type ClaimedDelivery,
  claimDeliveries,
  endAttempt,
  forgetEnded,
  giveUp,
  releaseDeliveries,
  removeDeliveries,
} from '../../projections/webhooks/deliveries.js';
import { nextDelivery } from '../../projections/webhooks/due.js';
import type { World } from '../base/world.js';
import type { Vault } from '../commands/vault.js';
import type { Database } from '../database/database.js';
import { patienceMs, retryAt } from '../domain/webhooks.js';
import type { DueJob } from './lookout.js';
import type { Job } from './loop.js';
import type { Attempted, Send } from './send.js';

/** Longer than an attempt can take. A delivery that a killed process held is sent by another one after this. */
const leaseMs = 30_000;
/** Requests in flight at a time, and of these for one workspace, and for one webhook while it takes them. */
const slots = { all: 64, ofWorkspace: 16, each: 4 };
/** How often to look for what became due. */
const lookMs = 1000;
/** How long deliveries that ended can be looked at and sent again. */
const retentionMs = 30 * 24 * 3_600_000;
const forgetMs = 10 * 60_000;
const mostForgotten = 10_000;

interface DeliveryParts {
  readonly database: Database;
  readonly world: World;
  readonly log: Logger;
  readonly vault: Vault;
  readonly send: Send;
  /** Aborted when the process gives up requests that have no answer yet; `send` ends then. */
  readonly ending: AbortSignal;
  /** Counts the attempts of this process, by what became of each delivery. */
  readonly outcomes: Map<string, number>;
}

/**
 * Sends what is queued for webhooks, each at least once, and so that no webhook waits for the deliveries of another.
 * @param wake wakes this worker
 */
export function delivering(parts: DeliveryParts, wake: () => void): DueJob {
  const { log, world } = parts;
  const owner = world.nonce();
  const busy = new Map<string, number>();
  const inFlight = new Set<Promise<void>>();

  function begin(delivery: Ready): void {
    const { webhook_id } = delivery.claimed;
    busy.set(webhook_id, (busy.get(webhook_id) ?? 0) + 1);
    const sending = attempt(parts, owner, delivery)
      // The lease runs out, and it is sent again.
      .catch((error) => log.error({ err: error, delivery_id: delivery.claimed.id }, 'a delivery was not settled'))
      .finally(() => {
        inFlight.delete(sending);
        const left = (busy.get(webhook_id) ?? 1) - 1;
        if (left > 0) busy.set(webhook_id, left);
        else busy.delete(webhook_id);
        // There is room for the next one.
        wake();
      });
    inFlight.add(sending);
  }

  return {
    name: 'deliveries',
    due: nextDelivery,
    napMs: lookMs,
    async work() {
      const limit = slots.all - inFlight.size;
      if (limit <= 0) return false;
      const { found, ready } = await claim(parts, owner, limit, busy);
      for (const delivery of ready) begin(delivery);
      return found;
    },
    async ended() {
      await Promise.all(inFlight);
    },
  };
}

/** Forgets the deliveries that ended long ago. */
export const forgettingDeliveries = (database: Pick<Database, 'transaction'>, world: Pick<World, 'now'>): Job => ({
  name: 'forgetting deliveries',
  napMs: forgetMs,
  async work() {
    const until = new Date(world.now().getTime() - retentionMs);
    return (await database.transaction((tx) => forgetEnded(tx, until, mostForgotten))) === mostForgotten;
  },
});

/** A delivery that this process holds, with the memory that it is about. */
interface Ready {
  readonly claimed: ClaimedDelivery;
  readonly memory: MemoryView;
}

interface Claimed {
  readonly claimed: ClaimedDelivery;
  readonly row: SummaryRow;
}

/** Takes what is due. A memory that was deleted meanwhile, or moved out of the webhook's sight, is not spoken of any more. */
async function claim(parts: DeliveryParts, owner: string, limit: number, busy: ReadonlyMap<string, number>) {
  const { database, world } = parts;
  const { found, taken } = await database.transaction(async (tx) => {
    const bounds = { leaseMs, limit, ofWorkspace: slots.ofWorkspace, each: slots.each, busy };
    const claimed = await claimDeliveries(tx, owner, world.now(), bounds);
    if (claimed.length === 0) return { found: false, taken: [] };
    const visible = claimed.filter((one) => one.visible).map((one) => one.memory_id);
    const memories = new Map((await summariesByIds(tx, visible)).map((row) => [row.id, row]));
    const taken = claimed.flatMap((one): Claimed[] => {
      const row = one.visible ? memories.get(one.memory_id) : undefined;
      return row ? [{ claimed: one, row }] : [];
    });
    const kept = new Set(taken.map((one) => one.claimed.id));
    await removeDeliveries(
      tx,
      claimed.map(({ id }) => id).filter((id) => !kept.has(id)),
    );
    return { found: true, taken };
  });
  return { found, ready: await readyOf(parts, owner, taken) };
}

/** Gives up those whose webhook or memory is not stored as its receipt says: one would be sent elsewhere, the other is not true. */
async function readyOf(
  { database, vault, world }: DeliveryParts,
  owner: string,
  taken: readonly Claimed[],
): Promise<Ready[]> {
  const rows = new Map(taken.map(({ row }) => [row.id, row]));
  const memories = new Map((await vault.summaries(database.read, [...rows.values()])).map((row) => [row.id, row]));
  const targets = new Set(await vault.genuine(taken.map(({ claimed }) => claimed)));
  const ready = taken.flatMap(({ claimed }): Ready[] => {
    const memory = memories.get(claimed.memory_id);
    return memory && targets.has(claimed) ? [{ claimed, memory }] : [];
  });
  const sent = new Set(ready.map(({ claimed }) => claimed.id));
  const altered = taken.map(({ claimed }) => claimed.id).filter((id) => !sent.has(id));
  if (altered.length > 0) {
    const reason = 'what is stored of the memory or the webhook is not what its receipt commits to';
    await database.transaction((tx) => giveUp(tx, owner, altered, reason, world.now()));
  }
  return ready;
}

async function attempt(parts: DeliveryParts, owner: string, { claimed, memory }: Ready) {
  const { database, world, send, ending, outcomes } = parts;
  const attempted = await send(claimed, memory);
  // The receiver did nothing wrong: the next start sends it again, and this counts as no attempt.
  if (ending.aborted && attempted.error !== null) {
    await database.transaction((tx) => releaseDeliveries(tx, owner, [claimed.id]));
    return;
  }
  const now = world.now();
  const ended = { id: claimed.id, webhookId: claimed.webhook_id, ...outcome(claimed, attempted, now, world) };
  await database.transaction((tx) => endAttempt(tx, owner, ended, now, patienceMs));
  outcomes.set(ended.state, (outcomes.get(ended.state) ?? 0) + 1);
}

function outcome({ attempts }: ClaimedDelivery, { statusCode, error }: Attempted, now: Date, world: World) {
  if (error === null) return { state: 'delivered', statusCode, error, retryAt: null } as const;
  const [chance = 0] = world.random(1);
  const again = retryAt(attempts + 1, now, chance / 255);
  return { state: again ? 'pending' : 'dead', statusCode, error, retryAt: again } as const;
}
