import { z } from 'zod';
import { lexicalEmbedder } from '../../../src/adapters/embeddings/lexical.js';
import { load } from '../load.js';
import { proseOf } from '../prose.js';
import { untilSettled } from '../service.js';
import { randomStream } from '../words.js';
import { type Contender, rowsOf } from './rounds.js';
import type { System } from './systems.js';

/** A system that finds memories, with the way to give them to it and to ask it. */
export interface Finder {
  readonly name: string;
  readonly system: System;
  fill(memories: readonly Memory[]): Promise<void>;
  readonly path: string;
  body(query: Query): string;
}

interface Memory {
  readonly id: string;
  readonly text: string;
  readonly vector: readonly number[];
}

interface Query {
  readonly text: string;
  readonly vector: readonly number[];
}

const hits = 10;
const bytes = 500;
const queryBytes = 40;
const embedder = lexicalEmbedder();

/** Searches among each of these numbers of memories, which are the same for all finders, with the same vectors and queries. */
export async function searchRows(finders: readonly Finder[], sizes: readonly number[]): Promise<string[][]> {
  const rows: string[][] = [];
  const prose = proseOf(randomStream(17));
  let held = 0;
  for (const size of sizes) {
    const memories = await memoriesOf(
      Array.from({ length: size - held }, () => prose(bytes)),
      held,
    );
    for (const finder of finders) await finder.fill(memories);
    held = size;
    const queries = await queriesOf(Array.from({ length: 400 }, () => prose(queryBytes)));
    for (const finder of finders) await mustFind(finder, queries);
    const contenders = [1, 8].flatMap((clients) =>
      finders.map((finder) => contenderOf(finder, clients, size, queries)),
    );
    rows.push(...(await rowsOf(contenders)));
  }
  return rows;
}

async function memoriesOf(texts: readonly string[], from: number): Promise<Memory[]> {
  const vectors = await embedder.documents(texts);
  return texts.map((text, at) => ({ id: `m${from + at}`, text, vector: [...(vectors[at] ?? [])] }));
}

const queriesOf = (texts: readonly string[]): Promise<Query[]> =>
  Promise.all(texts.map(async (text) => ({ text, vector: [...(await embedder.query(text, new Map()))] })));

function contenderOf(finder: Finder, clients: number, size: number, queries: readonly Query[]): Contender {
  let next = 0;
  const body = () => {
    const query = queries[next % queries.length];
    next += 1;
    return query ? finder.body(query) : '';
  };
  return { ...finder, name: `search of ${size}: ${finder.name}`, clients, requests: 200, body };
}

/** A finder that answers with fewer hits, or without their texts, would be measured as fast. */
async function mustFind({ name, system, path, body }: Finder, queries: readonly Query[]): Promise<void> {
  for (const query of queries.slice(0, 5)) {
    const headers = { authorization: `Bearer ${system.key}`, 'content-type': 'application/json' };
    const answer = await (await fetch(system.origin + path, { method: 'POST', headers, body: body(query) })).text();
    const texts = answer.match(/"(?:[^"\\]|\\.){300,}"/g) ?? [];
    if (texts.length !== hits) throw new Error(`${name} found ${texts.length} texts: ${answer.slice(0, 500)}`);
  }
}

export function oursFinder(system: System & Parameters<typeof untilSettled>[0]): Finder {
  return {
    name: 'Counterfoil',
    system,
    path: '/v1/memories/search',
    body: ({ text }) => JSON.stringify({ query: text, k: hits }),
    async fill(memories) {
      await load(system, 32, memories.length, (send, at) =>
        send('POST', '/v1/memories', { content: memories[at]?.text, source: `talk ${at >> 5}` }),
      );
      await untilSettled(system);
    },
  };
}

export function lanceDbFinder(name: string, system: System): Finder {
  return {
    name,
    system,
    path: '/search',
    body: ({ vector }) => JSON.stringify({ vector }),
    async fill(memories) {
      for (const rows of batches(memories)) await post(system, '/add', { rows });
      await post(system, '/optimize', {});
    },
  };
}

/** A collection of Chroma, which is made empty. */
export async function chromaFinder(name: string, system: System): Promise<Finder> {
  const collections = '/api/v2/tenants/default_tenant/databases/default_database/collections';
  const made = await post(system, collections, { name: 'memories', configuration: { hnsw: { space: 'cosine' } } });
  const path = `${collections}/${z.object({ id: z.string() }).parse(made).id}`;
  return {
    name,
    system,
    path: `${path}/query`,
    body: ({ vector }) =>
      JSON.stringify({ query_embeddings: [vector], n_results: hits, include: ['documents', 'distances'] }),
    async fill(memories) {
      for (const rows of batches(memories)) {
        const [ids, documents] = [rows.map(({ id }) => id), rows.map(({ text }) => text)];
        await post(system, `${path}/add`, { ids, documents, embeddings: rows.map(({ vector }) => vector) });
      }
    },
  };
}

function* batches(memories: readonly Memory[]): Generator<readonly Memory[]> {
  for (let from = 0; from < memories.length; from += 500) yield memories.slice(from, from + 500);
}

async function post({ origin }: System, path: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
  return response.json();
}
