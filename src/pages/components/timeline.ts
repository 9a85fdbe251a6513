import { type Html, html } from '../html.js';
import { type IconName, icon } from './icons.js';

/** Something that happened, with its receipt and its time. */
export interface Happened {
  readonly icon: IconName;
  readonly sentence: Html;
  readonly detail?: Html | undefined;
  readonly receipt: Html;
  readonly at: Html;
}

/** The events of one thing in their order, on a line. */
export function timeline(events: readonly Happened[]): Html {
  const items = events.map(
    ({ icon: name, sentence, detail, receipt, at }) =>
      html`<li><span class="circle">${icon(name)}</span><p>${sentence}${detail && html`<small>${detail}</small>`}</p>${receipt}${at}</li>`,
  );
  return html`<ol class="timeline">${items}</ol>`;
}
