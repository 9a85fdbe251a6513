import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { outcomeUnknown, Refusal } from '../../contracts/errors.js';
import { atOnce } from '../../src/base/steps.js';
import { realWorld as world } from '../../src/base/world.js';
import type { Command } from '../../src/commands/command.js';
import { emptyState } from '../../src/commands/state/state.js';
import { decideAll, waitingFor } from '../../src/commands/waiting.js';
import { genesisHead } from '../../src/ledger/chain.js';

const workspaceId = world.id();
const head = genesisHead(new Uint8Array([1]));
const now = '2026-03-14T09:26:53.589Z';
const actor = { type: 'system', id: null, user_id: null, agent_id: null, app_id: null, run_id: null } as const;

/** Renames the workspace, a number of times in one commit. */
const renaming = (times: number): Command<null> => ({
  actor,
  reads: {},
  decide: () => ({
    drafts: Array.from({ length: times }, (_, n) => ({
      kind: 'workspace.renamed' as const,
      receipt_id: `rcp_${world.nonce().replaceAll('-', '')}`,
      body: { name: `name ${n}` },
    })),
    deposits: [],
    answer: () => null,
  }),
});

describe('commands that are decided in slices', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const waitingOf = (times: number) => {
    const refusals: Refusal[] = [];
    const refused = (error: unknown) => {
      if (error instanceof Refusal) refusals.push(error);
    };
    return { refusals, waiting: waitingFor(workspaceId, renaming(times), () => undefined, refused) };
  };

  it('are not said to be unwritten when the patience of their caller ends between two slices', () => {
    const { refusals, waiting } = waitingOf(3);
    const deciding = decideAll([waiting], emptyState, head, now);
    deciding.next();
    vi.advanceTimersByTime(20_000);
    expect(refusals.map(({ code, message }) => [code, message])).toEqual([['receipt_unavailable', outcomeUnknown]]);
    expect(atOnce(deciding).commits).toHaveLength(1);
  });

  it('are left out when their caller was refused before they were decided', () => {
    const [first, second] = [waitingOf(3), waitingOf(1)];
    const deciding = decideAll([first.waiting, second.waiting], emptyState, head, now);
    deciding.next();
    vi.advanceTimersByTime(20_000);
    expect(second.refusals.map(({ message }) => message === outcomeUnknown)).toEqual([false]);
    expect(atOnce(deciding).commits.map(({ entries }) => entries.length)).toEqual([3]);
  });
});
