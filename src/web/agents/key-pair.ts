import { make } from '../elements.js';
import { button } from '../live/elements.js';

/** The part of the library of Ed25519 that this page uses (src/web/agents/ed25519.ts). */
interface Signer {
  keygen(): { readonly secretKey: Uint8Array; readonly publicKey: Uint8Array };
  sign(message: Uint8Array, secretKey: Uint8Array): Uint8Array;
}

/**
 * `<cf-key-pair>`: a button that makes a key pair, asks the service for the texts to sign and signs them. The private key is in the
 * memory of this page only: no request has it.
 */
export class KeyPair extends HTMLElement {
  connectedCallback(): void {
    if (this.querySelector('button')) return;
    const start = button('Make a key pair in this browser', 'second');
    start.addEventListener('click', () => void this.#make(start));
    this.append(start);
  }

  async #make(start: HTMLButtonElement): Promise<void> {
    const form = this.closest('form');
    const field = form?.querySelector<HTMLTextAreaElement>('[name=public_key]');
    if (!form || !field) return;
    // The script fills this field in, so only the other fields can be missing.
    field.required = false;
    const isFilled = form.reportValidity();
    field.required = true;
    if (!isFilled) return;
    start.disabled = true;
    try {
      const signer = await load(this.dataset.script ?? '');
      const { secretKey, publicKey } = signer.keygen();
      field.value = base64url(publicKey);
      const shown = await secondStep(form);
      const signs = shown.querySelector<HTMLFormElement>('form[data-sign]');
      if (signs) sign(signs, secretKey, signer);
      document.querySelector('main')?.replaceWith(shown);
      focusIn(shown);
    } catch (error) {
      start.disabled = false;
      const reason = error instanceof Error ? error.message : String(error);
      this.querySelector('[role=alert]')?.remove();
      this.append(make('span', { role: 'alert' }, ` No key pair was made: ${reason}.`));
    }
  }
}

/** The library is loaded only when it is needed. */
async function load(script: string): Promise<Signer> {
  const loaded: unknown = await import(script);
  if (!isSigner(loaded)) throw new Error('the script cannot be loaded');
  return loaded;
}

function isSigner(value: unknown): value is Signer {
  return typeof value === 'object' && value !== null && 'keygen' in value && 'sign' in value;
}

/** The page that answers the form, shown at its address. A refusal is a page with the form, filled. */
async function secondStep(form: HTMLFormElement): Promise<HTMLElement> {
  const body = new URLSearchParams({ do: 'ask' });
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value);
  const response = await fetch(form.action, { method: 'POST', headers: { accept: 'text/html' }, body });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const main = page.querySelector('main');
  if (!main) throw new Error('the service does not answer');
  if (response.redirected) history.replaceState(null, '', response.url);
  document.title = page.title;
  return document.adoptNode(main);
}

/** Fills in the signatures, and shows the private key before they can be sent. */
function sign(form: HTMLFormElement, secretKey: Uint8Array, signer: Signer): void {
  for (const field of form.querySelectorAll<HTMLInputElement>('[data-signs]')) {
    const text = (field.dataset.signs ?? '').replaceAll(' ', '\0');
    field.value = base64url(signer.sign(new TextEncoder().encode(text), secretKey));
  }
  for (const step of form.querySelectorAll<HTMLElement>(':scope > :is(p:not(.actions), .field, cf-copy, details)'))
    step.hidden = true;
  form.querySelector(':scope > .actions')?.before(...privateKeyBox(pemOf(secretKey)));
}

function privateKeyBox(pem: string): readonly HTMLElement[] {
  const copied = document.createElement('cf-copy');
  copied.dataset.value = pem;
  copied.append(make('pre', { tabindex: '0' }, make('code', {}, pem)));
  const download = button('Download it', 'second');
  download.addEventListener('click', () => {
    const address = URL.createObjectURL(new Blob([pem], { type: 'application/x-pem-file' }));
    make('a', { href: address, download: 'agent.pem' }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  });
  const kept = make('input', { type: 'checkbox', id: 'kept', required: '' });
  const words =
    'Keep it now: it was made in this browser, was not sent, and is gone when you leave this page. The texts are signed with it already.';
  return [
    make('h2', { id: 'private-key' }, 'The private key of the agent'),
    make('p', {}, words),
    copied,
    make('p', { class: 'actions' }, download),
    make('label', { class: 'option', for: kept.id }, kept, make('span', {}, 'I have kept the private key')),
  ];
}

/** A person who hears the page continues at what is new. */
function focusIn(shown: HTMLElement): void {
  const [first] = ['[role=alert]', '#private-key', 'h1'].flatMap((one) => shown.querySelector<HTMLElement>(one) ?? []);
  first?.setAttribute('tabindex', '-1');
  first?.focus();
}

/** The bytes of PKCS #8 (RFC 8410) before the 32 of a private key of Ed25519. */
const beforeKey = [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];

const pemOf = (secretKey: Uint8Array): string =>
  `-----BEGIN PRIVATE KEY-----\n${base64(Uint8Array.from([...beforeKey, ...secretKey]))}\n-----END PRIVATE KEY-----\n`;

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
const base64url = (bytes: Uint8Array): string =>
  base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
