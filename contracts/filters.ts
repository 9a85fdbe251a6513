import { z } from 'zod';
import { moment } from './instant.js';
import { limits } from './limits.js';
import { comparedBound, recordOf, comparedValue as scalar } from './record.js';

const name = z.string().min(1, 'must not be empty');
const names = z.union([name.transform((one) => [one]), z.array(name).min(1).max(limits.filterList)]);
const orderable = z.union([z.string(), comparedBound]);

const tests = z
  .strictObject({
    eq: scalar,
    ne: scalar,
    in: z.array(scalar).min(1).max(limits.filterList),
    gt: orderable,
    gte: orderable,
    lt: orderable,
    lte: orderable,
    exists: z.boolean(),
    contains: scalar,
  })
  .partial()
  .refine((given) => Object.keys(given).length > 0, 'must name at least one test')
  .meta({ id: 'MetadataTests', minProperties: 1, description: 'All of these tests must pass.' });
/** Tests of one metadata field, all of which must pass. */
export type Condition = z.output<typeof tests>;

const condition = z.union([scalar.transform((eq): Condition => ({ eq })), tests]);

/** The conditions of a filter that are not filters themselves. */
export const filterLeaves = z
  .strictObject({
    source: names,
    user_id: names,
    app_id: names,
    run_id: names,
    approved_by: names.describe(
      'Memories whose write was held until one of these people approved it, by the id of the member.',
    ),
    created_after: moment,
    created_before: moment,
    include_playground: z.boolean(),
    include_invalidated: z.boolean(),
    metadata: recordOf(condition).describe(
      'Key → the value that it must have, or tests of the value. A key is one of the metadata object itself, by its exact name: "a.b" is the key "a.b" and not a path to b inside of a.',
    ),
  })
  .partial();

const list = () => z.array(searchFilters).max(limits.filterLeaves).optional();

/** The whole of it, for the description of the API. It is read level by level (src/domain/filters.ts), to be bounded. */
export const searchFilters: z.ZodType = filterLeaves
  .extend({
    get all(): z.ZodType {
      return list().describe('Filters that must all match.');
    },
    get any(): z.ZodType {
      return list().describe('Filters of which at least one must match.');
    },
    get not(): z.ZodType {
      return list().describe('Filters of which none may match.');
    },
  })
  .meta({
    id: 'SearchFilters',
    description: `Conditions on memories. At most ${limits.filterDepth} levels and ${limits.filterLeaves} conditions.`,
  });
