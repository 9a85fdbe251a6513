import { readFileSync } from 'node:fs';
import { Contract, ContractFactory, type ContractRunner, type JsonRpcProvider, NonceManager, Wallet } from 'ethers';
import solc from 'solc';
import { providerOf } from '../anchor-contract.js';
import { type Anvil, fundedKeys } from '../anvil.js';

const names = ['IdentityRegistry', 'ReputationRegistry'] as const;
type Name = (typeof names)[number];

interface CompiledContract {
  readonly abi: readonly object[];
  readonly evm: { readonly bytecode: { readonly object: string } };
}

interface Compiled {
  readonly errors?: readonly { readonly formattedMessage: string }[];
  readonly contracts: Readonly<Record<string, Readonly<Record<string, CompiledContract>>>>;
}

/** The registries of ERC-8004 on a chain of a test. Each call through a contract waits until it is in a block. */
export interface Registries {
  readonly provider: JsonRpcProvider;
  readonly identity: Contract;
  readonly reputation: Contract;
  /** As `0x` and 40 lowercase hex digits, as the settings read them. */
  readonly identityAddress: string;
  readonly reputationAddress: string;
  /** Registers an agent for the account of this key, and returns its number. */
  register(key: string, uri?: string): Promise<string>;
  /** Calls a function of the identity registry that changes it, with the account of this key. */
  change(key: string, name: string, ...values: readonly unknown[]): Promise<void>;
}

export interface RegistryVersions {
  readonly identity?: string;
  readonly reputation?: string;
  /** The identity registry that the reputation registry names; otherwise the one that is deployed with it. */
  readonly pointsTo?: string;
}

export const addressOf = (key: string): string => new Wallet(key).address.toLowerCase();

/** Compiles both registries and puts them on a chain that makes a block for each transaction. */
export async function deployRegistries(anvil: Anvil, versions: RegistryVersions = {}): Promise<Registries> {
  const { identity: ofIdentity = '2.0.0', reputation: ofReputation = '2.0.0', pointsTo } = versions;
  const provider = providerOf(anvil);
  const signer = new NonceManager(new Wallet(fundedKeys[5], provider));
  const deploy = async (name: Name, ...values: readonly unknown[]) => {
    const { abi, bytecode } = compiled(name);
    const contract = await new ContractFactory(abi, bytecode, signer).deploy(...values);
    await contract.waitForDeployment();
    return contract;
  };
  const identityAddress = (await (await deploy('IdentityRegistry', ofIdentity)).getAddress()).toLowerCase();
  const target = pointsTo ?? identityAddress;
  const reputationAddress = (
    await (await deploy('ReputationRegistry', ofReputation, target)).getAddress()
  ).toLowerCase();
  const identity = contractAt('IdentityRegistry', identityAddress, provider);
  const change = async (key: string, name: string, ...values: readonly unknown[]) => {
    const by = new Wallet(key, provider);
    const sent = await contractAt('IdentityRegistry', identityAddress, by).getFunction(name)(...values);
    await sent.wait();
  };
  let registered = 0n;
  return {
    provider,
    identity,
    reputation: contractAt('ReputationRegistry', reputationAddress, provider),
    identityAddress,
    reputationAddress,
    change,
    async register(key, uri = '') {
      await change(key, 'register', uri);
      registered += 1n;
      return String(registered - 1n);
    },
  };
}

const contractAt = (name: Name, address: string, runner: ContractRunner): Contract =>
  new Contract(address, compiled(name).abi, runner);

let known: Readonly<Record<string, CompiledContract>> | null = null;

/** Compiles once in a process. */
function compiled(name: Name) {
  known ??= compileAll();
  const contract = known[name];
  if (contract === undefined) throw new Error(`There is no contract ${name}.`);
  return { abi: JSON.stringify(contract.abi), bytecode: `0x${contract.evm.bytecode.object}` };
}

function compileAll(): Readonly<Record<string, CompiledContract>> {
  const sourceOf = (name: Name) => readFileSync(new URL(`${name}.sol`, import.meta.url), 'utf8');
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(names.map((name) => [name, { content: sourceOf(name) }])),
    // The event of feedback has more values than the stack holds without the newer code generator.
    settings: {
      viaIR: true,
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'shanghai',
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  };
  const { errors = [], contracts }: Compiled = JSON.parse(solc.compile(JSON.stringify(input)));
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  return Object.fromEntries(names.flatMap((name) => Object.entries(contracts[name] ?? {})));
}
