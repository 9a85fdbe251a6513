/** Leaves of the contents only what has all the words that were typed. */
export function findIn(contents: HTMLElement, field: HTMLInputElement): void {
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const groups = contents.querySelectorAll<HTMLElement>('.groups > li');
    for (const group of groups) {
      const items = [...group.querySelectorAll<HTMLElement>('li')];
      for (const item of items) {
        const link = item.querySelector<HTMLElement>('a');
        const text = `${link?.dataset.find ?? ''} ${link?.textContent ?? ''}`.toLowerCase();
        item.hidden = !words.every((word) => text.includes(word));
      }
      group.hidden = words.length > 0 && items.every((item) => item.hidden);
    }
  });
  field.addEventListener('keydown', ({ key }) => {
    if (key !== 'Enter') return;
    contents.querySelector<HTMLAnchorElement>('.groups li li:not([hidden]) a')?.click();
  });
}
