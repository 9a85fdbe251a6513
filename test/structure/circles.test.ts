import { expect, it } from 'vitest';
import { type Source, sources } from './sources.js';

/** A circle of imports as one sentence for each file in it, of types too; null where there is none. */
function circleIn(all: readonly Source[]): string | null {
  const byPath = new Map(all.map((source) => [source.path, source]));
  const finished = new Set<string>();
  const visit = (path: string, trail: readonly string[]): string | null => {
    const from = trail.indexOf(path);
    if (from >= 0) return [...trail.slice(from), path].join(' imports ');
    if (finished.has(path)) return null;
    for (const imported of byPath.get(path)?.imports ?? []) {
      const circle = byPath.has(imported) ? visit(imported, [...trail, path]) : null;
      if (circle !== null) return circle;
    }
    finished.add(path);
    return null;
  };
  for (const { path } of all) {
    const circle = visit(path, []);
    if (circle !== null) return circle;
  }
  return null;
}

it('no file imports itself, directly or through others', () => {
  expect(circleIn(sources(['contracts', 'src', 'projections', 'ops']))).toBeNull();
});

it('finds a circle of three files', () => {
  const file = (path: string, ...imports: string[]): Source => ({ path, text: '', imports });
  expect(circleIn([file('a.ts', 'b.ts'), file('b.ts', 'c.ts'), file('c.ts', 'b.ts')])).toBe(
    'b.ts imports c.ts imports b.ts',
  );
});
