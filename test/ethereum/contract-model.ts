import fc from 'fast-check';

export interface Anchor {
  readonly origin: string;
  readonly size: bigint;
  readonly digest: string;
}

/** One transaction to the contract. */
export interface Call {
  /** Which account sends it. */
  readonly sender: number;
  readonly anchors: readonly Anchor[];
  /** With `anchor` instead of `anchorAll`. */
  readonly isSingle: boolean;
  /** With less gas than the call needs. */
  readonly isStarved: boolean;
}

/** A block of calls, or a reorganisation that replaces this number of blocks with empty ones. */
export type Step = readonly Call[] | number;

const word = (label: string) => (n: number) => `0x${label.charCodeAt(0).toString(16).repeat(31)}0${n}`;
const anchors = fc.record({
  origin: fc.integer({ min: 0, max: 2 }).map(word('o')),
  size: fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.constantFrom(0n, 2n ** 64n - 1n)),
  digest: fc.integer({ min: 0, max: 3 }).map(word('d')),
});
const sender = fc.integer({ min: 0, max: 2 });
const isStarved = fc.oneof({ arbitrary: fc.constant(false), weight: 5 }, { arbitrary: fc.constant(true), weight: 1 });
const calls: fc.Arbitrary<Call> = fc.oneof(
  fc.record({ sender, anchors: fc.tuple(anchors), isSingle: fc.constant(true), isStarved }),
  fc.record({ sender, anchors: fc.array(anchors, { maxLength: 6 }), isSingle: fc.constant(false), isStarved }),
);

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { arbitrary: fc.array(calls, { maxLength: 4 }), weight: 5 },
    { arbitrary: fc.integer({ min: 1, max: 3 }), weight: 1 },
  ),
  { minLength: 1, maxLength: 12 },
);

/** Everything that the contract must show after the steps. */
export interface Model {
  /** By origin and digest, the block that anchored it first, counted from the first block of the steps. */
  readonly firstSeen: ReadonlyMap<string, number>;
  readonly events: readonly (Anchor & { readonly block: number })[];
}

export const pairKey = (origin: string, digest: string) => `${origin} ${digest}`;

/** The blocks that are on the chain after the steps. */
function blocksAfter(all: readonly Step[]): (readonly Call[])[] {
  const blocks: (readonly Call[])[] = [];
  for (const step of all) {
    if (typeof step !== 'number') blocks.push(step);
    else {
      const depth = Math.min(step, blocks.length);
      blocks.splice(blocks.length - depth, depth, ...Array.from({ length: depth }, () => []));
    }
  }
  return blocks;
}

export function modelOf(all: readonly Step[]): Model {
  const events = blocksAfter(all).flatMap((block, at) =>
    block.flatMap((call) => (call.isStarved ? [] : call.anchors.map((anchor) => ({ ...anchor, block: at })))),
  );
  const firstSeen = new Map<string, number>();
  for (const { origin, digest, block } of events) {
    const key = pairKey(origin, digest);
    if (!firstSeen.has(key)) firstSeen.set(key, block);
  }
  return { firstSeen, events };
}

export const allPairs = [0, 1, 2].flatMap((o) => [0, 1, 2, 3].map((d) => [word('o')(o), word('d')(d)] as const));
