import { pageTop } from '../components/page-top.js';
import { ofEveryone, placesOf } from '../frame/places.js';
import { knownStanding } from '../frame/surroundings.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonPage, PersonRequest } from '../page.js';
import { actionsOf } from './actions.js';

/** A row: a link, and the words beside it by which it is found too. */
interface Row {
  readonly path: string;
  readonly name: string;
  readonly place?: string;
  readonly words?: string;
}

const ofPerson: readonly Row[] = [
  { path: '/account', name: 'Account', words: 'password sessions' },
  { path: '/workspace', name: 'Change the workspace', words: 'switch' },
];

const reference: Row = { path: '/developers/api', name: 'Reference of the API', words: 'openapi rest' };

/** Everything that a person can open and do, as one page. The command menu of the script is made from it, so both say the same. */
export const findPage: PersonPage = {
  path: '/find',
  access: 'a person',
  async show(request, parts) {
    const visiting = await visitingOf(request, parts);
    const places = placesOf(visiting).flatMap(({ name: place, tabs }) =>
      tabs.map(({ path, name }) => rowOf(path, name, place)),
    );
    return {
      status: 200,
      title: 'Find a page or an action',
      main: html`${pageTop({ title: 'Find a page or an action' })}
<p class="lead">Everything that you can open and do here. <kbd>Ctrl</kbd> <kbd>K</kbd>, or <kbd>⌘</kbd> <kbd>K</kbd> on a Mac, opens this list as a menu on every page of the console.</p>
${rows('Pages', [...places, ...ofPerson, ...ofEveryone, reference])}
${rows('Actions', actionsOf(visiting))}`,
    };
  },
};

/** A tab that is called “All” says what it has all of only together with its place. */
const rowOf = (path: string, name: string, place: string): Row =>
  name === place || name === 'All' ? { path, name: place, words: name } : { path, name, place };

async function visitingOf({ visitor, client }: PersonRequest, parts: PageParts) {
  const { isOperator } = await knownStanding(visitor, client, parts);
  return { role: visitor.session.person.role, isOperator, memoryApi: parts.memoryApi };
}

/** The script finds the section by its mark, and reads the links in it. */
function rows(title: string, all: readonly Row[]): Html | undefined {
  if (all.length === 0) return undefined;
  return html`<section data-found="${title}"><h2>${title}</h2><ul class="found">${all.map(
    ({ path, name, place, words }) =>
      html`<li><a href="${path}"${words && html` data-words="${words}"`}>${name}${place && html` <small>${place}</small>`}</a></li>`,
  )}</ul></section>`;
}
