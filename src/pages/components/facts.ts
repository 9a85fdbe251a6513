import { type Html, html } from '../html.js';

export type Fact = readonly [name: string, value: Html | string | number];

/** Names and values below each other. A fact that is null or undefined is left out. */
export function facts(all: readonly (Fact | null | undefined | false)[]): Html {
  const shown = all.filter((fact): fact is Fact => Array.isArray(fact));
  return html`<dl class="facts">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
