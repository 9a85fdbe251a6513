import solc from 'solc';
import { contractName, source, sourcePath, sourceSha256 } from './source.js';

/**
 * The settings decide the bytecode, and the bytecode is compared with what is on chain: a change here is a change of the contract.
 *
 * - `paris` is the oldest instruction set of Ethereum since the merge. Chains that do not have the instructions of later ones
 *   run it too.
 * - Without the hash of the metadata the bytecode depends on the code alone, and not on comments and file names.
 */
const settings = {
  evmVersion: 'paris',
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: 'none' },
} as const;

interface Compiled {
  readonly errors?: readonly { readonly formattedMessage: string }[];
  readonly contracts: Readonly<Record<string, Readonly<Record<string, CompiledContract>>>>;
}

interface CompiledContract {
  readonly abi: readonly unknown[];
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: { readonly object: string };
  };
}

/** The text of the artifact, as the source compiles now. Warnings count as errors. */
export function artifactText(): string {
  const input = {
    language: 'Solidity',
    sources: { [sourcePath]: { content: source() } },
    settings: {
      ...settings,
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  };
  const { errors = [], contracts }: Compiled = JSON.parse(solc.compile(JSON.stringify(input)));
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  const contract = contracts[sourcePath]?.[contractName];
  if (contract === undefined) throw new Error(`${sourcePath} does not declare ${contractName}.`);
  const artifact = {
    contract: contractName,
    source: { path: sourcePath, sha256: sourceSha256() },
    compiler: { version: solc.version(), settings },
    abi: contract.abi,
    bytecode: `0x${contract.evm.bytecode.object}`,
    deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
  };
  return `${JSON.stringify(artifact, null, 2)}\n`;
}
