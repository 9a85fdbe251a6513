import { operation } from '../operation.js';
import { clientOf } from '../rate-limits.js';
import { samples } from '../samples.js';
import { exampleAlert } from './alerts.js';

export const streamOperation = operation({
  method: 'GET',
  path: '/v1/terminal/stream',
  summary: 'The moment of the public figures and your alerts, as they happen',
  access: 'a person or anyone',
  serving: { ownBudget: true, head: false, cacheControl: 'no-store' },
  answers: {
    200: {
      contentType: 'text/event-stream; charset=utf-8',
      description: 'Server-sent events, until the client closes the connection.',
    },
  },
  refusals: ['too_many_streams'],
  documentation: {
    id: 'openStream',
    description:
      'The event terminal says that the public figures are those of another moment. The event alert is an alert that has fired, as its list shows ' +
      'it; without a session there are none. On connecting, the present terminal and the alerts of the last 5 minutes are sent, and a ' +
      'comment every 15 seconds. A person may have 3 streams, an address without a session 5, and a process has at most 1,000, of which 200 are for people ' +
      'who are signed in. A reader who is too slow is disconnected. The ' +
      'stream ends with its session.',
    answers: {
      200: {
        body: `event: terminal\ndata: {"as_of":"${samples.at}"}\n\nevent: alert\ndata: ${JSON.stringify(exampleAlert)}\n\n`,
      },
    },
  },
  async handle({ person, client }, { service: { streams } }) {
    const body = await streams.open(person, clientOf(client.address));
    // A proxy that collects the answer before it passes it on would hold events back.
    return { status: 200, body, headers: { 'x-accel-buffering': 'no' } };
  },
});
