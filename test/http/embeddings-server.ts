import { createServer, type ServerResponse } from 'node:http';
import { wordsOf } from '../../src/domain/words.js';

/** Everything that the server does with requests. */
export type Behaviour =
  | 'answers'
  | 'refuses'
  | 'hangs'
  | 'fails'
  | 'is busy'
  | 'gives other sizes'
  | 'mixes sizes'
  | 'gives no numbers';

/** The ways in which it is away. */
export const outages: readonly Behaviour[] = [
  'refuses',
  'hangs',
  'fails',
  'is busy',
  'gives other sizes',
  'gives no numbers',
];

/** An embeddings server of eight dimensions: words fall into them by their length. */
export async function embeddingsServer(dimensions = 8) {
  const state = {
    behaviour: 'answers' as Behaviour,
    /** A text with this word is answered with 400, and every text that came with it. */
    refusedWord: 'unembeddable',
    /** Requests with more texts are answered with this status. */
    most: { texts: Number.POSITIVE_INFINITY, status: 413 },
    /** How many texts each request had. */
    batches: [] as number[],
    /** Texts that were embedded. */
    texts: 0,
    requests: 0,
    dimensions,
  };
  const server = createServer((request, response) => {
    if (state.behaviour === 'refuses') return request.socket.destroy();
    let body = '';
    request.on('data', (data) => {
      body += data;
    });
    request.on('end', () => {
      state.requests += 1;
      const { input }: { input: string[] } = JSON.parse(body);
      if (state.behaviour === 'hangs') return;
      if (state.behaviour === 'fails') return response.writeHead(503).end('the texts you sent were: secret');
      if (state.behaviour === 'is busy') return response.writeHead(429, { 'retry-after': '1' }).end();
      state.batches.push(input.length);
      if (input.length > state.most.texts) return response.writeHead(state.most.status).end(body);
      if (input.some((text) => text.includes(state.refusedWord))) return response.writeHead(400).end(body);
      state.texts += input.length;
      answer(response, input.map(vectorOf));
    });
  });
  function vectorOf(text: string, i: number): readonly (number | string)[] {
    if (state.behaviour === 'gives no numbers') return ['1', 'NaN'];
    const more = { 'gives other sizes': 3, 'mixes sizes': i }[String(state.behaviour)] ?? 0;
    const size = state.dimensions + more;
    const embedding = Array.from({ length: size }, () => 0.01);
    for (const word of wordsOf(text)) embedding[word.length % size] = (embedding[word.length % size] ?? 0) + 1;
    return embedding;
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    state,
    env: { EMBEDDINGS_URL: `http://127.0.0.1:${port}`, EMBEDDINGS_MODEL: 'eight' },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(response: ServerResponse, vectors: readonly (readonly (number | string)[])[]): void {
  const data = vectors.map((embedding, index) => ({ index, embedding }));
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
}

export type EmbeddingsServer = Awaited<ReturnType<typeof embeddingsServer>>;
