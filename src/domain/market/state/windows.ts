export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
export const monthMs = 30 * dayMs;

/**
 * The windows of time before a moment t, half-open on the end of a task: `past` has every task that ended at t or before,
 * `day` those of (t − 24 h, t], `before` those of the 24 hours before that, `week` those of 168 h and `month` those of 720 h.
 */
const windows = ['past', 'day', 'before', 'week', 'month'] as const;
export type Window = (typeof windows)[number];

/** A border that moves with t: at this age a task comes into some windows and leaves others. */
export interface Edge {
  readonly ageMs: number;
  readonly enters: readonly Window[];
  readonly leaves: readonly Window[];
}

export const edges: readonly Edge[] = [
  { ageMs: 0, enters: ['past', 'day', 'week', 'month'], leaves: [] },
  { ageMs: dayMs, enters: ['before'], leaves: ['day'] },
  { ageMs: 2 * dayMs, enters: [], leaves: ['before'] },
  { ageMs: 7 * dayMs, enters: [], leaves: ['week'] },
  { ageMs: 30 * dayMs, enters: [], leaves: ['month'] },
];

/** The windows that contain a task which has crossed the first edges, by their number. */
const windowsBehind = Array.from({ length: edges.length + 1 }, (_, crossed): readonly Window[] => {
  const found = new Set<Window>();
  for (const { enters, leaves } of edges.slice(0, crossed)) {
    for (const window of enters) found.add(window);
    for (const window of leaves) found.delete(window);
  }
  return [...found];
});

/** The windows before t that contain a moment. */
export function windowsOf(endedMs: number, t: number): readonly Window[] {
  const ahead = edges.findIndex(({ ageMs }) => endedMs > t - ageMs);
  return windowsBehind.at(ahead === -1 ? edges.length : ahead) ?? [];
}
