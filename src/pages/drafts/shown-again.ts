import { type Fields, noFields } from '../form.js';
import type { Page, PageAnswer, PageParts, PageRequest, Shown } from '../page.js';
import { filled } from './fill.js';

/** A form that was sent to a page, with the whole address that it was sent to. */
export interface Sent {
  readonly page: Page;
  readonly request: PageRequest;
  readonly address: string;
}

/** The page of a form as it is now, with the fields in the form; null where it cannot be shown, or has no such form any more. */
export async function shownAgain(sent: Sent, fields: Fields, parts: PageParts): Promise<Shown | null> {
  const { page, request, address } = sent;
  // A form that writes is not on the page of a person who only reads.
  if (request.visitor?.session.person.role === 'reader' && !page.writesNothing) return null;
  try {
    const shown = await pageNow(sent, parts);
    if (shown === null || !('main' in shown) || shown.status >= 400) return null;
    const main = filled(shown.main, pathOf(address), fields);
    return main && { ...shown, main };
  } catch {
    // The refusal of the form is what the person reads. A fault of the store shows itself there too.
    return null;
  }
}

/** The page as it is opened. @throws Refusal */
export async function pageNow({ page, request }: Sent, parts: PageParts): Promise<PageAnswer | null> {
  const looking = { ...request, form: noFields };
  if (page.access === 'anyone') return (await page.show?.(looking, parts)) ?? null;
  const { visitor } = request;
  if (!visitor || !page.show) return null;
  const token = parts.formTokens.of(visitor.session.id, purposeOf(page, request));
  return page.show({ ...looking, visitor, token }, parts);
}

/** The purpose of the token of the forms of a page. */
export function purposeOf(page: Page, request: PageRequest): string {
  return (page.access === 'a person' ? page.purpose?.(request) : undefined) ?? page.path;
}

/** An address without its query. */
export const pathOf = (address: string): string => address.split('?')[0] ?? '';
