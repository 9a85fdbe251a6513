import { stepBack } from '../../base/step-back.js';
import { type Prepared, preparedText } from '../../domain/prepared.js';
import { lexicalEmbedder } from '../embeddings/lexical.js';

stepBack();

/** A text that must be prepared, or chunks that need vectors of the built-in embedder. */
export type IndexingTask = { readonly content: string } | { readonly chunks: readonly string[] };

const embedder = lexicalEmbedder();

/** The task of the thread. It has no secrets and stores nothing. */
export default async function work(task: IndexingTask): Promise<Prepared | Float32Array[]> {
  return 'content' in task ? preparedText(task.content) : embedder.documents(task.chunks);
}
