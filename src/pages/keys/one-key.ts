import type { Refusal } from '../../../contracts/errors.js';
import { hidden } from '../components/fields.js';
import { done, problem, sentenceOf } from '../components/messages.js';
import { type Above, pageTop } from '../components/page-top.js';
import { said } from '../components/said.js';
import { type Html, html } from '../html.js';
import { type ChosenNamespaces, namespaceBoxes } from '../namespaces/all.js';
import type { Shown } from '../page.js';

/** One key: what it may, the namespaces that it is limited to, and its end. */
interface OneKey extends ChosenNamespaces {
  readonly path: string;
  readonly above: readonly Above[];
  readonly name: string;
  readonly facts: Html;
  readonly token: string;
  readonly isBound: boolean;
  readonly refusal: Refusal | null;
}

export function oneKeyPage({ path, above, name, facts, token, isBound, refusal, ...namespaces }: OneKey): Shown {
  return {
    status: refusal?.status ?? 200,
    title: name,
    main: html`<div class="narrow">${pageTop({ above, title: said(name) })}
${problem(refusal && sentenceOf(refusal))}${done(isBound ? 'The namespaces of the key were changed.' : undefined)}
${facts}
<form method="post" action="${path}">
${hidden('token', token)}
${namespaceBoxes(namespaces)}
<p class="hint">Without a checked box the key may do nothing. A change holds from its next request on.</p>
<p class="actions"><button name="do" value="bind">Save the namespaces</button></p>
</form>
<section class="end"><h2>Revoke the key</h2>
<p>Its next request is refused. This cannot be undone.</p>
<form method="post" action="${path}">${hidden('token', token)}<p class="actions"><button class="danger" name="do" value="revoke">Revoke the key</button></p></form>
</section>
</div>`,
  };
}
