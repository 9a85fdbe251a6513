import { get, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { administration } from '../../http/keys.js';
import { type Person, signedIn } from '../../http/person.js';
import { type Service, startService } from '../../http/service.js';
import { until } from '../../support/until.js';

let service: Service;
let ada: Person;
let isOpen = true;

beforeEach(async () => {
  service = await startService({ RATE_LIMITS: 'on' });
  isOpen = true;
  const admin = administration(service);
  ada = await signedIn(service, await admin.member((await admin.first()).workspaceId, 'none'));
});
afterEach(async () => {
  if (isOpen) await service.stop();
});

interface Listening {
  readonly answer: IncomingMessage;
  text(): string;
  readonly ended: Promise<void>;
  close(): void;
}

const listen = (cookie?: string): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const headers = cookie === undefined ? {} : { cookie };
    const request = get(`${service.app.server.listeningOrigin}/v1/terminal/stream`, { headers }, (answer) => {
      let text = '';
      const ended = new Promise<void>((end) => answer.once('close', () => end()));
      answer.on('error', () => undefined);
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      resolve({ answer, text: () => text, ended, close: () => request.destroy() });
    });
    request.once('error', reject);
  });
const openStreams = async () => {
  const { text } = await service.call('GET', '/metrics');
  return Number(/^counterfoil_terminal_streams (\d+)$/m.exec(text)?.[1]);
};

// @covers TERM-STREAM-EVENTS TERM-STREAM-END TERM-STREAM-LIMITS ERR-too_many_streams
it('sends events over HTTP to three clients of a person, until the session ends', async () => {
  const streams = await Promise.all([1, 2, 3].map(() => listen(ada.cookie())));
  const [first] = streams;
  expect(first?.answer.statusCode).toBe(200);
  expect(first?.answer.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  expect(first?.answer.headers['access-control-allow-origin']).toBeUndefined();
  const fourth = await listen(ada.cookie());
  expect([fourth.answer.statusCode, fourth.answer.headers['retry-after']]).toEqual([429, '15']);
  await expect.poll(openStreams).toBe(3);
  await until(() => /event: terminal\ndata: \{"as_of":"[^"]+"\}\n\n/.test(first?.text() ?? ''));
  const anyone = await listen();
  first?.close();
  await until(() => streams.length === 3);
  let count = 4;
  for (let tries = 0; tries < 3000 && count !== 3; tries += 1) count = await openStreams();
  expect(count).toBe(3);
  await ada.call('DELETE', '/v1/session');
  await Promise.all(streams.map(({ ended }) => ended));
  await expect.poll(openStreams).toBe(1);
  anyone.close();
});

// @covers TERM-STREAM-END
it('ends when the service stops, and holds up no stop', async () => {
  const [own, anyone] = [await listen(ada.cookie()), await listen()];
  const begun = Date.now();
  isOpen = false;
  await service.stop();
  await Promise.all([own.ended, anyone.ended]);
  expect(Date.now() - begun).toBeLessThan(30_000);
});

// @covers TERM-RATE
it('counts in the budget of the person, which other requests of the address do not use up', async () => {
  const ask = () => ada.call('GET', '/v1/terminal/alerts');
  const replies = await Promise.all(Array.from({ length: 121 }, ask));
  const refused = replies.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(1);
  expect(refused[0]?.json.error.code).toBe('rate_limited');
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await service.call('GET', '/v1/memories')).status).toBe(200);
});
