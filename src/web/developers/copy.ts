/** Adds a copy button to blocks of code, except for answers, if the page may write to the clipboard. */
export function copyButtons(): void {
  if (!navigator.clipboard) return;
  for (const figure of document.querySelectorAll('.code:not(.answer)')) {
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
