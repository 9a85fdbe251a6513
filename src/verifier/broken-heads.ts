import { concat, equal, fromHex } from './bytes.js';
import type { Place } from './follow.js';
import type { SuccessorSource } from './log-tiles.js';
import { hashLength, verifyConsistency } from './merkle.js';
import { Unreadable } from './unreadable.js';

/** A workspace's last head in an ended log. */
export interface LastHead {
  readonly tag: string;
  /** The ended log, and where the head was in it. */
  readonly origin: string;
  readonly last: Place;
  /** Whether the head is among the leaves that the succession says were kept. */
  readonly kept: boolean;
}

/** Why the new head does not extend the last one. `not shown`: what the comparison takes is missing. */
type Break = 'missing' | 'shorter' | 'other' | 'not shown';

export interface BrokenHead extends LastHead {
  /** The first head of the workspace in the log that follows. */
  readonly now: Place | null;
  readonly how: Break;
  /** The root that the new tree has at the size of the last head, and the consistency proof; of a head that is larger. */
  readonly growth: Uint8Array | null;
}

/**
 * Compares the last logged heads of workspaces in ended logs with the first ones in the log that follows.
 * @param firstHeads by tag
 * @returns the heads that it does not extend, and the number of those that it does
 */
export async function compareHeads(
  source: Pick<SuccessorSource, 'growth'>,
  firstHeads: ReadonlyMap<string, Place>,
  heads: readonly LastHead[],
): Promise<{ readonly broken: readonly BrokenHead[]; readonly extended: number }> {
  const broken: BrokenHead[] = [];
  for (const head of heads) {
    const now = firstHeads.get(head.tag) ?? null;
    const found = await breakOf(source, head.last, now);
    if (found) broken.push({ ...head, now, ...found });
  }
  return { broken, extended: heads.length - broken.length };
}

/** How the new head fails to extend the last one; null when it does extend it. */
async function breakOf(
  source: Pick<SuccessorSource, 'growth'>,
  last: Place,
  now: Place | null,
): Promise<Pick<BrokenHead, 'how' | 'growth'> | null> {
  const because = (how: Break, growth: Uint8Array | null = null) => ({ how, growth });
  if (!now) return because('missing');
  if (now.size < last.size) return because('shorter');
  if (last.root === null || now.root === null) return because('not shown');
  if (now.size === last.size) return now.root === last.root ? null : because('other');
  const growth = await source.growth(now.index, last.size);
  if (!growth) return because('not shown');
  const { root, proof } = readGrowth(growth);
  const fault = verifyConsistency({
    from: last.size,
    fromRoot: root,
    to: now.size,
    toRoot: fromHex(now.root),
    proof,
  });
  if (fault !== null) return because('not shown');
  return equal(root, fromHex(last.root)) ? null : because('other', growth);
}

/** @throws Unreadable for bytes that are not a root with a proof behind it */
export function readGrowth(bytes: Uint8Array): { readonly root: Uint8Array; readonly proof: readonly Uint8Array[] } {
  if (bytes.length === 0 || bytes.length % hashLength !== 0) throw new Unreadable('a growth of another length');
  const hashes = Array.from({ length: bytes.length / hashLength }, (_, at) =>
    concat(bytes.subarray(at * hashLength, (at + 1) * hashLength)),
  );
  const [root = new Uint8Array(), ...proof] = hashes;
  return { root, proof };
}
