import { limits } from '../../../contracts/limits.js';
import { hidden, selectField, textArea, textField } from '../components/fields.js';
import { addressOf } from '../frame/files.js';
import { type Html, html } from '../html.js';
import { defaultOf, namespacesOf } from '../namespaces/all.js';
import type { PageParts, PersonRequest } from '../page.js';

/** The ways to import, as the address names them. */
const kinds = { file: 'Files', text: 'Text', url: 'Page of the web' } as const;
type Kind = keyof typeof kinds;

const isKind = (name: string): name is Kind => Object.hasOwn(kinds, name);

export function kindOf({ form, query }: PersonRequest): Kind {
  return [form.one('kind'), query.get('kind') ?? ''].find(isKind) ?? 'file';
}

/** The approval of an earlier attempt: the page of an approved write leads here with its id. */
export function approvalOf({ form, query }: PersonRequest): string {
  const given = form.one('approval') || (query.get('approval') ?? '');
  return /^apr_[0-9a-f]{32}$/.exec(given)?.[0] ?? '';
}

/** The form of the way that was chosen, with links to the other ways. */
export async function importForm(
  { approval }: { readonly approval: string },
  request: PersonRequest,
  parts: PageParts,
): Promise<Html | undefined> {
  const kind = kindOf(request);
  const { form, token } = request;
  const namespaces = await namespacesOf(request, parts);
  const [first = ''] = defaultOf(namespaces);
  const options = namespaces.map(({ id, name }) => [id, name] as const);
  const own = html`${hidden('token', token)}${hidden('once', parts.services.writing.world.id())}${hidden('kind', kind)}${hidden('approval', approval)}`;
  const where =
    namespaces.length > 1
      ? selectField({ name: 'namespace', label: 'Namespace', value: form.one('namespace') || first, options })
      : hidden('namespace', first);
  const links = Object.entries(kinds).map(
    ([name, title]) =>
      html`<li><a class="chip" href="/import${name === 'file' ? '' : `?kind=${name}`}"${name === kind && html` aria-current="true"`}>${title}</a></li>`,
  );
  return html`<ul class="chips" aria-label="Ways to import">${links}</ul>
${formOf[kind](request, html`${own}`, where)}`;
}

type MakeForm = (request: PersonRequest, own: Html, where: Html) => Html;

const formOf: Readonly<Record<Kind, MakeForm>> = {
  file: (_, own, where) =>
    html`<cf-import data-keep data-script="${addressOf('import-files.js')}"><form method="post" action="/import" enctype="multipart/form-data">${own}
<div class="field drop"><label for="file">File</label><span class="hint" id="file-hint">A PDF with text, a web page, or a text: at most ${limits.sourceBytes / 1024 / 1024} MiB, its text at most 1 MiB.</span>
<input type="file" id="file" name="file" required aria-describedby="file-hint"></div>
${where}
<p class="actions"><button>Import the file</button></p></form></cf-import>`,
  text: ({ form }, own, where) =>
    html`<form method="post" action="/import?kind=text" data-keep>${own}
${textArea({ name: 'content', label: 'Text', value: form.one('content'), hint: 'It becomes one memory, of at most 1 MiB. Sensitive values are stored as [redacted].', more: html`rows="8" maxlength="${limits.contentBytes}" required` })}
${where}
<p class="actions"><button>Import the text</button></p></form>`,
  url: ({ form }, own, where) =>
    html`<form method="post" action="/import?kind=url" data-keep>${own}
${textField({ name: 'url', label: 'Address', value: form.one('url'), hint: 'The service fetches the page itself, from the public internet only, and keeps its text.', more: html`type="url" maxlength="${limits.urlCharacters}" required autocomplete="off" placeholder="https://"` })}
${where}
<p class="actions"><button>Import the page</button></p></form>`,
};
