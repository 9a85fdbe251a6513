import type { OpenSession } from '../../api/session/sessions.js';
import { icon } from '../components/icons.js';
import { said } from '../components/said.js';
import { type Html, html } from '../html.js';
import { type Pause, pauseBanner } from './pause.js';
import { isAt, ofEveryone, type Place, placesOf, type Tab } from './places.js';

/** The person who is signed in, and what the header of each page says about their workspace. */
export interface HeaderPerson {
  readonly view: OpenSession['person'];
  /** The token of the form that signs out. */
  readonly signOutToken: string;
  /** How many requests wait for a decision of this person; a text such as "99+" where there are more than are counted. */
  readonly waiting: string | null;
  readonly pause: Pause | null;
  /** Whether they run the service. */
  readonly isOperator: boolean;
  /** Whether the memory API is switched on. */
  readonly memoryApi: boolean;
  /** The moment at which the page is made, in milliseconds. */
  readonly now: number;
}

/** The header of the pages of the console. */
export function consoleHeader(path: string, person: HeaderPerson): Html {
  const places = placesOf({ ...person, role: person.view.role });
  const here = places.find(({ tabs }) => tabs.some((tab) => isAt(path, tab)));
  const own = places.map((place) => placeLink(place, place === here, person.waiting));
  return html`<header class="top"><div class="bar">${brand}
<nav aria-label="Pages"><ul>${own}</ul><ul>${ofEveryone.map((tab) => tabLink(tab, path, 'way'))}</ul></nav>
<details class="menu burger"><summary class="summary">Menu</summary><div>
<nav aria-label="Menu"><ul class="ways-of-menu">${own}</ul><hr><ul class="ways-of-menu">${ofEveryone.map((tab) => tabLink(tab, path, 'way'))}</ul></nav><hr>${personMenu(person)}</div></details>
<details class="menu person"><summary class="summary"><bdi>${person.view.email}</bdi>${icon('chevron-down')}</summary><div>${personMenu(person)}</div></details>
</div>${here && tabs(here, path)}</header>${person.pause && pauseBanner(person.pause, { role: person.view.role, path, now: person.now })}`;
}

/** The header of a question that has to be answered first: it leads nowhere, and names the person. */
export function personHeader(person: HeaderPerson): Html {
  return html`<header class="top"><div class="bar"><span class="brand">Counterfoil</span>
<details class="menu alone"><summary class="summary"><bdi>${person.view.email}</bdi>${icon('chevron-down')}</summary><div>${personMenu(person)}</div></details></div></header>`;
}

/** The header of pages that are the same for everyone: they do not say who is signed in. */
export function publicHeader(path: string, button: { readonly to: string; readonly name: string }): Html {
  const links = ofEveryone.map((tab) => tabLink(tab, path, 'way'));
  return html`<header class="top"><div class="bar">${brand}
<nav aria-label="Pages"><ul>${links}</ul></nav>
<details class="menu burger"><summary class="summary">Menu</summary><div><nav aria-label="Menu"><ul class="ways-of-menu">${links}</ul></nav></div></details>
<a class="button second small" href="${button.to}">${button.name}</a></div></header>`;
}

const brand = html`<a class="brand" href="/">Counterfoil</a>`;

function placeLink({ name, tabs: [first] }: Place, isHere: boolean, waiting: string | null): Html | undefined {
  if (first === undefined) return undefined;
  const count =
    first.path === '/approvals' && waiting !== null
      ? html` <span class="count">${waiting}<span class="spoken"> waiting</span></span>`
      : undefined;
  return html`<li><a class="way" href="${first.path}"${isHere ? html` aria-current="true"` : undefined}>${name}${count}</a></li>`;
}

function tabLink(tab: Tab, path: string, look: 'way' | 'tab'): Html {
  return html`<li><a class="${look}" href="${tab.path}"${isAt(path, tab) ? html` aria-current="page"` : undefined}>${tab.name}</a></li>`;
}

/** The tabs of a place; a place of one page has none. */
function tabs({ name, tabs: all }: Place, path: string): Html | undefined {
  if (all.length < 2) return undefined;
  return html`<nav class="tabs" aria-label="${name}"><ul>${all.map((tab) => tabLink(tab, path, 'tab'))}</ul></nav>`;
}

function personMenu({ view: { email, workspace, role }, signOutToken }: HeaderPerson): Html {
  return html`<p><bdi>${email}</bdi><br><small>${role} in ${said(workspace)}</small></p>
<a class="choice-of-menu" href="/find">Find a page or an action</a>
<a class="choice-of-menu" href="/account">Account</a>
<a class="choice-of-menu" href="/workspace">Change the workspace</a>
<form method="post" action="/sign-out"><input type="hidden" name="token" value="${signOutToken}"><button class="choice-of-menu">Sign out</button></form>`;
}
