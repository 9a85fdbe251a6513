import { z } from 'zod';
import { benchIndices, untilCopied } from './indexes.js';
import { machineLine, table } from './machine.js';
import { modelSettings } from './model.js';
import type { Conversation, Turn } from './recall/conversation.js';
import { readConversations } from './recall/files.js';
import { type Answers, type CategoryScore, figureHeads, figuresOf, meanOf, scoresOf } from './recall/score.js';
import { type BenchService, startService, temporaryDirectory, untilSettled, withClients } from './service.js';

const found = z.object({
  mode: z.string(),
  degraded: z.array(z.string()),
  data: z.array(z.object({ metadata: z.object({ turn: z.string() }), score: z.number() })),
});

const arms = ['keyword', 'dense', 'dense,keyword'] as const;
const modes = { keyword: 'keyword', dense: 'dense', 'dense,keyword': 'fused' } as const;
type Arms = (typeof arms)[number];

/** The scores of the questions of a conversation, one for each question with evidence. */
interface Run {
  readonly arms: Arms;
  readonly index: string;
  readonly talk: Conversation;
  readonly scores: readonly CategoryScore[];
}

/**
 * Loads every turn over HTTP, one memory each, and asks every question with each arm alone and with both, in each index.
 * R@n is the share of a question's evidence turns among the first n hits, averaged over the questions. The last two figures
 * compare the index with that of the database. The service has the model of the settings, if there is one.
 * @param directory with files as `recall/files.ts` describes them
 * @param most conversations that are asked about, from the first
 */
export async function benchRecall(directory: string, most = Number.POSITIVE_INFINITY): Promise<void> {
  const runs: Run[] = [];
  for (const talk of readConversations(directory).slice(0, most)) runs.push(...(await askAbout(talk)));
  const asked = runs.filter(({ scores }) => scores.length > 0);
  console.log(`${machineLine()}\n\n${byConversation(asked)}\n${byCategory(asked)}`);
}

function byConversation(runs: readonly Run[]): string {
  const rows = [['conversation', 'turns', 'questions', 'arms', 'index', ...figureHeads]];
  for (const { talk, arms, index, scores } of runs) {
    const { conversation, turns } = talk;
    rows.push([conversation, String(turns.length), String(scores.length), arms, index, ...figuresOf(meanOf(scores))]);
  }
  for (const [key, all] of grouped(runs, ({ arms, index }) => `${arms} ${index}`)) {
    rows.push(['all', '', String(all.length), ...key.split(' '), ...figuresOf(meanOf(all))]);
  }
  return table(rows);
}

/** Of both arms together only. Empty if the questions have no category. */
function byCategory(runs: readonly Run[]): string {
  const rows = [['category', 'questions', 'index', ...figureHeads]];
  const fused = runs.filter(({ arms }) => arms === 'dense,keyword');
  for (const [index, scores] of grouped(fused, ({ index }) => index)) {
    const categories = new Set(scores.flatMap(({ category }) => (category === undefined ? [] : [category])));
    for (const category of [...categories].sort()) {
      const own = scores.filter((score) => score.category === category);
      rows.push([category, String(own.length), index, ...figuresOf(meanOf(own))]);
    }
  }
  return rows.length === 1 ? '' : `\n${table(rows)}`;
}

function grouped(runs: readonly Run[], keyOf: (run: Run) => string): Map<string, readonly CategoryScore[]> {
  const groups = new Map<string, readonly CategoryScore[]>();
  for (const run of runs) groups.set(keyOf(run), [...(groups.get(keyOf(run)) ?? []), ...run.scores]);
  return groups;
}

/** A store of its own for each conversation, so that no other talk's words are in its statistics. */
async function askAbout(talk: Conversation): Promise<Run[]> {
  const store = temporaryDirectory();
  const indices = benchIndices();
  const model = modelSettings();
  try {
    const loading = await startService(store.path, 8191, { ...model, ...indices.writing });
    // In the order of the talk: what was written next to each other is a neighbour.
    await withClients(1, talk.turns, (turn) => write(loading, turn));
    await untilSettled(loading);
    await untilCopied(loading);
    await loading.stop();
    const runs: Run[] = [];
    for (const arm of arms) {
      const answers: Answers[] = [];
      for (const { name, env } of indices.all) {
        const service = await startService(store.path, 8191, { SEARCH_ARMS: arm, ...model, ...env });
        const own = await askAll(service, talk, arm);
        await service.stop();
        answers.push(own);
        runs.push({ arms: arm, index: name, talk, scores: scoresOf(talk, own, answers[0] ?? own) });
      }
    }
    return runs;
  } finally {
    await indices.remove();
    store.remove();
  }
}

async function write(service: BenchService, { speaker, text, session, id, time }: Turn): Promise<void> {
  const metadata = { turn: id, ...(time !== undefined && { occurred_at: time }) };
  const body = { content: `${speaker}: ${text}`, source: session, metadata };
  const { status } = await service.post('/v1/memories', body);
  if (status !== 202 && status !== 200) throw new Error(`a turn was answered with ${status}`);
}

async function askAll(service: BenchService, talk: Conversation, arm: Arms): Promise<Answers> {
  const answers = new Map<string, { turn: string; score: number }[]>();
  await withClients(4, talk.questions, async ({ question }) => {
    const { json } = await service.post('/v1/memories/search', { query: question, k: 50, token_budget: 32_000 });
    const { mode, degraded, data } = found.parse(json);
    if (mode !== modes[arm] || degraded.includes('reindexing')) throw new Error(`${arm}: ${mode}, ${degraded.join()}`);
    answers.set(
      question,
      data.map(({ metadata, score }) => ({ turn: metadata.turn, score })),
    );
  });
  return answers;
}
