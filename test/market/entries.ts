import type { Draft } from '../../contracts/entries/entry.js';
import type { Publication } from '../../contracts/entries/task.js';
import type { NamedTask } from '../../contracts/task-receipt.js';
import { realWorld, receiptId } from '../../src/base/world.js';
import type { Store } from '../maintenance/store.js';
import { type Random, random } from './random.js';

/** The strings that no public table may hold. */
export const secrets = [
  'secret-invoice',
  'secret-run',
  'secret-step',
  'secret-session',
  'secret-client-id',
  'secret-tool',
];

export const identities = ['a', 'b'].map((letter) => `agn_${letter.repeat(32)}`);
export const handles = ['@ann', '@bob', '@cyd'];

type TaskDraft = Extract<Draft, { kind: 'task' }>;

/** An entry as the service would record it. */
export function taskDraft(task: NamedTask, publication: Publication | null, signer: string | null = null): TaskDraft {
  const { attestations = [] } = task;
  return {
    kind: 'task',
    receipt_id: receiptId(realWorld),
    body: {
      task,
      scope_violations: task.declared_scope ? (task.tool_calls ?? []).map(({ tool }) => tool) : null,
      content_commitment: null,
      sent_digest: '0'.repeat(64),
      attestation_checks: attestations.map(() => ({ state: signer === null ? 'not_checked' : 'verified', signer })),
      publication,
    },
  };
}

export function record(store: Store, workspaceId: string, drafts: readonly TaskDraft[]): Promise<undefined> {
  const none = { user_id: null, agent_id: null, app_id: null, run_id: null };
  return store.run(workspaceId, {
    actor: { type: 'key', id: null, ...none },
    reads: {},
    decide: () => ({ drafts, deposits: [], answer: () => undefined }),
  });
}

/** A random receipt. Its moments are of four months, and some have finer digits and offsets. */
export function anyTask({ whole, pick, chance }: Random, id: string): NamedTask {
  const ended = Date.UTC(2026, 6, 1) + whole(120 * 86_400_000);
  const capability = pick(['code-review', 'search', 'translate']);
  const shared = { quantity: 1 + whole(9), capability };
  const at = new Date(ended).toISOString();
  const statements = {
    settlement: {
      invoice_id: `secret-invoice-${whole(9)}`,
      rail: 'card',
      currency: 'USD',
      amount: 5,
      status: 'settled',
    },
    rfq: { rfq_id: `rfq-${whole(9)}`, ...shared, expires_at: at, status: 'open' },
    quote: {
      quote_id: `quote-${whole(9)}`,
      rfq_id: `rfq-${whole(9)}`,
      unit_price_usd: 1.5,
      quantity: 2,
      valid_until: at,
    },
    fill: { fill_id: `fill-${whole(9)}`, ...shared, unit_price_usd: 2, side: 'buy', counterparty: 'Acme' },
    dispute: {
      case_id: `case-${whole(60)}`,
      tier: 'panel',
      claim_type: 'late',
      claimant: 'Acme',
      respondent: pick([...handles, ...identities]),
      opened_at: at,
      ...pick([
        { status: 'open' as const },
        { status: 'resolved' as const, ruling: pick(['upheld', 'rejected', 'split', 'withdrawn'] as const) },
      ]),
    },
  } as const;
  const { settlement, rfq, quote, fill, dispute } = statements;
  const market = {
    schema: 'counterfoil-market/1' as const,
    ...(chance(0.8) ? { capability } : {}),
    ...(chance(0.3) ? { sector: pick(['build', 'know'] as const), counterparty: ' Cafe\u0301 ', segment: '  ' } : {}),
    ...(chance(0.3) ? { workflow: { id: `secret-run-${whole(5)}`, name: 'Onboarding', step: 'secret-step' } } : {}),
    ...(chance(0.3) ? { outcome: { value_usd: whole(1e6) / 100, accepted: chance(0.5) } } : {}),
    ...pick([{}, { settlement }, { rfq }, { quote }, { fill }, { dispute }, { settlement, dispute, rfq }]),
  };
  return {
    receipt_id: `secret-client-id-${id}`,
    agent_handle: pick(handles),
    platform: pick(['otel', 'sdk']),
    session_id: 'secret-session',
    started_at: new Date(ended - whole(10 ** (1 + whole(7)))).toISOString().replace('Z', '9999Z'),
    ended_at: pick([at, at.replace('Z', '9999+00:00')]),
    status: pick(['success', 'success', 'partial', 'error', 'tool_denied', 'policy_blocked'] as const),
    ...(chance(0.7) ? { cost_usd: pick([0, 0.1, whole(1e9) / 1e7, 2e6]) } : {}),
    ...(chance(0.3) ? { declared_scope: [], tool_calls: [{ tool: 'secret-tool', ok: true }] } : {}),
    ...(chance(0.5) ? { attestations: [{ type: 'jws', jws: 'x' }, { type: 'photo' }, { type: 'dsse' }] } : {}),
    ...(chance(0.9) ? { market } : {}),
  };
}

/** Random receipts of three workspaces, of which some are public and some are of identities, recorded alternately. */
export async function recordEconomy(store: Store, seed: number, rounds: number): Promise<void> {
  const values = random(seed);
  const workspaces = await Promise.all(
    ['0123456789abcdef', 'fedcba9876543210', '00112233445566ff'].map(async (workspace) => ({
      workspace,
      id: (await store.openWorkspace()).workspaceId,
    })),
  );
  for (let round = 0; round < rounds; round += 1) {
    const { id, workspace } = values.pick(workspaces);
    const drafts = Array.from({ length: 1 + values.whole(20) }, (_, n) => {
      const task = anyTask(values, `${round}-${n}`);
      const agent_id = values.chance(0.5) ? values.pick(identities) : null;
      const isPublic = values.chance(0.7);
      const signer = values.pick([null, '0199a5c7-7cca-72bc-8c94-aba60bc403b1', ...identities]);
      return taskDraft(task, isPublic ? { workspace, agent_id, vendor: 'Acme' } : null, signer);
    });
    await record(store, id, drafts);
  }
}

/**
 * Random statements about a few cases, by three workspaces of which only the first has receipts of identities, so that
 * cases against identities count by the agreement of two workspaces.
 */
export async function recordDisputes(store: Store, seed: number, rounds: number): Promise<void> {
  const { pick, chance, whole } = random(seed);
  const tags = ['1111111111111111', '2222222222222222', '3333333333333333'];
  const ids = await Promise.all(tags.map(async () => (await store.openWorkspace()).workspaceId));
  const [first] = tags;
  const respondents = [...identities, ...identities, '@ann', `@ann~${first}`];
  const statedAt = '2027-01-01T00:00:00Z';
  for (let round = 0; round < rounds; round += 1) {
    const at = whole(tags.length);
    const workspace = tags[at] ?? '';
    const drafts = Array.from({ length: 1 + whole(20) }, (_, n) => {
      const dispute = {
        case_id: `shared-${whole(50)}`,
        tier: pick(['automated', 'panel'] as const),
        claim_type: pick(['late', 'fraud'] as const),
        claimant: 'Acme',
        respondent: pick(respondents),
        opened_at: statedAt,
        ...pick([
          { status: 'open' as const },
          { status: 'resolved' as const, ruling: pick(['upheld', 'rejected'] as const) },
        ]),
      };
      const task: NamedTask = {
        receipt_id: `dispute-${round}-${n}`,
        agent_handle: pick(handles),
        platform: 'sdk',
        started_at: statedAt,
        ended_at: statedAt,
        status: 'success',
        market: { schema: 'counterfoil-market/1', dispute },
      };
      const agent_id = at === 0 && chance(0.1) ? pick(identities) : null;
      return taskDraft(task, { workspace, agent_id, vendor: 'Acme' });
    });
    await record(store, ids[at] ?? '', drafts);
  }
}
