import { describe, expect, it } from 'vitest';
import { agentIdOf } from '../../../src/domain/identity/binding.js';
import { linkProof } from '../../../src/domain/identity/proof.js';
import { attestedBytes } from '../../../src/domain/task/attestations.js';
import { canonical } from '../../../src/verifier/canonical.js';
import { base64url, compact, envelope, raw, type Signer, signer } from '../../domain/signers.js';
import { usePeople } from '../../http/people.js';
import { taskReceipt } from '../../http/task-receipt.js';
import { stores } from '../../support/stores.js';

type Receipt = ReturnType<typeof taskReceipt>;

/** Attestations of task receipts, with keys that admins have added and keys of identities. The same on every store. */
describe.each(stores)('attestations on %s', () => {
  const people = usePeople();
  const submit = (body: unknown) => people.service().call('POST', '/v1/receipts', body);
  const addKey = async ({ known }: Signer): Promise<string> =>
    (await people.as('admin').call('POST', '/v1/attestation-keys', { public_key: known.publicKey })).json.id;
  /** The results as they are recorded, in the order of the attestations. */
  const checksOf = async (receiptId: string) => {
    const rows = await people.service().app.database.read((tx) =>
      tx.query<{ text: string }>(
        `select convert_from(e.bytes, 'UTF8') as text from entries e join receipts r
             on r.workspace_id = e.chain and r.seq = e.seq where r.receipt_id = $1`,
        [receiptId],
      ),
    );
    return JSON.parse(rows[0]?.text ?? '').body.attestation_checks;
  };
  const attested = (receipt: Receipt) => attestedBytes(canonical(receipt));
  const jws = (by: Signer, receipt: Receipt, header: object = {}) => ({
    type: 'jws',
    jws: compact(by, { alg: by.alg, ...header }, attested(receipt)),
  });
  const dsse = (by: Signer, receipt: Receipt) => ({ type: 'dsse', envelope: envelope(by, {}, attested(receipt)) });
  const verified = (name: string) => ({ state: 'verified', signer: name });
  const notChecked = { state: 'not_checked', signer: null };

  // @covers TASK-ATTESTATION-STATES
  it('are verified by keys that an admin added, over all members that were sent', async () => {
    const [robot, unknown] = [await signer('P-256', ''), await signer('Ed25519', '')];
    const id = await addKey(robot);
    const receipt = taskReceipt({ task_summary: 'Private é', 'zero one': [1.5, { b: 1, a: 1e-7 }], cost_usd: 0.1 });
    const attestations = [
      jws(robot, receipt),
      dsse(robot, receipt),
      jws(unknown, receipt),
      { type: 'photo', of: 'x' },
      jws(robot, receipt, { kid: id }),
    ];
    const { status, json } = await submit({ attestations, ...receipt });
    expect(status).toBe(201);
    const [first, second, third, fourth, fifth] = await checksOf(json.data[0].id);
    expect([first, second, fifth]).toEqual([verified(id), verified(id), verified(id)]);
    expect([third, fourth]).toEqual([notChecked, notChecked]);
    const again = await submit({ ...receipt, attestations });
    expect([again.status, again.json.data[0].duplicate]).toEqual([200, true]);
  });

  it('that fail refuse the whole batch, and the refusal names the attestation', async () => {
    const robot = await signer('Ed25519', '');
    await addKey(robot);
    const [good, bad] = [taskReceipt(), taskReceipt()];
    const swapped = { ...bad, attestations: [{ type: 'photo' }, jws(robot, good)] };
    const { status, json } = await submit({ receipts: [{ ...good, attestations: [dsse(robot, good)] }, swapped] });
    expect([status, json.error.code]).toEqual([400, 'invalid_receipt']);
    expect(json.error.details).toMatchObject({ index: 1, issues: [{ path: 'attestations.1' }] });
    const changed = { ...good, status: 'error', attestations: [dsse(robot, good)] };
    expect((await submit(changed)).json.error.code).toBe('invalid_receipt');
    const malformed = { ...good, attestations: [{ type: 'jws', jws: 'e30..e30' }] };
    expect((await submit(malformed)).json.error.code).toBe('invalid_receipt');
    expect((await submit({ ...good, attestations: [dsse(robot, good)] })).status).toBe(201);
  });

  // @covers TASK-ATTESTATION-IDENTITY
  it('are verified by the key of an identity while it is linked with proof', async () => {
    const robot = await signer('secp256k1', '');
    const { publicKey } = robot.known;
    const agent_id = agentIdOf({ agent_name: null, public_key: publicKey, vendor: null });
    await people.service().call('POST', '/v1/agent-id', { public_key: publicKey });
    const link = async (body: object) =>
      (await people.as('admin').call('POST', '/v1/agents', { agent_id, ...body })).json.id;
    const checked = async (header: object = {}) => {
      const receipt = taskReceipt({ agent_handle: '@robot' });
      const { json } = await submit({ ...receipt, attestations: [jws(robot, receipt, header)] });
      return (await checksOf(json.data[0].id))[0];
    };
    const unproved = await link({ handle: '@robot' });
    expect(await checked()).toEqual(notChecked);
    await people.as('admin').call('DELETE', `/v1/agents/${unproved}`);
    const { challenge } = (await people.service().call('GET', '/v1/agent-id/challenge')).json;
    const message = linkProof(agent_id, challenge, people.first().workspaceId, '@robot');
    const proved = await link({ handle: '@robot', proof: { challenge, signature: base64url(raw(robot, message)) } });
    expect(await checked()).toEqual(verified(agent_id));
    expect(await checked({ kid: agent_id })).toEqual(verified(agent_id));
    expect(await checked({ kid: `did:key:${publicKey}#${publicKey}` })).toEqual(verified(agent_id));
    await people.as('admin').call('DELETE', `/v1/agents/${proved}`);
    expect(await checked()).toEqual(notChecked);
  });

  it('are not checked with keys of another workspace, or with keys that were removed', async () => {
    const robot = await signer('Ed25519', '');
    const id = await addKey(robot);
    const other = await people.admin().workspace();
    const receipt = taskReceipt();
    const body = { ...receipt, attestations: [jws(robot, receipt, { kid: robot.known.publicKey })] };
    const elsewhere = await people
      .service()
      .call('POST', '/v1/receipts', body, { authorization: `Bearer ${other.key}` });
    expect(await checksOf(elsewhere.json.data[0].id)).toEqual([notChecked]);
    await people.as('admin').call('DELETE', `/v1/attestation-keys/${id}`);
    expect(await checksOf((await submit(body)).json.data[0].id)).toEqual([notChecked]);
  });
});
