import type { Refusal } from '../../../contracts/errors.js';
import { type ListPlace, placeField, withPlace } from '../from-list.js';
import { type Html, html } from '../html.js';
import type { Shown } from '../page.js';
import { hidden } from './fields.js';
import { problem, sentenceOf } from './messages.js';
import { type Above, pageTop } from './page-top.js';

interface Question {
  /** The title of the window, where the heading has a text of a caller. */
  readonly title: string;
  readonly heading?: Html;
  readonly lead?: Html | string;
  /** The list from which the page was opened, and the page of the thing that is asked about. */
  readonly list: { readonly name: string; readonly path: string; readonly place: ListPlace | null };
  readonly thing: { readonly name: Html | string; readonly path: string };
  readonly refusal: Refusal | null;
  readonly action: string;
  readonly token: string;
  /** The thing itself, and the fields that the answer needs. */
  readonly asks?: Html | undefined;
  readonly button: Html;
  /** The sentence for a person who may not do it, in place of the form. */
  readonly instead?: Html | undefined;
}

/** A page that asks before something is done to one thing, and leads back to it. */
export function question(one: Question): Shown {
  const { title, heading = title, lead, list, thing, refusal, action, token, asks, button, instead } = one;
  const own = withPlace(thing.path, list.place);
  const above: readonly Above[] = [
    [list.name, list.place?.address ?? list.path],
    [thing.name, own],
  ];
  const form = html`<form method="post" action="${action}">${hidden('token', token)}${placeField(list.place)}
${asks}
<p class="actions">${button}<a class="button quiet" href="${own}">Cancel</a></p></form>`;
  return {
    status: refusal?.status ?? 200,
    title,
    main: html`${pageTop({ above, title: heading, lead })}
${problem(refusal && sentenceOf(refusal))}
${instead ?? form}`,
  };
}
