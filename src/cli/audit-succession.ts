import { inclusionProof } from '../tlog/tree.js';
import { type BrokenHead, readGrowth } from '../verifier/broken-heads.js';
import { toUtf8 } from '../verifier/bytes.js';
import { readLog } from '../verifier/checkpoint.js';
import type { Evidence } from '../verifier/evidence.js';
import type { Followed } from '../verifier/follow.js';
import type { LogSource, SuccessorSource } from '../verifier/log-tiles.js';
import { formatVerifierKey } from '../verifier/note.js';
import type { Succeeded, SuccessionLeaf } from '../verifier/succeeded.js';
import { type Succession, successorNumber } from '../verifier/succession.js';
import { leafAt, tilesOf } from './audit-tiles.js';

/** The lines that say what was lost with each log that has ended, and of which workspaces. */
export function shownSuccessions(found: Succeeded, before: Followed | null): readonly string[] {
  const lines = found.successions.flatMap(({ succession }, at) => shownEnd(succession, at === 0 ? before : null));
  const { broken, extended } = found;
  lines.push(`The new log extends the last logged heads of ${extended} chains, and not those of ${broken.length}.`);
  lines.push(...broken.map(shownBreak));
  if (!found.isEndorsed) {
    lines.push('No key of the ended log is known here, so who has named the successor was not checked.');
  }
  return lines;
}

function shownEnd({ from, kept, to }: Succession, before: Followed | null): string[] {
  const seen = before === null ? null : readLog(before.note).size;
  const lost = from.size - kept.size;
  return [
    `${from.origin} has ended: of its ${from.size} leaves the last ${lost} are lost (leaves ${kept.size} to ${from.size - 1}).`,
    ...(seen === null
      ? []
      : [`The last visit had seen ${seen} leaves, of which ${Math.max(0, seen - kept.size)} are lost.`]),
    `${to.name} follows it, with the key`,
    `  ${formatVerifierKey(to)}`,
  ];
}

function shownBreak({ tag, last, now, how, kept }: BrokenHead): string {
  const had = `Chain ${tag}: its last logged head had ${last.size} entries (leaf ${last.index}${kept ? ', which was kept' : ''})`;
  switch (how) {
    case 'missing':
      return `${had}; the new log has no head of it: all its entries are lost.`;
    case 'shorter':
      return `${had}; the new log begins with ${now?.size}: at least the last ${last.size - (now?.size ?? 0)} are lost.`;
    case 'other':
      return `${had}; the new log has ${now?.size} entries, of which the first ${last.size} are not those: some were lost, and others were written.`;
    case 'not shown':
      return `${had}; the new log has ${now?.size} entries, and does not show that it extends them.`;
  }
}

/** A head that should have been kept, and that the new log does not extend: the succession is not true. */
export const falselyWhole = ({ broken }: Succeeded): BrokenHead | undefined =>
  broken.find(({ kept, how }) => kept && how !== 'not shown');

/** Evidence that a new head does not extend one that the succession says was kept; null where the head is missing. */
export async function gatherUnextended(
  source: SuccessorSource,
  found: Succeeded,
  head: BrokenHead,
): Promise<Evidence | null> {
  const newest = found.successions.at(-1);
  const { wholeNote, formerKeys, sound } = found;
  if (!newest || wholeNote === null || head.now === null || head.origin !== newest.succession.from.origin) return null;
  const files = source.former((successorNumber(newest.succession.to.name)?.log ?? 2) - 1);
  const growth = head.growth && readGrowth(head.growth);
  return {
    kind: 'unextended',
    keys: [...formerKeys, ...sound.followed.keys].map(toUtf8),
    older: wholeNote,
    later: sound.followed.note,
    succession: newest.leaf,
    heads: [
      await leafProof(files, head.last.index, readLog(wholeNote).size),
      await leafProof(source, head.now.index, readLog(sound.followed.note).size),
    ],
    ...(growth ? { root: growth.root, consistency: growth.proof } : {}),
  };
}

async function leafProof(source: LogSource, index: number, size: number) {
  return {
    leaf: await leafAt(source, index, size),
    index,
    inclusion: await inclusionProof(tilesOf(source, size), index, size),
  };
}

/** Evidence that the ended log has signed a checkpoint that its succession denies. */
export const gatherBeyond = (before: Followed, { leaf }: SuccessionLeaf): Evidence => ({
  kind: 'beyond',
  keys: before.keys.map(toUtf8),
  older: before.note,
  succession: leaf,
});
