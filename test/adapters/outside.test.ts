import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Unavailable } from '../../src/adapters/bounded-fetch.js';
import { openAiEmbedder } from '../../src/adapters/embeddings/openai.js';
import { openOidcProvider } from '../../src/adapters/oidc.js';

/** Everything that the server beside us answers, by path; `floods` are answered without end. */
const answers = new Map<string, string>();
const floods = new Set<string>();
let sent = 0;

async function flood(response: ServerResponse): Promise<void> {
  const piece = Buffer.alloc(1024 * 1024, ' ');
  // Two gigabytes, unless someone has heard enough before.
  for (let n = 0; n < 2048 && !response.destroyed; n += 1) {
    sent += piece.length;
    if (!response.write(piece))
      await Promise.race([new Promise((resolve) => response.once('drain', resolve)), closed(response)]);
    await turn();
  }
  response.end();
}

const closed = (response: ServerResponse) => new Promise((resolve) => response.once('close', resolve));

const server = createServer((request, response) => {
  request.resume();
  const path = request.url ?? '';
  response.setHeader('content-type', 'application/json');
  if (floods.has(path)) void flood(response);
  else response.end(answers.get(path) ?? '{}');
});
let origin = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port }: Partial<AddressInfo> = Object(server.address());
  origin = `http://127.0.0.1:${port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Everything that was sent until it was enough; the buffers of the two sockets are some megabytes of it. */
async function received(work: () => Promise<unknown>): Promise<number> {
  sent = 0;
  await work();
  return sent / 1024 ** 2;
}

describe('an embeddings server', () => {
  const embedder = () => openAiEmbedder({ url: origin, model: 'm', apiKey: undefined });
  const path = '/v1/embeddings';
  const vector = (embedding: readonly (number | string)[]) => {
    answers.set(path, `{"data": [{"index": 0, "embedding": [${embedding.join(', ')}]}]}`);
    return embedder().documents(['a text']);
  };

  it('may not answer without end', async () => {
    floods.add(path);
    const megabytes = await received(() => expect(embedder().documents(['a text'])).rejects.toThrow('more than'));
    floods.delete(path);
    expect(megabytes).toBeLessThan(100);
  });

  it('gives vectors of numbers that have a length, or none', async () => {
    expect(await vector([3, 4])).toEqual([Float32Array.of(0.6, 0.8)]);
    for (const wrong of [['1e300', '1e300'], ['1e308', '1e308', '1e308', '1e308'], [0, 0], ['1e-320'], []]) {
      await expect(vector(wrong)).rejects.toThrow('a vector that cannot be used');
    }
    for (const wrong of [['1e999'], ['null'], ['"1"']]) await expect(vector(wrong)).rejects.toThrow('cannot be');
  });

  it('is not quoted, no matter what it answers', async () => {
    answers.set(path, 'the text that was sent');
    await expect(embedder().documents(['a text'])).rejects.toThrow('an answer that cannot be understood');
  });
});

describe('a provider of sign-ins', () => {
  const attempt = { state: 's', nonce: 'n', verifier: 'v'.repeat(43) };
  const provider = () => {
    answers.set(
      '/.well-known/openid-configuration',
      JSON.stringify({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        jwks_uri: `${origin}/keys`,
        response_types_supported: ['code'],
      }),
    );
    return openOidcProvider(
      { issuer: origin, clientId: 'c', clientSecret: 's', assumesVerified: false },
      'http://127.0.0.1/back',
    );
  };

  it('may not say without end what it can do', async () => {
    floods.add('/.well-known/openid-configuration');
    const megabytes = await received(() => expect(provider().begin()).rejects.toThrow(Unavailable));
    floods.clear();
    expect(megabytes).toBeLessThan(100);
  });

  it('may not give tokens without end', async () => {
    floods.add('/token');
    const megabytes = await received(() =>
      expect(provider().verifiedEmail('code=c&state=s', attempt)).rejects.toThrow(Unavailable),
    );
    floods.clear();
    expect(megabytes).toBeGreaterThan(0);
    expect(megabytes).toBeLessThan(100);
  });
});
