import type { Person } from '../http/person.js';
import type { Service } from '../http/service.js';
import { asking } from './asking.js';
import type { Reader } from './reader.js';

/** A form of a page with the fields that a person has filled in. */
export interface FormCase {
  /** The page that takes the form, as the list of pages names it. */
  readonly page: string;
  /** The page that has the form. */
  readonly from: string;
  readonly action: string;
  /** The fields that a person types or chooses, and the button. */
  readonly typed: Readonly<Record<string, string>>;
  /** Whether the form writes or deletes what agents do. */
  readonly writes: boolean;
  /** The status of the answer when all is well. */
  readonly answer: 200 | 303;
}

/**
 * Every form that a person who is signed in can send, on things that exist. A page with a form that is not here fails the test of the
 * states.
 * @param owner of the workspace, in a browser, and `person`, the same by the API
 */
export async function everyForm(service: Service, owner: Reader, person: Person): Promise<readonly FormCase[]> {
  const make = async (path: string, body: object) => (await person.call('POST', path, body)).json;
  const memory = async (content: string) => `/m/${(await make('/v1/memories', { content })).memory_id}`;
  const namespace = (await make('/v1/namespaces', { name: 'harbour' })).id;
  const someone = (await make('/v1/members', { email: 'some@example.org', role: 'member' })).id;
  const key = (await make('/v1/keys', { name: 'desk', namespace_ids: [namespace] })).key_id;
  const robin = 'agn_mfrggzdfmztwq2lknnwg23tpobyxe43u';
  const link = (await make('/v1/agents', { agent_id: robin, name: 'Robin' })).id;
  const agentKey = (await make(`/v1/agents/${link}/keys`, { name: 'r', namespace_ids: [namespace] })).key_id;
  const other = (await make('/v1/agents', { agent_id: 'agn_nbswy3dpo5xxe3denbswy3dpo5xxe3de', name: 'Wren' })).id;
  const hook = async (contains: string): Promise<string> => {
    const body = { webhook_url: 'https://hooks.example.org/in', pattern: { contains } };
    const { json } = await person.call('POST', '/v1/webhooks', body, { 'x-service-agent': robin });
    return `/webhooks/${robin}/${json.id}`;
  };
  const [hooks, ended] = [await hook('ferry'), await hook('tram')];
  const [one, two, three, four] = [
    await memory('The ferry leaves at six.'),
    await memory('The ferry is blue.'),
    await memory('The ferry has two decks.'),
    await memory('The ferry is called Ida.'),
  ];
  const tried = `/m/${(await make('/v1/memories', { content: 'The ferry flies.', playground: true })).memory_id}`;
  await person.call('POST', `/v1/memories/${three.slice(3)}/invalidate`, { reason: 'It has three.' });
  const asked = async (source: string) => {
    await make('/v1/memories', { content: `${source} 1`, source });
    return (await make('/v1/memories/delete', { filters: { source } })).error.details.approval_id;
  };
  const [first, second] = [await asked('first'), await asked('second')];
  await service.settled();
  const task = await make('/v1/receipts', {
    schema: 'task_receipt.v1',
    receipt_id: 'task-1',
    platform: 'custom',
    agent_handle: '@bot',
    task_type: 'review',
    status: 'success',
    started_at: '2026-11-01T10:00:00Z',
    ended_at: '2026-11-01T10:00:04Z',
    task_summary: 'A private sentence.',
  });
  const receipt = `/receipts/${task.data[0].id}`;
  const searched = `/receipts/${(await make('/v1/memories/search', { query: 'Which ferry?' })).receipt_id}/query`;
  const connected = await asking(service, owner, { scope: 'mcp:tools memory.read' });
  await owner.send(connected.consent, connected.consent, { do: 'allow', scope: 'memory.read', namespace });
  const grant = (await person.call('GET', '/v1/grants')).json.data[0].id;
  const question = await asking(service, owner, { scope: 'mcp:tools memory.read memory.write' });
  const { workspace } = (await person.call('GET', '/v1/session')).json;
  const form = (
    page: string,
    action: string,
    typed: Record<string, string>,
    more: Partial<FormCase> & { readonly writes: boolean },
  ): FormCase => ({ page, from: action, action, typed, answer: 303, ...more });
  const writes = { writes: true };
  const writesNothing = { writes: false };
  return [
    form('/workspace', '/workspace', { workspace_id: workspace.id }, writesNothing),
    form('/tour', '/tour', { content: 'The tower has a bell.', do: 'write' }, { writes: true, from: '/?step=write' }),
    form('/connect', '/connect', { name: 'till' }, { writes: false, answer: 200, from: '/connect?client=codex' }),
    form('/keys', '/keys', { name: 'till', access: 'read', namespace, do: 'make' }, { writes: false, answer: 200 }),
    form('/keys/:key_id', `/keys/${key}`, { namespace, do: 'bind' }, writesNothing),
    form(
      '/keys/agents/:link_id',
      `/keys/agents/${link}`,
      { name: 'till', access: 'read', namespace, do: 'make' },
      { writes: false, answer: 200 },
    ),
    form('/keys/agents/:link_id/:key_id', `/keys/agents/${link}/${agentKey}`, { namespace, do: 'bind' }, writesNothing),
    form('/agents', '/agents', { name: 'till', handle: '@till' }, writesNothing),
    form(
      '/agents/prove',
      '/agents/prove',
      { name: 'till', handle: '@till', public_key: 'z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw', do: 'ask' },
      writesNothing,
    ),
    form(
      '/webhooks/new',
      '/webhooks/new',
      { agent: robin, webhook_url: 'https://hooks.example.org/till', contains: 'tide', source: 'harbour' },
      { writes: false, answer: 200 },
    ),
    form('/webhooks/:agn_id/:webhook_id', hooks, {}, writesNothing),
    form('/webhooks/:agn_id/:webhook_id/delete', `${ended}/delete`, {}, writesNothing),
    form('/rules', '/rules', { do: 'add', source: 'crawler of the harbour' }, writesNothing),
    form('/memories', '/memories', { query: 'When does the ferry leave?' }, writesNothing),
    form('/playground', '/playground', { query: 'Which test is there?' }, writesNothing),
    form(
      '/memories/new',
      '/memories/new?test',
      { content: 'A test of the ferry.' },
      { writes: true, from: '/playground' },
    ),
    form('/memories/new', '/memories/new', { content: 'The ferry is late on Sundays.', source: 'harbour' }, writes),
    form(
      '/import',
      '/import?kind=text',
      { content: 'The ferry is repaired in March.' },
      { writes: true, from: '/import?kind=text' },
    ),
    form('/m/:memory_id/correct', `${one}/correct`, { content: 'The ferry leaves at 7.', reason: 'Autumn' }, writes),
    form('/m/:memory_id/invalidate', `${two}/invalidate`, { reason: 'It was painted.' }, writes),
    form('/m/:memory_id/reinstate', `${three}/reinstate`, {}, writes),
    form('/m/:memory_id/promote', `${tried}/promote`, {}, writes),
    form('/m/:memory_id/delete', `${four}/delete`, {}, writes),
    form(
      '/memories/delete',
      '/memories/delete',
      { id: one.slice(3), do: 'selected' },
      { writes: true, from: '/memories' },
    ),
    form('/approvals', '/approvals', { approval_id: first, do: 'reject' }, writes),
    form('/approvals/:approval_id', `/approvals/${second}`, { do: 'approve' }, writes),
    form('/receipts/:receipt_id/erase', `${receipt}/erase`, {}, writes),
    form('/receipts/:receipt_id/query', searched, { query: 'Which ferry?' }, { writes: false, answer: 200 }),
    form('/grants', '/grants', { grant_id: grant }, writesNothing),
    form('/people', '/people', { email: 'ida@example.org', role: 'member' }, { writes: false, answer: 200 }),
    form('/people/:member_id', `/people/${someone}`, { role: 'reader', do: 'role' }, writesNothing),
    form('/namespaces', '/namespaces', { name: 'quay' }, writesNothing),
    form('/namespaces/:namespace_id', `/namespaces/${namespace}`, { name: 'port', do: 'rename' }, writesNothing),
    form('/settings', '/settings', { name: 'The harbour', do: 'rename' }, writesNothing),
    form('/operations', '/operations', { do: 'fsck' }, writesNothing),
    form('/consent', question.consent, { scope: 'memory.read', do: 'allow' }, { writes: false, answer: 200 }),
    // After the consent, which offers this agent too.
    form('/agents/:link_id/unlink', `/agents/${other}/unlink`, {}, writesNothing),
    // The last one: other sessions end with it.
    form('/account', '/account', { do: 'others' }, writesNothing),
  ];
}
