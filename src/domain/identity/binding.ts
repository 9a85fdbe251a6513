import { createHash } from 'node:crypto';
import type { Binding } from '../../../contracts/entries/registry.js';
import { canonical } from '../../verifier/canonical.js';
import { toBase32 } from './encodings.js';

const identifierBytes = 20;

/** The identifier of an agent: a function of its binding, so everyone can compute it again. */
export function agentIdOf({ agent_name, public_key, vendor }: Binding): string {
  const binding = canonical({ agent_name, public_key, vendor });
  const digest = createHash('sha256').update(`counterfoil/agent-id/v1\0${binding}`, 'utf8').digest();
  return `agn_${toBase32(digest.subarray(0, identifierBytes))}`;
}
