import { z } from 'zod';
import { exactNumber } from './exact-number.js';
import { moment } from './instant.js';
import { limits } from './limits.js';
import { recordOf } from './record.js';

const name = z.string().min(1, 'must not be empty');
const names = z.union([name.transform((one) => [one]), z.array(name).min(1).max(limits.filterList)]);
const scalar = z.union([z.string(), exactNumber, z.boolean(), z.null()]);
const orderable = z.union([z.string(), exactNumber]);

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
      `Key → the value that it must have, or tests of the value. A key is one of the metadata object itself, by its exact name: "a.b" is the key "a.b" and not a path to b inside of a. Numbers are compared digit by digit, up to ${limits.filterDigits} digits without an exponent.`,
    ),
  })
  .partial();

/** The conditions of a search on its hits. They are no conditions on memories, so they belong to the top level of the filters of a search only. */
export const hitFilters = z
  .strictObject({
    min_score: z
      .number('must be a number from 0 to 1')
      .min(0, 'must be a number from 0 to 1')
      .max(1, 'must be a number from 0 to 1')
      .describe('Only hits with this score or more. Only at the top level.'),
    neighbours: z
      .boolean()
      .describe(
        'false: no hit that was found only by the messages around it, without a word of the query and without a similar text. Only at the top level.',
      ),
  })
  .partial();

const list = () => z.array(memoryFilters).max(limits.filterLeaves).optional();

/** With lists of its own: the description of the API would give lists that two shapes share a name. */
const withLists = <Shape extends z.ZodRawShape>(conditions: z.ZodObject<Shape, z.core.$strict>) =>
  conditions.extend({
    get all(): z.ZodType {
      return list().describe('Filters that must all match.');
    },
    get any(): z.ZodType {
      return list().describe('Filters of which at least one must match.');
    },
    get not(): z.ZodType {
      return list().describe('Filters of which none may match.');
    },
  });

const bounds = `At most ${limits.filterDepth} levels and ${limits.filterLeaves} conditions.`;

/** The whole of it, for the description of the API. It is read level by level (src/domain/filters.ts), to be bounded. */
export const memoryFilters: z.ZodType = withLists(filterLeaves).meta({
  id: 'MemoryFilters',
  description: `Conditions on memories. ${bounds}`,
});

/** The same with what only a search takes. */
export const searchFilters = withLists(filterLeaves.extend(hitFilters.shape)).meta({
  id: 'SearchFilters',
  description: `Conditions on memories, and what a search asks of its hits. ${bounds}`,
});
