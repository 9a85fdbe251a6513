import { make } from '../elements.js';
import { button } from './elements.js';

/** `<cf-print>`: a button that prints the page. The sheet then says when it was printed, which only the browser knows. */
export class Print extends HTMLElement {
  connectedCallback(): void {
    if (this.querySelector('button')) return;
    const start = button('Print', 'second');
    start.addEventListener('click', () => print());
    this.append(start);
    addEventListener('beforeprint', noteTime);
  }

  disconnectedCallback(): void {
    removeEventListener('beforeprint', noteTime);
  }
}

/** Also where the browser prints by itself, without the button. */
function noteTime(): void {
  document.getElementById('printed')?.remove();
  const at = `${new Date().toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const line = make('div', { id: 'printed' }, make('dt', {}, 'Printed'), make('dd', {}, at));
  document.querySelector('.on-paper .facts')?.append(line);
}
