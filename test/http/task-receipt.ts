let made = 0;

/** A task receipt as a platform sends it, with an id of its own unless it is given one. */
export function taskReceipt(more: Readonly<Record<string, unknown>> = {}) {
  made += 1;
  return {
    receipt_id: `task ${made}`,
    agent_handle: '@archive',
    platform: 'sdk',
    started_at: '2026-01-15T11:59:00Z',
    ended_at: '2026-01-15T11:59:30Z',
    status: 'success',
    ...more,
  };
}
