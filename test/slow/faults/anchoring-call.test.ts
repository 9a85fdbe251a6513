import { test } from 'vitest';
import { breakEach, flavours, useAnchoring, where } from '../../faults/break-anchoring.js';

useAnchoring();

test.each(flavours)(`one call of a round ${'%s'}, on ${where}`, (flavour) => breakEach(1, flavour, () => undefined));
