import { Refusal } from '../../contracts/errors.js';
import { NodeFailed } from '../adapters/ethereum/node.js';
import type { AgentRegistries, RegisteredAgent } from '../adapters/ethereum/registries.js';
import { NotAllowed, type PublicFetch, TooLarge, Unavailable } from '../adapters/public-fetch.js';
import { type Erc8004Agent, linkSigner, linkText } from '../domain/erc8004/link.js';
import { namesIdentity, registrationBytes, textInAddress } from '../domain/erc8004/registration-file.js';
import type { Erc8004Consent } from './state/erc8004-links.js';

/** The proof of a caller that an agent of ERC-8004 agrees to a link. */
type ErcProof = { readonly signature: string } | { readonly registration: true };

/** The agents of ERC-8004 that can be linked here. */
export interface Erc8004 {
  readonly chainId: number;
  /** The identity registry, as `0x` and 40 lowercase hex digits. */
  readonly registry: string;
  /**
   * Checks with the chain, as it is now, that an agent agrees to be linked to an identity.
   * @throws Refusal invalid_request, invalid_proof, url_not_allowed, fetch_failed, not_ready
   */
  consent(agnId: string, agentId: string, proof: ErcProof): Promise<Erc8004Consent>;
}

interface Parts {
  readonly registries: AgentRegistries;
  readonly fetchPublic: PublicFetch;
  /** The account that gives feedback. */
  readonly client: string;
}

export function createErc8004({ registries, fetchPublic, client }: Parts): Erc8004 {
  const { chainId, identity: registry } = registries;
  return {
    chainId,
    registry,
    consent: (agnId, agentId, proof) =>
      answered(async () => {
        const agent: Erc8004Agent = { chainId, registry, agentId };
        await requireRegistries(registries);
        const found = await registries.agent(agentId);
        if (found === null) {
          throw new Refusal('invalid_request', `agent_id: the registry ${registry} has no agent ${agentId}.`);
        }
        if (await registries.actsFor(client, agentId, found.owner)) throw ownFeedback(client, agentId);
        if ('signature' in proof) return { ...agent, ...signedBy(agnId, agent, found, proof.signature) };
        const file = await readRegistrationFile(fetchPublic, await registries.agentUri(agentId));
        if (!namesIdentity(file, agnId)) {
          throw new Refusal('invalid_proof', `The registration file of agent ${agentId} does not name ${agnId}.`);
        }
        return { ...agent, proof: 'registration', account: null };
      }),
  };
}

/** They are looked at each time, because their owner may replace them. @throws Refusal not_ready */
async function requireRegistries(registries: AgentRegistries): Promise<void> {
  const fault = await registries.fault();
  if (fault === null) return;
  const message = 'The registries of ERC-8004 cannot be used at present. Nothing was written.';
  throw new Refusal('not_ready', message, {}, { cause: new Error(fault) });
}

const ownFeedback = (client: string, agentId: string) =>
  new Refusal(
    'invalid_proof',
    `The account ${client}, which gives feedback for this service, may act for agent ${agentId}: the registry takes no feedback about an own agent.`,
  );

/** @throws Refusal invalid_proof */
function signedBy(
  agnId: string,
  agent: Erc8004Agent,
  { owner, wallet }: RegisteredAgent,
  signature: string,
): Pick<Erc8004Consent, 'proof' | 'account'> {
  const account = linkSigner(agnId, agent, signature);
  if (account !== null && account === owner) return { proof: 'owner', account };
  if (account !== null && account === wallet) return { proof: 'wallet', account };
  const signer = account === null ? 'is not one of an account' : `is by ${account} if it is of this text`;
  const holders = wallet === null || wallet === owner ? owner : `${owner} and its wallet is ${wallet}`;
  throw new Refusal(
    'invalid_proof',
    `The signature ${signer}; the owner of agent ${agent.agentId} is ${holders}. It must be over ${JSON.stringify(linkText(agnId, agent))}. ` +
      'An owner that is a contract cannot sign here (EIP-1271): it names the identity in the registration file.',
  );
}

/** A node that does not answer is a failure of the service, which the caller cannot repair. */
async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NodeFailed)) throw error;
    const message = 'The node of Ethereum does not answer. Nothing was written; retry.';
    throw new Refusal('not_ready', message, {}, { cause: error });
  }
}

const timeoutMs = 10_000;
const tooLarge = () => new Refusal('invalid_proof', 'The registration file has more than 64 KiB.');

/**
 * Reads the registration file of an agent of ERC-8004 where its registry says that it is.
 * @param uri null when it is longer than a file may be
 * @throws Refusal invalid_proof, url_not_allowed, fetch_failed
 */
async function readRegistrationFile(fetchPublic: PublicFetch, uri: string | null): Promise<unknown> {
  if (uri === null) throw tooLarge();
  const text = textInAddress(uri) ?? (await textAt(fetchPublic, uri));
  if (Buffer.byteLength(text) > registrationBytes) throw tooLarge();
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('invalid_proof', 'The registration file is not JSON.');
  }
}

async function textAt(fetchPublic: PublicFetch, uri: string): Promise<string> {
  const url = URL.canParse(uri) ? new URL(uri) : null;
  if (url?.protocol !== 'https:') {
    const scheme = url === null ? 'no address' : `an address of ${url.protocol.slice(0, 20)}`;
    throw new Refusal(
      'invalid_proof',
      `The registry gives ${scheme} for the registration file. Files are read from https: and data: addresses only; a signature needs no file.`,
    );
  }
  try {
    const { status, body } = await fetchPublic(url, {
      method: 'GET',
      headers: { accept: 'application/json', 'user-agent': 'counterfoil' },
      timeoutMs,
      maxBytes: registrationBytes,
      redirects: 0,
    });
    if (status === 200) return Buffer.from(body).toString('utf8');
    throw new Refusal(
      'fetch_failed',
      `The address of the registration file answered with status ${status}, and not with the file.`,
    );
  } catch (error) {
    if (error instanceof NotAllowed) throw new Refusal('url_not_allowed', error.message);
    if (error instanceof TooLarge) throw tooLarge();
    if (error instanceof Unavailable)
      throw new Refusal('fetch_failed', `The registration file cannot be read: ${error.message}.`);
    throw error;
  }
}
