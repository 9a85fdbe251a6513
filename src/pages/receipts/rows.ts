import type { z } from 'zod';
import type { receiptList } from '../../../contracts/receipt-list.js';
import { didInWords } from '../../api/receipts/in-words.js';
import type { Anchoring } from '../../api/services.js';
import { icon } from '../components/icons.js';
import { said } from '../components/said.js';
import { state } from '../components/state.js';
import { pager, type Row, table } from '../components/table.js';
import { time } from '../components/time.js';
import { withPlace } from '../from-list.js';
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
  /** Whether the rows are a part of another page, to which no list is the way back. */
  readonly isPart?: true;
}

interface Around {
  readonly now: number;
  readonly anchoring: Anchoring;
}

/** Receipts as a table, newest first. Each row opens beside the list. */
export function receiptRows({ data, next_cursor, names = {} }: List, place: Place, around: Around): Html {
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
    rows: data.map((one) => rowOf(one, names, place, around)),
    end: follows
      ? undefined
      : pager(
          `${data.length} receipt${data.length === 1 ? '' : 's'} shown, newest first`,
          next_cursor === null ? null : listAddress(filters, { before: next_cursor }),
        ),
  });
}

function rowOf(
  receipt: Receipt,
  names: Names,
  { filters, before, open, follows, isPart }: Place,
  { now, anchoring }: Around,
): Row {
  const { id, kind, seq, recorded_at } = receipt;
  const object = objectOf(receipt, names);
  // A row that came by the tail opens the page of the receipt: the list beside it could not be the same again.
  const link = follows
    ? html`<a class="whole" href="${withPlace(`/receipts/${id}`, isPart ? null : { address: listAddress(filters, { follow: '1' }) })}">`
    : html`<a class="whole" data-live href="${listAddress(filters, { before, open: id })}">`;
  return {
    selected: id === open,
    cells: [
      html`${icon(iconOf(kind))}<span class="spoken">${kind}</span>`,
      html`${link}<b>${said(actorName(receipt, names))}</b> ${didInWords(kind)}</a>${object && html` <small>${object}</small>`}`,
      state(...anchorOf(receipt, anchoring)),
      seq,
      time(recorded_at, now),
    ],
  };
}
