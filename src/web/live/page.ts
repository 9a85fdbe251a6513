/** A page of this service as it was answered, or the reason why there is none. */
export type Fetched =
  | { readonly page: Document; readonly main: HTMLElement }
  | { readonly fault: 'elsewhere' }
  | { readonly fault: 'later'; readonly seconds: number | null }
  | { readonly fault: 'offline' };

/**
 * Fetches a whole page.
 * @returns `elsewhere` for an answer that only the browser itself can follow, such as the way to the sign-in; `later` for one that
 * asks to wait; `offline` without an answer
 * @throws DOMException AbortError
 */
export async function fetchPage(address: string, signal: AbortSignal): Promise<Fetched> {
  const response = await answerOf(address, signal);
  if (response === null) return { fault: 'offline' };
  if (response.status === 429 || response.status === 503) {
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return { fault: 'later', seconds: Number.isNaN(seconds) ? null : seconds };
  }
  if (response.status !== 200) return { fault: 'elsewhere' };
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const main = page.querySelector('main');
  return main === null ? { fault: 'elsewhere' } : { page, main };
}

async function answerOf(address: string, signal: AbortSignal): Promise<Response | null> {
  try {
    return await fetch(address, { headers: { accept: 'text/html' }, redirect: 'manual', signal });
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}
