// @projects slow
import { test } from 'vitest';
import { breakEach, flavours, useAnchoring, where } from './break-anchoring.js';

useAnchoring();

test.each(flavours)(`one call of a round ${'%s'}, on ${where}`, (flavour) => breakEach(1, flavour, () => undefined));
