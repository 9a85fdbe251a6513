import { secp256k1 } from '@noble/curves/secp256k1.js';
import { describe, expect, it } from 'vitest';
import { signingAccount } from '../../../src/domain/identity/ethereum.js';
import { agentProof, linkProof } from '../../../src/domain/identity/proof.js';
import { isSigned } from '../../../src/domain/identity/signature.js';
import { holderKinds, newHolder } from './holder.js';

const id = 'agn_n6ww6hdvylp7uxoovmyqzeovrglksgvm';
const other = 'agn_7rvn7ic4qifexxsiy4fo55pslooubz3o';
const workspace = '01919f3a-5c00-7a10-8a4e-2f6f0d1c9b01';

const cut = (signature: string, bytes: number) =>
  Buffer.from(signature, 'base64url').subarray(0, bytes).toString('base64url');
const withByte = (signature: string) =>
  Buffer.concat([Buffer.from(signature, 'base64url'), Buffer.alloc(1)]).toString('base64url');

describe('proofs', () => {
  // @covers IDENTITY-PROOF
  it('sign these bytes', () => {
    expect(Buffer.from(agentProof('agn_a', 'c')).toString('latin1')).toBe('counterfoil/agent-proof/v1\0agn_a\0c');
    expect(Buffer.from(linkProof('agn_a', 'c', 'w', '@h')).toString('latin1')).toBe(
      'counterfoil/agent-link/v1\0agn_a\0c\0w\0@h',
    );
  });

  // @covers IDENTITY-PROOF LINK-PROOF
  it.each(holderKinds)('of %s are of one key, one identity, one challenge, one workspace and one handle', (kind) => {
    const [holder, thief] = [newHolder(kind), newHolder(kind)];
    const messages = [
      agentProof(id, 'c'),
      agentProof(other, 'c'),
      agentProof(id, 'd'),
      linkProof(id, 'c', workspace, '@bot'),
      linkProof(id, 'c', workspace, '@bots'),
      linkProof(id, 'c', workspace.replace(/1$/, '2'), '@bot'),
      linkProof(other, 'c', workspace, '@bot'),
    ];
    for (const signed of messages) {
      const signature = holder.sign(signed);
      expect(messages.filter((message) => isSigned(holder.bound, message, signature))).toEqual([signed]);
      expect(isSigned(thief.bound, signed, signature)).toBe(false);
    }
  });

  it.each(holderKinds)('of %s have one length, and one writing', (kind) => {
    const holder = newHolder(kind);
    const message = agentProof(id, 'c');
    const signature = holder.sign(message);
    const wrong = ['', 'A', cut(signature, 63), withByte(signature), `${signature}=`, `${signature}A`, ` ${signature}`];
    expect(isSigned(holder.bound, message, signature)).toBe(true);
    expect(wrong.filter((one) => isSigned(holder.bound, message, one))).toEqual([]);
    const zeros = Buffer.alloc(Buffer.from(signature, 'base64url').length);
    expect(isSigned(holder.bound, message, zeros.toString('base64url'))).toBe(false);
    expect(isSigned(holder.bound, message, zeros.fill(255).toString('base64url'))).toBe(false);
  });

  it('a signature in DER is none', () => {
    const holder = newHolder('secp256k1');
    const message = agentProof(id, 'c');
    const raw = Buffer.from(holder.sign(message), 'base64url');
    const der = Buffer.from(secp256k1.Signature.fromBytes(raw, 'compact').toBytes('der')).toString('base64url');
    expect(isSigned(holder.bound, message, der)).toBe(false);
  });

  it('both values of s are accepted, as in JWS', () => {
    const holder = newHolder('secp256k1');
    const message = agentProof(id, 'c');
    const { r, s } = secp256k1.Signature.fromBytes(Buffer.from(holder.sign(message), 'base64url'), 'compact');
    const negated = new secp256k1.Signature(r, secp256k1.Point.Fn.ORDER - s);
    expect(isSigned(holder.bound, message, Buffer.from(negated.toBytes('compact')).toString('base64url'))).toBe(true);
  });

  // @covers IDENTITY-ADDRESS
  it('an account signs as wallets do', () => {
    // The example in the documentation of web3.js, which signs 'Some data'.
    const [r, s] = [
      'b91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd',
      '6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a029',
    ];
    const signature = Buffer.from(`${r}${s}1c`, 'hex');
    const account = 'eip155:0x2c7536e3605d9c16a7a3d7b1898e529396a65c23';
    expect(signingAccount(Buffer.from('Some data'), signature)).toBe(account);
    expect(signingAccount(Buffer.from('Some data'), Buffer.from(`${r}${s}01`, 'hex'))).toBe(account);
    for (const v of ['1b', '00', '02', '1d', 'ff'])
      expect(signingAccount(Buffer.from('Some data'), Buffer.from(`${r}${s}${v}`, 'hex'))).not.toBe(account);
  });
});
