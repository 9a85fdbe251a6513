import { z } from 'zod';
import { registryChain } from '../../../../contracts/chains.js';
import type { Entry } from '../../../../contracts/entries/entry.js';
import { namedTask } from '../../../../contracts/task-receipt.js';
import { type FeedName, feedNames } from '../../../../src/domain/market/feeds/all.js';
import { noChain } from '../../../../src/domain/market/indices/chain.js';
import { closeOf } from '../../../../src/domain/market/indices/close.js';
import { closingOf, dayOf } from '../../../../src/domain/market/indices/days.js';
import { publicReceiptOf } from '../../../../src/domain/market/state/receipt.js';
import { publicName } from '../../../../src/domain/public-name.js';
import { createPublicTags } from '../../../../src/domain/public-tags.js';
import { canonicalBytes, entryHash } from '../../../../src/ledger/chain.js';
import { createDays } from '../../../../src/maintenance/recompute/closes.js';
import { createFolding } from '../../../../src/maintenance/recompute/folding.js';

/** A line of the example: a receipt, the tag of its workspace, and the time at which it was recorded. */
const line = z.strictObject({ workspace: z.string(), recorded_at: z.string(), receipt: namedTask });

const json = z.json();
export type Json = z.output<typeof json>;

const nothing = '0'.repeat(64);
const actor = { type: 'system', id: null, user_id: null, agent_id: null, app_id: null, run_id: null } as const;
/** An installation key of the example. It makes the tags of invoices. */
const tags = createPublicTags(new Uint8Array(32));

/** The text between the marks of the first block of JSON on the page, and the moment t that the page names. */
export function readExample(page: string): { readonly lines: string; readonly t: number } {
  const [, lines = ''] = /```json\n(\{"workspace"[\s\S]*?)\n```/.exec(page) ?? [];
  const [, at = ''] = /At `t` = (\S+) the feeds/.exec(page) ?? [];
  return { lines, t: Date.parse(at) };
}

/** Every feed of the example, made from its receipts as `recompute` makes them. */
export async function exampleFeeds(page: string): Promise<ReadonlyMap<FeedName, Json>> {
  const { lines, t } = readExample(page);
  const tasks = lines.split('\n').map((text, at) => taskEntry(line.parse(JSON.parse(text)), at));
  const entries = [...tasks, ...closeEntries(tasks, t)];
  const texts = entries.map((entry) => {
    const bytes = canonicalBytes(entry);
    return `${entryHash(bytes)}${Buffer.from(bytes).toString('utf8')}`;
  });
  const feeds = new Map<FeedName, Json>();
  for (const name of feedNames) {
    const folding = createFolding(t, tags);
    folding.take(texts.join('\n'));
    feeds.set(name, json.parse(JSON.parse(await folding.finish(name))));
  }
  return feeds;
}

type TaskEntry = Extract<Entry, { kind: 'task' }>;

function taskEntry({ workspace, recorded_at, receipt }: z.output<typeof line>, at: number): TaskEntry {
  const vendor = publicName(receipt.market?.vendor) ?? receipt.platform;
  return {
    v: 1,
    workspace_id: `0193d3a0-0000-7000-8000-${workspace.slice(0, 12)}`,
    seq: at + 1,
    receipt_id: `rcp_${String(at + 1).padStart(32, '0')}`,
    kind: 'task',
    recorded_at,
    actor,
    prev_hash: nothing,
    body: {
      task: receipt,
      scope_violations: null,
      content_commitment: null,
      sent_digest: nothing,
      attestation_checks: [],
      publication: { workspace, agent_id: null, vendor },
    },
  };
}

/** The entries of the days that have closed by t. */
function closeEntries(tasks: readonly TaskEntry[], t: number): Entry[] {
  const days = createDays();
  const receipts = tasks.flatMap((entry) => publicReceiptOf(entry, entryHash(canonicalBytes(entry)), tags) ?? []);
  for (const { task } of receipts.sort((a, b) => a.task.recorded_ms - b.task.recorded_ms)) {
    days.add({ ...task, hash: task.hash });
  }
  const closes: Entry[] = [];
  let chain = noChain;
  for (let day = days.first() ?? dayOf(t); closingOf(day) <= t; day += 1) {
    const facts = days.factsOf(day);
    const close = closeOf(chain, facts, days.sectorsAt(closingOf(day), [...chain.recent, facts]));
    chain = close.chain;
    closes.push({
      v: 1,
      workspace_id: registryChain,
      seq: closes.length + 1,
      receipt_id: `rcp_${String(day).padStart(32, '0')}`,
      kind: 'index.closed',
      recorded_at: new Date(closingOf(day) + 5000).toISOString(),
      actor,
      prev_hash: nothing,
      body: close.body,
    });
  }
  return closes;
}
