import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { machineLine, table } from './machine.js';
import { type BenchService, startService, temporaryDirectory, untilSettled, withClients } from './service.js';

/** Conversations with questions whose answers stand in known turns (the shape of LoCoMo). */
const conversation = z.object({
  conversation: z.coerce.string(),
  turns: z.array(z.object({ id: z.string(), session: z.string(), speaker: z.string(), text: z.string() })),
  questions: z.array(z.object({ question: z.string(), evidence: z.array(z.string()) })),
});
type Conversation = z.infer<typeof conversation>;

const found = z.object({ mode: z.string(), data: z.array(z.object({ metadata: z.object({ turn: z.string() }) })) });

interface Score {
  readonly r8: number;
  readonly r10: number;
  readonly mrr: number;
  readonly questions: number;
}

const arms = ['keyword', 'dense', 'dense,keyword'] as const;

/**
 * Loads every turn over HTTP, one memory each, and asks every question with each arm alone and with both.
 * R@n is the share of a question's evidence turns among the first n hits, averaged over the questions.
 */
export async function benchRecall(directory: string): Promise<void> {
  const files = readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .sort();
  const rows: (string | number)[][] = [['conversation', 'turns', 'questions', 'arms', 'R@8', 'R@10', 'MRR']];
  const scores = new Map<string, Score[]>(arms.map((arm) => [arm, []]));
  for (const file of files) {
    const talk = conversation.parse(JSON.parse(readFileSync(join(directory, file), 'utf8')));
    for (const [arm, score] of await scoreConversation(talk)) {
      scores.get(arm)?.push(score);
      rows.push([talk.conversation, talk.turns.length, score.questions, arm, ...figures(score)]);
    }
  }
  for (const arm of arms) rows.push(['all', '', '', arm, ...figures(total(scores.get(arm) ?? []))]);
  console.log(`${machineLine()}\n\n${table(rows)}`);
}

/** A store of its own for each conversation, so that no other talk's words are in its statistics. */
async function scoreConversation(talk: Conversation): Promise<[string, Score][]> {
  const store = temporaryDirectory();
  try {
    const loading = await startService(store.path, 8191);
    // In the order of the talk: what was written next to each other is a neighbour.
    await withClients(1, talk.turns, (turn) => write(loading, turn));
    await untilSettled(loading);
    await loading.stop();
    const scores: [string, Score][] = [];
    for (const arm of arms) {
      const service = await startService(store.path, 8191, { SEARCH_ARMS: arm });
      scores.push([arm, await askAll(service, talk)]);
      await service.stop();
    }
    return scores;
  } finally {
    store.remove();
  }
}

async function write(service: BenchService, turn: Conversation['turns'][number]): Promise<void> {
  const content = `${turn.speaker}: ${turn.text}`;
  const body = { content, source: turn.session, metadata: { turn: turn.id } };
  const { status } = await service.post('/v1/memories', body);
  if (status !== 202 && status !== 200) throw new Error(`a turn was answered with ${status}`);
}

async function askAll(service: BenchService, talk: Conversation): Promise<Score> {
  const known = new Set(talk.turns.map((turn) => turn.id));
  const asked = talk.questions
    .map(({ question, evidence }) => ({ question, evidence: evidence.filter((id) => known.has(id)) }))
    .filter(({ evidence }) => evidence.length > 0);
  const scores: Score[] = [];
  await withClients(4, asked, async ({ question, evidence }) => {
    const { json } = await service.post('/v1/memories/search', { query: question, k: 50, token_budget: 32_000 });
    const turns = found.parse(json).data.map((hit) => hit.metadata.turn);
    const share = (n: number) =>
      turns.slice(0, n).filter((id) => evidence.includes(id)).length / new Set(evidence).size;
    const first = turns.findIndex((id) => evidence.includes(id));
    scores.push({ r8: share(8), r10: share(10), mrr: first < 0 ? 0 : 1 / (first + 1), questions: 1 });
  });
  return total(scores);
}

function total(scores: readonly Score[]): Score {
  const questions = scores.reduce((sum, score) => sum + score.questions, 0);
  const mean = (pick: (score: Score) => number) =>
    scores.reduce((sum, score) => sum + pick(score) * score.questions, 0) / questions;
  return { r8: mean((s) => s.r8), r10: mean((s) => s.r10), mrr: mean((s) => s.mrr), questions };
}

const figures = ({ r8, r10, mrr }: Score) => [r8, r10, mrr].map((value) => value.toFixed(3));
