import { openTokens } from '../../../src/adapters/tokens.js';
import { machineLine, table } from '../machine.js';
import { temporaryDirectory } from '../service.js';
import { converse, GaveUp } from './conversation.js';
import { type Desk, openDesk } from './desk.js';
import type { Model } from './model.js';
import { models } from './models.js';
import { areas, type Task } from './task.js';
import { tasks } from './tasks.js';

/** The calls and tokens that one model has needed for one task. */
interface Done {
  readonly area: Task['area'];
  /** Null for a task that has succeeded. */
  readonly failure: string | null;
  readonly calls: number;
  readonly refusals: readonly string[];
  readonly tokens: number;
  /** Of the instructions and the list of tools, which a model reads first. */
  readonly tokensBefore: number;
}

type Count = (text: string) => Promise<number>;

/**
 * The same tasks for three kinds of scripted model, each in a conversation of its own with the service of this build, and then with
 * those of other builds. What a model has done is seen from outside, by the owner over REST.
 * @param programs the paths of `dist/src/cli/main.js` of other builds
 */
export async function benchAgents(programs: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const budget = await openTokens();
  const count: Count = async (text) => (await budget.fit(text, Number.MAX_SAFE_INTEGER)).tokens;
  const rows: (string | number)[][] = [];
  const reasons: string[][] = [];
  for (const [n, program] of [undefined, ...programs].entries()) {
    const build = n === 0 ? 'this' : `other ${n}`;
    for (const model of models) {
      const all = await runAll(model, env, program, count);
      rows.push([build, model.name, ...numbersOf(all)]);
      reasons.push([`${build}, ${model.name}: ${reasonsOf(all)}`]);
    }
  }
  const counted = [`of ${tasks.length}`, 'calls', 'calls/success', ...areas.map((area) => `${area} (calls)`)];
  const head = ['build', 'model', ...counted, 'tokens read', 'tokens of lists'];
  console.log(table([[machineLine()], [], head, ...rows, [], ...reasons]));
}

async function runAll(
  model: Model,
  env: Readonly<Record<string, string>>,
  program: string | undefined,
  count: Count,
): Promise<readonly Done[]> {
  const store = temporaryDirectory();
  try {
    const desk = await openDesk(store.path, env, program);
    try {
      const all: Done[] = [];
      for (const task of tasks) all.push(await runOne(task, model, desk, count));
      return all;
    } finally {
      await desk.stop();
    }
  } finally {
    store.remove();
  }
}

async function runOne(task: Task, model: Model, desk: Desk, count: Count): Promise<Done> {
  for (const [text, namespace] of task.before ?? []) await desk.write(text, namespace);
  const conversation = await converse(desk.origin, desk.keys[task.key], model);
  const failure = await task.run(conversation, desk).then(
    (seen) => seen(desk),
    (error: unknown) => {
      if (error instanceof GaveUp) return error.message;
      throw error;
    },
  );
  await conversation.close();
  const { calls, refusals, read, before } = conversation.counts;
  const tokens = await Promise.all(read.map(count));
  return {
    area: task.area,
    failure,
    calls,
    refusals,
    tokens: tokens.reduce((all, one) => all + one, 0),
    tokensBefore: await count(before),
  };
}

function numbersOf(all: readonly Done[]): (string | number)[] {
  const sum = (numbers: readonly number[]) => numbers.reduce((whole, one) => whole + one, 0);
  const succeeded = (those: readonly Done[]) => those.filter(({ failure }) => failure === null).length;
  const calls = (those: readonly Done[]) => sum(those.map((one) => one.calls));
  const byArea = areas.map((area) => {
    const those = all.filter((one) => one.area === area);
    return `${succeeded(those)}/${those.length} (${calls(those)})`;
  });
  const tokens = [sum(all.map((one) => one.tokens)), Math.max(...all.map((one) => one.tokensBefore))];
  return [succeeded(all), calls(all), (calls(all) / succeeded(all)).toFixed(2), ...byArea, ...tokens];
}

function reasonsOf(all: readonly Done[]): string {
  const failures = all.flatMap(({ area, failure }) => (failure === null ? [] : [`${area}: ${failure}`]));
  return `refusals ${tally(all.flatMap(({ refusals }) => refusals))}; failures ${tally(failures)}`;
}

/** Each text with how often it occurs. */
function tally(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return Array.from(counts, ([text, count]) => `${text} × ${count}`).join(', ') || 'none';
}
