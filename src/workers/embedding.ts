import type { Logger } from 'pino';
import { withoutVectors } from '../../projections/search/queries.js';
import {
  type Embedder,
  EmbedderAway,
  OtherSize,
  type Patience,
  probeText,
  TextsRefused,
} from '../adapters/embeddings/embedder.js';
import { pauseAfter } from '../base/backoff.js';

/** The pause after the first failure, and the longest; each failure doubles it. */
const pauses = { firstMs: 500, longestMs: 5000 };
/**
 * How long every answer has to have the same other size until the model counts as replaced: not long if this process has never
 * seen the size of the stored vectors, because settings are changed between two processes.
 */
const replacedAfter = { neverSeenMs: 5000, seenMs: 60_000 };
/** The longest pause that the server may ask for. */
const mostAskedMs = 60_000;

/** Texts with their vectors, or without when there are none yet. */
interface Embedded {
  /** The model of the vectors; `withoutVectors` while they are still to be made. */
  readonly model: string;
  /** One for each text, in order; null for a text that the embedder refuses. Empty while they are still to be made. */
  readonly vectors: readonly (Float32Array | null)[];
}

export type Embed = (texts: readonly string[]) => Promise<Embedded>;

/** The embedder for memories, which may be away: what is written meanwhile is found by words, and gets vectors later. */
export interface Embedding {
  readonly model: string;
  /** See `Embedder`. */
  readonly repeatable: boolean;
  /** For memories that no search finds yet. While the embedder is away they get no vectors, and nothing waits for it. */
  readonly soon: Embed;
  /**
   * For memories that searches find by words. It takes as long as it must, and finds out which texts are refused.
   * @throws EmbedderAway
   */
  readonly inTime: Embed;
  /** Whether texts can be embedded now. While the embedder is away it is asked after growing pauses. */
  isReady(): Promise<boolean>;
  /** The size that every answer has had for some time, if it is not the one of the stored vectors; null otherwise. */
  newSize(): number | null;
  /** The stored vectors were given up, so that all texts may be embedded with another size. */
  acceptSize(): void;
  /** Notes that texts will not be sent again, because the embedder refuses them. */
  noteRefused(count: number): void;
  readonly health: () => EmbeddingHealth;
}

export interface EmbeddingHealth {
  /** Why it is away; null while it is not. */
  readonly fault: string | null;
  /** Texts since the start of this process. */
  readonly embedded: number;
  readonly refused: number;
}

export type EmbeddingLog = Pick<Logger, 'warn' | 'info'>;

export function createEmbedding(
  embedder: Embedder,
  log: EmbeddingLog,
  now: () => number = () => performance.now(),
): Embedding {
  const { model, repeatable } = embedder;
  const away = createAbsence(log, now);
  const requests = requestsTo(embedder, away);
  let refused = 0;
  return {
    model,
    repeatable,
    isReady: requests.isReady,
    newSize: away.newSize,
    acceptSize() {
      embedder.forgetSize?.();
      away.startOver();
    },
    async soon(texts) {
      if (texts.length === 0) return { model, vectors: [] };
      if (away.fault() !== null) {
        // Not waited for: it ends the outage for what is written later.
        void requests.isReady();
        return nothingYet;
      }
      try {
        return { model, vectors: await requests.documents(texts, 'brief') };
      } catch (error) {
        if (error instanceof EmbedderAway || error instanceof TextsRefused) return nothingYet;
        throw error;
      }
    },
    inTime: async (texts) => ({ model, vectors: await requests.allOf(texts) }),
    noteRefused(count) {
      refused += count;
    },
    health: () => ({ fault: away.fault(), embedded: requests.embedded(), refused }),
  };
}

function requestsTo(embedder: Embedder, away: Absence) {
  let embedded = 0;
  // A server may have been changed, or be away, since the last process has used it.
  let isKnown = embedder.repeatable;
  let probing: Promise<boolean> | null = null;

  async function ask(): Promise<boolean> {
    isKnown = true;
    try {
      await embedder.documents([probeText], 'brief');
      away.end();
      return true;
    } catch (error) {
      away.begin(error);
      return false;
    }
  }

  async function documents(texts: readonly string[], patience: Patience): Promise<readonly Float32Array[]> {
    isKnown = true;
    try {
      const vectors = await embedder.documents(texts, patience);
      away.forget();
      embedded += vectors.length;
      return vectors;
    } catch (error) {
      if (error instanceof EmbedderAway) away.begin(error);
      throw error;
    }
  }

  /** Halves of halves, until the refused texts are alone. */
  async function oneByOne(texts: readonly string[]): Promise<readonly (Float32Array | null)[]> {
    if (texts.length === 1) return [null];
    const middle = texts.length >> 1;
    const vectors: (Float32Array | null)[] = [];
    for (const half of [texts.slice(0, middle), texts.slice(middle)]) {
      vectors.push(...(await documents(half, 'long').catch((error) => ifRefused(error, () => oneByOne(half)))));
    }
    if (!vectors.includes(null)) embedder.noteTooMany?.(texts.length);
    return vectors;
  }

  return {
    documents,
    embedded: () => embedded,
    isReady(): Promise<boolean> {
      if (away.fault() === null && isKnown) return Promise.resolve(true);
      if (!away.isPauseOver()) return Promise.resolve(false);
      probing ??= ask().finally(() => {
        probing = null;
      });
      return probing;
    },
    /** One for each text; null for those that are refused. */
    allOf: (texts: readonly string[]): Promise<readonly (Float32Array | null)[]> =>
      documents(texts, 'long').catch((error) =>
        ifRefused(error, async () => {
          // A server that refuses everything is set up wrongly, and the texts are not to blame.
          if (await ask()) return oneByOne(texts);
          throw new EmbedderAway(error.message);
        }),
      ),
  };
}

const nothingYet: Embedded = { model: withoutVectors, vectors: [] };

/** Leaves the vectors to re-embedding. */
export const unembedded: Embed = async () => nothingYet;

function ifRefused<T>(error: unknown, otherwise: () => Promise<T>): Promise<T> {
  if (error instanceof TextsRefused) return otherwise();
  throw error;
}

/** Whether the embedder is away, and when it may be asked again. */
type Absence = ReturnType<typeof createAbsence>;

function createAbsence(log: EmbeddingLog, now: () => number) {
  let fault: string | null = null;
  let failures = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let other: { readonly size: number; readonly since: number } | null = null;
  let hasAnswered = false;
  return {
    fault: () => fault,
    isPauseOver: () => now() >= pausedUntil,
    begin(error: unknown) {
      const message = error instanceof Error ? error.message : 'unknown failure';
      if (fault !== message) {
        log.warn({ err: error }, 'texts cannot be embedded; memories are found by words, and get their vectors later');
      }
      fault = message;
      const size = error instanceof OtherSize ? error.size : null;
      if (size === null) other = null;
      else if (other?.size !== size) other = { size, since: now() };
      const own = pauseAfter(pauses, failures);
      failures += 1;
      const asked = error instanceof EmbedderAway ? Math.min(mostAskedMs, error.retryAfterMs ?? 0) : 0;
      pausedUntil = now() + Math.max(own, asked);
    },
    end() {
      if (fault !== null) log.info('texts can be embedded again');
      fault = null;
      other = null;
      hasAnswered = true;
    },
    newSize(): number | null {
      if (other === null) return null;
      const ms = hasAnswered ? replacedAfter.seenMs : replacedAfter.neverSeenMs;
      return now() - other.since >= ms ? other.size : null;
    },
    startOver() {
      other = null;
      hasAnswered = false;
      pausedUntil = now();
    },
    /** Pauses are short again. An answer to the probe is not enough for that, because longer requests may still fail. */
    forget() {
      failures = 0;
      other = null;
      hasAnswered = true;
    },
  };
}
