import type { Database } from './database.js';
import { openEmbedded } from './embedded.js';
import { openServer } from './server.js';

export type Store =
  | { readonly kind: 'embedded'; readonly dataDir: string }
  | { readonly kind: 'server'; readonly url: string };

/** @throws DirectoryInUse, or the driver's error when the store cannot be reached or opened */
export function openDatabase(store: Store): Promise<Database> {
  return store.kind === 'embedded' ? openEmbedded(store.dataDir) : openServer(store.url);
}
