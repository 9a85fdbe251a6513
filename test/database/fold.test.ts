import { expect, it } from 'vitest';
import type { Recorded } from '../../contracts/entries/recorded.js';
import { atOnce, each, type Fold, gather, inOrder, together } from '../../projections/projection.js';
import type { Transaction } from '../../src/database/database.js';

const tx: Transaction = { query: async () => [], select: async () => [], write: async () => undefined };
const place = { v: 1, workspace_id: '', prev_hash: '', recorded_at: '' } as const;
const actor = { type: 'system', id: null, user_id: null, agent_id: null, app_id: null, run_id: null } as const;

function renamed(seq: number): Recorded {
  const body = { name: `name ${seq}` };
  return {
    entry: { ...place, actor, seq, receipt_id: `${seq}`, kind: 'workspace.renamed', body },
    hash: '',
    deposit: null,
  };
}
function removed(seq: number): Recorded {
  const body = { member_id: `member ${seq}`, added_receipt_id: '' };
  return {
    entry: { ...place, actor, seq, receipt_id: `${seq}`, kind: 'member.removed', body },
    hash: '',
    deposit: null,
  };
}
const history = [removed(1), renamed(2), removed(3), renamed(4)];

/** Notes the entries that it is handed. */
function noting(name: string, kinds: Fold['kinds'], said: string[]): Fold {
  return {
    kinds,
    apply: async (_, recorded) => void said.push(`${name} ${recorded.map(({ entry }) => entry.seq).join(' ')}`),
  };
}

it('entries go only to the folds that name their kind, in their order', async () => {
  const said: string[] = [];
  const a = noting('a', ['member.removed', 'workspace.renamed'], said);
  const b = noting('b', ['namespace.deleted'], said);
  const c = noting('c', ['workspace.renamed'], said);
  await atOnce([a, b, c]).apply(tx, history);
  await inOrder(c, b, a).apply(tx, history);
  expect(said).toEqual(['a 1 2 3 4', 'c 2 4', 'c 2 4', 'a 1 2 3 4']);
  expect(inOrder(c, b).kinds).toEqual(['workspace.renamed', 'namespace.deleted']);
});

it('a fold is made of one function for each kind', async () => {
  const said: unknown[] = [];
  const one = each({ 'member.removed': async (_, { entry }) => said.push(entry.body.member_id) });
  const many = gather({ 'workspace.renamed': ({ entry }) => [entry.body.name, '-'] }, async (_, names) => {
    said.push(names);
  });
  const counted = together({
    begin: () => ({ removed: 0, renamed: 0 }),
    on: {
      'member.removed': (changes) => {
        changes.removed += 1;
      },
      'workspace.renamed': (changes) => {
        changes.renamed += 1;
      },
    },
    write: async (_, changes) => void said.push(changes),
  });
  for (const fold of [one, many, counted]) await fold.apply(tx, history);
  await many.apply(tx, [removed(5)]);
  expect(said).toEqual(['member 1', 'member 3', ['name 2', '-', 'name 4', '-'], { removed: 2, renamed: 2 }]);
  expect(counted.kinds).toEqual(['member.removed', 'workspace.renamed']);
});
