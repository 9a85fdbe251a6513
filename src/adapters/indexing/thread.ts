import { type Prepared, preparedText } from '../../domain/prepared.js';
import { lexicalEmbedder } from '../embeddings/lexical.js';
import { stepBack } from '../step-back.js';

stepBack();

/** A text to be cut up, or chunks that want vectors of the built-in embedder. */
export type IndexingTask = { readonly content: string } | { readonly chunks: readonly string[] };

const embedder = lexicalEmbedder();

/** What the thread does with each text. It holds no secret and keeps nothing. */
export default async function work(task: IndexingTask): Promise<Prepared | Float32Array[]> {
  return 'content' in task ? preparedText(task.content) : embedder.documents(task.chunks);
}
