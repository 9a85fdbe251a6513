import { Wallet } from 'ethers';
import pino from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { openOutside } from '../../../src/adapters/outside.js';
import { agentIdOf } from '../../../src/domain/identity/binding.js';
import { linkProof } from '../../../src/domain/identity/proof.js';
import { readConfig } from '../../../src/settings/config.js';
import { WrongSetting } from '../../../src/settings/wrong-setting.js';
import { openErc8004 } from '../../../src/wiring/erc8004.js';
import { newHolder } from '../../domain/identity/holder.js';
import { fundedKeys } from '../../ethereum/anvil.js';
import { feedbackKey, startErc8004Chain } from '../../ethereum/erc8004-chain.js';
import { addressOf, deployRegistries } from '../../ethereum/registries/deploy.js';
import { withBroken } from '../../http/broken.js';
import { code, usePeople } from '../../http/people.js';
import { type Person, signedIn } from '../../http/person.js';

const chain = await startErc8004Chain();
const { registries, anvil, settings } = chain;
afterAll(() => chain.stop());
const [, , first, second, third] = fundedKeys;

const textOf = (agnId: string, agentId: string, registry = registries.identityAddress, chainId = anvil.chainId) =>
  `counterfoil erc8004 link ${agnId} eip155:${chainId}:${registry}:${agentId}`;
const signed = async (key: string, text: string) => ({ signature: await new Wallet(key).signMessage(text) });

describe('the start', () => {
  const { chainId } = anvil;
  const { identityAddress, reputationAddress } = registries;
  const warned: string[] = [];
  const start = (change: { rpcUrl?: string; chainId?: number; identity?: string; reputation?: string } = {}) => {
    const { ethereum, erc8004 } = readConfig(settings);
    if (ethereum === undefined || erc8004 === undefined) throw new Error('the settings are not read');
    const log = pino({ level: 'warn' }, { write: (line) => void warned.push(line) });
    const config = { ethereum: { ...ethereum, ...change }, erc8004: { ...erc8004, ...change } };
    return openErc8004(config, log, openOutside());
  };

  // @covers ERC-START
  it('is stopped by another chain and by other registries, and not by a node that is away', async () => {
    expect((await start())?.registries.identity).toBe(identityAddress);
    const old = await deployRegistries(anvil, { identity: '1.1.0', pointsTo: identityAddress, reputation: '2.0.1' });
    const elsewhere = await deployRegistries(anvil, { pointsTo: old.identityAddress });
    const wrong: [change: Parameters<typeof start>[0], sentence: string][] = [
      [{ chainId: 1 }, `ETH_CHAIN_ID is wrong: it is 1, and the node of ETH_RPC_URL is on chain ${chainId}.`],
      [
        { identity: addressOf(third) },
        `ERC8004_IDENTITY is wrong: there is no contract at ${addressOf(third)} on chain`,
      ],
      [
        { identity: old.identityAddress },
        `ERC8004_IDENTITY is wrong: the contract at ${old.identityAddress} has version "1.1.0"`,
      ],
      [
        { reputation: old.reputationAddress },
        `ERC8004_REPUTATION is wrong: the contract at ${old.reputationAddress} has version "2.0.1"`,
      ],
      [{ reputation: settings.ETH_ANCHOR_ADDRESS ?? '' }, 'has no version'],
      [
        { reputation: elsewhere.reputationAddress },
        `is for agents of ${old.identityAddress}, and ERC8004_IDENTITY is ${identityAddress}`,
      ],
      [{ reputation: identityAddress }, 'is for agents of no registry'],
    ];
    for (const [change, sentence] of wrong) {
      const failed = await start(change).catch((error) => error);
      expect(failed).toBeInstanceOf(WrongSetting);
      expect(failed.message).toContain(sentence);
    }
    expect(warned).toEqual([]);
    expect((await start({ rpcUrl: 'http://127.0.0.1:1', reputation: reputationAddress }))?.signer.address).toBe(
      addressOf(feedbackKey),
    );
    expect(warned).toEqual([expect.stringContaining('not checked yet')]);
    for (const one of [old, elsewhere]) one.provider.destroy();
  });
});

describe('links to ERC-8004', () => {
  const people = usePeople(settings);
  let made = 0;
  const owner = () => people.as('owner');

  /** An identity of a new key, linked to a workspace with a proof, or without one. */
  async function agent({
    by = owner(),
    workspaceId = people.first().workspaceId,
    holder = newHolder('Ed25519'),
    isProved = true,
  }: {
    by?: Person;
    workspaceId?: string;
    holder?: ReturnType<typeof newHolder>;
    isProved?: boolean;
  } = {}) {
    made += 1;
    const agnId = agentIdOf({ agent_name: null, public_key: holder.bound, vendor: null });
    await people.service().call('POST', '/v1/agent-id', { public_key: holder.publicKey });
    const { challenge } = (await people.service().call('GET', '/v1/agent-id/challenge')).json;
    const handle = `@bot-${made}`;
    const signature = holder.sign(linkProof(agnId, challenge, workspaceId, handle));
    const body = { agent_id: agnId, handle, ...(isProved ? { proof: { challenge, signature } } : {}) };
    const { id } = (await by.call('POST', '/v1/agents', body)).json;
    const path = `/v1/agents/${id}/erc8004`;
    const put = (agent_id: unknown, proof: unknown) => by.call('PUT', path, { agent_id, proof });
    return { id, agnId, holder, path, put, remove: () => by.call('DELETE', path), get: () => by.call('GET', path) };
  }
  const recordOf = async (agnId: string) =>
    (await people.service().call('GET', `/v1/agent-id?id=${agnId}`)).json.ledger_anchor.erc8004;
  const kinds = async () =>
    (await owner().call('GET', '/v1/receipts?limit=1')).json.data.map((one: { kind: string }) => one.kind);

  // @covers ERC-LINK ERC-LINK-REPEATED ERC-LINK-SIGNATURE ERC-RECORD ERC-UNLINK
  it('are made by the owner and by the wallet of the agent, shown in public, and ended', async () => {
    const { id, agnId, put, get, remove } = await agent();
    const number = await registries.register(first);
    const proof = await signed(first, textOf(agnId, number));
    const linked = await put(number, proof);
    const account = addressOf(first);
    const erc8004 = { chain_id: anvil.chainId, registry: registries.identityAddress, agent_id: number };
    expect([linked.status, linked.json]).toEqual([
      200,
      { id, agent_id: agnId, erc8004, proof: 'owner', account, receipt_id: expect.stringMatching(/^rcp_/) },
    ]);
    const { json: receipt } = await owner().call('GET', `/v1/receipts/${linked.json.receipt_id}`);
    expect(receipt.body).toEqual({
      link_id: id,
      agn_id: agnId,
      chain_id: anvil.chainId,
      registry: registries.identityAddress,
      agent_id: number,
      proof: 'owner',
      account,
    });
    expect((await put(Number(number), proof)).json).toEqual(linked.json);
    expect((await get()).json).toEqual(linked.json);
    expect(await recordOf(agnId)).toEqual({ chain_id: anvil.chainId, agent_id: number });
    await registries.change(first, 'setAgentWallet', number, addressOf(second));
    const byWallet = await put(number, await signed(second, textOf(agnId, number)));
    expect(byWallet.json).toMatchObject({ proof: 'wallet', account: addressOf(second) });
    const removed = await remove();
    expect(removed.json).toEqual({ id, unlinked: true, receipt_id: expect.stringMatching(/^rcp_/) });
    expect([code(await remove()), code(await get())]).toEqual([
      [404, 'agent_not_found'],
      [404, 'agent_not_found'],
    ]);
    expect([await recordOf(agnId), await kinds()]).toEqual([null, ['agent.erc8004_unlinked']]);
  });

  // @covers ERC-LINK-SIGNATURE ERC-LINK-PROVED ERC-LINK-OWN ERR-invalid_proof
  it('are refused with a sentence for every other proof', async () => {
    const { agnId, put } = await agent();
    const [number, ofOther, ofService] = [
      await registries.register(first),
      await registries.register(second),
      await registries.register(feedbackKey),
    ];
    const unproved = await agent({ isProved: false });
    const other = await agent();
    const text = textOf(agnId, number);
    const right = await signed(first, text);
    const refused: [why: string, reply: Awaited<ReturnType<typeof put>>, sentence: RegExp][] = [
      [
        'no proof of the link',
        await unproved.put(number, await signed(first, textOf(unproved.agnId, number))),
        /proof/,
      ],
      ['another account', await put(number, await signed(third, text)), new RegExp(addressOf(first))],
      ['another chain', await put(number, await signed(first, textOf(agnId, number, undefined, 1))), /must be over/],
      [
        'another registry',
        await put(number, await signed(first, textOf(agnId, number, settings.ETH_ANCHOR_ADDRESS))),
        /over/,
      ],
      ['another agent', await put(ofOther, right), /must be over/],
      ['a replay for another identity', await other.put(number, right), /must be over/],
      ['a short signature', await put(number, { signature: right.signature.slice(0, -2) }), /65 bytes|EIP-1271/],
      ['no signature', await put(number, {}), /registration/],
      ['both', await put(number, { ...right, registration: true }), /registration/],
      [
        'an agent of the service',
        await put(ofService, await signed(feedbackKey, textOf(agnId, ofService))),
        /own agent/,
      ],
    ];
    for (const [why, reply, sentence] of refused) {
      expect([why, ...code(reply)]).toEqual([why, 400, 'invalid_proof']);
      expect(reply.json.error.message).toMatch(sentence);
    }
    await registries.change(first, 'transferFrom', addressOf(first), addressOf(third), number);
    expect(code(await put(number, right))).toEqual([400, 'invalid_proof']);
    expect((await put(number, await signed(third, text))).json.account).toBe(addressOf(third));
    for (const wrong of ['99999999', '-1', '01', '1.5', '', 'x', 2 ** 53, -1, null, String(2n ** 256n)]) {
      const reply = await put(wrong, right);
      expect([wrong, ...code(reply)]).toEqual([wrong, 400, 'invalid_request']);
    }
  });

  // @covers ERC-LINK-FILE
  it('are made by a registration file that names the identity', async () => {
    const { agnId, put } = await agent();
    const dataOf = (file: unknown) =>
      `data:application/json;base64,${Buffer.from(JSON.stringify(file)).toString('base64')}`;
    const number = await registries.register(first, dataOf({ counterfoil: 'agn_other', services: [] }));
    const byFile = async (uri: string) => {
      await registries.change(first, 'setAgentURI', number, uri);
      return put(number, { registration: true });
    };
    expect(code(await put(number, { registration: true }))).toEqual([400, 'invalid_proof']);
    expect(code(await byFile('ipfs://bafkreigh2akiscaildc'))).toEqual([400, 'invalid_proof']);
    expect(code(await byFile('https://127.0.0.1/agent.json'))).toEqual([400, 'url_not_allowed']);
    const linked = await byFile(dataOf({ services: [{ name: 'counterfoil', endpoint: agnId }] }));
    expect(linked.json).toMatchObject({ proof: 'registration', account: null, erc8004: { agent_id: number } });
  });

  // @covers ERC-LINK-ONE ERC-RECORD
  it('of one workspace neither block nor replace those of another', async () => {
    const { workspaceId } = await people.admin().workspace();
    const outsider = await signedIn(people.service(), await people.admin().member(workspaceId, 'admin'));
    const mine = await agent();
    const theirs = await agent({ by: outsider, workspaceId, holder: mine.holder });
    const [number, other] = [await registries.register(first), await registries.register(second)];
    expect(code(await outsider.call('PUT', mine.path, { agent_id: number, proof: { registration: true } }))).toEqual([
      404,
      'agent_not_found',
    ]);
    expect(code(await outsider.call('DELETE', mine.path))).toEqual([404, 'agent_not_found']);
    const text = textOf(mine.agnId, number);
    expect((await mine.put(number, await signed(first, text))).status).toBe(200);
    expect((await theirs.put(other, await signed(second, textOf(mine.agnId, other)))).status).toBe(200);
    expect(await recordOf(mine.agnId)).toEqual({ chain_id: anvil.chainId, agent_id: number });
    expect((await theirs.put(number, await signed(first, text))).status).toBe(200);
    const sibling = await agent();
    expect(code(await sibling.put(number, await signed(first, textOf(sibling.agnId, number))))).toEqual([
      409,
      'agent_exists',
    ]);
    await theirs.put(other, await signed(second, textOf(mine.agnId, other)));
    await owner().call('DELETE', `/v1/agents/${mine.id}`);
    expect(await recordOf(mine.agnId)).toEqual({ chain_id: anvil.chainId, agent_id: other });
  });

  // @covers ERC-LINK
  it('are for owners and admins who are signed in', async () => {
    const { path } = await agent();
    for (const [method, body] of [
      ['GET'],
      ['PUT', { agent_id: '0', proof: { registration: true } }],
      ['DELETE'],
    ] as const) {
      expect(code(await people.service().call(method, path, body))).toEqual([403, 'user_session_required']);
      expect(code(await people.as('member').call(method, path, body))).toEqual([403, 'admin_required']);
    }
  });

  // @covers ERR-receipt_unavailable
  it('are neither made nor ended while they cannot be recorded', async () => {
    const { agnId, put, get, remove } = await agent();
    const number = await registries.register(first);
    const proof = await signed(first, textOf(agnId, number));
    const broken = (work: () => Promise<unknown>) =>
      withBroken(people.service().app.database, 'entries', async () => {
        expect(await work()).toEqual([503, 'receipt_unavailable']);
      });
    await broken(async () => code(await put(number, proof)));
    expect(code(await get())).toEqual([404, 'agent_not_found']);
    expect((await put(number, proof)).status).toBe(200);
    await broken(async () => code(await remove()));
    expect((await get()).status).toBe(200);
  });

  // @covers ERC-LINK-AWAY
  it('are refused with 503 while the node does not answer, and can be ended then', async () => {
    const { agnId, put, remove } = await agent();
    const number = await registries.register(first);
    const proof = await signed(first, textOf(agnId, number));
    await put(number, proof);
    await anvil.kill();
    const reply = await put(number, proof);
    expect([...code(reply), reply.headers.get('retry-after')]).toEqual([503, 'not_ready', '1']);
    expect((await remove()).status).toBe(200);
  });
});
