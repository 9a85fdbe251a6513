import { Worker } from 'node:worker_threads';
import { builtFile } from '../../base/built-file.js';
import type { FeedName } from '../../domain/market/feeds/all.js';

export interface ThreadData {
  readonly t: number;
  /** The installation key, for the tags of invoices. */
  readonly tagKey: Uint8Array;
}

/** A page of entries, or the question for the feed. */
export type Request = { readonly lines: string } | { readonly feed: FeedName };

/** The answer to each request, in their order. Pages have no text. */
export type Response = { readonly text: string | null } | { readonly failed: string };

/** Folds entries in a thread of its own, so that the service beside it answers requests meanwhile. */
export interface ThreadedFolding {
  /** Resolves when the page has been folded. Pages may be sent while others are folded. */
  take(lines: string): Promise<void>;
  finish(feed: FeedName): Promise<string>;
  close(): Promise<void>;
}

interface Waiting {
  resolve(text: string): void;
  reject(error: Error): void;
}

export function foldInThread(data: ThreadData): ThreadedFolding {
  const worker = new Worker(builtFile('maintenance/recompute/thread.js'), { workerData: data });
  const waiting: Waiting[] = [];
  let failure: Error | null = null;
  const fail = (error: Error) => {
    failure ??= error;
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`the thread that folds the entries ended with code ${code}`)));
  worker.on('message', (response: Response) => {
    const first = waiting.shift();
    if ('failed' in response) first?.reject(new Error(response.failed));
    else first?.resolve(response.text ?? '');
  });
  const send = (request: Request): Promise<string> => {
    if (failure !== null) return Promise.reject(failure);
    return new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      worker.postMessage(request);
    });
  };
  return {
    take: async (lines) => void (await send({ lines })),
    finish: (feed) => send({ feed }),
    async close() {
      await worker.terminate();
    },
  };
}
