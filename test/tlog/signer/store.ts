import { createHash } from 'node:crypto';
import { LogMoved, type RecordInLog } from '../../../src/tlog/record.js';
import type { SignedChain } from '../../../src/tlog/signing.js';
import { emptyRoot } from '../../../src/verifier/merkle.js';
import type { Scheduler } from './scheduler.js';

interface Named {
  readonly turn: string;
  readonly size: number;
}

/** Everything that a dump of the database contains. */
interface Content {
  readonly seq: number;
  readonly hash: string;
  /** The ends of the chain before. */
  readonly past: readonly string[];
  readonly leaves: readonly string[];
  readonly turns: readonly Named[];
  readonly notes: readonly { readonly size: number; readonly root: Uint8Array }[];
  readonly heirs: readonly string[];
  /** Written since, and not in the log. */
  readonly pending: readonly string[];
}

const empty: Content = { seq: 0, hash: '', past: [], leaves: [], turns: [], notes: [], heirs: [], pending: [] };

/** A store in memory that several processes use, that can be dumped, and that loses what came after a dump. */
export function createStore(step: Scheduler['step']) {
  let content = empty;
  let appended = 0;
  /** The leaves of each tree that was ever in the store, by its root. */
  const trees = new Map<string, readonly string[]>();

  function rootOf(size: number): Uint8Array {
    if (size === 0) return emptyRoot;
    const leaves = content.leaves.slice(0, size);
    const root = createHash('sha256').update(leaves.join()).digest();
    trees.set(root.toString('hex'), leaves);
    return root;
  }

  const append: RecordInLog = async (seen, ...events) => {
    await step();
    if (seen.seq !== content.seq || seen.hash !== content.hash) throw new LogMoved();
    for (const event of events) {
      appended += 1;
      const hash = `${appended}`;
      content = { ...content, seq: content.seq + 1, hash, past: [...content.past, content.hash] };
      if (event.kind === 'log.heads_added') {
        const added = event.body.heads.map(({ leaf }) => leaf);
        const pending = content.pending.filter((leaf) => !added.includes(leaf));
        content = { ...content, leaves: [...content.leaves, ...added], pending };
      } else if (event.kind === 'log.turn') {
        content = { ...content, turns: [...content.turns, event.body] };
      } else if (event.kind === 'checkpoint.signed') {
        const { size, root } = event.body;
        content = { ...content, notes: [...content.notes, { size, root: Buffer.from(root, 'hex') }] };
      }
    }
    // The process may die before it learns of the commit.
    await step(events.some(({ kind }) => kind === 'checkpoint.signed') ? 'note' : 'append');
  };

  const chain: SignedChain = {
    async state() {
      await step();
      const { seq, hash, leaves, turns, notes } = content;
      return { head: { seq, hash }, size: leaves.length, newest: turns.at(-1) ?? null, latest: notes.at(-1) };
    },
    async anyTurn(hashes) {
      await step();
      return content.turns.some(({ turn }) => hashes.includes(turn));
    },
    async rootAt(size) {
      await step();
      return rootOf(size);
    },
    append,
  };

  return {
    chain,
    pending: () => content.pending,
    write(): void {
      appended += 1;
      content = { ...content, pending: [...content.pending, `leaf ${appended}`] };
    },
    dump: (): Content => content,
    restore(dump: Content): void {
      content = dump;
    },
    heirs: () => content.heirs,
    register(hash: string, isThere: boolean): void {
      const others = content.heirs.filter((one) => one !== hash);
      content = { ...content, heirs: isThere ? [...others, hash] : others };
    },
    /** Everything that the chain says about who may sign. */
    named: () => ({ newest: content.turns.at(-1) ?? null, latest: content.notes.at(-1) }),
    /** Whether the chain had this end at some time. */
    isPast: (hash: string) => hash === content.hash || content.past.includes(hash),
    leavesOf: (root: string): readonly string[] => trees.get(root) ?? [],
    leaves: () => content.leaves,
  };
}

export type ModelStore = ReturnType<typeof createStore>;
