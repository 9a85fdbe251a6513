import type { Refusal } from '../../contracts/errors.js';
import { type Html, html } from './html.js';

/** A box that says why something was not done. A reader hears it first. */
export function problem(sentence: string | null | undefined): Html | undefined {
  if (sentence === null || sentence === undefined) return undefined;
  return html`<p class="problem" role="alert">${sentence}</p>`;
}

export function done(sentence: Html | string | undefined): Html | undefined {
  return sentence === undefined ? undefined : html`<p class="done" role="status">${sentence}</p>`;
}

/** The sentence of a refusal for a person, with how long to wait where that is known. */
export function sentenceOf({ message, details }: Refusal): string {
  const { retry_after_seconds: seconds } = details;
  return typeof seconds === 'number'
    ? `${message.replace(/ Wait \d+ s\.$/, '')} Try again in ${duration(seconds)}.`
    : message;
}

export function duration(seconds: number): string {
  const [count, unit] = seconds < 120 ? [Math.ceil(seconds), 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** A time as people read it, in UTC because the service does not know the zone of the reader. */
export function time(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
}

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

interface TextField {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly hint?: string;
  /** Attributes that depend on the kind of the field. */
  readonly more?: Html;
}

export function textField({ name, label, value = '', hint, more }: TextField): Html {
  const note = hint === undefined ? undefined : html`<span class="hint" id="${name}-hint">${hint}</span>`;
  const described = hint === undefined ? undefined : html` aria-describedby="${name}-hint"`;
  return html`<p class="field"><label for="${name}">${label}</label>${note}
<input id="${name}" name="${name}" value="${value}"${described}${more === undefined ? undefined : html` ${more}`}></p>`;
}
