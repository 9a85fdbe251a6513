import { type Html, html } from '../html.js';
import { addressOf } from './files.js';
import { publicHeader } from './header.js';
import { layout } from './layout.js';

/** A page that is the same for everyone, for an address that is no page of the console. */
export function plainPage(title: string, main: Html, again?: Again): string {
  const header = publicHeader('', { to: '/', name: 'Console' });
  return layout({
    title,
    header,
    main: html`<main id="main">${main}</main>`,
    styles: [addressOf('pages.css')],
    continuesAt: again?.address,
    continuesAfter: again?.seconds,
  });
}

/** The page that the browser opens by itself after some seconds. */
interface Again {
  readonly address: string;
  readonly seconds: number;
}
