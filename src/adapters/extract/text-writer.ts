/** Puts running text together as a browser would lay it out: space collapses, lines and paragraphs are asked for. */
export class TextWriter {
  readonly #parts: string[] = [];
  /** Line ends to write before the next text; none at the start. */
  #ends = 0;
  #space = '';
  /** After the mark of an item, which its text follows on the same line, whatever blocks that text stands in. */
  #marked = false;

  /** Text in which any space is one space, and none begins or ends a line. */
  flow(text: string): void {
    const collapsed = text.replace(/[ \t\n\r\f\u00a0]+/g, ' ');
    if (collapsed === '') return;
    if (collapsed.startsWith(' ') && this.#space === '') this.#space = ' ';
    const words = collapsed.trim();
    if (words === '') return;
    this.#write(words);
    this.#space = collapsed.endsWith(' ') ? ' ' : '';
  }

  /** Text whose spaces and lines mean something. */
  verbatim(text: string): void {
    if (text !== '') this.#write(text.replaceAll('\r\n', '\n'));
  }

  /** What stands before an item of a list. */
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

  /** One line more, also where one was begun already. */
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
