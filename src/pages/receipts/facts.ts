import { didInWords } from '../../api/receipts/in-words.js';
import { copied } from '../components/copied.js';
import { type Fact, facts } from '../components/facts.js';
import { identity } from '../components/identity.js';
import { said } from '../components/said.js';
import { time } from '../components/time.js';
import { html } from '../html.js';
import { path } from './filters.js';
import { actorName, bodyOf, type Names, namespaceName, type Receipt, textOf } from './sentence.js';

interface Around {
  readonly now: number;
  /** Whether memories have pages: they have none while the memory API is switched off. */
  readonly memoryApi: boolean;
}

/** The content of an entry as names and values. */
export function factsOf(receipt: Receipt, names: Names, { now, memoryApi }: Around) {
  const { id, kind, seq, hash, prev_hash, recorded_at, actor } = receipt;
  const body = bodyOf(receipt);
  const [memoryId, namespaceId] = [textOf(body.memory_id), textOf(body.namespace_id)];
  const actorId = textOf(actor.id);
  return facts([
    [
      'Who',
      html`${said(actorName(receipt, names))}${actorId !== '' && html` <a class="on-screen" href="${path}?actor=${encodeURIComponent(actorId)}">all receipts</a>`}`,
    ],
    ...actorFacts(receipt, names),
    ['Did', html`${didInWords(kind)} <code>${kind}</code>`],
    [
      'When',
      html`<span class="on-screen">${time(recorded_at, now)}, </span>${recorded_at.slice(0, 19).replace('T', ' ')} UTC according to the entry`,
    ],
    namespaceId !== '' && ['Namespace', namespaceName(namespaceId, names)],
    memoryId !== '' && ['Memory', identity(memoryId, memoryApi ? `/m/${memoryId}` : undefined)],
    ...saidFacts(receipt),
    ['Entry', seq],
    ['Receipt', copied(identity(id), id)],
    ['Hash', copied(html`<code class="id">${hash}</code>`, hash)],
    ['Hash before', html`<code class="id">${prev_hash}</code>`],
  ]);
}

/** Whom the actor has acted for, and how the request came. */
function actorFacts(receipt: Receipt, names: Names): readonly (Fact | false)[] {
  const { actor } = receipt;
  const stated = { Agent: actor.agent_id, Application: actor.app_id, Run: actor.run_id, Over: actor.via };
  return Object.entries(stated).map(([name, value]) => {
    const text = textOf(value);
    return text !== '' && text !== actorName(receipt, names) && [name, said(names[text] ?? text)];
  });
}

/** The text of decisions, handoffs and task receipts, as long as it was not erased. */
function saidFacts(receipt: Receipt): readonly Fact[] {
  const own = 'task' in receipt ? receipt.task : 'decision' in receipt ? receipt.decision : undefined;
  const all = own ?? ('handoff' in receipt ? receipt.handoff : {});
  const erased = 'private_erased' in receipt && receipt.private_erased;
  const shown = Object.entries(all).flatMap(([name, value]): Fact[] =>
    typeof value === 'string' || typeof value === 'number' ? [[titleOf(name), said(String(value))]] : [],
  );
  return erased ? [...shown, ['Text', 'erased with its salt']] : shown;
}

function titleOf(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
}
