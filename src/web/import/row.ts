import { make } from '../elements.js';
import type { Upload } from './upload.js';

/** The line of one file: its name, how much of it the service has acknowledged, and the receipts. */
export class Row {
  readonly element = make('li', {});
  readonly #upload: Upload;
  readonly #bar = make('progress', {});
  readonly #words = make('span', { class: 'hint' });

  constructor(upload: Upload) {
    this.#upload = upload;
    // A name of a file is the text of other people: it is text here, with its own direction.
    const name = make('bdi', { dir: 'auto', class: 'name' }, upload.name);
    this.#bar.setAttribute('aria-label', `Parts of ${upload.name} that are stored`);
    this.element.append(name, this.#bar, this.#words);
    this.show();
  }

  show(): void {
    const { state, parts, stored } = this.#upload;
    this.element.dataset.state = state;
    this.#bar.hidden = state !== 'is sent';
    this.#bar.max = Math.max(parts, 1);
    this.#bar.value = stored.size;
    this.#words.replaceChildren(...wordsOf(this.#upload));
  }
}

function wordsOf(upload: Upload): (Node | string)[] {
  const { state, parts, stored, refused, held, fault } = upload;
  const count =
    parts === 1 ? '' : `${stored.size.toLocaleString('en')} of ${parts.toLocaleString('en')} parts are stored. `;
  if (fault !== '') return [`It was not sent. ${fault}`];
  switch (state) {
    case 'waits':
      return [parts > 1 ? `${count}The rest waits.` : 'It waits.'];
    case 'is read':
      return ['It is read by the browser.'];
    case 'is sent':
      return [count || 'It is sent.'];
    case 'held': {
      const [approval = ''] = held.values();
      const link = make('a', { href: `/approvals/${approval}`, target: '_blank', rel: 'noopener' }, 'its approval');
      return [
        `${count}A rule of this workspace holds ${parts === 1 ? 'it' : 'the rest'}: see `,
        link,
        '. Continue when it is approved.',
      ];
    }
    case 'refused': {
      const [[part, sentence] = [0, '']] = refused;
      return [
        parts === 1
          ? `It was refused. ${sentence}`
          : `${count}${refused.size} were refused, the first one is part ${part}. ${sentence}`,
      ];
    }
    case 'done':
      return doneWords(upload, count);
  }
}

function doneWords({ parts, stored }: Upload, count: string): (Node | string)[] {
  const all = [...stored].sort(([a], [b]) => a - b).flatMap(([, one]) => (one.is === 'stored' ? [one] : []));
  const [first, last] = [all.at(0), all.at(-1)];
  if (!first || !last) return ['It has no text that could be found, so nothing was written.'];
  const blank = stored.size - all.length;
  const left = blank > 0 ? `${blank} of them are blank and were left out. ` : '';
  const before = all.filter(({ duplicate }) => duplicate).length;
  const same =
    before === 0
      ? ''
      : parts === 1
        ? 'This text was there before, so nothing was written. '
        : `${before} were there before. `;
  if (parts > 1) return [`${count}${left}${same}Receipts `, receipt(first.receipt), ' to ', receipt(last.receipt)];
  return [
    before === 0 ? 'It is stored. ' : same,
    make('a', { href: `/m/${first.memory}` }, 'Memory'),
    ', receipt ',
    receipt(first.receipt),
  ];
}

const receipt = (id: string): HTMLElement =>
  make('a', { class: 'id', href: `/receipts/${id}`, title: id }, `${id.slice(0, 8)}…${id.slice(-6)}`);
