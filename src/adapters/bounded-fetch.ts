import { Cancelled, DeadlinePassed, withDeadline } from '../base/deadline.js';

/** Thrown when a server cannot be reached or its answer cannot be used. The message says why, without credentials. */
export class Unavailable extends Error {}

export interface BoundedRequest {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** The time limit for the whole request, from the connection to the last byte. */
  readonly timeoutMs: number;
  /** The largest body of the answer, after decompression. */
  readonly maxBytes: number;
  /** Ends the request early. */
  readonly ending?: AbortSignal;
}

export interface BoundedAnswer {
  readonly status: number;
  /** The media type without its parameters; empty when none is given. */
  readonly type: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** The waiting time in Retry-After; null when it is absent or cannot be read. */
  readonly retryAfterMs: number | null;
}

/** Sends a request with limits on the time and size of its answer. It follows no redirects. @throws Unavailable */
export type BoundedFetch = (url: string, request: BoundedRequest) => Promise<BoundedAnswer>;

/**
 * Sends a request with limits on the time and size of its answer. It follows no redirects: their status is returned.
 * @throws Unavailable
 */
export const boundedFetch: BoundedFetch = async (url, { timeoutMs, maxBytes, ending, ...init }) => {
  try {
    return await withDeadline(timeoutMs, (signal) => answerOf(url, { ...init, signal }, maxBytes), ending);
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    throw new Unavailable(reasonOf(error));
  }
};

async function answerOf(url: string, init: RequestInit, maxBytes: number): Promise<BoundedAnswer> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const { status, headers } = response;
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  const retryAfterMs = waitOf(headers.get('retry-after'));
  return { status, type: type.trim(), headers, body: await readBounded(response, maxBytes), retryAfterMs };
}

/** Seconds, or a date (RFC 9110 §10.2.3). */
function waitOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

async function readBounded(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the stream, so the rest of a body that is too large is not received.
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw new Unavailable(`it answered with more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks, length));
}

/** The error of fetch says only "fetch failed"; the reason is in its cause. */
function reasonOf(error: unknown): string {
  if (error instanceof DeadlinePassed) return `it did not answer within ${error.ms} ms`;
  if (error instanceof Cancelled) return 'the request was cancelled';
  if (!(error instanceof Error)) return 'it cannot be reached';
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? `it cannot be reached (${code})` : 'it cannot be reached';
}
