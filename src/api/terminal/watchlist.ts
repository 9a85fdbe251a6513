import { Refusal } from '../../../contracts/errors.js';
import { unwatched, type WatchKind, watched, watchIn, watchlist, watchRef } from '../../../contracts/terminal.js';
import { unwatch, type WatchedRow, watch, watchedBy } from '../../../projections/terminal/watchlist.js';
import { entitledTo } from '../../domain/terminal.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import { checkedText } from './checked-text.js';

const exampleItem = { ref_id: 'CODE.REVIEW', created_at: samples.at };

export const watchlistOperation = operation({
  method: 'GET',
  path: '/v1/terminal/watchlist',
  summary: 'What you watch, the oldest first',
  access: 'a person',
  serving: { ownBudget: true, cacheControl: 'no-store' },
  answers: { 200: watchlist },
  refusals: [],
  documentation: {
    id: 'getWatchlist',
    answers: { 200: { body: { items: { tickers: [exampleItem], agents: [], vendors: [] } } } },
  },
  async handle({ person }, { reading: { read } }) {
    const rows = await read((tx) => watchedBy(tx, person.personId));
    return {
      status: 200,
      body: {
        items: {
          tickers: itemsOf(rows, 'tickers'),
          agents: itemsOf(rows, 'agents'),
          vendors: itemsOf(rows, 'vendors'),
        },
      },
    };
  },
});

const itemsOf = (rows: readonly WatchedRow[], kind: WatchKind) =>
  rows.flatMap((row) => (row.kind === kind ? { ref_id: row.ref_id, created_at: row.created_at } : []));

export const watchOperation = operation({
  method: 'POST',
  path: '/v1/terminal/watchlist',
  summary: 'Watch a ticker, an agent or a vendor',
  access: 'a person',
  serving: { ownBudget: true, cacheControl: 'no-store' },
  body: watchIn,
  answers: { 200: watched, 201: watched },
  refusals: ['invalid_json', 'invalid_request', 'watchlist_full'],
  documentation: {
    id: 'watch',
    body: 'WatchIn',
    description:
      'A watchlist has at most 200 items of each kind, and 10 on the plan Free where the setting TERMINAL_GATING is on. The name of a vendor is ' +
      'kept in Unicode form NFC without spaces around it.',
    request: { kind: 'tickers', ref_id: 'CODE.REVIEW' },
    answers: {
      200: {
        description: 'It was in the list before.',
        body: { kind: 'tickers', ref_id: 'CODE.REVIEW', created: false },
      },
      201: { description: 'It is in the list now.', body: { kind: 'tickers', ref_id: 'CODE.REVIEW', created: true } },
    },
  },
  async handle({ person, body: { kind, ref_id } }, { writing: { transaction, world }, service: { terminalGating } }) {
    const refId = checkedText('ref_id', watchRef(kind), ref_id);
    const { watched: most } = entitledTo(terminalGating, person.plan);
    const watching = { id: world.id(), personId: person.personId, kind, refId, now: world.now() };
    const outcome = await transaction((tx) => watch(tx, watching, most));
    if (outcome === 'full') {
      throw new Refusal('watchlist_full', `The watchlist may have ${most} ${kind}. Remove one first.`, { limit: most });
    }
    if (outcome === 'created') return { status: 201, body: { kind, ref_id: refId, created: true } };
    return { status: 200, body: { kind, ref_id: refId, created: false } };
  },
});

export const unwatchOperation = operation({
  method: 'DELETE',
  path: '/v1/terminal/watchlist',
  summary: 'Stop watching a ticker, an agent or a vendor',
  access: 'a person',
  serving: { ownBudget: true, cacheControl: 'no-store' },
  query: watchIn,
  answers: { 200: unwatched },
  refusals: ['invalid_json', 'invalid_request'],
  documentation: {
    id: 'unwatch',
    query: { kind: 'tickers', ref_id: 'CODE.REVIEW' },
    answers: {
      200: {
        description: 'It is not in the list any more. deleted says whether it was.',
        body: { kind: 'tickers', ref_id: 'CODE.REVIEW', deleted: true },
      },
    },
  },
  async handle({ person, query: { kind, ref_id } }, { writing: { transaction } }) {
    const refId = checkedText('ref_id', watchRef(kind), ref_id);
    const deleted = await transaction((tx) => unwatch(tx, person.personId, kind, refId));
    return { status: 200, body: { kind, ref_id: refId, deleted } };
  },
});
