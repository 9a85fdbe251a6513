import { expect, test } from 'vitest';
import { breakEach, flavours, useAnchoring, where } from '../../faults/break-anchoring.js';

useAnchoring();

test.each(flavours)(`every call of a round from one on ${'%s'}, on ${where}`, (flavour) =>
  // The one whose answer got lost, and the one that was recorded.
  breakEach(10_000, flavour, (submissions) => expect(submissions).toBeLessThanOrEqual(2)));
