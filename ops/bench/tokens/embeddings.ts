import { createServer } from 'node:http';
import { z } from 'zod';

const dimensions = 384;
const request = z.object({
  input: z.union([z.string(), z.array(z.string())]),
  encoding_format: z.string().optional(),
});

/** A server of vectors for programs that do not write without one. A vector counts the words of its text. */
export async function countedWords(): Promise<{ url: string; dimensions: number; stop(): void }> {
  const server = createServer(async (asked, answer) => {
    let body = '';
    for await (const part of asked) body += String(part);
    const { input, encoding_format: format } = request.parse(JSON.parse(body));
    const data = [input].flat().map((text, index) => {
      const vector = vectorOf(text);
      const embedding = format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : Array.from(vector);
      return { object: 'embedding', index, embedding };
    });
    answer.setHeader('content-type', 'application/json');
    const usage = { prompt_tokens: 0, total_tokens: 0 };
    answer.end(JSON.stringify({ object: 'list', model: 'bench', data, usage }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}/v1`, dimensions, stop };
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? ['']) {
    const at = Array.from(word).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 7);
    const index = at % dimensions;
    vector[index] = (vector[index] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((part) => part / length);
}
