import { expect, it } from 'vitest';
import type { Command } from '../../src/commands/command.js';
import { runTogether } from '../../src/commands/run-together.js';
import { emptyState } from '../../src/commands/state/state.js';

const actor = { type: 'system', id: null, user_id: null, agent_id: null, app_id: null, run_id: null } as const;

it('runs 1,000 commands in their order, with 64 in line at most', async () => {
  const order: number[] = [];
  let [inLine, most] = [0, 0];
  const numbered = (n: number): Command<number> => ({
    actor,
    reads: {},
    decide() {
      order.push(n);
      return { drafts: [], deposits: [], answer: () => n };
    },
  });
  const run = async <A>(_workspaceId: string, { decide }: Command<A>): Promise<A> => {
    inLine += 1;
    most = Math.max(most, inLine);
    const decision = decide(emptyState, '', { seq: 0, hash: '' });
    await new Promise((resolve) => setTimeout(resolve, 1));
    inLine -= 1;
    if ('refusal' in decision) throw decision.refusal;
    return decision.answer([]);
  };
  const numbers = Array.from({ length: 1000 }, (_, n) => n);
  const works = numbers.map((n) => async (running: typeof run) => {
    if (n % 10 === 3) throw new Error('it is refused before its command');
    return running('a workspace', numbered(n));
  });
  const settled = await runTogether(run, works);
  expect(most).toBe(64);
  expect(order).toEqual(numbers.filter((n) => n % 10 !== 3));
  const answers = settled.map((one) => (one.status === 'fulfilled' ? one.value : null));
  expect(answers).toEqual(numbers.map((n) => (n % 10 === 3 ? null : n)));
});
