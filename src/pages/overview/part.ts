import { Refusal } from '../../../contracts/errors.js';
import { problem, sentenceOf } from '../components/messages.js';
import { type Html, html } from '../html.js';

/**
 * One part of a page with its heading. Where its source refuses, the part says so and the other parts stay.
 * @param make undefined for a part that has nothing to say
 * @param page the page to try again
 */
export async function part(
  title: string,
  make: () => Promise<Html | undefined>,
  page: { readonly path: string } = { path: '/' },
): Promise<Html | undefined> {
  let content: Html | undefined;
  try {
    content = await make();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    content = problem(html`${sentenceOf(error)} <a href="${page.path}">Try again</a>`);
  }
  return content && html`<section><h2>${title}</h2>${content}</section>`;
}

export interface Tile {
  readonly name: string;
  readonly figure: Html | string | number;
  readonly detail?: Html | string | undefined;
  readonly to?: string;
}

/** Figures beside each other; one with an address is a link as a whole. */
export function tiles(all: readonly Tile[]): Html {
  const shown = all.map(({ name, figure, detail, to }) => {
    const inside = html`<span class="name">${name}</span><span class="figure">${figure}</span>${detail !== undefined && html`<span class="detail">${detail}</span>`}`;
    return html`<li>${to === undefined ? html`<div class="tile">${inside}</div>` : html`<a class="tile" href="${to}">${inside}</a>`}</li>`;
  });
  return html`<ul class="tiles">${shown}</ul>`;
}
