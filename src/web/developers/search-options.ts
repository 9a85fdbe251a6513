import type { Options } from 'minisearch';

/** A section of a page that a search has found. */
export interface Found {
  readonly title: string;
  readonly page: string;
  /** Relative to /developers/. */
  readonly url: string;
}

/** The options with which the index was built, which the browser needs to read it. */
export const searchOptions: Options<Found & { readonly text: string }> = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'url'],
  searchOptions: { prefix: true, fuzzy: 0.15, combineWith: 'AND', boost: { title: 3, page: 2 } },
};
