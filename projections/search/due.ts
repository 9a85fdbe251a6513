import { atOnce, type Due } from '../due.js';
import { isLeft } from './removal.js';

/** The rows that deleted memories have left in the index. */
export const nextRemoval: Due = () => `(select ${atOnce} from search_documents d where ${isLeft} limit 1)`;

/**
 * A memory without vectors of the model, see `isOutdated`: one look at the index for each of its two ranges. As one condition a planner
 * that does not see the model expects half of the memories to be outdated, and reads all: among 10,000 the look took 16 ms and grew.
 */
export const nextOutdated =
  (model: string): Due =>
  (bind) => {
    const current = bind(model);
    const first = (range: string) => `(select 1 from search_documents d where ${range} order by d.model limit 1)`;
    return `(select ${atOnce} from (${first(`d.model > '' and d.model < ${current}`)} union all
      ${first(`d.model > ${current}`)}) outdated limit 1)`;
  };

export const nextRebuild: Due = () => `(select ${atOnce} from search_rebuild limit 1)`;
