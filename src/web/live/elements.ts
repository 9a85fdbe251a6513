import { make } from '../elements.js';

/** A button that only this page has: it sends no form. */
export function button(text: string, look: string): HTMLButtonElement {
  return make('button', { type: 'button', class: look }, text);
}
