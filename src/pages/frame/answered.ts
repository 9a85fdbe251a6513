import { Html } from '../html.js';

/** The message or the heading that a person hears first. A text of a caller cannot begin like this: its quotes are written otherwise. */
const firsts = [/<div class="message [^>]*/, /<h1\b[^>]*/];

/**
 * The text of a page that answers a form at once, with the focus at its message. Without it a person who uses the keyboard or hears
 * the page begins at its header, and may not notice that the form was refused.
 */
export function answered(main: Html): Html {
  if (main.text.includes(focus)) return main;
  const first = firsts.find((one) => one.test(main.text));
  return first === undefined ? main : new Html(main.text.replace(first, (tag) => `${tag} ${focus}`));
}

/** The attributes of an element to which the browser moves the focus when the page opens, with or without a script. */
const focus = 'tabindex="-1" autofocus';
