import type { Asked } from '../../../contracts/authorization.js';
import { redirectKind } from '../../domain/oauth-redirect.js';
import { type Html, html } from '../html.js';

/** Where the answer goes: the host, or the private scheme, of the address. */
export function redirectHostOf(address: string): string {
  const { protocol, host } = new URL(address);
  return isPrivate(address) ? protocol.slice(0, -1) : host;
}

const isPrivate = (address: string): boolean => {
  const read = redirectKind(address);
  return 'kind' in read && read.kind === 'private';
};

/** The client and where its answer goes, in what is known about it and what it only claims. */
export function clientFacts({ clientId, clientName, clientHost, redirectUri }: Asked): Html {
  return html`<dl class="asking">
<div><dt>${clientId.startsWith('https://') ? 'It is described by a document of' : 'It says that its site is'}</dt>
<dd>${clientHost === null ? html`<span class="none">It names no site.</span>` : html`<bdi class="host">${clientHost}</bdi>`}</dd></div>
<div><dt>${destination(redirectUri)}</dt><dd><bdi class="host">${isPrivate(redirectUri) ? `${redirectHostOf(redirectUri)}:` : redirectHostOf(redirectUri)}</bdi></dd></div>
<div><dt>Its name, as it claims</dt><dd>${clientName === null ? html`<span class="none">It gives none.</span>` : html`<q><bdi>${clientName}</bdi></q>`}</dd></div>
</dl>
<p class="hint">Anyone can choose a name. Allow only what you have begun yourself a moment ago, in a program that you know.</p>`;
}

function destination(redirectUri: string): string {
  const read = redirectKind(redirectUri);
  if (!('kind' in read) || read.kind === 'https') return 'Your answer goes to';
  return read.kind === 'loopback'
    ? 'Your answer goes to a program on this computer, at'
    : 'Your answer goes to the program on this device that opens addresses of';
}
