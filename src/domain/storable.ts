/**
 * Makes extracted text storable: fonts of PDFs may produce NUL and halves of surrogate pairs, which the author did not
 * write. Text that callers send with such characters is refused instead (contracts/text.ts).
 */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
