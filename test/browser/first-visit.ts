import type { Page } from 'playwright-core';

/** The cost of one visit of a page. */
export interface Loaded {
  readonly requests: number;
  /** Bytes on the wire, compressed, with headers. */
  readonly bytes: number;
  readonly scriptBytes: number;
  readonly elements: number;
}

/** Opens an address without anything in the cache, and counts what comes over the wire. */
export async function firstVisit(page: Page, url: string): Promise<Loaded> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const kinds = new Map<string, string>();
  let [requests, bytes, scriptBytes] = [0, 0, 0];
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (response.url.startsWith('data:')) return;
    kinds.set(requestId, type);
    requests += 1;
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId);
    if (kind === undefined) return;
    bytes += encodedDataLength;
    if (kind === 'Script') scriptBytes += encodedDataLength;
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  const elements = await page.evaluate<number>("document.querySelectorAll('*').length");
  await session.detach();
  return { requests, bytes, scriptBytes, elements };
}
