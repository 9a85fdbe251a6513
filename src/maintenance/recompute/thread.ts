import { parentPort, workerData } from 'node:worker_threads';
import { stepBack } from '../../base/step-back.js';
import { createPublicTags } from '../../domain/public-tags.js';
import { createFolding } from './folding.js';
import type { Request, Response, ThreadData } from './in-thread.js';

stepBack();

const { t, tagKey }: ThreadData = workerData;
const folding = createFolding(t, createPublicTags(tagKey));

async function answer(request: Request): Promise<string | null> {
  if ('feed' in request) return folding.finish(request.feed);
  folding.take(request.lines);
  return null;
}

parentPort?.on('message', (request: Request) => {
  const send = (response: Response) => parentPort?.postMessage(response);
  answer(request).then(
    (text) => send({ text }),
    (error: unknown) => send({ failed: error instanceof Error ? error.message : String(error) }),
  );
});
