import type { FeedName } from '../../domain/market/feeds/all.js';
import type { DirectoryFilters, DisputeFilters, FigureTarget } from '../../domain/market/feeds/questions.js';

/** How the bytes of an answer are encoded, as HTTP names it. */
export type ContentCoding = 'identity' | 'gzip' | 'br';

/** The bytes of a feed in one encoding, with a strong ETag of these bytes, in its quotation marks. */
export interface EncodedFeed {
  readonly bytes: Uint8Array;
  readonly etag: string;
}

/** The public figures of one moment t. */
export interface NewestFeeds {
  /** Milliseconds since 1970, a whole minute. */
  readonly t: number;
  /** The same as RFC 3339. */
  readonly asOf: string;
  readonly feeds: Readonly<Record<FeedName, Readonly<Record<ContentCoding, EncodedFeed>>>>;
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

/** The public figures as this process serves them. Nothing here reads the ledger, and the newest feeds wait for nothing. */
export interface MarketView {
  /** Null until a process on a store with public receipts has made its first feeds. */
  readonly newest: NewestFeeds | null;
  /** A filtered feed of the newest t, in one encoding. @throws Refusal rate_limited, not_ready */
  filtered(request: Filtered, coding: ContentCoding): Promise<EncodedFeed>;
  /** Values at the newest t, in the order of the targets. @throws Refusal rate_limited, not_ready */
  figures(targets: readonly FigureTarget[]): Promise<FiguresAt>;
  /** Calls the listener each time that t has moved, with the new feeds. @returns a function that ends this */
  onMove(listener: (newest: NewestFeeds) => void): () => void;
}
