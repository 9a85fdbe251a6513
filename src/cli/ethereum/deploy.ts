import { setTimeout as sleep } from 'node:timers/promises';
import { openSigner } from '../../adapters/ethereum/account.js';
import { readAnchorContract } from '../../adapters/ethereum/anchor-contract.js';
import { openNode } from '../../adapters/ethereum/node.js';
import { type CodeAt, compareCode } from '../../domain/ethereum/anchor-contract.js';
import { type Confirm, confirmOnTerminal } from '../confirm.js';
import { CannotStart, isSentence } from '../start-faults.js';
import { type Terminal, terminal } from '../terminal.js';
import { answered, requireChain } from './node-answers.js';
import { type Earlier, findEarlier, type Payer, type Plan, planDeployment } from './plan.js';
import { readPayer } from './settings.js';
import { ether, gwei } from './units.js';
import { send, type Waiting, waitForReceipt } from './wait.js';

export interface DeployOptions {
  /** Send without a question. */
  readonly yes?: boolean;
  /** Deploy although the account has sent transactions, of which one may be an earlier deployment. */
  readonly again?: boolean;
}

/** The output, the person who is asked, and the clock of the command. */
export interface DeployTools {
  out(text: string): void;
  err(text: string): void;
  readonly confirm: Confirm;
  pause(ms: number): Promise<void>;
}

type Deployment = Payer & { readonly keyFile: string };

/** Creates the anchor contract. The exit code is 0, 1 when no contract was created, or 2 when a setting is wrong. */
export async function ethereumDeploy(
  options: DeployOptions,
  { out, err }: Pick<Terminal, 'out' | 'err'> = terminal,
): Promise<number> {
  try {
    const { rpcUrl, privateKey, ...setting } = readPayer();
    const deployment = {
      node: openNode(rpcUrl),
      signer: openSigner(privateKey),
      contract: readAnchorContract(),
      ...setting,
    };
    return await deploy(deployment, options, { out, err, confirm: confirmOnTerminal, pause: (ms) => sleep(ms) });
  } catch (error) {
    if (!isSentence(error)) throw error;
    err(`counterfoil: ${error.message}`);
    return 2;
  }
}

export async function deploy(deployment: Deployment, options: DeployOptions, tools: DeployTools): Promise<number> {
  try {
    await requireChain(deployment.node, deployment.chainId, 'Nothing was sent.');
    const earlier = await findEarlier(deployment);
    if (!(await mayContinue(deployment, earlier, options, tools))) return 1;
    const plan = await planDeployment(deployment, earlier.nonce);
    tools.out(describe(deployment, plan));
    if (!options.yes && !(await agrees(tools, 'Send the transaction?', '--yes'))) return 1;
    await sendAndWait(deployment, plan, tools);
    return 0;
  } catch (error) {
    if (!isSentence(error)) throw error;
    tools.err(`counterfoil: ${error.message}`);
    return 1;
  }
}

/** A repeated command must not pay again by mistake, and no other transaction may use the key of a service. */
async function mayContinue(
  deployment: Deployment,
  earlier: Earlier,
  { again }: DeployOptions,
  tools: DeployTools,
): Promise<boolean> {
  const obstacle = obstacleOf(deployment, earlier);
  if (again || obstacle === null) return true;
  tools.out(obstacle.join('\n'));
  return agrees(tools, 'Deploy a contract in any case?', '--again');
}

function obstacleOf(deployment: Deployment, { deployed, waiting, nonce }: Earlier): string[] | null {
  if (deployed !== null) {
    const found = `The account has deployed this contract already: it is at ${deployed}.`;
    return [found, ...settingsFor(deployment, deployed)];
  }
  if (waiting.length > 0) {
    return [
      `The account has transactions that no block holds, from number ${nonce - waiting.length} on. One may be an earlier deployment.`,
      `Its contract would be at ${waiting.join(' or ')}.`,
      'Wait until they are in blocks, and run the command again: it finds the contract then.',
    ];
  }
  if (nonce === 0) return null;
  return [
    `The account has sent transactions already (${nonce}). If a service anchors with this key, a transaction that is not of that`,
    'service stops its anchors: deploy with another key then. The contract does not depend on the key.',
  ];
}

async function agrees({ confirm, err }: DeployTools, question: string, option: string): Promise<boolean> {
  const answer = await confirm(question);
  if (answer === 'yes') return true;
  err(answer === 'no' ? 'Nothing was sent.' : `counterfoil: Nothing was sent. Without a terminal, give ${option}.`);
  return false;
}

function describe({ chainId, signer, maxFeeWei }: Deployment, plan: Plan): string {
  const { address, balance, cost, most, gas, price, transaction } = plan;
  return [
    `Chain ${chainId}. The account ${signer.address} pays; it has ${ether(balance)}.`,
    `The deployment takes about ${gas} units of gas: ${ether(cost)} at the present price of ${gwei(price)},`,
    `and ${ether(most)} at most. ETH_MAX_FEE_GWEI permits ${gwei(maxFeeWei)}.`,
    `It is the transaction number ${transaction.nonce} of the account, so the contract will be at ${address}.`,
  ].join('\n');
}

/** @throws CannotStart */
async function sendAndWait(deployment: Deployment, plan: Plan, tools: DeployTools): Promise<void> {
  const { node, signer } = deployment;
  const { transaction, address } = plan;
  const signed = signer.sign(transaction);
  tools.out(
    [
      `Sending the transaction ${signed.hash}.`,
      `If this command ends early, the contract may be created all the same: counterfoil ethereum check ${address}`,
    ].join('\n'),
  );
  const refusal = await send(node, signed);
  if (refusal !== null) {
    throw new CannotStart(`The Ethereum node does not take the transaction: ${refusal}. No contract was created.`);
  }
  const waiting: Waiting = { node, pause: tools.pause, progress: tools.err };
  const receipt = await waitForReceipt(waiting, signed, signer.address, transaction.nonce);
  const paid = ether(receipt.gasUsed * receipt.gasPrice);
  if (!receipt.succeeded) {
    throw new CannotStart(`The transaction failed in block ${receipt.blockNumber}, and cost ${paid}.`);
  }
  const found = await codeAt(deployment, address, tools);
  if (found !== 'the contract') {
    throw new CannotStart(
      `The transaction is in block ${receipt.blockNumber}, but the node shows ${found} at ${address}. ` +
        `Look again in a few minutes: counterfoil ethereum check ${address}`,
    );
  }
  tools.out(report(deployment, address, receipt.blockNumber, paid));
}

/** A node behind the one that answered before may not have the block yet. */
async function codeAt({ node, contract }: Deployment, address: string, { pause }: DeployTools): Promise<CodeAt> {
  const look = async () => {
    const later = `Look again in a few minutes: counterfoil ethereum check ${address}`;
    return compareCode(await answered(node.code(address), later), contract.deployedBytecode);
  };
  for (let tries = 0; tries < 10; tries += 1) {
    const found = await look();
    if (found !== 'nothing') return found;
    await pause(2_000);
  }
  return look();
}

function report(deployment: Deployment, address: string, block: number, paid: string): string {
  return [
    `The contract is at ${address}, in block ${block}, and its code is that of this version. It cost ${paid}.`,
    'A block can be replaced during its first minutes: run counterfoil ethereum check again before you rely on it.',
    ...settingsFor(deployment, address),
  ].join('\n');
}

function settingsFor({ chainId, keyFile }: Deployment, address: string): string[] {
  return [
    'The settings of the service:',
    '',
    'ETH_RPC_URL=…  (as it is now; it is not shown, because it may contain a key)',
    `ETH_CHAIN_ID=${chainId}`,
    `ETH_PRIVATE_KEY_FILE=${keyFile}`,
    `ETH_ANCHOR_ADDRESS=${address}`,
    '',
  ];
}
