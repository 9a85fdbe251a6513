import { Refusal } from '../../../contracts/errors.js';
import type { LiveMarket } from '../../adapters/market/live-market.js';
import type { FigureTarget } from '../../domain/market/feeds/questions.js';
import type { ContentCoding, Filtered, NewestFeeds } from '../../domain/market/feeds/served.js';
import { createQueue } from '../../domain/queue.js';

/** How many questions may wait for the market in this process. Each takes milliseconds. */
const mostWaiting = 200;
/** How many are asked at once. */
const atOnce = 4;

type Answers = Pick<LiveMarket, 'filtered' | 'figures'>;

/** The newest feeds of this process, and the market that answers questions about them. */
export function createPublished() {
  const queue = createQueue({ atOnce, heldBytes: mostWaiting, what: 'questions about the public figures' });
  const listeners = new Set<(newest: NewestFeeds) => void>();
  let newest: NewestFeeds | null = null;
  let market: Answers | null = null;
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });

  async function ask<T>(owner: string, question: (market: Answers) => Promise<T>): Promise<T> {
    const asked = market;
    if (asked === null) throw notReady();
    return queue({ owner, bytes: 1 }, () =>
      question(asked).catch((cause: unknown) => {
        throw notReady(cause);
      }),
    );
  }

  return {
    get newest() {
      return newest;
    },
    begun,
    filtered: (owner: string, request: Filtered, coding: ContentCoding) =>
      ask(owner, (one) => one.filtered(request, coding)),
    figures: (owner: string, targets: readonly FigureTarget[]) => ask(owner, (one) => one.figures(targets)),
    onMove(listener: (newest: NewestFeeds) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** @param answers the market of these feeds; null where it is not filled yet */
    publish(feeds: NewestFeeds, answers: Answers | null): void {
      const hasMoved = newest === null || feeds.t > newest.t;
      newest = feeds;
      market = answers;
      begin();
      if (hasMoved) for (const listener of listeners) listener(feeds);
    },
  };
}

export type Published = ReturnType<typeof createPublished>;

const notReady = (cause?: unknown) =>
  new Refusal(
    'not_ready',
    'The public figures are being computed. Retry shortly.',
    { retry_after_seconds: 5 },
    { cause },
  );
