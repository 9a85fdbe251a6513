import type { OpenedDatabase } from './database.js';
import { openEmbedded } from './embedded.js';
import { openServer } from './server.js';

export type Store =
  /** `place` creates the cluster of a store that is new; without it the cluster is empty. */
  | { readonly kind: 'embedded'; readonly dataDir: string; readonly place?: (cluster: string) => void }
  | { readonly kind: 'server'; readonly url: string };

/** @throws DirectoryInUse, or the driver's error when the store cannot be reached or opened */
export async function openDatabase(store: Store): Promise<OpenedDatabase> {
  if (store.kind === 'server') return openServer(store.url);
  const database = await openEmbedded(store.dataDir, store.place);
  // Only one process can open it, so it needs neither time limits nor a lock.
  return { ...database, prompt: database, serverClock: null, statement: null, alone: (work) => work() };
}
