import { expect, it } from 'vitest';
import { workspaceId } from '../../src/base/world.js';

it('gives each workspace random bits of its own, which do not count up from those of its neighbour', () => {
  const ids = Array.from({ length: 200 }, workspaceId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  // A counter that neighbours share changes only the last of the 42 bits behind the time. These are the first 34 of them.
  expect(new Set(ids.map((id) => id.slice(14, 26))).size).toBe(ids.length);
});
