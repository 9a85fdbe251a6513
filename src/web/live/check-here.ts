import { make } from '../elements.js';
import { button } from './elements.js';

/** The part of the verifier's script that this page uses (src/web/verify/check.ts). */
interface Checker {
  check(bundle: Uint8Array): Promise<Element>;
}

/** `<cf-verify>`: a button that fetches the bundle and checks it in this browser. The verifier is loaded only then. */
export class CheckHere extends HTMLElement {
  connectedCallback(): void {
    if (this.querySelector('button')) return;
    const start = button('Verify in this browser', 'second');
    start.addEventListener('click', () => void this.#check(start));
    this.append(start);
  }

  async #check(start: HTMLButtonElement): Promise<void> {
    start.disabled = true;
    start.textContent = 'Verifying…';
    const result = make('div', { role: 'status', tabindex: '-1' });
    try {
      const { script = '', bundle = '' } = this.dataset;
      const [checker, bytes] = await Promise.all([load(script), fetchBundle(bundle)]);
      result.append(await checker.check(bytes));
      start.remove();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      result.append(make('p', { class: 'message problem' }, `This could not be verified: ${reason}.`));
      start.disabled = false;
      start.textContent = 'Try again';
    }
    this.querySelector('[role=status]')?.remove();
    this.append(result);
    // The button that had the focus is gone or was disabled: the person continues at the result.
    result.focus();
  }
}

async function load(script: string): Promise<Checker> {
  const loaded: unknown = await import(script);
  if (!isChecker(loaded)) throw new Error('the verifier cannot be loaded');
  return loaded;
}

function isChecker(value: unknown): value is Checker {
  return typeof value === 'object' && value !== null && 'check' in value && typeof value.check === 'function';
}

async function fetchBundle(address: string): Promise<Uint8Array> {
  const response = await fetch(address, { redirect: 'error' });
  if (response.status === 401) throw new Error('the session has ended, sign in again');
  if (!response.ok) throw new Error(`the service has answered with status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
