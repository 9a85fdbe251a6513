import { timeOf } from '../../../../contracts/instant.js';
import type { Statement } from '../statements.js';
import type { Fold } from './fold.js';
import { createListedObjects, createOwnedObjects, type ListedObjects, type OwnedObject } from './owned.js';
import { type Stated, statedIn } from './receipt.js';

type Said<T extends Statement['type']> = Extract<Statement, { type: T }>['said'];
export type Rfq = Timed<Said<'rfq'>, 'expires_at'>;
export type Quote = Timed<Said<'quote'>, 'valid_until'>;
export type Auction = Timed<Said<'auction'>, 'closes_at'>;
export type Forward = Timed<Said<'forward'>, 'delivery_at'>;

/** A statement whose time was read: whole milliseconds since 1970. */
type Timed<S, K extends keyof S> = Omit<S, K> & { readonly atMs: number };

/** Requests for quotes and their quotes, auctions and forwards. Each belongs to the workspace that stated it first. */
export interface Desk extends Fold {
  readonly rfqs: ListedObjects<Rfq>;
  readonly auctions: ListedObjects<Auction>;
  readonly forwards: ListedObjects<Forward>;
  /** The quotes whose state names this request. */
  quotesOf(rfqId: string): Iterable<OwnedObject<Quote>>;
}

/** An open request expires by itself. */
export const isOpenAt = ({ status, atMs }: Rfq, t: number): boolean => status === 'open' && atMs > t;

export function createDesk(): Desk {
  const rfqs = createListedObjects<Rfq>(isOpenAt);
  const auctions = createListedObjects<Auction>(({ status }) => status === 'open');
  const forwards = createListedObjects<Forward>(({ status }) => status === 'open');
  const quotes = createQuotes();
  return {
    rfqs,
    auctions,
    forwards,
    quotesOf: quotes.of,
    add({ task, statements }) {
      for (const { type, said } of statements) {
        if (type === 'rfq') rfqs.add(said.rfq_id, statedIn(task, timed(said, 'expires_at')));
        if (type === 'quote') quotes.add(statedIn(task, timed(said, 'valid_until')));
        if (type === 'auction') auctions.add(said.auction_id, statedIn(task, timed(said, 'closes_at')));
        if (type === 'forward') forwards.add(said.forward_id, statedIn(task, timed(said, 'delivery_at')));
      }
    },
  };
}

function timed<K extends string, S extends Readonly<Record<K, string>>>(said: S, key: K): Timed<S, K> {
  const { [key]: time, ...rest } = said;
  return { ...rest, atMs: timeOf(time) };
}

/** The quotes, and the request that each one answers at present. */
function createQuotes() {
  const quotes = createOwnedObjects<Quote>();
  const byRfq = new Map<string, Set<OwnedObject<Quote>>>();
  return {
    of: (rfqId: string): Iterable<OwnedObject<Quote>> => byRfq.get(rfqId) ?? [],
    add(stated: Stated<Quote>): void {
      const id = stated.said.quote_id;
      const before = quotes.get(id)?.owner.newest.said.rfq_id;
      const quote = quotes.add(id, stated);
      const after = quote.owner.newest.said.rfq_id;
      if (before === after) return;
      if (before !== undefined) byRfq.get(before)?.delete(quote);
      const answers = byRfq.get(after) ?? new Set();
      byRfq.set(after, answers.add(quote));
    },
  };
}
