import { make } from '../elements.js';
import { filesIn, filesOf } from './files.js';
import type { Queue, Watching } from './queue.js';
import type { Named } from './read.js';
import { Row } from './row.js';
import type { Upload } from './upload.js';

/** The script that reads and sends files. It is loaded with the first file (src/web/import/queue.ts). */
interface Sending {
  createQueue(watching: Watching): Queue;
}

/** The list below is looked at this often while something is sent, in milliseconds. */
const listMs = 5000;

/**
 * `<cf-import>` around the form that takes one file: takes several, whole folders and what is dropped on the page, cuts long texts
 * into parts, and sends each part under a key of its own, so that the same file can be dropped again after a crash or an ended session.
 */
export class Import extends HTMLElement {
  #queue: Queue | null = null;
  readonly #rows = new Map<Upload, Row>();
  readonly #list = make('ul', { class: 'uploads', 'aria-label': 'Files' });
  readonly #says = make('p', { role: 'status' });
  readonly #alert = make('p', { role: 'alert' });
  readonly #again = make('button', { type: 'button', class: 'second' }, 'Continue');
  #ends = new AbortController();
  #looked = 0;

  connectedCallback(): void {
    const form = this.querySelector('form');
    const field = this.querySelector<HTMLInputElement>('input[type=file]');
    // A person who reads has no form, and while agents are paused its button is disabled, with the reason.
    if (!form || !field || form.querySelector('button:disabled')) return;
    this.#ends = new AbortController();
    const { signal } = this.#ends;
    this.#prepare(form, field);
    form.addEventListener('submit', (event) => this.#take(event, field), { signal });
    this.#again.addEventListener('click', () => void this.#run(), { signal });
    document.addEventListener('dragover', (event) => event.preventDefault(), { signal });
    document.addEventListener('drop', (event) => void this.#drop(event), { signal });
    // Without a session the list would lead to the sign-in, and what was chosen would be gone: it is read again only behind an answer.
    const isBusy = () => this.#queue !== null && (this.#queue.isRunning || this.#queue.stop !== null);
    const stays = (event: Event) => isBusy() && event.target !== this && event.stopPropagation();
    addEventListener('counterfoil:again', stays, { signal, capture: true });
    addEventListener('beforeunload', (event) => this.#queue?.isRunning && event.preventDefault(), { signal });
  }

  disconnectedCallback(): void {
    this.#ends.abort();
  }

  #prepare(form: HTMLFormElement, field: HTMLInputElement): void {
    field.multiple = true;
    // The whole folder is read by a field of its own, because a field takes either files or folders.
    const folder = make('input', { type: 'file', id: 'folder', webkitdirectory: '' });
    folder.addEventListener('change', () => void this.#add(filesOf(folder)));
    const label = make('label', { for: 'folder' }, 'Or a whole folder');
    const hint = this.querySelector('#file-hint');
    if (hint)
      hint.textContent =
        'Choose files, or drop files and folders anywhere on this page. A long text, of up to 200 MB, becomes several memories of less than 1 MiB, cut at the ends of lines. PDFs and web pages have 5 MB at most.';
    this.querySelector('.drop')?.append(label, folder);
    const button = form.querySelector('button');
    if (button) button.textContent = 'Import the files';
    const own = form.querySelector('label[for=file]');
    if (own) own.textContent = 'Files';
    this.append(this.#says, this.#alert, this.#list);
  }

  #take(event: SubmitEvent, field: HTMLInputElement): void {
    event.preventDefault();
    const files = filesOf(field);
    field.value = '';
    void this.#add(files);
  }

  async #drop(event: DragEvent): Promise<void> {
    event.preventDefault();
    try {
      if (event.dataTransfer) await this.#add(await filesIn(event.dataTransfer));
    } catch {
      this.#fault('A file or a folder that was dropped cannot be read, so nothing of this drop was sent.');
    }
  }

  async #add(files: readonly Named[]): Promise<void> {
    const namespace = this.querySelector<HTMLInputElement | HTMLSelectElement>('[name=namespace]')?.value ?? '';
    const queue = await this.#loaded();
    if (queue === null) return;
    for (const file of files) {
      const upload = queue.add(file, namespace);
      const row = new Row(upload);
      this.#rows.set(upload, row);
      this.#list.append(row.element);
    }
    await this.#run();
  }

  async #loaded(): Promise<Queue | null> {
    try {
      const sending: Sending = await import(this.dataset.script ?? '');
      this.#queue ??= sending.createQueue({
        changed: (upload) => this.#show(upload),
        waits: (seconds) => this.#wait(seconds),
        stored: () => this.#look(false),
      });
    } catch {
      this.#fault('The script that sends files cannot be loaded. Nothing was sent. Drop the files again in a moment.');
    }
    return this.#queue;
  }

  #fault(sentence: string): void {
    this.#alert.className = 'message problem';
    this.#alert.textContent = sentence;
  }

  async #run(): Promise<void> {
    await this.#queue?.run();
    if (this.#queue?.stop === null) this.#look(true);
  }

  #show(changed: Upload | null): void {
    if (this.#queue === null) return;
    for (const upload of changed === null ? this.#rows.keys() : [changed]) this.#rows.get(upload)?.show();
    const { uploads, stop, isRunning } = this.#queue;
    const done = uploads.filter(({ state }) => state === 'done').length;
    const files = `${done} of ${uploads.length} ${uploads.length === 1 ? 'file is' : 'files are'} stored.`;
    setText(this.#says, uploads.length === 0 ? '' : `${files}${isRunning ? ' Keep this page open.' : ''}`);
    const isHeld = uploads.some(({ state }) => state === 'held');
    this.#again.hidden = isRunning || (stop === null && !isHeld);
    if (stop === null || isRunning) this.#alert.replaceChildren(...(isHeld && !isRunning ? [this.#again] : []));
    else if (!this.#alert.hasChildNodes()) this.#alert.append(...this.#stopped(stop.sentence, stop.signIn));
    this.#alert.className = this.#alert.hasChildNodes() ? 'message notice' : '';
  }

  /** Why everything has stopped, said aloud, and the way on. */
  #stopped(sentence: string, signIn: boolean): (Node | string)[] {
    const link = make(
      'a',
      { href: '/sign-in?next=/import', target: '_blank', rel: 'noopener' },
      'Sign in in another tab',
    );
    const way = 'and continue here, or drop the same files again later: what is stored is not stored twice.';
    const words = make(
      'span',
      {},
      `${sentence} `,
      ...(signIn
        ? [link, `, ${way}`]
        : [`Continue here later, or drop the same files again: what is stored is not stored twice.`]),
      ' ',
    );
    return [words, this.#again];
  }

  #wait(seconds: number | null): void {
    if (seconds === null) this.#show(null);
    else setText(this.#says, `The service asks to wait: it continues in ${Math.ceil(seconds)} s. Keep this page open.`);
  }

  /** Has the list of jobs read again, now and then. */
  #look(now: boolean): void {
    if (this.#rows.size === 0 || (!now && Date.now() - this.#looked < listMs)) return;
    this.#looked = Date.now();
    this.dispatchEvent(new CustomEvent('counterfoil:again', { bubbles: true }));
  }
}

/** Sets a text that is read aloud only where it has changed. */
function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
