import { createHash } from 'node:crypto';

/** A text that must not be found, in the forms in which it could be. */
interface Hidden {
  readonly name: string;
  readonly forms: readonly string[];
}

/** @param values a name and a text that occurs nowhere else */
export function hidden(values: Readonly<Record<string, string>>): readonly Hidden[] {
  return Object.entries(values).map(([name, value]) => {
    const bytes = Buffer.from(value);
    const hash = createHash('sha256').update(bytes).digest();
    const forms = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), bytes.toString('hex')];
    // The same bytes behind one or two others give other base64, whose first and last characters depend on these.
    const encoded = [0, 1, 2].map((shift) => {
      const inside = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
      return inside.slice(shift === 0 ? 0 : 4, -4);
    });
    return { name, forms: [...forms, ...encoded.filter((text) => text.length > 8), hash.toString('hex')] };
  });
}

/** The names of the hidden texts that a text contains in any form and any case. */
export function found(values: readonly Hidden[], text: string): string[] {
  const lower = text.toLowerCase();
  return values.filter(({ forms }) => forms.some((form) => lower.includes(form.toLowerCase()))).map(({ name }) => name);
}
