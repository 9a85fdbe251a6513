/**
 * Text that can be stored, of text that was taken out of something: fonts of PDFs stand for NUL and for halves of
 * characters, which nobody wrote. What people send themselves is refused instead (contracts/text.ts).
 */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
