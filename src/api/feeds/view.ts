import type { FigureTarget } from '../../domain/market/feeds/questions.js';
import type { ContentCoding, EncodedFeed, FiguresAt, Filtered, NewestFeeds } from '../../domain/market/feeds/served.js';

/** The public figures as this process serves them. Nothing here reads the ledger, and the newest feeds wait for nothing. */
export interface MarketView {
  /** Resolves when the first feeds are there: a moment after the start, unless a store with receipts has none from before. */
  readonly begun: Promise<void>;
  /** Null until a process on a store with public receipts has made its first feeds. */
  readonly newest: NewestFeeds | null;
  /**
   * A filtered feed of the newest t, in one encoding. @throws Refusal rate_limited, not_ready
   * @param owner whose work it is, here and below: see `Task`
   */
  filtered(owner: string, request: Filtered, coding: ContentCoding): Promise<EncodedFeed>;
  /** Values at the newest t, in the order of the targets. @throws Refusal rate_limited, not_ready */
  figures(owner: string, targets: readonly FigureTarget[]): Promise<FiguresAt>;
  /** Calls the listener each time that t has moved, with the new feeds. @returns a function that ends this */
  onMove(listener: (newest: NewestFeeds) => void): () => void;
}
