import { type Html, html } from '../html.js';
import { type StateKind, state } from './state.js';

/** One step of a proof: where it stands, and when. */
export interface Step {
  readonly name: string;
  readonly kind: StateKind;
  readonly words: string;
  readonly date: Html | string | null;
}

/** The way of a receipt from its chain to the public chains. The line above a step is dashed while it waits. */
export function strip(steps: readonly Step[]): Html {
  const cells = steps.map(
    ({ name, kind, words, date }) =>
      html`<li class="${kind}"><span class="name">${name}</span>${state(kind, words)}<span class="date">${date}</span></li>`,
  );
  return html`<ol class="strip">${cells}</ol>`;
}
