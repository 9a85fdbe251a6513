import { setMaxListeners } from 'node:events';
import { type BoundedFetch, boundedFetch } from './bounded-fetch.js';
import { type PublicFetch, publicFetch } from './public-fetch.js';

/** Everything that this process asks of others over HTTP. What does not answer must not keep a stop waiting. */
export interface Outside {
  /** For addresses of the settings. */
  readonly ask: BoundedFetch;
  /** For addresses that callers chose. */
  fetch(options: { readonly allowPrivate: boolean }): PublicFetch;
  /** Aborted when the process gives up what has not been answered. */
  readonly ending: AbortSignal;
  /** Ends all requests. Later requests fail at once. */
  end(): void;
}

export function openOutside(): Outside {
  const controller = new AbortController();
  const ending = controller.signal;
  // Each request listens while it runs, and Node would warn of more than ten.
  setMaxListeners(0, ending);
  return {
    ask: (url, request) => boundedFetch(url, { ...request, ending }),
    fetch: ({ allowPrivate }) => publicFetch({ allowPrivate, ending }),
    ending,
    end: () => controller.abort(),
  };
}
