import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { packageRoot } from '../../src/base/package-root.js';
import { machineLine, table } from './machine.js';
import { type BenchService, startService, temporaryDirectory, untilSettled, withClients } from './service.js';

interface Question {
  readonly language: string;
  readonly query: string;
  /** The memory that answers it. */
  readonly answer: string;
}

interface Collection {
  readonly memories: readonly { readonly language: string; readonly content: string }[];
  readonly questions: readonly Question[];
}

const found = z.object({ data: z.array(z.object({ content: z.string() })) });

/**
 * Asks 20 questions in each of 30 languages, made by hand: inflected words, parts of compounds, misspelt words, numbers, codes and
 * emoji. All memories are in one namespace. Each question is asked once among the memories of its language and once among all.
 * @param shown print the questions whose first hit is another memory, first of those in their language and then of all
 */
export async function benchLanguages(shown: boolean, env: Readonly<Record<string, string>>): Promise<void> {
  const { memories, questions } = readCollection(join(packageRoot, 'ops/bench/languages'));
  const store = temporaryDirectory();
  try {
    const service = await startService(store.path, 8198, env);
    await withClients(4, memories, async ({ language, content }) => {
      const { status } = await service.post('/v1/memories', { content, source: language });
      if (status !== 202) throw new Error(`a memory was answered with ${status}`);
    });
    await untilSettled(service);
    const own = await askAll(service, questions, ({ language }) => ({ source: language }));
    const all = await askAll(service, questions, () => ({}));
    await service.stop();
    print(questions, own, all);
    if (shown) for (const miss of [...misses(questions, own), '', ...misses(questions, all)]) console.log(miss);
  } finally {
    store.remove();
  }
}

/** Lines that begin with `##` name a language, other ones are memories, and those with `>` ask for the memory before them. */
function readCollection(directory: string): Collection {
  const memories: { language: string; content: string }[] = [];
  const questions: Question[] = [];
  let language = '';
  for (const name of readdirSync(directory).sort()) {
    for (const line of readFileSync(join(directory, name), 'utf8').split('\n')) {
      if (line.startsWith('## ')) language = line.slice(3);
      else if (line.startsWith('> ')) {
        questions.push({ language, query: line.slice(2), answer: memories.at(-1)?.content ?? '' });
      } else if (line !== '' && !line.startsWith('#')) memories.push({ language, content: line });
    }
  }
  return { memories, questions };
}

/** The first hit of each question; null if it has none. */
type FirstHits = ReadonlyMap<Question, string | null>;

async function askAll(
  service: BenchService,
  questions: readonly Question[],
  filtersOf: (question: Question) => object,
): Promise<FirstHits> {
  const hits = new Map<Question, string | null>();
  await withClients(4, questions, async (question) => {
    const filters = filtersOf(question);
    const { json } = await service.post('/v1/memories/search', { query: question.query, k: 1, filters });
    hits.set(question, found.parse(json).data[0]?.content ?? null);
  });
  return hits;
}

function print(questions: readonly Question[], own: FirstHits, all: FirstHits): void {
  const languages = [...new Set(questions.map(({ language }) => language))];
  const right = (hits: FirstHits, some: readonly Question[]) =>
    `${some.filter((question) => hits.get(question) === question.answer).length} of ${some.length}`;
  const row = (name: string, some: readonly Question[]) => [name, right(own, some), right(all, some)];
  console.log(
    `${machineLine()}\n\n${table([
      ['hit@1', 'in its language', 'in all languages'],
      ...languages.map((name) =>
        row(
          name,
          questions.filter(({ language }) => language === name),
        ),
      ),
      row('all', questions),
    ])}`,
  );
}

const misses = (questions: readonly Question[], hits: FirstHits): string[] =>
  questions
    .filter((question) => hits.get(question) !== question.answer)
    .map((question) => `${question.language}: ${question.query} → ${hits.get(question) ?? 'nothing'}`);
