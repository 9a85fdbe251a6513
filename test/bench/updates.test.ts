import { describe, expect, it } from 'vitest';
import { readCases } from '../../ops/bench/updates/cases.js';
import { packageRoot } from '../../src/base/package-root.js';

const cases = readCases(`${packageRoot}/ops/bench/updates`);
const of = (kind: string) => cases.filter((one) => one.kind === kind);
const at = (memories: readonly string[], text: string | undefined) => memories.indexOf(text ?? '');

describe('the cases of the benchmark of updates', () => {
  it('are at least a hundred of each kind in four styles, half of them held out', () => {
    for (const kind of ['updates', 'twins']) {
      expect(of(kind).length).toBeGreaterThanOrEqual(100);
      expect(new Set(of(kind).map(({ style }) => style)).size).toBe(4);
      expect(of(kind).filter(({ isHeldOut }) => isHeldOut).length).toBe(of(kind).length / 2);
    }
  });

  it('have their right answer last when a fact was superseded', () => {
    const others = of('updates').filter(({ memories, right }) => memories.at(-1) !== right);
    expect(others).toEqual([]);
  });

  it('have the older text as the right answer in most cases of texts that are only alike', () => {
    const older = of('twins').filter(({ memories, right, wrong }) => at(memories, right) < at(memories, wrong[0]));
    expect(older.length).toBeGreaterThanOrEqual(60);
    expect(older.length).toBeLessThan(of('twins').length);
  });

  it('say each text once, so that no answer is a duplicate of another', () => {
    const texts = cases.flatMap(({ right, wrong }) => [right, ...wrong]);
    expect(new Set(texts).size).toBe(texts.length);
    expect(cases.filter(({ wrong }) => wrong.length === 0)).toEqual([]);
  });
});
