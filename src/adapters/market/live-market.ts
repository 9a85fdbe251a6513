import { yieldToOthers } from '../../base/steps.js';
import { type Answering, type FeedName, makeAnswering, makeFeed } from '../../domain/market/feeds/all.js';
import { feedText } from '../../domain/market/feeds/feed-text.js';
import type { Moment } from '../../domain/market/feeds/head.js';
import type { FigureTarget } from '../../domain/market/feeds/questions.js';
import { sharedRows } from '../../domain/market/feeds/rows.js';
import type { ContentCoding, EncodedFeed, FiguresAt, Filtered, NewestFeeds } from '../../domain/market/feeds/served.js';
import { noCloses, openCloses, type StoredCloses } from '../../domain/market/indices/closes.js';
import { createMarket } from '../../domain/market/state/market.js';
import type { TaskCount, TaskRange } from '../../domain/market/state/service-levels.js';
import { readReceiptRows, readTaskRows } from '../../domain/market/state/stored-rows.js';
import { edges } from '../../domain/market/state/windows.js';
import type { PublicTags } from '../../domain/public-tags.js';
import { openFrontier } from '../../verifier/frontier.js';
import { encode, encodeAll } from './encode.js';

/** An identity that a public receipt counts for. */
export interface IssuedIdentity {
  readonly agentId: string;
  readonly agentName: string | null;
  readonly isVerified: boolean;
}

/** Receipts that were recorded behind all that were added before, in recorded order. */
export interface AddedPage {
  /** JSON of rows. */
  readonly receipts: string;
  /** At least the identities that its agents are. */
  readonly identities: readonly IssuedIdentity[];
}

/** Tasks that were added before and cross an edge of the windows. */
export interface CrossedPage {
  /** The position in `edges`. */
  readonly edge: number;
  /** JSON of rows. */
  readonly tasks: string;
}

/** The tasks in a range of history, among the receipts that were added. */
export interface History {
  readonly range: TaskRange;
  readonly counts: readonly TaskCount[];
}

/** A moment at which all receipts have been added and all tasks have crossed their edges. */
export interface Arrival {
  readonly t: number;
  readonly logSize: number;
  /** Null where they are the same as at the last arrival. */
  readonly closes: StoredCloses | null;
}

/** The state of the market with the feeds of its last moment. The order of the calls is that of their results. */
export interface LiveMarket {
  add(page: AddedPage): Promise<void>;
  cross(page: CrossedPage): Promise<void>;
  /** The history that the feeds of a later t need, once all receipts up to that t have been added. */
  wanted(t: number): Promise<readonly TaskRange[]>;
  /** Gives all of it. */
  answer(history: readonly History[]): Promise<void>;
  arrive(arrival: Arrival): Promise<NewestFeeds>;
  filtered(request: Filtered, coding: ContentCoding): Promise<EncodedFeed>;
  figures(targets: readonly FigureTarget[]): Promise<FiguresAt>;
}

/** @param t the moment from which windows are seen until the first arrival */
export function createLiveMarket(tags: Pick<PublicTags, 'invoice'>, t: number): LiveMarket {
  const market = createMarket(t);
  const hashes = openFrontier();
  let closes = openCloses(noCloses);
  let last: { readonly t: number; readonly answering: Answering } | null = null;

  function requireLast() {
    if (last === null) throw new Error('the market has no moment yet');
    return last;
  }

  return {
    async add({ receipts, identities }) {
      for (const { agentId, agentName, isVerified } of identities) {
        market.identities.issue(agentId, agentName);
        if (isVerified) market.identities.verify(agentId);
      }
      const added = readReceiptRows(receipts, tags);
      for (const { task } of added) hashes.add(Buffer.from(task.hash, 'hex'));
      market.add(added);
    },
    async cross({ edge, tasks }) {
      const crossed = edges[edge];
      if (crossed) market.cross(crossed, readTaskRows(tasks));
    },
    wanted: async (at) => market.serviceLevels.wanted(at),
    async answer(history) {
      for (const { range, counts } of history) market.serviceLevels.answer(range, counts);
    },
    async arrive(arrival) {
      market.arrive(arrival.t);
      if (arrival.closes) closes = openCloses(arrival.closes);
      const root = Buffer.from(hashes.root()).toString('hex');
      const { t, logSize } = arrival;
      const moment: Moment = { t, logSize, receipts: hashes.size(), root, closes };
      const rows = sharedRows(market, moment);
      const make = async (name: FeedName) => {
        // Questions about the moment before are answered in between.
        await yieldToOthers();
        return encodeAll(feedText(makeFeed(name, market, moment, rows)));
      };
      const feeds: NewestFeeds['feeds'] = {
        terminal: await make('terminal'),
        discovery: await make('discovery'),
        'standards/disputes': await make('standards/disputes'),
        trading: await make('trading'),
        treasury: await make('treasury'),
        attribution: await make('attribution'),
      };
      last = { t, answering: makeAnswering(market, moment, rows) };
      return { t, asOf: new Date(t).toISOString(), feeds, indices: feedText(rows.indices.rows) };
    },
    async filtered(request, coding) {
      const { answering } = requireLast();
      const answer =
        request.feed === 'discovery' ? answering.directory(request.filters) : answering.disputes(request.filters);
      return encode(feedText(answer), coding);
    },
    async figures(targets) {
      const { t, answering } = requireLast();
      return { t, values: answering.figures(targets).map((value) => (value === null ? null : String(value))) };
    },
  };
}
