import type { OpenSession } from '../api/session/sessions.js';
import { type Html, html } from './html.js';

/** The page with everything around it. */
export interface Framed {
  readonly title: string;
  readonly path: string;
  readonly main: Html;
  /** The person who is signed in, with the token of the form that signs out. */
  readonly person: { readonly view: OpenSession['person']; readonly signOutToken: string } | null;
  readonly continuesAt?: string | undefined;
  readonly withoutNavigation?: boolean | undefined;
}

/** The whole text of a page. It needs nothing but its style, and no script. */
export function layout({ title, path, main, person, continuesAt, withoutNavigation }: Framed): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Counterfoil</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%23274c66'/%3E%3Cpath d='M5 2v12' stroke='%23fff' stroke-dasharray='1.5 1.5'/%3E%3Cpath d='m7.5 8.2 1.8 1.9 3.4-4' fill='none' stroke='%23fff' stroke-width='1.6'/%3E%3C/svg%3E">
<link rel="stylesheet" href="/pages/page.css">
${continuesAt === undefined ? undefined : html`<meta http-equiv="refresh" content="0;url=${continuesAt}">\n`}</head>
<body>
<a class="skip" href="#main">To the text</a>
<header class="top">
<p class="name"><a href="/sign-in">Counterfoil</a></p>
${withoutNavigation ? undefined : navigation(path, person !== null)}
${person ? whoIsIn(person.view, person.signOutToken) : undefined}
</header>
<main id="main">
${main}
</main>
</body>
</html>
`.text;
}

const ofPeople = [
  ['/grants', 'Grants'],
  ['/keys', 'Keys'],
  ['/approvals', 'Approvals'],
] as const;
const ofEveryone = [
  ['/developers', 'Documentation'],
  ['/verify', 'Verify a proof'],
] as const;

function navigation(path: string, isIn: boolean): Html {
  const links = isIn ? [...ofPeople, ...ofEveryone] : ofEveryone;
  const items = links.map(([to, name]) => {
    const current = path === to || path.startsWith(`${to}/`);
    return html`<li><a href="${to}"${current ? html` aria-current="page"` : undefined}>${name}</a></li>`;
  });
  return html`<nav aria-label="Pages"><ul>${items}</ul></nav>`;
}

function whoIsIn({ email, workspace, role }: OpenSession['person'], token: string): Html {
  return html`<div class="who">
<p><bdi>${email}</bdi><span>${role} in <a href="/workspace"><bdi>${workspace}</bdi></a></span></p>
<form method="post" action="/sign-out"><input type="hidden" name="token" value="${token}"><button class="quiet">Sign out</button></form>
</div>`;
}
