import { instantOf } from '../../../contracts/instant.js';
import type { World } from '../../base/world.js';
import type { Database } from '../../database/database.js';
import { type FeedName, feedNames } from '../../domain/market/feeds/all.js';
import { chainHeads } from '../../ledger/entries.js';
import { readEntryLine, readEntryPage } from '../../ledger/entry-texts.js';
import { createSettledTimes } from '../../ledger/settled.js';
import type { MaintenanceCommand, Outcome } from '../command.js';
import type { OnLabelledProgress } from '../fsck.js';
import { foldInThread, type ThreadedFolding } from './in-thread.js';

const minuteMs = 60_000;
/** The t of the service is this far behind its clock at least, before it is cut down to the minute. */
const behindMs = 5000;
/** Pages that are read or wait while another one is folded. */
const pagesAhead = 2;

interface RecomputeParts {
  readonly database: Database;
  readonly world: Pick<World, 'now'>;
  /** The installation key. */
  tagKey(): Promise<Uint8Array>;
}

/**
 * Prints a feed as it was at a moment, from the entries of all chains alone. Arguments: the name of the feed, and the moment.
 * The bytes are those that the service has answered at that moment.
 */
export const recompute =
  ({ database, world, tagKey }: RecomputeParts): MaintenanceCommand =>
  async ([name, at], onProgress): Promise<Outcome> => {
    const feed = feedNamed(name);
    const t = momentOf(at, world.now().getTime());
    // An append that is in progress could still add an entry of this minute.
    if ((await createSettledTimes(database).settle(t)) < t) {
      throw new Error('A write of that minute has not ended yet. Run the command again in a moment.');
    }
    const folding = foldInThread({ t, tagKey: await tagKey() });
    try {
      await readChains(database, t, folding, onProgress);
      return { ok: true, text: await folding.finish(feed) };
    } finally {
      await folding.close();
    }
  };

function feedNamed(name: string | undefined): FeedName {
  const feed = feedNames.find((one) => one === name);
  if (feed === undefined) throw new Error(`There is no feed ${name ?? ''}. There are: ${feedNames.join(', ')}.`);
  return feed;
}

/** The beginning of the minute in which a time is. @throws when the feeds of that minute may not be complete */
function momentOf(text: string | undefined, now: number): number {
  const instant = text === undefined ? undefined : instantOf(text);
  if (instant === undefined) {
    throw new Error(`${text ?? ''} is no time. Write it as RFC 3339 does, for example 2027-03-01T12:00:00Z.`);
  }
  const t = cutToMinute(instant.ms);
  const newest = cutToMinute(now - behindMs);
  if (t > newest) {
    throw new Error(`Feeds exist up to ${new Date(newest).toISOString()}. Name that moment or an earlier one.`);
  }
  return t;
}

const cutToMinute = (ms: number): number => Math.floor(ms / minuteMs) * minuteMs;

/** Reads each chain up to its first entry behind t. The times of a chain never go back. */
async function readChains(
  database: Database,
  t: number,
  folding: ThreadedFolding,
  onProgress: OnLabelledProgress,
): Promise<void> {
  const until = new Date(t).toISOString();
  const heads = await database.read(chainHeads);
  const total = heads.reduce((sum, { head }) => sum + head, 0);
  const taken: Promise<void>[] = [];
  let done = 0;
  for (const { chain, head } of heads) {
    for (let seq = 0; seq < head; ) {
      const from = seq;
      const page = await database.read((tx) => readEntryPage(tx, chain, from, head));
      if (page === null) throw new Error(`entry ${seq + 1} of workspace ${chain} is missing. Run: counterfoil fsck`);
      const folded = folding.take(page.lines);
      // Its error is thrown where it is awaited.
      folded.catch(() => undefined);
      taken.push(folded);
      if (taken.length > pagesAhead) await taken.shift();
      done += page.last - seq;
      onProgress('entries', done, total);
      seq = isBehind(page.lines, until) ? head : page.last;
    }
  }
  await Promise.all(taken);
  onProgress('entries', total, total);
}

/** Whether the last entry of a page is later than a time. */
const isBehind = (lines: string, until: string): boolean =>
  readEntryLine(lines.slice(lines.lastIndexOf('\n') + 1)).recordedAt > until;
