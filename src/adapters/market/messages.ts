import type { MessagePort } from 'node:worker_threads';
import type { FigureTarget } from '../../domain/market/feeds/questions.js';
import type { ContentCoding, Filtered } from '../../domain/market/feeds/served.js';
import type { AddedPage, Arrival, CrossedPage, History } from './live-market.js';

/** The data that a thread begins with. */
export interface ThreadData {
  /** The installation key, for the tags of invoices. */
  readonly tagKey: Uint8Array;
  readonly t: number;
}

/** A call of a function of `LiveMarket`. */
export type Call =
  | { readonly name: 'add'; readonly page: AddedPage }
  | { readonly name: 'cross'; readonly page: CrossedPage }
  | { readonly name: 'wanted'; readonly t: number }
  | { readonly name: 'answer'; readonly history: readonly History[] }
  | { readonly name: 'arrive'; readonly arrival: Arrival }
  | { readonly name: 'filtered'; readonly request: Filtered; readonly coding: ContentCoding }
  | { readonly name: 'figures'; readonly targets: readonly FigureTarget[] };

export interface Message {
  readonly call: Call;
  /** Gets the result, as `Result`, and is closed after it. */
  readonly port: MessagePort;
}

export type Result = { readonly output: unknown } | { readonly failed: string };
