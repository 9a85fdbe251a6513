import { describe, expect, it } from 'vitest';
import type { TaskFields } from '../../src/verifier/task.js';
import { taskRows } from '../../src/verifier/task-rows.js';
import { verifyBundle } from '../../src/verifier/verify.js';
import { createLog, encode } from './bundles.js';
import { type TaskParts, taskBundle } from './task-bundles.js';

const reportOf = (parts: TaskParts = {}) => verifyBundle(encode(taskBundle(parts)), { keys: [] });
const stateOf = (parts: TaskParts, name: string) => reportOf(parts).claims.find((claim) => claim.name === name)?.state;

function fieldsOf(parts: TaskParts = {}): TaskFields {
  const task = reportOf(parts).receipt?.task;
  if (!task) throw new Error('the fields cannot be read');
  return task;
}
const rowsOf = (parts: TaskParts = {}) =>
  Object.fromEntries(taskRows(fieldsOf(parts)).map(({ name, values }) => [name, values]));

const privateText = '{"task_summary":"Sorted 12 tickets","x":1.50}';

describe('a bundle of a task receipt', () => {
  // @covers TASK-BUNDLE-FIELDS
  it('is reported with the fields of the receipt', () => {
    expect(fieldsOf({ privateText })).toEqual({
      receipt_id: 'run-2026-000417',
      agent_handle: '@triage-bot',
      platform: 'gateway',
      model: 'reader-2',
      session_id: 's-17',
      trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
      status: 'success',
      started_at: '2026-11-22T09:00:00Z',
      ended_at: '2026-11-22T09:00:04.250Z',
      cost_usd: 0.0125,
      tools: [
        { tool: 'tickets.read', calls: 1, failed: 0 },
        { tool: 'mail.send', calls: 1, failed: 1 },
      ],
      scope_violations: ['mail.send'],
      attestations: [],
      market: null,
      has_private_text: true,
      private_text: privateText,
    });
    expect(fieldsOf({ sample: 'task--public' })).toMatchObject({
      model: null,
      scope_violations: null,
      attestations: [
        { type: 'jws', state: 'verified', signer: 'agn_wh5r7zwyel7xyuz4j7rqih3h7wfowjjs' },
        { type: 'photo', state: 'not_checked', signer: null },
      ],
      market: { capability: 'code-review', sector: 'build' },
      has_private_text: false,
    });
  });

  // @covers TASK-BUNDLE-FIELDS
  it('is shown in words', () => {
    expect(rowsOf({ privateText })).toEqual({
      Task: ['run-2026-000417'],
      Agent: ['@triage-bot'],
      Platform: ['gateway'],
      Model: ['reader-2'],
      Session: ['s-17'],
      Trace: ['4bf92f3577b34da6a3ce929d0e0e4736'],
      Status: ['success'],
      Started: ['2026-11-22T09:00:00Z'],
      Ended: ['2026-11-22T09:00:04.250Z'],
      Cost: ['0.0125 USD'],
      Tools: ['tickets.read: 1 call', 'mail.send: 1 call, 1 failed, outside of the declared scope'],
      'Outside of scope': ['mail.send'],
      Attestations: ['none'],
      Market: ['none'],
      'Private text': [privateText],
    });
    expect(rowsOf({ sample: 'task--public' })).toMatchObject({
      Cost: ['0 USD'],
      Tools: ['none'],
      'Outside of scope': ['not evaluated: no scope was declared'],
      Attestations: [
        'jws: verified by the service with the key of agn_wh5r7zwyel7xyuz4j7rqih3h7wfowjjs',
        'photo: not checked by the service',
      ],
      Market: [
        'capability: code-review',
        'outcome: {"accepted":true,"value_usd":12.5}',
        'schema: counterfoil-market/1',
        'sector: build',
      ],
      'Private text': ['none'],
    });
  });

  // @covers TASK-BUNDLE-ERASED
  it('has the same fields after the private text was erased, and the same entry', () => {
    const before = reportOf({ privateText });
    const after = reportOf({ privateText, shown: null });
    expect(after.receipt?.hash).toBe(before.receipt?.hash);
    expect(after.receipt?.task).toEqual({ ...before.receipt?.task, private_text: null });
    expect([stateOf({ privateText }, 'content'), stateOf({ privateText, shown: null }, 'content')]).toEqual([
      'verified',
      'absent',
    ]);
    expect(rowsOf({ privateText, shown: null })['Private text']).toEqual([
      'not in this bundle: it was erased, or is not for every reader',
    ]);
  });

  // @covers TASK-BUNDLE-ERASED
  it('shows no private text but the one that the entry commits to', () => {
    const parts = { privateText, shown: '{"task_summary":"Sorted 13 tickets"}' };
    expect(stateOf(parts, 'content')).toBe('failed');
    expect(fieldsOf(parts).private_text).toBeNull();
    // A text for an entry that commits to none.
    expect(stateOf({ shown: '{}' }, 'content')).toBe('failed');
    expect(fieldsOf({ shown: '{}' }).private_text).toBeNull();
  });

  it('has no fields when it is of another kind, and says so when they cannot be read', async () => {
    const memory = await (await createLog('log.example/1', 'task')).bundle();
    expect(verifyBundle(encode(memory), { keys: [] }).receipt).not.toHaveProperty('task');
    for (const body of [
      { task: null },
      { task: [] },
      { scope_violations: 'mail.send' },
      { attestation_checks: [{ state: 'verified', signer: null }] },
      { content_commitment: 7 },
    ]) {
      expect([body, reportOf({ body }).receipt?.task, stateOf({ body }, 'entry')]).toEqual([body, null, 'verified']);
    }
    for (const task of [
      { receipt_id: 1 },
      { cost_usd: '1' },
      { tool_calls: {} },
      { tool_calls: [1] },
      { market: [] },
    ]) {
      expect([task, reportOf({ task }).receipt?.task]).toEqual([task, null]);
    }
  });

  // @covers TASK-BUNDLE-HOSTILE
  it('is shown in short lines, no matter what its texts are', () => {
    const hostile = `\u001b[2J\nentry  verified\u202e\u2028<img src=x onerror=alert(1)>\u0000${'x'.repeat(10_000)}`;
    const rows = taskRows(
      fieldsOf({
        task: {
          receipt_id: hostile,
          platform: hostile,
          status: hostile,
          tool_calls: Array.from({ length: 2000 }, (_, at) => ({ tool: `${at}${hostile.slice(0, 40)}`, ok: false })),
          market: { schema: 'counterfoil-market/1', [hostile.slice(0, 90)]: { deep: [hostile] } },
          attestations: [{ type: hostile }],
        },
        body: {
          scope_violations: Array.from({ length: 2000 }, (_, at) => `tool ${at}`),
          attestation_checks: [{ state: 'not_checked', signer: hostile }],
        },
        privateText: JSON.stringify({ task_summary: hostile }),
      }),
    );
    const lines = rows.flatMap(({ values }) => values);
    expect(lines.join('')).not.toMatch(/[\p{C}\u2028\u2029]/u);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(3000);
    expect(lines.length).toBeLessThan(100);
    expect(rows.find(({ name }) => name === 'Tools')?.values.at(-1)).toBe('and 1980 more');
    // A text is never cut through the middle of a character.
    const [cut] = rowsOf({ task: { model: `${'x'.repeat(199)}\u{1f600}` } }).Model ?? [];
    expect(cut).toBe(`${'x'.repeat(199)}…`);
  });
});
