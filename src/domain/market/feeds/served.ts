import type { FeedName } from './all.js';
import type { DirectoryFilters, DisputeFilters } from './questions.js';

/** How the bytes of an answer are encoded, as HTTP names it. */
export const contentCodings = ['br', 'gzip', 'identity'] as const;
export type ContentCoding = (typeof contentCodings)[number];

/** The bytes of a feed in one encoding, with a strong ETag of these bytes, in its quotation marks. */
export interface EncodedFeed {
  readonly bytes: Uint8Array;
  readonly etag: string;
}

/** A feed in each encoding. */
export type EncodedFeeds = Readonly<Record<ContentCoding, EncodedFeed>>;

/** The public figures of one moment t. */
export interface NewestFeeds {
  /** Milliseconds since 1970, a whole minute. */
  readonly t: number;
  /** The same as RFC 3339. */
  readonly asOf: string;
  readonly feeds: Readonly<Record<FeedName, EncodedFeeds>>;
  /** The rows of `indices` of the terminal as JSON, for widgets, which need not read the whole feed. */
  readonly indices: string;
}

/** A request for a part of a feed. */
export type Filtered =
  | { readonly feed: 'discovery'; readonly filters: DirectoryFilters }
  | { readonly feed: 'standards/disputes'; readonly filters: DisputeFilters };

/** The figures of targets at one t, as decimal digits; null while there is none. */
export interface FiguresAt {
  readonly t: number;
  readonly values: readonly (string | null)[];
}
