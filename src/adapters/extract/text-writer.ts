/** Joins text like the layout of a browser: white space collapses, and lines and paragraphs begin only on request. */
export class TextWriter {
  readonly #parts: string[] = [];
  /** The number of line ends before the next text; none at the start. */
  #ends = 0;
  #space = '';
  /**
   * Whether the mark of a list item was just written. The text of the item follows on the same line, even if it is in a
   * block.
   */
  #marked = false;

  /** Writes text in which all white space counts as one space, without spaces at the start and end of lines. */
  flow(text: string): void {
    const collapsed = text.replace(/[ \t\n\r\f\u00a0]+/g, ' ');
    if (collapsed === '') return;
    if (collapsed.startsWith(' ') && this.#space === '') this.#space = ' ';
    const words = collapsed.trim();
    if (words === '') return;
    this.#write(words);
    this.#space = collapsed.endsWith(' ') ? ' ' : '';
  }

  /** Writes preformatted text. */
  verbatim(text: string): void {
    if (text !== '') this.#write(text.replaceAll('\r\n', '\n'));
  }

  /** Writes the mark of a list item. */
  mark(text: string): void {
    if (this.#parts.length > 0) this.#ends = Math.max(1, this.#ends);
    this.#write(text);
    this.#space = ' ';
    this.#marked = true;
  }

  startLine(): void {
    if (this.#parts.length > 0 && !this.#marked) this.#ends = Math.max(1, this.#ends);
  }

  startParagraph(): void {
    if (this.#parts.length > 0 && !this.#marked) this.#ends = 2;
  }

  /** Adds a line end, also if a new line has been requested already. */
  breakLine(): void {
    if (this.#parts.length > 0 && !this.#marked) this.#ends = Math.min(2, this.#ends + 1);
  }

  tab(): void {
    this.#space = '\t';
  }

  text(): string {
    return this.#parts.join('').trim();
  }

  #write(text: string): void {
    if (this.#ends > 0) this.#parts.push('\n'.repeat(this.#ends));
    else if (this.#parts.length > 0) this.#parts.push(this.#space);
    this.#parts.push(text);
    this.#ends = 0;
    this.#space = '';
    this.#marked = false;
  }
}
