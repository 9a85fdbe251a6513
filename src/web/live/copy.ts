import { button } from './elements.js';

/** `<cf-copy>` around a value: a button that copies it, which only a script can do. */
export class Copy extends HTMLElement {
  connectedCallback(): void {
    if (this.querySelector('button')) return;
    const copy = button('Copy', 'quiet small');
    copy.addEventListener('click', () => void this.#copy(copy));
    this.append(' ', copy);
  }

  async #copy(copy: HTMLButtonElement): Promise<void> {
    const value = this.dataset.value ?? this.querySelector('code')?.textContent ?? '';
    try {
      await navigator.clipboard.writeText(value);
      copy.textContent = 'Copied';
    } catch {
      // A page without TLS has no clipboard: the value is selected, so that the person can copy it.
      getSelection()?.selectAllChildren(this.querySelector('code') ?? this);
      copy.textContent = 'Selected';
    }
    setTimeout(() => {
      copy.textContent = 'Copy';
    }, 2000);
  }
}
