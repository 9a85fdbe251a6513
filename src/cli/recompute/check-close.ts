import { createHash } from 'node:crypto';
import { registryChain } from '../../../contracts/chains.js';
import { registryKinds } from '../../../contracts/entries/registry.js';
import { closeFile } from '../../../contracts/feeds/closes.js';
import { indexIds } from '../../../contracts/index-ids.js';
import type { ClosedDayRow, PublicEntry } from '../../adapters/closes-source.js';
import { advance, type Chain } from '../../domain/market/indices/chain.js';
import { closingOf, readDay } from '../../domain/market/indices/days.js';
import { closeFileOf, readCloseFile } from '../../domain/market/indices/file.js';
import { numberOf } from '../../domain/market/indices/level.js';
import { readBundle } from '../../verifier/bundle.js';
import { canonical } from '../../verifier/canonical.js';
import { readEntry } from '../../verifier/entry.js';
import type { VerifierKey } from '../../verifier/note.js';
import type { Claim } from '../../verifier/report.js';
import { verifyBundle } from '../../verifier/verify.js';

/** The public parts of one close. */
export interface PublicClose {
  readonly row: ClosedDayRow;
  readonly file: Uint8Array;
  readonly entry: PublicEntry;
  readonly proof: Uint8Array;
}

interface CheckedClose {
  /** The indices after this day. */
  readonly chain: Chain;
  readonly claims: readonly Claim[];
  /** The number of levels that were computed and are those of the entry. */
  readonly levels: number;
}

/** How long after the end of the day its entry is recorded at the earliest. */
const delayMs = 5000;

/** A close that is wrong. The message continues a sentence about it. */
export class WrongClose extends Error {}

/**
 * Checks a close against the one before it: the proof of its entry, the hash of its file, and every level.
 * @throws WrongClose
 * @throws Unreadable for a proof that is no bundle
 */
export function checkClose(chain: Chain, close: PublicClose, keys: readonly VerifierKey[]): CheckedClose {
  const { row, file } = close;
  const { body, claims } = checkEntry(close, keys);
  const hash = createHash('sha256').update(file).digest('hex');
  if (hash !== body.facts_hash) throw new WrongClose(`its file has the hash ${hash}, and its entry states another one`);
  const day = readDay(row.day);
  if (chain.day !== null && day !== chain.day + 1) throw new WrongClose('it does not follow the day before it');
  const text = Buffer.from(file).toString('utf8');
  const parsed = closeFile.safeParse(JSON.parse(text));
  if (!parsed.success) throw new WrongClose('its file has another form');
  const { facts, sectors } = readCloseFile(parsed.data);
  if (facts.day !== day) throw new WrongClose('its file is of another day');
  if (facts.receipts !== body.receipts || facts.root !== body.root || facts.receipts !== facts.total.tasks) {
    throw new WrongClose('its file and its entry state different numbers of receipts or different roots');
  }
  const after = advance(chain, facts, sectors);
  if (canonical(closeFileOf(facts, sectors, after)) !== text) {
    throw new WrongClose('the sums of its sectors, base days or last priced days do not follow from the files');
  }
  return { chain: after, claims, levels: compareLevels(after, body.levels) };
}

/** The entry is in the bundle, and the registry shows the same one. */
function checkEntry({ row, entry, proof }: PublicClose, keys: readonly VerifierKey[]) {
  const { receipt, claims } = verifyBundle(proof, { keys, receiptHash: entry.hash });
  const failed = claims.find(({ state }) => state === 'failed');
  if (failed) throw new WrongClose(`the claim ${failed.name} of its proof has failed: ${failed.text}`);
  if (receipt?.kind !== 'index.closed' || receipt.workspace_id !== registryChain) {
    throw new WrongClose('its proof is not about the close of a day');
  }
  const { body } = readEntry(readBundle(proof).entry);
  if (canonical(body) !== canonical(entry.body)) throw new WrongClose('its entry is not the one that is proved');
  const parsed = registryKinds['index.closed'].body.safeParse(body);
  if (!parsed.success) throw new WrongClose('its entry has another form');
  const { day, facts_hash } = parsed.data;
  if (receipt.receipt_id !== row.receipt_id || day !== row.day || facts_hash !== row.facts_hash) {
    throw new WrongClose('the list of days and its entry state different things');
  }
  if (Date.parse(receipt.recorded_at) < closingOf(readDay(day)) + delayMs) {
    throw new WrongClose('it was recorded before the day could be closed');
  }
  return { body: parsed.data, claims };
}

/** @returns how many levels there are. @throws WrongClose for the first that is another one */
function compareLevels({ indices }: Chain, stated: Readonly<Record<string, number | null>>): number {
  let levels = 0;
  for (const id of indexIds) {
    const level = indices.get(id)?.level ?? null;
    const computed = level === null ? null : numberOf(level);
    if (computed !== (stated[id] ?? null)) {
      throw new WrongClose(`the level of ${id} is ${computed} by the files, and ${stated[id]} in its entry`);
    }
    if (computed !== null) levels += 1;
  }
  return levels;
}
