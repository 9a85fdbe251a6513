/** A peer could not be asked, or gave nothing that can be used. The message says why, without credentials. */
export class Unavailable extends Error {}

export interface BoundedRequest {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** For everything, from the connection to the last byte. */
  readonly timeoutMs: number;
  /** Of the answer's body, after decompression. */
  readonly maxBytes: number;
}

export interface BoundedAnswer {
  readonly status: number;
  /** The media type without its parameters; empty when none is given. */
  readonly type: string;
  readonly body: Uint8Array;
  /** How long Retry-After asks to wait; null where it does not, or cannot be read. */
  readonly retryAfterMs: number | null;
}

/**
 * A request whose answer can neither take long, nor be large, nor lead elsewhere: redirects come back as their status.
 * @throws Unavailable
 */
export async function boundedFetch(url: string, request: BoundedRequest): Promise<BoundedAnswer> {
  const { timeoutMs, maxBytes, ...init } = request;
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
    const retryAfterMs = waitOf(response.headers.get('retry-after'));
    return { status: response.status, type: type.trim(), body: await readBounded(response, maxBytes), retryAfterMs };
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    throw new Unavailable(reasonOf(error, timeoutMs));
  }
}

/** Fetch for libraries that read bodies whole: none of its answers is larger than that. It throws Unavailable where one is. */
export function fetchWithin(maxBytes: number): (url: string, init: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const response = await fetch(url, init);
    const body = await readBounded(response, maxBytes);
    const { status, statusText, headers } = response;
    // A status that has no body may not be given one, not even an empty one.
    return new Response(body.length === 0 ? null : body, { status, statusText, headers });
  };
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
  // Leaving the loop cancels the stream, so what is too large is not even received.
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw new Unavailable(`it answered with more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks, length));
}

/** What fetch throws says only "fetch failed"; why is in its cause. */
function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'it cannot be reached';
  if (error.name === 'TimeoutError') return `it did not answer within ${timeoutMs} ms`;
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? `it cannot be reached (${code})` : 'it cannot be reached';
}
