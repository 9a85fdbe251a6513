import { type Html, html } from '../html.js';
import { type IconName, icon } from './icons.js';

export type StateKind = 'verified' | 'failed' | 'waits' | 'not-checked' | 'absent';

const icons: Readonly<Record<StateKind, IconName>> = {
  verified: 'check',
  failed: 'x',
  waits: 'clock-3',
  'not-checked': 'circle-dashed',
  absent: 'minus',
};

/** A state as an icon and a word. */
export function state(kind: StateKind, words: Html | string): Html {
  return html`<span class="state ${kind}">${icon(icons[kind])}<span>${words}</span></span>`;
}
