import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pages } from '../../../src/pages/pages.js';
import { administration } from '../../http/keys.js';
import type { Person } from '../../http/person.js';
import type { Service } from '../../http/service.js';
import { everyForm, type FormCase } from '../../pages/every-form.js';
import { type FoundForm, formsOf } from '../../pages/forms-of.js';
import { ada, joined, startOwned } from '../../pages/owner.js';
import { type Page, type Reader, reader, signedInReader } from '../../pages/reader.js';

/** The form of a page that sends to an address, and that can send these fields. */
function formOf({ text }: Page, action: string, typed: Readonly<Record<string, string>> = {}): FoundForm {
  const can = ({ controls }: FoundForm) =>
    Object.entries(typed).every(([name, value]) =>
      controls.some((one) => one.name === name && (one.type !== 'hidden' || one.value === value)),
    );
  const found = formsOf(text).find((form) => form.method === 'post' && form.action === action && can(form));
  if (!found) throw new Error(`the page has no form that sends to ${action}`);
  return found;
}

/** The fields that were typed, as the form of a page has them; buttons are pressed and not shown again. */
function typedIn(page: Page, { action, typed }: FormCase): Record<string, string> {
  const fields = formOf(page, action, typed).fields();
  const names = Object.keys(typed).filter((name) => name !== 'do');
  const has = (name: string) => fields.some(([one, value]) => one === name && value === typed[name]);
  return Object.fromEntries(names.filter(has).map((name) => [name, typed[name] ?? '']));
}

function expected({ typed }: FormCase): Record<string, string> {
  return Object.fromEntries(Object.entries(typed).filter(([name]) => name !== 'do'));
}

/** Whether the page that takes a form can be opened too. */
const isShown = ({ page }: FormCase) => pages.some(({ path, show }) => path === page && show !== undefined);

describe('every form of a person who is signed in', () => {
  let service: Service;
  let person: Person;
  let owner: Reader;
  let forms: readonly FormCase[];
  beforeAll(async () => {
    ({ service, person, owner } = await startOwned());
    forms = await everyForm(service, owner, person);
  });
  afterAll(() => service.stop());

  const fieldsOf = async (by: Reader, { from, action, typed }: FormCase) => {
    const fields = formOf(await by.get(from), action, typed).fields();
    return { ...Object.fromEntries(fields), ...typed };
  };
  const receipts = async (): Promise<number> => (await person.call('GET', '/v1/receipts?limit=1')).json.data[0].seq;
  const rules = (pause_all: boolean) => person.call('PUT', '/v1/rules', { pause_all, sensitive: 'redact' });

  // @covers PAGES-STATES
  it('is in the table of these tests, and its page is known for each form that a page has', async () => {
    const taken = pages.filter(({ submit }) => submit).map(({ path }) => path);
    // The two have tests of their own: there is no session whose end could lose anything.
    const signing = ['/sign-in', '/sign-out'];
    // Its forms are there only with registries on a chain: test/slow/ethereum/erc8004-pages.test.ts sends them.
    const own = [...signing, '/agents/:link_id/erc8004'];
    expect([...new Set([...forms.map(({ page }) => page), ...own])].sort()).toEqual([...taken].sort());
    for (const { from } of forms) {
      const { status, text } = await owner.get(from);
      expect([from, status]).toEqual([from, 200]);
      for (const form of formsOf(text).filter(({ method }) => method === 'post')) {
        const names = form.controls.map(({ name }) => name);
        expect([
          from,
          form.action,
          names.includes('token'),
          names.includes('by') || form.action === '/sign-out',
        ]).toEqual([from, form.action, true, true]);
      }
    }
  });

  it('names its secrets, so that no password is ever shown again', async () => {
    for (const { path, show, secrets = [] } of pages) {
      if (!show || path.includes(':')) continue;
      const { text } = await reader(service).get(path);
      const passwords = formsOf(text).flatMap(({ controls }) => controls.filter(({ type }) => type === 'password'));
      expect([path, passwords.map(({ name }) => name)]).toEqual([path, passwords.length > 0 ? secrets : []]);
    }
  });

  // @covers PAGES-STALE
  it('comes back filled when it was made for another session, and nothing is done', async () => {
    const other = await signedInReader(service, ada);
    for (const form of forms.filter(isShown)) {
      const fields = {
        ...(await fieldsOf(owner, form)),
        token: formOf(await other.get('/keys'), '/keys').fields()[0]?.[1] ?? '',
      };
      const before = await receipts();
      const reply = await owner.post(form.action, { ...fields, ...(form.page === '/keys' && { token: 'x' }) });
      expect([form.page, reply.status, typedIn(reply, form)]).toEqual([form.page, 403, expected(form)]);
      expect(reply.text).toContain('made for another session');
      expect(reply.text).toContain('role="alert"');
      expect([form.page, await receipts()]).toEqual([form.page, before]);
    }
  });

  // @covers PAGES-PAUSED
  it('is disabled with the reason while agents are paused, where it writes or deletes', async () => {
    await rules(true);
    for (const form of forms) {
      const page = await owner.get(form.from);
      const buttons = formOf(page, form.action, form.typed).controls.filter(({ element }) => element === 'button');
      expect([form.page, new Set(buttons.map(({ isDisabled }) => isDisabled))]).toEqual([
        form.page,
        new Set([form.writes]),
      ]);
      if (form.writes) expect([form.page, page.text]).toEqual([form.page, expect.stringContaining('id="held"')]);
    }
    expect((await owner.get('/memories')).text).toContain('href="/rules">Resume them');
    await rules(false);
    const { text } = await owner.get('/memories/new');
    expect([text.includes('disabled'), text.includes('All agents')]).toEqual([false, false]);
  });

  // @covers PAGES-READERS
  it('is not on the pages of a reader where it writes, and a line says why', async () => {
    const reads = await joined(service, person, 'r@example.org', 'reader');
    for (const form of forms.filter(({ writes }) => writes)) {
      const page = await reads.get(form.from);
      expect([form.page, formsOf(page.text).some(({ action }) => action === form.action)]).toEqual([form.page, false]);
      if (page.status === 200)
        expect([form.page, page.text]).toEqual([
          form.page,
          expect.stringMatching(/An owner or an? admin|Your own requests/),
        ]);
    }
    const content = 'A reader has typed this.';
    const reply = await reads.post('/memories/new', { content });
    expect([reply.status, reply.text.includes(content), reply.text.includes('<button>')]).toEqual([403, true, false]);
  });

  // @covers PAGES-STATES
  it('shows nothing to a person without a role but who can help', async () => {
    const admin = administration(service);
    const none = await signedInReader(service, await admin.member((await admin.first()).workspaceId, 'none'));
    for (const { from, page } of forms.filter(({ page }) => !['/workspace', '/consent', '/account'].includes(page))) {
      const reply = await none.get(from);
      expect([page, reply.status]).toEqual([page, 403]);
      expect(reply.text).toContain('An owner or an admin of this workspace can give you a role.');
      expect(reply.text).toContain('workspace_role_required');
      expect(reply.text).not.toContain('href="/memories">');
    }
    const typed = 'A person without a role has typed this.';
    const { token = '' } = (await none.get('/workspace')).hidden('/workspace');
    const reply = await none.post('/memories/new', { token, content: typed });
    expect([reply.status, reply.text.includes(typed)]).toEqual([403, true]);
  });

  // @covers PAGES-PLAN-LIMIT
  it('says what the plan allows and when the count starts again, with the text kept', async () => {
    const admin = administration(service);
    const { workspaceId } = await admin.first();
    await admin.provision(workspaceId, 'free');
    await admin.act(workspaceId, 10_000);
    const next = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1));
    const day = `1 ${next.toLocaleDateString('en', { month: 'long', timeZone: 'UTC' })} at 00:00 UTC`;
    for (const form of forms.filter(({ typed }) => typed.content !== undefined)) {
      const reply = await owner.post(form.action, await fieldsOf(owner, form));
      expect([form.page, reply.status, typedIn(reply, form)]).toEqual([form.page, 402, expected(form)]);
      expect(reply.text).toMatch(/<strong>1\d,\d{3} of 10,000<\/strong> are used on the plan free/);
      expect(reply.text).toContain(`The count starts again on ${day}.`);
      expect(reply.text).toMatch(/<code>plan_action_limit<\/code> · request <cf-copy data-value="[0-9a-f-]{36}">/);
    }
    await admin.provision(workspaceId, 'enterprise');
  });

  // @covers PAGES-SESSION-ENDED
  it('comes back filled after the sign-in when the session has ended in the middle, and is sent by the person only', async () => {
    for (const form of forms) {
      const by = form.page === '/consent' ? owner : await signedInReader(service, ada);
      const fields = await fieldsOf(by, form);
      await fetch(`${service.app.server.listeningOrigin}/v1/session`, {
        method: 'DELETE',
        headers: { cookie: by.cookie(), origin: service.app.server.listeningOrigin },
      });
      const before = await receipts();
      const asked = await by.post(form.action, fields);
      expect([form.page, asked.status]).toEqual([form.page, 401]);
      const signIn = Object.fromEntries(formOf(asked, '/sign-in').fields());
      expect([form.page, signIn.next, signIn.draft === undefined]).toEqual([
        form.page,
        form.action,
        Object.keys(fields).every((name) => ['token', 'by'].includes(name)),
      ]);
      for (const value of Object.values(expected(form))) expect(signIn.draft).not.toContain(value);
      const wrong = await by.post('/sign-in', { ...signIn, email: ada.email, password: 'wrong' });
      expect([wrong.status, formOf(wrong, '/sign-in').fields()]).toEqual([
        401,
        expect.arrayContaining(Object.entries(signIn).filter(([name]) => ['next', 'draft'].includes(name))),
      ]);
      const back = await continued(by, await by.post('/sign-in', { ...signIn, ...ada }), form);
      expect([form.page, back.status, typedIn(back, form)]).toEqual([form.page, 200, expected(form)]);
      expect([form.page, await receipts()]).toEqual([form.page, before]);
      const sent = Object.fromEntries(formOf(back, form.action, form.typed).fields());
      const reply = await by.post(form.action, { ...sent, ...(form.typed.do && { do: form.typed.do }) });
      expect([form.page, reply.status, reply.status === form.answer ? '' : reply.text]).toEqual([
        form.page,
        form.answer,
        '',
      ]);
    }
  });

  /** The page with the form, where the sign-in leads to it by a step more. */
  async function continued(by: Reader, page: Page, { action }: FormCase): Promise<Page> {
    if (page.status === 303) return by.get(page.headers.get('location') ?? '');
    const { controls } = formOf(page, action);
    const draft = controls.find(({ name }) => name === 'draft');
    return draft ? by.post(action, { draft: draft.value }) : page;
  }
});
