/** The fields of a form as a browser has sent them. A form may name a field several times: once for each checked box. */
export interface Form {
  /** The first value; empty where the form does not name the field. */
  one(name: string): string;
  all(name: string): readonly string[];
}

/** The most bytes of a form: 1,000 boxes with the id of a namespace each take 48 KiB. */
export const formBytes = 64 * 1024;

export function readForm(text: string): Form {
  const fields = new URLSearchParams(text);
  return {
    one: (name) => fields.get(name) ?? '',
    all: (name) => fields.getAll(name),
  };
}
