import { atOnce, type Due } from '../due.js';
import { isOutdated } from './models.js';
import { isLeft } from './removal.js';

/** The rows that deleted memories have left in the index. */
export const nextRemoval: Due = () => `(select ${atOnce} from search_documents d where ${isLeft} limit 1)`;

/** A memory without vectors of the model. */
export const nextOutdated =
  (model: string): Due =>
  (bind) =>
    `(select ${atOnce} from search_documents d where ${isOutdated(bind(model))} limit 1)`;

export const nextRebuild: Due = () => `(select ${atOnce} from search_rebuild limit 1)`;
