import { kindsOf } from '../../../contracts/entries/by-kind.js';
import { catalogue, type EntryKind } from '../../../contracts/entries/catalogue.js';
import { besides, projections } from '../../../projections/all.js';
import { slicesChangedBy } from '../../../src/commands/state/state.js';
import { code, page, table } from './markdown.js';

/** The page that says for each kind of entry who follows it, from the tables by which entries are handed out. */
export function entryFolds(): string {
  const lead =
    'An entry is handed only to those that name its kind: the read models (`fold` in `projections/*/projection.ts`), the tables beside them, and the slices ' +
    'of the state by which commands decide (`evolve` in `src/commands/state/`).';
  const kinds = kindsOf(catalogue);
  return page('What follows an entry', lead, [
    '## By kind',
    table(['kind', 'read models', 'also', 'state of commands'], kinds.map(rowOf)),
    '## By read model',
    table(
      ['read model', 'kinds'],
      projections.map(({ name, fold }) => [
        code(name),
        fold.kinds.length === kinds.length ? 'all' : listed(kinds.filter((kind) => fold.kinds.includes(kind))),
      ]),
    ),
  ]);
}

function rowOf(kind: EntryKind): string[] {
  const models = projections.filter(({ fold }) => fold.kinds.includes(kind)).map(({ name }) => name);
  const also = Object.entries(besides).flatMap(([name, { kinds }]) => (kinds.includes(kind) ? name : []));
  return [code(kind), listed(models), also.join(', '), listed(slicesChangedBy.get(kind) ?? [])];
}

const listed = (names: readonly string[]): string => names.map(code).join(', ');
