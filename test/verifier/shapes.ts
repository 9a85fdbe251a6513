import fc from 'fast-check';
import type { Attestation } from '../../src/verifier/ots/attestation.js';
import { apply, type Operation } from '../../src/verifier/ots/operation.js';
import type { Timestamp } from '../../src/verifier/ots/timestamp.js';

/** Operations and attestations without messages, which follow from them. */
export interface Shape {
  readonly attestations: readonly Attestation[];
  readonly branches: readonly (readonly [Operation, Shape])[];
}

const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 });
/** Those that the library can compute: it has no keccak256, and its hexlify gives nothing. */
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ name: fc.constantFrom('append' as const, 'prepend' as const), argument: bytes }),
  fc.record({ name: fc.constantFrom('reverse' as const, 'sha1' as const, 'ripemd160' as const, 'sha256' as const) }),
);
const height = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const attestation: fc.Arbitrary<Attestation> = fc.oneof(
  fc.record({ kind: fc.constant('pending' as const), uri: fc.stringMatching(/^[A-Za-z0-9._/:-]{0,40}$/) }),
  fc.record({ kind: fc.constantFrom('bitcoin' as const, 'litecoin' as const), height }),
  fc.record({ kind: fc.constant('unknown' as const), tag: fc.constant(new Uint8Array(8).fill(7)), payload: bytes }),
);
const attestations = (minLength: number) =>
  fc.uniqueArray(attestation, { minLength, maxLength: 3, selector: (one) => JSON.stringify(one) });
export const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 6 },
    fc.record({ attestations: attestations(1), branches: fc.constant([]) }),
    fc.record({
      attestations: attestations(0),
      branches: fc.uniqueArray(fc.tuple(operation, tie('shape')), {
        minLength: 1,
        maxLength: 3,
        selector: ([one]) => JSON.stringify(one),
      }),
    }),
  ),
}));

/** The timestamp of a message that has a shape. */
export function grow(message: Uint8Array, { attestations, branches }: Shape): Timestamp {
  return {
    message,
    attestations,
    branches: branches.map(([step, below]) => ({ operation: step, timestamp: grow(apply(step, message), below) })),
  };
}
