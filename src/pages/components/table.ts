import { type Html, html } from '../html.js';

/** A column: its heading, and the classes of its cells. */
export interface Column {
  readonly name: string;
  readonly look?: string;
  /** Whether the heading is only read aloud, where the cells need none. */
  readonly spoken?: boolean;
}

export interface Row {
  readonly cells: readonly (Html | string | number)[];
  readonly selected?: boolean;
}

interface Table {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** The part below the rows, such as the link to the next page. */
  readonly end?: Html | undefined;
}

/** A list as a table in a card, with the heading of each column. */
export function table({ caption, columns, rows, end }: Table): Html {
  const look = (at: number) => columns[at]?.look && html` class="${columns[at].look}"`;
  const heads = columns.map(
    ({ name, spoken }, at) =>
      html`<th scope="col"${look(at)}>${spoken ? html`<span class="spoken">${name}</span>` : name}</th>`,
  );
  const lines = rows.map(
    ({ cells, selected }) =>
      html`<tr${selected && html` aria-selected="true"`}>${cells.map((cell, at) => html`<td${look(at)}>${cell}</td>`)}</tr>`,
  );
  return html`<div class="sheet-of-rows"><table class="rows"><caption class="spoken">${caption}</caption><thead><tr>${heads}</tr></thead>
<tbody>${lines}</tbody></table>${end}</div>`;
}

/** The way to older rows of a list. */
export const olderLink = (to: string): Html =>
  html`<a class="button second small" href="${to}" data-live="top">Older</a>`;

/** The line below a list: how many rows there are, and the way to older ones. */
export function pager(sentence: string, older: string | null): Html {
  return html`<div class="pager"><span>${sentence}</span>${older !== null && olderLink(older)}</div>`;
}
