import type { z } from 'zod';
import type { receiptList } from '../../../contracts/receipt-list.js';
import { didInWords } from '../../api/receipts/in-words.js';
import { icon } from '../components/icons.js';
import { said } from '../components/said.js';
import { state } from '../components/state.js';
import { pager, type Row, table } from '../components/table.js';
import { time } from '../components/time.js';
import { type Html, html } from '../html.js';
import { anchorOf } from './anchored.js';
import { type Filters, listAddress } from './filters.js';
import { actorName, iconOf, type Names, objectOf, type Receipt } from './sentence.js';

export type List = z.output<typeof receiptList>;

/** The place of a list: its filters, the page, and the receipt that is open beside it. */
export interface Place {
  readonly filters: Filters;
  readonly before?: string | undefined;
  readonly open?: string | undefined;
  readonly follows: boolean;
}

/** Receipts as a table, newest first. Each row opens beside the list. */
export function receiptRows({ data, next_cursor, names = {} }: List, place: Place, now: number): Html {
  const { filters, follows } = place;
  return table({
    caption: 'Receipts, newest first',
    columns: [
      { name: 'Kind', look: 'pictured', spoken: true },
      { name: 'What happened', look: 'wide-cell sentence-cell' },
      { name: 'Proof', look: 'proof-cell not-on-phones' },
      { name: 'Entry', look: 'number not-on-phones' },
      { name: 'When', look: 'number' },
    ],
    rows: data.map((one) => rowOf(one, names, place, now)),
    end: follows
      ? undefined
      : pager(
          `${data.length} receipt${data.length === 1 ? '' : 's'} shown, newest first`,
          next_cursor === null ? null : listAddress(filters, { before: next_cursor }),
        ),
  });
}

function rowOf(receipt: Receipt, names: Names, { filters, before, open, follows }: Place, now: number): Row {
  const { id, kind, seq, recorded_at } = receipt;
  const object = objectOf(receipt, names);
  // A row that came by the tail opens the page of the receipt: the list beside it could not be the same again.
  const link = follows
    ? html`<a class="whole" href="/receipts/${id}">`
    : html`<a class="whole" data-live href="${listAddress(filters, { before, open: id })}">`;
  return {
    selected: id === open,
    cells: [
      html`${icon(iconOf(kind))}<span class="spoken">${kind}</span>`,
      html`${link}<b>${said(actorName(receipt, names))}</b> ${didInWords(kind)}</a>${object && html` <small>${object}</small>`}`,
      state(...anchorOf(receipt)),
      seq,
      time(recorded_at, now),
    ],
  };
}
