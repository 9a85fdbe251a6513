import { Parser } from 'htmlparser2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../../http/person.js';
import type { Service } from '../../http/service.js';
import { everyForm, type FormCase } from '../../pages/every-form.js';
import { formsOf } from '../../pages/forms-of.js';
import { hostileTexts } from '../../pages/hostile.js';
import { startOwned } from '../../pages/owner.js';
import { type Page, type Reader, reader } from '../../pages/reader.js';
import { repeats } from '../../support/repeats.js';

const perText = repeats('HOSTILE_FORMS');
/** Texts that no page can take for anything else; the last is refused by every field for its length, and one has a mark. */
const harmless = ['harbour', 'harbour 2', '', 'a\u200Bb', '7', 'x'.repeat(9000)];
/** Fields for words of a person. */
const ofPeople = new Set(['content', 'source', 'name', 'query', 'reason']);
/** Attributes whose value may be a text of a caller. */
const ofTexts = new Set(['value', 'title', 'data-value', 'aria-label', 'placeholder']);

/** The elements of a page as a parser of HTML finds them, each with the names of its attributes. */
function elementsOf({ text }: Page): { readonly elements: Set<string>; readonly faults: readonly string[] } {
  const elements = new Set<string>();
  const faults: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      elements.add(`${name} ${Object.keys(attributes).sort().join(' ')}`);
      for (const [attribute, value] of Object.entries(attributes)) {
        if (attribute.startsWith('on') || attribute === 'style') faults.push(`${name} ${attribute}`);
        if (!ofTexts.has(attribute) && /steal\(\)|evil\.example|javascript:/i.test(value)) {
          // In an address a text is only ever a part of the query, which is escaped.
          if (!/^\/(?!\/)[a-z0-9/_-]*\?/.test(value)) faults.push(`${name} ${attribute}="${value}"`);
        }
      }
    },
  });
  parser.write(text);
  parser.end();
  return { elements, faults };
}

/** Characters that are seen as a mark, and stand nowhere but in the value of a field. */
function hiddenOutsideFields({ text }: Page): string[] {
  const outside = text.replace(/<textarea\b.*?<\/textarea>|<[^>]*>/gs, '');
  return [...outside.matchAll(/(?![\n\t\r])[\p{Cc}\p{Cf}\p{Co}]/gu)].map(
    ([found]) => `U+${found.codePointAt(0)?.toString(16)}`,
  );
}

describe('200 hostile texts', () => {
  let service: Service;
  let person: Person;
  let owner: Reader;
  let forms: readonly FormCase[];
  // The message of a form that is answered at once has the focus, and not every form of a run is answered so for harmless texts. A page
  // with an import that is not done yet looks again by itself, and imports of a slower run are not done when the page is read.
  const known = new Set<string>(['div autofocus class tabindex', 'cf-again data-seconds']);
  beforeAll(async () => {
    ({ service, person, owner } = await startOwned());
    forms = await everyForm(service, owner, person);
    // With many namespaces, which the hostile texts make, pages have a field to find one by its name.
    for (let n = 0; n < 12; n += 1) await person.call('POST', '/v1/namespaces', { name: `pier ${n}` });
    for (const text of harmless)
      for (const page of await pagesWith(text, forms)) for (const one of elementsOf(page).elements) known.add(one);
    // A job in progress is shown for a moment only, with an element of its own.
    await service.app.database.transaction((tx) =>
      tx.query(
        `insert into operation_jobs (job_id, kind, models, state, started_at, owner, until, part, done, total)
         values (gen_random_uuid(), 'replay', '{}', 'running', now(), gen_random_uuid(), now() + interval '1 hour', 'ledger', 1, 2)`,
      ),
    );
    for (const one of elementsOf(await owner.get('/operations')).elements) known.add(one);
  });
  afterAll(() => service.stop());

  /** Every page that shows a text after it was put into every field of these forms. */
  async function pagesWith(text: string, some: readonly FormCase[]): Promise<readonly Page[]> {
    const shown: Page[] = [];
    for (const form of some) shown.push(...(await sent(form, text)));
    shown.push(await reader(service).post('/sign-in', { email: text, password: text, next: text }));
    const query = encodeURIComponent(text);
    for (const path of [
      `/memories?q=${query}`,
      `/memories?source=${query}`,
      `/memories?namespace=${query}&before=${query}`,
      `/receipts?kind=${query}&actor=${query}`,
      `/receipts?since=${query}&namespace=${query}`,
      `/receipts?receipt=${query}&open=${query}`,
      `/sign-in?next=${query}&refused=${query}`,
      `/m/${encodeURIComponent(text.slice(0, 100)) || 'x'}`,
      `/approvals?show=${query}&decided=${query}`,
      `/keys?before=${query}&agents=${query}`,
      `/no/${query.slice(0, 900)}`,
    ])
      shown.push(await owner.get(path, { accept: 'text/html' }));
    return shown;
  }

  /** A form with the text in all fields, then only in those that a person types, and the pages that follow. */
  async function sent(form: FormCase, text: string): Promise<Page[]> {
    const fields: Record<string, string> = { ...(await fieldsOf(form)), once: crypto.randomUUID() };
    const { token = '', by = '' } = fields;
    const names = [...Object.keys(fields), ...Object.keys(form.typed)];
    const everywhere = Object.fromEntries(names.map((name) => [name, text]));
    const pressed = form.typed.do === undefined ? {} : { do: form.typed.do };
    const replies = [await owner.post(form.action, { ...everywhere, token, by, ...pressed })];
    const typed = Object.keys(form.typed).filter((name) => ofPeople.has(name));
    if (typed.length === 0) return replies;
    const texts = Object.fromEntries(typed.map((name) => [name, text]));
    replies.push(await owner.post(form.action, { ...everywhere, token: text }));
    replies.push(await owner.post(form.action, { ...fields, ...form.typed, ...texts }));
    const next = replies.at(-1)?.headers.get('location');
    return [...replies, await owner.get(next?.startsWith('/') ? next : form.from)];
  }

  const opened = new Map<string, Record<string, string>>();
  /** The fields of a form as it was opened first. Rules are read again, because their form names the state that it was made for. */
  async function fieldsOf({ page, from, action }: FormCase): Promise<Record<string, string>> {
    const before = opened.get(page);
    if (before && page !== '/rules') return before;
    const { text } = await owner.get(from);
    const own = formsOf(text).findLast((one) => one.method === 'post' && one.action === action);
    const fields = Object.fromEntries(own?.fields() ?? []);
    opened.set(page, fields);
    return fields;
  }

  /** Some forms, others for the next text: the texts of a short run together go through every form, many times. */
  function formsFor(text: string): readonly FormCase[] {
    const from = hostileTexts.indexOf(text) * perText;
    return forms.filter((_form, at) => (at - (from % forms.length) + forms.length) % forms.length < perText);
  }

  // @covers PAGES-HOSTILE
  it('are at least 200, each its own', () => {
    expect(new Set(hostileTexts).size).toBe(hostileTexts.length);
    expect(hostileTexts.length).toBeGreaterThanOrEqual(200);
  });

  const tenths = Array.from({ length: 10 }, (_, at) => hostileTexts.filter((_text, n) => n % 10 === at));

  // @covers PAGES-HOSTILE PAGES-ESCAPED
  it.each(
    tenths.map((texts, at) => [at, texts] as const),
  )('make no element and no attribute, in every field (%i)', async (_, texts) => {
    for (const text of texts) {
      for (const page of await pagesWith(text, formsFor(text))) {
        const { elements, faults } = elementsOf(page);
        expect([text, faults]).toEqual([text, []]);
        expect([text, [...elements].filter((one) => !known.has(one))]).toEqual([text, []]);
        expect([text, hiddenOutsideFields(page)]).toEqual([text, []]);
        expect([text, page.status >= 500 ? page.text : '']).toEqual([text, '']);
      }
      await person.call('PUT', '/v1/rules', { pause_all: false, sensitive: 'redact', ask_owner: [] });
    }
  });

  // @covers PAGES-HOSTILE
  it('of half a character are refused, and nothing is written', async () => {
    const { token = '' } = (await owner.get('/memories/new')).hidden('/memories/new');
    for (const half of ['%ED%A0%80', '%ff', '%C0%80', '%']) {
      const reply = await fetch(`${service.app.server.listeningOrigin}/memories/new`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: owner.cookie(), 'content-type': 'application/x-www-form-urlencoded' },
        body: `token=${token}&content=a${half}`,
      });
      expect([half, reply.status, (await reply.text()).includes('is not UTF-8')]).toEqual([half, 400, true]);
    }
  });
});
