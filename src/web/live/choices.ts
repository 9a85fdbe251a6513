import { make } from '../elements.js';
import { type Entry, matching } from './entries.js';

/** A field with a list of choices below it, as the pattern of a combobox describes: the focus stays in the field. */
export interface Choices {
  readonly field: HTMLInputElement;
  readonly list: HTMLElement;
  readonly said: HTMLElement;
  /** Shows the entries that have what is typed, now and after each letter. */
  offer(entries: readonly Entry[]): void;
  /** Says a sentence where the list would be. */
  say(sentence: string): void;
}

/** @param id the beginning of the ids of its elements */
export function choices(id: string): Choices {
  const field = fieldOf(`${id}-list`);
  const list = make('div', { role: 'listbox', id: `${id}-list`, 'aria-label': 'Pages and actions' });
  const said = make('p', { role: 'status', class: 'hint' }, 'Loading…');
  let entries: readonly Entry[] | null = null;
  let wasEntered = false;

  const shown = () => [...list.querySelectorAll<HTMLAnchorElement>('[role=option]')];
  const chosen = () => list.querySelector<HTMLAnchorElement>('[aria-selected=true]');
  const choose = (option: HTMLElement | undefined) => {
    chosen()?.setAttribute('aria-selected', 'false');
    option?.setAttribute('aria-selected', 'true');
    field.setAttribute('aria-activedescendant', option?.id ?? '');
    option?.scrollIntoView({ block: 'nearest' });
  };
  const step = (by: 1 | -1) => {
    const all = shown();
    const at = all.findIndex((one) => one.ariaSelected === 'true');
    choose(all[(at + by + all.length) % all.length]);
  };
  const say = (sentence: string, look = 'hint') => {
    said.textContent = sentence;
    said.className = look;
  };
  const show = () => {
    if (entries === null) return;
    const found = matching(entries, field.value);
    list.replaceChildren(...groupsOf(found, id));
    list.scrollTop = 0;
    field.setAttribute('aria-expanded', String(found.length > 0));
    choose(shown()[0]);
    if (found.length === 0) say(`Nothing here is called “${field.value.trim()}”.`);
    else say(`${found.length} found`, 'spoken');
  };

  field.addEventListener('input', show);
  field.addEventListener('keydown', (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => step(1),
      ArrowUp: () => step(-1),
      Enter: () => {
        // A person who types fast presses Enter before the entries are there.
        wasEntered = entries === null;
        chosen()?.click();
      },
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  });
  return {
    field,
    list,
    said,
    say,
    offer(all) {
      entries = all;
      show();
      // The menu may be closed already.
      if (wasEntered && field.isConnected) chosen()?.click();
    },
  };
}

const fieldOf = (list: string): HTMLInputElement =>
  make('input', {
    role: 'combobox',
    'aria-label': 'Page or action',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': list,
    placeholder: 'Page or action',
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: 'false',
    enterkeyhint: 'go',
    maxlength: '64',
  });

/** A choice is a link, so that it can be opened in another tab too. The tabulator passes it by: the arrows lead there. */
function groupsOf(entries: readonly Entry[], id: string): readonly HTMLElement[] {
  const numbered = entries.map((entry, at) => ({ ...entry, option: `${id}-${at}` }));
  return [...new Set(entries.map(({ group }) => group))].map((group) => {
    const options = numbered
      .filter((entry) => entry.group === group)
      .map(({ name, place, href, option }) => {
        const beside = place === '' ? [] : [' ', make('small', {}, place)];
        return make(
          'a',
          { role: 'option', id: option, href, tabindex: '-1', 'aria-selected': 'false' },
          name,
          ...beside,
        );
      });
    const title = make('span', { 'aria-hidden': 'true', class: 'group' }, group);
    return make('div', { role: 'group', 'aria-label': group }, title, ...options);
  });
}
