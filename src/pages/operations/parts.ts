import type { z } from 'zod';
import type { operationsState } from '../../api/service/state.js';
import { facts } from '../components/facts.js';
import { state } from '../components/state.js';
import { table } from '../components/table.js';
import { type Html, html } from '../html.js';
import { tiles } from '../overview/part.js';

type OperationsState = z.output<typeof operationsState>;
type Engine = NonNullable<OperationsState['engines']>[number];

/** Whether writes are taken, what is missing for that, and what needs attention all the same. */
export function readiness({ status, missing, warnings }: OperationsState): Html {
  const list = (all: readonly string[]) => html`<ul class="plain">${all.map((one) => html`<li>${one}</li>`)}</ul>`;
  return html`<section><h2>Readiness</h2>
<p>${status === 'ready' ? state('verified', 'Takes writes') : state('failed', 'Takes no writes')}</p>
${missing.length > 0 && html`<h3>Missing</h3>${list(missing)}`}
${warnings.length > 0 ? html`<h3>Warnings</h3>${list(warnings)}<p class="note"><a href="/developers/operating/troubleshooting">Troubleshooting</a> says what to do.</p>` : html`<p class="hint">There is no warning.</p>`}</section>`;
}

/** A part that has not answered in time is null: that is said, and is no zero. */
const unknown = { figure: '–', detail: 'did not answer in time' } as const;

export function figures({ log, feeds, search_rebuild_memories: left }: OperationsState): Html {
  const shown = [
    {
      name: 'Leaves of the log',
      ...(log ? { figure: grouped(log.leaves), detail: failing(log.failing_steps) } : unknown),
    },
    {
      name: 'Newest checkpoint',
      ...(log === null
        ? unknown
        : log.checkpoint_age_seconds === null
          ? { figure: '–', detail: 'none is signed yet' }
          : { figure: duration(log.checkpoint_age_seconds), detail: 'since it was signed' }),
    },
    {
      name: 'Not in Bitcoin yet',
      ...(log ? { figure: grouped(log.unanchored_checkpoints), detail: 'checkpoints' } : unknown),
    },
    {
      name: 'Public feeds',
      ...(feeds
        ? { figure: duration(feeds.age_seconds), detail: `old, ${grouped(feeds.receipts_waiting)} receipts wait` }
        : unknown),
    },
    ...(left === null ? [] : [{ name: 'Search index', figure: grouped(left), detail: 'memories are left to rebuild' }]),
  ];
  return html`<section><h2>Log and feeds</h2>${tiles(shown)}</section>`;
}

const failing = (steps: readonly string[]): string =>
  steps.length === 0 ? 'all steps of anchoring work' : `failing: ${steps.join(', ')}`;

export function engines({ engines: all }: OperationsState): Html {
  const none =
    all === null
      ? html`<p class="hint">The engines did not answer in time.</p>`
      : html`<p class="hint">The settings name no engine besides the database.</p>`;
  const list = table({
    caption: 'Engines besides the database',
    columns: [
      { name: 'Engine' },
      { name: 'State' },
      { name: 'Followers', look: 'wide-cell' },
      { name: 'Notes', look: 'not-on-phones' },
    ],
    rows: (all ?? []).map((one) => ({
      cells: [
        one.engine,
        one.up ? state('verified', 'answers') : state('failed', 'does not answer'),
        lags(one),
        notes(one),
      ],
    })),
  });
  return html`<section><h2>Engines</h2>${all === null || all.length === 0 ? none : list}</section>`;
}

function lags({ followers }: Engine): Html | string {
  if (followers.length === 0) return '–';
  const shown = followers.map(({ follower, lag_entries, lag_seconds }) => {
    const behind =
      lag_entries === 0 ? 'up to date' : `${grouped(lag_entries)} entries behind, ${duration(lag_seconds)}`;
    return html`<li>${follower}: ${behind}</li>`;
  });
  return html`<ul class="plain">${shown}</ul>`;
}

function notes({ problems, unconfirmed_erasures: erasures, memories_without_vectors: vectors }: Engine): Html | string {
  const all = [
    ...problems,
    ...(erasures ? [`${grouped(erasures)} deletions are not confirmed`] : []),
    ...(vectors ? [`${grouped(vectors)} memories have no vector yet`] : []),
  ];
  return all.length === 0 ? '–' : html`<ul class="plain">${all.map((one) => html`<li>${one}</li>`)}</ul>`;
}

export function versions({ versions: { service, node, database } }: OperationsState): Html {
  return html`<section class="narrow"><h2>Versions</h2>
${facts([
  ['Counterfoil', service],
  ['Node', node],
  ['Database', database ?? 'did not answer in time'],
])}</section>`;
}

export const grouped = (count: number): string => count.toLocaleString('en');

export function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
