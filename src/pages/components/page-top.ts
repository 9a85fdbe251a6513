import { type Html, html } from '../html.js';

/** A page above this one: its name, and its address where it is a page that can be opened. */
export type Above = readonly [name: Html | string, to?: string];

interface PageTop {
  /** The way back through the list from which the page was opened. */
  readonly way?: Html | undefined;
  readonly above?: readonly Above[];
  readonly title: Html | string;
  /** Buttons and links beside the title. */
  readonly actions?: Html | false | undefined;
  /** The purpose of the page, in one or two sentences. */
  readonly lead?: Html | string | undefined;
}

/** The first lines of a page, which have the same places on all pages. */
export function pageTop({ way, above = [], title, actions, lead }: PageTop): Html {
  const crumbs = above.map(
    ([name, to], at) => html`${at > 0 && ' › '}${to === undefined ? name : html`<a href="${to}">${name}</a>`}`,
  );
  return html`<div class="page-top">${way}${crumbs.length > 0 && html`<p class="crumbs">${crumbs}</p>`}
<div class="title"><h1>${title}</h1>${actions && html`<div class="actions">${actions}</div>`}</div>
${lead !== undefined && html`<p class="lead">${lead}</p>`}</div>`;
}
