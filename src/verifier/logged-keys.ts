import type { LogLeaf } from './bundle.js';
import { faultOfLeaf, type Log } from './checkpoint.js';
import { isSameKey, type KeyEvent } from './keys.js';
import { type Leaf, readLeaf } from './leaf.js';
import { faultOfNewKey, isFirstKeyOf, type Succession } from './succession.js';
import { attempt } from './unreadable.js';

/** The history of a log as a bundle shows it. */
export interface LoggedKeys {
  readonly events: readonly KeyEvent[];
  /** How the log began, if it follows one that has lost leaves. */
  readonly succession: Succession | null;
}

/** A succession is the second leaf of its log: behind the first key, and before all heads. */
export const successionIndex = 1;

/**
 * @param leaves as the bundle has them, in the order of their indexes
 * @returns the history, or a sentence about the first leaf that is not in the log, is about another log, or is in a wrong place
 */
export function loggedKeys(leaves: readonly LogLeaf[], log: Log): LoggedKeys | string {
  const events: { readonly event: KeyEvent; readonly where: string }[] = [];
  let succession: Succession | null = null;
  let last = -1;
  for (const leaf of leaves) {
    const where = `the signing key at leaf ${leaf.index} of the log`;
    if (leaf.index <= last) return `${where} is not after the one before it`;
    const fault = faultOfLeaf(leaf, log);
    if (fault !== null) return `${where} is not there: ${fault}`;
    const read: Leaf | string = attempt(() => readLeaf(leaf.leaf));
    if (typeof read === 'string') return `${where} cannot be read: ${read}`;
    if (read.type === 'head') return `${where} cannot be read: it is a head of a workspace`;
    if (read.type === 'succession') {
      const misplaced = faultOfPlace(read.succession, leaf.index, events[0]?.event, log);
      if (misplaced !== null) return `the succession at leaf ${leaf.index} of the log ${misplaced}`;
      ({ succession } = read);
    } else events.push({ event: read.event, where });
    last = leaf.index;
  }
  const foreign = faultOfOrigin(events, log);
  return foreign ?? { events: events.map(({ event }) => event), succession };
}

/** Whether a succession is where it belongs. The end of a sentence when it is not. */
export function faultOfPlace(
  succession: Succession,
  index: number,
  first: KeyEvent | undefined,
  { origin }: Pick<Log, 'origin'>,
): string | null {
  if (index !== successionIndex) return `is not leaf ${successionIndex}`;
  if (succession.to.name !== origin) return `begins another log, ${succession.to.name}`;
  if (first?.type !== 'key' || !isFirstKeyOf(succession, first.key)) return 'does not name the first key of the log';
  return faultOfNewKey(succession);
}

function faultOfOrigin(
  events: readonly { readonly event: KeyEvent; readonly where: string }[],
  { origin }: Log,
): string | null {
  const disowned = events.flatMap(({ event }) =>
    event.type === 'key_end' && event.reason === 'disowned' && event.log === origin ? [event.key] : [],
  );
  for (const { event, where } of events) {
    if (event.type === 'key_end' && event.log !== origin) return `${where} is ended by another log`;
    const isOwn = event.type === 'key_end' || event.key.name === origin;
    if (!isOwn && !disowned.some((key) => isSameKey(key, event.key))) return `${where} is a key of another log`;
  }
  return null;
}
