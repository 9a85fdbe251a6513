import { describe, expect, it } from 'vitest';
import { nextOutdated } from '../../../projections/search/due.js';
import { first, useSearchStore } from '../../search/store.js';
import { stores } from '../../support/stores.js';

/** A step of a plan, as `explain` names what it has done. */
interface Step {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Step[];
}

const rowsRead = (step: Step): number =>
  (step['Relation Name'] === undefined
    ? 0
    : (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops']) +
  (step.Plans ?? []).reduce((sum, inner) => sum + rowsRead(inner), 0);

describe.each(stores)('on %s, the look for memories without vectors of the model', () => {
  const store = useSearchStore();
  const due = nextOutdated('test')(() => '$1', new Date());
  const at = (model: string) =>
    store.transaction(async (tx) => (await tx.query<{ at: string }>(`select ${due}::text as at`, [model]))[0]?.at);

  /** The rows of documents that the look reads when its plan is made before the model is known. */
  async function rowsFor(model: string): Promise<number> {
    return store.transaction(async (tx) => {
      await tx.query("set local plan_cache_mode = 'force_generic_plan'");
      await tx.query(`prepare look(text) as select ${due}`);
      const [row] = await tx.query<{ 'QUERY PLAN': string }>(`explain (analyze, format json) execute look('${model}')`);
      await tx.query('deallocate look');
      const [{ Plan }] = JSON.parse(row?.['QUERY PLAN'] ?? '');
      return rowsRead(Plan);
    });
  }

  it('finds one of an earlier and of a later name, and reads no others', async () => {
    const written = Array.from({ length: 300 }, (_, n) => ({
      n,
      namespaceId: first,
      text: 'any',
      vectors: [[1, 0, 0]],
    }));
    await store.remember(written);
    await store.add(written);
    await store.transaction((tx) => tx.query('analyze search_documents'));
    expect([await at('test'), await at('a'), await at('z')]).toEqual([null, '-infinity', '-infinity']);
    expect([await rowsFor('test'), await rowsFor('a'), await rowsFor('z')]).toEqual([0, 1, 1]);
  });
});
