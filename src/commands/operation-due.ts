import { atOnce, type Due } from '../../projections/due.js';
import type { OperationKind } from './operation-jobs.js';

/** A job of this kind that has not ended. */
export const openOperation =
  (kind: OperationKind): Due =>
  (bind) =>
    `(select ${atOnce} from operation_jobs where kind = ${bind(kind)} and ended_at is null limit 1)`;
