import { z } from 'zod';
import type { Fields } from '../form.js';
import type { Sealed } from '../sealed.js';

/** The most bytes of fields that the sign-in carries. Longer ones stay in a form of their own, which is sent after the sign-in. */
export const sealedBytes = 64 * 1024;
const lastsMs = 10 * 60_000;

const draftShape = z.object({
  by: z.string(),
  at: z.number(),
  fields: z.array(z.tuple([z.string(), z.string()])),
});

/** The fields of a form that was sent without a session. */
export interface Draft {
  /** The tag of the person whose form it was; empty where the form does not say it. */
  readonly by: string;
  /** The moment at which it was sent, in milliseconds. */
  readonly at: number;
  readonly fields: Fields;
}

/**
 * Seals the fields for the way through the sign-in. There is no session yet that they could be bound to, so they are bound to the
 * path of the form and to the time. @returns null for fields that are too long
 */
export function sealForm(sealed: Sealed, path: string, form: Draft): string | null {
  const text = JSON.stringify(form);
  return Buffer.byteLength(text) > sealedBytes ? null : sealed.seal(noSession, purposeOf(path), text);
}

/** @returns null for a text that was not sealed for this path, or longer than ten minutes ago */
export function openForm(sealed: Sealed, path: string, text: string, now: number): Draft | null {
  const opened = sealed.open(noSession, purposeOf(path), text);
  if (opened === null) return null;
  const form = draftShape.parse(JSON.parse(opened));
  return now - form.at < lastsMs ? form : null;
}

/** No session has this id. */
const noSession = 'none';

const purposeOf = (path: string): string => `draft of ${path}`;
