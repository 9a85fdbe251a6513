/** Names and values in the order in which a browser sends them. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** The fields of a form as a browser has sent them. A form may name a field several times: once for each checked box. */
export interface Form {
  /** The first value; empty where the form does not name the field. */
  one(name: string): string;
  all(name: string): readonly string[];
  readonly fields: Fields;
}

/** The most bytes of a form: 1,000 boxes with the id of a namespace each take 48 KiB. */
export const formBytes = 64 * 1024;

export function readForm(text: string): Form {
  return formOf([...new URLSearchParams(text)]);
}

function formOf(fields: Fields): Form {
  return {
    one: (name) => fields.find(([one]) => one === name)?.[1] ?? '',
    all: (name) => fields.flatMap(([one, value]) => (one === name ? [value] : [])),
    fields,
  };
}

/** A form that was not sent. */
export const noFields: Form = formOf([]);
