import { latestStatements } from '../../../projections/tasks/queries.js';
import { keyOfStated, type StatedObject, type Statement, statementsOf } from '../../domain/task/statements.js';
import { inCopy, type Slice } from './slice.js';

/** The newest statement of the workspace about each object of the market, by `keyOfStated`. */
export type Statements = ReadonlyMap<string, Statement>;

/** The newest statements about these objects. */
export const statements: Slice<readonly StatedObject[], Statements> = {
  empty: new Map(),
  async load({ tx, workspaceId }, reads) {
    const objects = new Map(reads.flat().map((one) => [keyOfStated(one), one]));
    const rows = await latestStatements(tx, workspaceId, [...objects.values()]);
    const found = rows.map(({ type, object_id: id, status, tier }) => ({ type, id, status, tier }));
    return new Map(found.map((one) => [keyOfStated(one), one]));
  },
  evolve: inCopy((before) => new Map(before), {
    task: (after, { entry }) => {
      for (const one of statementsOf(entry.body.task.market)) after.set(keyOfStated(one), one);
    },
  }),
};
