/** The page stops asking after this number of times; a person who still waits presses the link. */
const mostTimes = 120;

/** `<cf-again>` around a link to the page itself: follows it every few seconds while the tab is seen. */
export class Again extends HTMLElement {
  #timer: ReturnType<typeof setInterval> | undefined;
  #times = 0;

  connectedCallback(): void {
    this.#timer = setInterval(
      () => {
        if (document.hidden) return;
        this.#times += 1;
        if (this.#times > mostTimes) clearInterval(this.#timer);
        else this.dispatchEvent(new CustomEvent('counterfoil:again', { bubbles: true }));
      },
      Number(this.dataset.seconds ?? 5) * 1000,
    );
  }

  disconnectedCallback(): void {
    clearInterval(this.#timer);
  }
}
