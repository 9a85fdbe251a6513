import { describe, expect, it } from 'vitest';
import { accepted, acceptedBatch, least, refused } from './samples.js';

describe('reading task receipts', () => {
  it('divides a receipt into what an entry holds and what can be erased', () => {
    const text = `{"x": 1.0, ${JSON.stringify(least).slice(1, -1)}, "task_summary": "caf\\u00e9"}`;
    expect(accepted(text)).toEqual({
      task: least,
      scopeViolations: null,
      privateText: '{"x": 1.0,"task_summary": "caf\\u00e9"}',
      canonical: JSON.stringify(
        Object.fromEntries(
          Object.entries({ ...least, x: 1, task_summary: 'café' }).sort(([a], [b]) => (a < b ? -1 : 1)),
        ),
      ),
    });
  });

  it('reads a batch in its order', () => {
    const ids = ['a', 'b', 'c'];
    const read = acceptedBatch({ receipts: ids.map((receipt_id) => ({ ...least, receipt_id })) });
    expect(read.map(({ task }) => task.receipt_id)).toEqual(ids);
  });

  it('names the receipt and the members that are wrong', () => {
    expect(refused({ receipts: [least, { ...least, status: 'done', span_id: 'x' }] })).toMatchObject({
      code: 'invalid_receipt',
      details: { index: 1, issues: [{ path: 'span_id' }, { path: 'status' }] },
    });
  });

  it('says which members are missing', () => {
    const { status: _, ...rest } = least;
    expect(refused({ ...rest, tool_calls: [{ tool: 'a' }] })).toMatchObject({
      details: {
        issues: [
          { path: 'status', message: 'is missing' },
          { path: 'tool_calls.0.ok', message: 'is missing' },
        ],
      },
    });
  });

  it('refuses members that the service assigns', () => {
    expect(refused({ ...least, hash: 'x', ots_proof: null })).toMatchObject({
      code: 'server_assigned_field',
      details: { issues: [{ path: 'hash' }, { path: 'ots_proof' }] },
    });
  });

  it('refuses a receipt over a limit with the limit and its size', () => {
    expect(refused({ ...least, task_summary: 'x'.repeat(65_536) })).toMatchObject({
      code: 'receipt_too_large',
      details: { limit: 65_536, got: JSON.stringify({ ...least, task_summary: '' }).length + 65_536 },
    });
  });
});
