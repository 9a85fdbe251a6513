/** Puts a button on every block that copies it. Where a page may not write to the clipboard there is none. */
export function copyButtons(): void {
  if (!navigator.clipboard) return;
  for (const figure of document.querySelectorAll('.code')) {
    const code = figure.querySelector('code');
    if (!code) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(code.textContent ?? '').then(
        () => say(button, 'Copied'),
        () => say(button, 'Not allowed'),
      );
    });
    figure.querySelector('figcaption')?.append(button);
  }
}

function say(button: HTMLButtonElement, what: string): void {
  button.textContent = what;
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 1500);
}
