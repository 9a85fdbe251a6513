import { storedClosesAt } from '../../../projections/closes/stored.js';
import { noPlace, type ReceiptPage, receiptPage, taskCounts, taskPage } from '../../../projections/facts/pages.js';
import { checkpointSizeAt } from '../../../projections/log/queries.js';
import { identitiesAt, type ShownIdentity, verifiedBetween } from '../../../projections/registry/queries.js';
import type { History, IssuedIdentity, LiveMarket } from '../../adapters/market/live-market.js';
import type { World } from '../../base/world.js';
import { type Database, StoreClosed, StoreUnavailable, type Transaction } from '../../database/database.js';
import type { StoredCloses } from '../../domain/market/indices/closes.js';
import { edges } from '../../domain/market/state/windows.js';

/** A page takes some milliseconds of the database, in which others wait on the embedded one. */
const pageRows = 250;
/** Between two attempts to read a page. */
const pauseMs = 1000;

interface ReadingParts {
  readonly database: Pick<Database, 'read'>;
  readonly world: Pick<World, 'sleep'>;
}

/** Reads what a market needs to get from one moment to a later one. Entries up to the later one must be settled. */
export function createReading({ database, world }: ReadingParts, stopping: AbortSignal) {
  /** A market that has taken half of its way cannot go back, so a store that is away for a while is waited for. */
  async function read<T>(query: (tx: Transaction) => Promise<T>): Promise<T> {
    for (;;) {
      stopping.throwIfAborted();
      try {
        return await database.read(query);
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || error instanceof StoreClosed) throw error;
        await world.sleep(pauseMs, stopping);
      }
    }
  }

  /** Gives the market the receipts that were recorded after a moment, and at a later one or before. */
  async function addReceipts(market: LiveMarket, afterMs: number, throughMs: number): Promise<void> {
    let after = { ...noPlace, recorded_ms: afterMs + 1 };
    let added: Promise<void> = Promise.resolve();
    for (;;) {
      const page: ReceiptPage | null = await read((tx) => receiptPage(tx, after, throughMs, pageRows));
      // The next page is read while this one is added.
      await added;
      if (page === null) return;
      const names = page.identities;
      const found = names.length === 0 ? [] : await read((tx) => identitiesAt(tx, names, throughMs));
      added = market.add({ receipts: page.rows, identities: found.map(issued) });
      added.catch(() => undefined);
      after = page.last;
    }
  }

  /** Moves the tasks over each edge that they cross between two moments, in the order of the edges. */
  async function crossEdges(market: LiveMarket, fromMs: number, toMs: number): Promise<void> {
    for (const [edge, { ageMs }] of edges.entries()) {
      const ended = { afterMs: fromMs - ageMs, throughMs: toMs - ageMs };
      let page = await read((tx) => taskPage(tx, ended, toMs, null, pageRows));
      while (page !== null) {
        const { rows, last } = page;
        await market.cross({ edge, tasks: rows });
        page = await read((tx) => taskPage(tx, ended, toMs, last, pageRows));
      }
    }
  }

  async function addVerified(market: LiveMarket, fromMs: number, toMs: number): Promise<void> {
    const verified = await read((tx) => verifiedBetween(tx, fromMs, toMs));
    if (verified.length > 0) await market.add({ receipts: '[]', identities: verified.map(issued) });
  }

  return {
    read,
    /** Everything that was recorded at t or before, for a market that is empty and seen from t. */
    fill: (market: LiveMarket, t: number) => addReceipts(market, noPlace.recorded_ms, t),
    /** The way of a market from one moment to a later one. */
    async advance(market: LiveMarket, fromMs: number, toMs: number): Promise<void> {
      await addReceipts(market, fromMs, toMs);
      await addVerified(market, fromMs, toMs);
      await crossEdges(market, fromMs, toMs);
    },
    /** The tasks of the periods of service levels, once all receipts up to t have been added. */
    async giveHistory(market: LiveMarket, t: number): Promise<void> {
      const history: History[] = [];
      for (const range of await market.wanted(t)) {
        history.push({ range, counts: await read((tx) => taskCounts(tx, range, t)) });
      }
      if (history.length > 0) await market.answer(history);
    },
    /** The facts that feeds show besides the market. @param before the closes that were read last */
    facts: (t: number, before: StoredCloses | undefined) =>
      read(async (tx) => ({ logSize: await checkpointSizeAt(tx, t), closes: await storedClosesAt(tx, t, before) })),
  };
}

export type Reading = ReturnType<typeof createReading>;

const issued = ({ agent_id, agent_name, is_verified }: ShownIdentity): IssuedIdentity => ({
  agentId: agent_id,
  agentName: agent_name,
  isVerified: is_verified,
});
