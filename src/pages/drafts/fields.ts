import type { Fields, Form } from '../form.js';
import type { FormTokens } from '../form-tokens.js';
import type { Page, Visitor } from '../page.js';

/** The field of every form that shows that it was made for a session. */
export const tokenField = 'token';
/** The field of every form that names the person it was made for, by a tag that only this service can make. */
export const personField = 'by';
/** The field with which the fields of a form come back from the sign-in, sealed. */
export const draftField = 'draft';

const ownFields: readonly string[] = [tokenField, personField, draftField];

/** Everything that was typed and chosen in a form, but the fields that its page names as secrets. */
export function draftFields({ secrets = [] }: Page, form: Form): Fields {
  return form.fields.filter(([name]) => !secrets.includes(name) && !ownFields.includes(name));
}

/** A tag of the person of a session. It names them to this service only. */
export function personTag(tokens: FormTokens, { session }: Visitor): string {
  return tokens.of('person', session.person.person_id);
}
