import { entryHash, type Head } from '../chain.js';
import { findHead } from './catch-up.js';
import type { ComparedParts } from './compare.js';
import { streamOf } from './events.js';
import { type Halt, halt, hasHalt, resume } from './halts.js';
import { removalFault } from './removal.js';
import type { StreamEvent, Streams } from './streams.js';

/** Streams that are compared at the same time. */
const atOnce = 16;

/** The difference between the end of a chain in the tables and its stream. */
type EndFault = 'missing' | 'ends before' | 'other entry';

/** Compares the head of a chain in the tables with the event of the stream at its place. Reads two events at most. */
export async function endFault(
  streams: Pick<Streams, 'read'>,
  name: string,
  head: Head,
): Promise<{ readonly fault: EndFault | null; readonly next: StreamEvent | undefined }> {
  const [last, next] = await streams.read(name, head.seq, 2);
  if (last?.revision === head.seq) {
    return { fault: entryHash(last.data) === head.hash ? null : 'other entry', next };
  }
  const [first] = head.seq === 0 ? [] : await streams.read(name, 0, 1);
  return { fault: first ? 'ends before' : 'missing', next: undefined };
}

/** Compares a chain with its stream, as far as a few reads show it. @returns null when nothing is wrong */
async function faultOf({ streams, prefix }: ComparedParts, chain: string, head: Head): Promise<Halt | null> {
  const removal = await removalFault(streams, prefix, chain);
  if (removal !== null) return { chain, kind: 'removal', reason: removal };
  const name = streamOf(prefix, chain);
  const { fault } = await endFault(streams, name, head);
  return fault === null ? null : { chain, kind: 'lost', reason: await sentenceOf(streams, fault, name, chain, head) };
}

/** The sentences of `fsck`. */
async function sentenceOf(
  streams: Streams,
  fault: EndFault,
  name: string,
  chain: string,
  { seq }: Head,
): Promise<string> {
  if (fault === 'missing') return `The stream ${name} of workspace ${chain} is missing.`;
  if (fault === 'other entry') {
    return `The stream ${name} has other bytes for entry ${seq} of workspace ${chain} than the table entries.`;
  }
  const end = (await streams.last(name))?.revision ?? 0;
  return `The stream ${name} ends at entry ${end} of workspace ${chain}, and the table entries continues to entry ${seq}.`;
}

/** Called with a halt that is news, and with null for a chain that takes appends again. */
export type OnHalt = (chain: string, halt: Halt | null) => void;

/**
 * Compares a chain with its stream, and halts the chain while there is a fault.
 * @returns the reason, or null
 */
export async function inspect(parts: ComparedParts, chain: string, onHalt: OnHalt = () => undefined) {
  const { head, isHalted } = await parts.database.read(async (tx) => ({
    head: await findHead(tx, chain),
    isHalted: await hasHalt(tx, chain),
  }));
  const fault = head && (await faultOf(parts, chain, head));
  if (!fault && !isHalted) return null;
  const isNews = await parts.database.transaction((tx) => (fault ? halt(tx, fault) : resume(tx, chain)));
  if (isNews) onHalt(chain, fault);
  return fault?.reason ?? null;
}

/** The same for many chains, several at a time, until `signal` is aborted. */
export async function inspectAll(
  parts: ComparedParts,
  chains: readonly string[],
  onHalt: OnHalt,
  signal: AbortSignal,
): Promise<void> {
  const left = [...chains];
  const one = async () => {
    for (let chain = left.pop(); chain !== undefined && !signal.aborted; chain = left.pop())
      await inspect(parts, chain, onHalt);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}
