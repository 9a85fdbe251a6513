import type { Entry } from '../../../contracts/entries/entry.js';
import { type FeedName, makeFeed } from '../../domain/market/feeds/all.js';
import { feedText } from '../../domain/market/feeds/feed-text.js';
import { openCloses } from '../../domain/market/indices/closes.js';
import { createMarket, type Market } from '../../domain/market/state/market.js';
import { publicReceiptOf } from '../../domain/market/state/receipt.js';
import type { TaskCount, TaskRange } from '../../domain/market/state/service-levels.js';
import type { PublicTags } from '../../domain/public-tags.js';
import { readEntry } from '../../ledger/chain.js';
import { type EntryLine, readEntryLine } from '../../ledger/entry-texts.js';
import { openFrontier } from '../../verifier/frontier.js';
import { createDays, recomputeCloses, type StatedClose } from './closes.js';
import { createColumns, type Remembered } from './columns.js';

/** A state of the market that is made from entries alone. */
interface Folding {
  /** Adds a page of entries of one chain. Later entries than those of t are skipped. The order of chains is free. */
  take(lines: string): void;
  /** @throws when an entry of the registry states other levels than the receipts give */
  finish(feed: FeedName): Promise<string>;
}

/** The kinds of entries from which feeds are made. Of other kinds only the line is looked at. */
const needed: ReadonlySet<string> = new Set([
  'task',
  'identity.issued',
  'identity.verified',
  'index.closed',
  'checkpoint.signed',
]);

/** @param t a whole minute */
export function createFolding(t: number, tags: Pick<PublicTags, 'invoice'>): Folding {
  const until = new Date(t).toISOString();
  const market = createMarket(t);
  const columns = createColumns();
  const closes: StatedClose[] = [];
  let logSize = 0;

  function addTask(entry: Extract<Entry, { kind: 'task' }>, hash: string): void {
    const receipt = publicReceiptOf(entry, hash, tags);
    if (receipt === null) return;
    columns.add(receipt.task);
    market.add([receipt]);
  }

  function add(entry: Entry, hash: string): void {
    if (entry.kind === 'task') addTask(entry, hash);
    else if (entry.kind === 'identity.issued')
      market.identities.issue(entry.body.agn_id, entry.body.binding.agent_name);
    else if (entry.kind === 'identity.verified') market.identities.verify(entry.body.agn_id);
    else if (entry.kind === 'checkpoint.signed') logSize = Math.max(logSize, entry.body.size);
    else if (entry.kind === 'index.closed') {
      const { body, receipt_id: receiptId, recorded_at } = entry;
      closes.push({ body, receiptId, recordedMs: Date.parse(recorded_at) });
    }
  }

  return {
    take(lines) {
      for (const line of lines.split('\n')) {
        const read = readEntryLine(line);
        if (!needed.has(read.kind) || read.recordedAt > until || isPrivate(read)) continue;
        add(readEntry(read.text), copyOf(read.hash));
      }
    },
    async finish(feed) {
      const tree = openFrontier();
      const days = createDays();
      const histories = createHistories(market);
      for (const fact of columns.inRecordedOrder()) {
        tree.add(Buffer.from(fact.hash, 'hex'));
        days.add(fact);
        histories.add(fact);
      }
      histories.answer();
      market.arrive(t);
      const stored = await recomputeCloses(days, closes);
      const root = Buffer.from(tree.root()).toString('hex');
      return feedText(makeFeed(feed, market, { t, logSize, receipts: tree.size(), root, closes: openCloses(stored) }));
    },
  };
}

/** A part of a page that is kept would keep the whole page in memory: 2.1 GB for a million receipts. */
const copyOf = (hash: string): string => Buffer.from(hash, 'latin1').toString('latin1');

/**
 * Whether a line is a task receipt that is not public, which is known without parsing it: the members of its body before
 * `publication` have no free texts, so the first member of this name is its own.
 */
function isPrivate({ kind, text }: EntryLine): boolean {
  if (kind !== 'task') return false;
  const at = text.indexOf('"publication":');
  return text.startsWith('null', at + '"publication":'.length);
}

/** The tasks over which the service levels of a market are measured. */
function createHistories({ serviceLevels, t }: Market) {
  const ranges = serviceLevels.wanted(t).map((range) => ({ range, counts: new Map<string, TaskCount>() }));
  const byGroup = new Map<string, typeof ranges>();
  const groupOf = ({ agent, capability }: Pick<TaskRange, 'agent' | 'capability'>) => `${agent} ${capability}`;
  for (const one of ranges) byGroup.set(groupOf(one.range), [...(byGroup.get(groupOf(one.range)) ?? []), one]);
  return {
    add({ agent, capability, ended_ms, status, latency_bucket }: Remembered): void {
      if (capability === null) return;
      for (const { range, counts } of byGroup.get(groupOf({ agent, capability })) ?? []) {
        if (ended_ms < range.fromMs || ended_ms >= range.toMs) continue;
        const key = `${status} ${latency_bucket}`;
        counts.set(key, { status, latency_bucket, tasks: (counts.get(key)?.tasks ?? 0) + 1 });
      }
    },
    answer(): void {
      for (const { range, counts } of ranges) serviceLevels.answer(range, counts.values());
    },
  };
}
