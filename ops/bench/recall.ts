import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { benchIndices, untilCopied } from './indexes.js';
import { machineLine, table } from './machine.js';
import { type BenchService, startService, temporaryDirectory, untilSettled, withClients } from './service.js';

/** Conversations with questions whose answers are in known turns (the shape of LoCoMo). */
const conversation = z.object({
  conversation: z.coerce.string(),
  turns: z.array(z.object({ id: z.string(), session: z.string(), speaker: z.string(), text: z.string() })),
  questions: z.array(z.object({ question: z.string(), evidence: z.array(z.string()) })),
});
type Conversation = z.infer<typeof conversation>;

const found = z.object({
  mode: z.string(),
  degraded: z.array(z.string()),
  data: z.array(z.object({ metadata: z.object({ turn: z.string() }) })),
});

interface Score {
  readonly r8: number;
  readonly r10: number;
  readonly mrr: number;
  /** The share of the first ten hits of the database's index that are among the first ten of this one. */
  readonly same: number;
  readonly questions: number;
}

const arms = ['keyword', 'dense', 'dense,keyword'] as const;
const modes = { keyword: 'keyword', dense: 'dense', 'dense,keyword': 'fused' } as const;
type Arms = (typeof arms)[number];

/**
 * Loads every turn over HTTP, one memory each, and asks every question with each arm alone and with both, in each index.
 * R@n is the share of a question's evidence turns among the first n hits, averaged over the questions.
 */
export async function benchRecall(directory: string): Promise<void> {
  const files = readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .sort();
  const heads = ['conversation', 'turns', 'questions', 'arms', 'index', 'R@8', 'R@10', 'MRR', 'same first 10'];
  const rows: (string | number)[][] = [heads];
  const scores = new Map<string, Score[]>();
  for (const file of files) {
    const talk = conversation.parse(JSON.parse(readFileSync(join(directory, file), 'utf8')));
    for (const { arm, index, score } of await scoreConversation(talk)) {
      const key = `${arm} ${index}`;
      scores.set(key, [...(scores.get(key) ?? []), score]);
      rows.push([talk.conversation, talk.turns.length, score.questions, arm, index, ...figures(score)]);
    }
  }
  for (const [key, parts] of scores) {
    const all = total(parts);
    rows.push(['all', '', all.questions, ...key.split(' '), ...figures(all)]);
  }
  console.log(`${machineLine()}\n\n${table(rows)}`);
}

/** A store of its own for each conversation, so that no other talk's words are in its statistics. */
async function scoreConversation(talk: Conversation) {
  const store = temporaryDirectory();
  const indices = benchIndices();
  try {
    const loading = await startService(store.path, 8191, indices.writing);
    // In the order of the talk: what was written next to each other is a neighbour.
    await withClients(1, talk.turns, (turn) => write(loading, turn));
    await untilSettled(loading);
    await untilCopied(loading);
    await loading.stop();
    const scores: { readonly arm: Arms; readonly index: string; readonly score: Score }[] = [];
    for (const arm of arms) {
      const answers: Answers[] = [];
      for (const { name, env } of indices.all) {
        const service = await startService(store.path, 8191, { SEARCH_ARMS: arm, ...env });
        answers.push(await askAll(service, talk, arm));
        await service.stop();
        scores.push({ arm, index: name, score: scoreOf(talk, answers.at(-1), answers[0]) });
      }
    }
    return scores;
  } finally {
    await indices.remove();
    store.remove();
  }
}

async function write(service: BenchService, turn: Conversation['turns'][number]): Promise<void> {
  const content = `${turn.speaker}: ${turn.text}`;
  const body = { content, source: turn.session, metadata: { turn: turn.id } };
  const { status } = await service.post('/v1/memories', body);
  if (status !== 202 && status !== 200) throw new Error(`a turn was answered with ${status}`);
}

/** The turns that were found for each question, best first. */
type Answers = ReadonlyMap<string, readonly string[]>;

async function askAll(service: BenchService, talk: Conversation, arm: Arms): Promise<Answers> {
  const answers = new Map<string, readonly string[]>();
  await withClients(4, talk.questions, async ({ question }) => {
    const { json } = await service.post('/v1/memories/search', { query: question, k: 50, token_budget: 32_000 });
    const { mode, degraded, data } = found.parse(json);
    if (mode !== modes[arm] || degraded.includes('reindexing')) throw new Error(`${arm}: ${mode}, ${degraded.join()}`);
    answers.set(
      question,
      data.map((hit) => hit.metadata.turn),
    );
  });
  return answers;
}

function scoreOf({ turns, questions }: Conversation, answers: Answers = new Map(), others: Answers = new Map()): Score {
  const known = new Set(turns.map((turn) => turn.id));
  const scores: Score[] = [];
  for (const { question, evidence: given } of questions) {
    const evidence = new Set(given.filter((id) => known.has(id)));
    if (evidence.size === 0) continue;
    const hits = answers.get(question) ?? [];
    const others10 = others.get(question)?.slice(0, 10) ?? [];
    const share = (n: number) => hits.slice(0, n).filter((id) => evidence.has(id)).length / evidence.size;
    const first = hits.findIndex((id) => evidence.has(id));
    const own = new Set(hits.slice(0, 10));
    const same = others10.length === 0 ? 1 : others10.filter((id) => own.has(id)).length / others10.length;
    scores.push({ r8: share(8), r10: share(10), mrr: first < 0 ? 0 : 1 / (first + 1), same, questions: 1 });
  }
  return total(scores);
}

function total(scores: readonly Score[]): Score {
  const questions = scores.reduce((sum, score) => sum + score.questions, 0);
  const mean = (pick: (score: Score) => number) =>
    scores.reduce((sum, score) => sum + pick(score) * score.questions, 0) / questions;
  return {
    r8: mean((s) => s.r8),
    r10: mean((s) => s.r10),
    mrr: mean((s) => s.mrr),
    same: mean((s) => s.same),
    questions,
  };
}

const figures = ({ r8, r10, mrr, same }: Score) => [r8, r10, mrr, same].map((value) => value.toFixed(3));
