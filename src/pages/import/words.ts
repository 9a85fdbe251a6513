import type { z } from 'zod';
import type { Assumed } from '../../../contracts/assumed.js';
import type { ingestJob } from '../../../contracts/memory.js';
import { said } from '../components/said.js';
import { type StateKind, state } from '../components/state.js';
import { type Html, html } from '../html.js';

type Job = z.output<typeof ingestJob>;

const stages: Readonly<Record<Job['stage'], readonly [StateKind, string]>> = {
  queued: ['waits', 'Waits'],
  extracting: ['waits', 'Reading'],
  chunking: ['waits', 'Cutting into pieces'],
  embedding: ['waits', 'Comparing meanings'],
  indexing: ['waits', 'Indexing'],
  done: ['verified', 'Done'],
  failed: ['failed', 'Failed'],
};

/** How far a job is, in words. */
export function stageOf({ stage, stalled }: Pick<Job, 'stage' | 'stalled'>): Html {
  if (stalled && stage !== 'done' && stage !== 'failed') return state('not-checked', 'Not done after 4 hours');
  return state(...stages[stage]);
}

/** The assumptions of the reader of a file, each as a sentence. */
export function assumptions({ charset, replaced, unreadable_pct, form_fields }: Assumed): readonly Html[] {
  return [
    charset !== undefined && html`It was read as ${said(charset)}, which the file does not say.`,
    replaced !== undefined &&
      html`${replaced === 1 ? '1 character that is no UTF-8 is' : `${replaced.toLocaleString('en')} characters that are no UTF-8 are`} stored as U+FFFD.`,
    unreadable_pct !== undefined &&
      html`${unreadable_pct} % of the characters have no Unicode in their font and are left out.`,
    form_fields !== undefined && html`The text has the values of ${form_fields.toLocaleString('en')} form fields.`,
  ].filter((one) => one !== false);
}
