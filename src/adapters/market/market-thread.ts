import { MessageChannel, Worker } from 'node:worker_threads';
import { builtFile } from '../../base/built-file.js';
import type { LiveMarket } from './live-market.js';
import type { Call, Message, ThreadData } from './messages.js';

/** The limit of the thread's JavaScript heap. A thread that needs more ends, and the process continues. */
const heapMb = 8192;

/** A market in a thread of its own. Every call fails once the thread has ended: then the market is filled again in a new one. */
export interface MarketThread extends LiveMarket {
  /** The reason why the thread has ended, or is about to. */
  failure(): Error | undefined;
  close(): Promise<void>;
}

/** Starts the thread at once. It has an empty market, whose windows are seen from t. */
export function openMarketThread(data: ThreadData): MarketThread {
  const worker = new Worker(builtFile('adapters/market/thread.js'), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  let failure: Error | undefined;
  const pending = new Set<(error: Error) => void>();
  const fail = (error: Error) => {
    failure ??= error;
    for (const reject of pending) reject(failure);
    pending.clear();
  };
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`the thread of the market ended with code ${code}`)));

  function call<T>(what: Call): Promise<T> {
    if (failure) return Promise.reject(failure);
    return new Promise<T>((resolve, reject) => {
      const { port1, port2 } = new MessageChannel();
      pending.add(reject);
      port1.once('message', (result) => {
        pending.delete(reject);
        if ('failed' in result) reject(new Error(result.failed));
        else resolve(result.output);
      });
      worker.postMessage({ call: what, port: port2 } satisfies Message, [port2]);
    });
  }

  return {
    add: (page) => call({ name: 'add', page }),
    cross: (page) => call({ name: 'cross', page }),
    wanted: (t) => call({ name: 'wanted', t }),
    answer: (history) => call({ name: 'answer', history }),
    arrive: (arrival) => call({ name: 'arrive', arrival }),
    filtered: (request, coding) => call({ name: 'filtered', request, coding }),
    figures: (targets) => call({ name: 'figures', targets }),
    failure: () => failure,
    async close() {
      fail(new Error('the thread of the market is closed'));
      await worker.terminate();
    },
  };
}
