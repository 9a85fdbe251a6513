import { createHash } from 'node:crypto';
import { LogMoved, type RecordInLog } from '../../../src/tlog/record.js';
import type { SignedChain } from '../../../src/tlog/signing.js';
import { emptyRoot } from '../../../src/verifier/merkle.js';

interface Named {
  readonly turn: string;
  readonly size: number;
}

/** What a dump of the database contains. */
interface Content {
  readonly seq: number;
  readonly hash: string;
  readonly leaves: readonly string[];
  readonly turns: readonly Named[];
  readonly notes: readonly { readonly size: number; readonly root: Uint8Array }[];
  readonly heirs: readonly string[];
}

const empty: Content = { seq: 0, hash: '', leaves: [], turns: [], notes: [], heirs: [] };

/** A store in memory that several processes use, that can be dumped, and that loses what came after a dump. */
export function createStore(step: () => Promise<void>) {
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
      content = { ...content, seq: content.seq + 1, hash };
      if (event.kind === 'log.heads_added') {
        content = { ...content, leaves: [...content.leaves, ...event.body.heads.map(({ leaf }) => leaf)] };
      } else if (event.kind === 'log.turn') {
        content = { ...content, turns: [...content.turns, event.body] };
      } else if (event.kind === 'checkpoint.signed') {
        const { size, root } = event.body;
        content = { ...content, notes: [...content.notes, { size, root: Buffer.from(root, 'hex') }] };
      }
    }
    // The process may die before it learns of the commit.
    await step();
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
    trees,
    dump: (): Content => content,
    restore(dump: Content): void {
      content = dump;
    },
    heirs: () => content.heirs,
    register(hash: string, isThere: boolean): void {
      const others = content.heirs.filter((one) => one !== hash);
      content = { ...content, heirs: isThere ? [...others, hash] : others };
    },
    /** Whether the log begins with this tree. */
    contains(root: string): boolean {
      const leaves = trees.get(root) ?? [];
      return leaves.every((leaf, at) => content.leaves[at] === leaf);
    },
  };
}

export type ModelStore = ReturnType<typeof createStore>;
