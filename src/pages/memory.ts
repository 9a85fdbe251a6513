import { z } from 'zod';
import { memory as memoryShape } from '../../contracts/memory.js';
import { call } from '../api/call.js';
import { memoryOperation } from '../api/memories/one.js';
import { RawJson } from '../base/json-text.js';
import { inPieces } from '../base/steps.js';
import { time } from './components/time.js';
import { Html, html } from './html.js';
import type { PersonPage } from './page.js';

/** The metadata as it is stored: a number is shown as it was written. */
const memory = memoryShape.extend({ metadata: z.instanceof(RawJson) });
type Memory = z.output<typeof memory>;

/** The page of one memory, for people who may read it. Agents refer people to it. */
export const memoryPage: PersonPage = {
  path: '/m/:memory_id',
  access: 'a person',
  ofMemoryApi: true,
  async show({ params, visitor: { caller }, client, now }, parts) {
    const { body } = await call(memoryOperation, { caller, client, params }, parts);
    const main = html`<div class="wide">${await memoryText(memory.parse(body), now)}</div>`;
    return { status: 200, title: 'Memory', main };
  },
};

/** A text of a caller is only ever shown as text. */
export async function memoryText(shown: Memory, now: number): Promise<Html> {
  const asHtml = (text: string) => inPieces(text, (piece) => html`${piece}`.text);
  const [content = '', metadata = '', source = ''] = await Promise.all(
    [shown.content, shown.metadata.text, shown.source ?? ''].map(asHtml),
  );
  const { user_id, agent_id, app_id, run_id } = shown.provenance;
  const { invalidated } = shown;
  return html`<h1>Memory</h1>
<pre class="memory"><bdi>${new Html(content)}</bdi></pre>
<dl class="facts">
${fact('Written', time(shown.created_at, now))}
${invalidated && fact('Invalidated', time(invalidated.at, now))}
${invalidated && fact('Reason', invalidated.reason)}
${invalidated && fact('Valid instead', invalidated.superseded_by && html`<code>${invalidated.superseded_by}</code>`)}
${fact('Source', shown.source === null ? null : new Html(source))}
${fact('Person', user_id)}
${fact('Agent', agent_id)}
${fact('Application', app_id)}
${fact('Run', run_id)}
${fact('Metadata', shown.metadata.text === '{}' ? null : html`<code>${new Html(metadata)}</code>`)}
${fact('State', shown.status === 'ready' ? null : shown.status)}
${fact('Namespace', html`<code>${shown.namespace_id}</code>`)}
${fact('Memory', html`<code>${shown.id}</code>`)}
${fact('Receipt', shown.receipt_id === null ? null : html`<code>${shown.receipt_id}</code>`)}
${fact('SHA-256 of the text', html`<code>${shown.content_hash}</code>`)}
</dl>`;
}

function fact(name: string, value: string | Html | null): Html | undefined {
  return value === null ? undefined : html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`;
}
