import { parentPort, workerData } from 'node:worker_threads';
import { stepBack } from '../../base/step-back.js';
import { createPublicTags } from '../../domain/public-tags.js';
import { createLiveMarket } from './live-market.js';
import type { Call, Message, Result, ThreadData } from './messages.js';

stepBack();

const { tagKey, t }: ThreadData = workerData;
const market = createLiveMarket(createPublicTags(tagKey), t);

function answer(call: Call): Promise<unknown> {
  switch (call.name) {
    case 'add':
      return market.add(call.page);
    case 'cross':
      return market.cross(call.page);
    case 'wanted':
      return market.wanted(call.t);
    case 'answer':
      return market.answer(call.history);
    case 'arrive':
      return market.arrive(call.arrival);
    case 'filtered':
      return market.filtered(call.request, call.coding);
    case 'figures':
      return market.figures(call.targets);
  }
}

parentPort?.on('message', ({ call, port }: Message) => {
  const send = (result: Result) => {
    port.postMessage(result);
    port.close();
  };
  answer(call).then(
    (output) => send({ output }),
    (error: unknown) => send({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
