import type { Row, Transaction } from '../../database/database.js';
import type { Inclusion, TransactionRow, TransactionState, Variant } from '../../domain/ethereum/next-step.js';

/** A transaction as the database has it. */
export interface StoredTransaction extends TransactionRow {
  readonly account: string;
  readonly chainId: number;
  readonly purpose: string;
  readonly reference: string;
  readonly recipient: string;
  readonly data: string;
  readonly begunAt: string;
  /** Whether the ledger knows of this state. */
  readonly isRecorded: boolean;
  readonly variants: readonly StoredVariant[];
}

type Key = Pick<StoredTransaction, 'account' | 'nonce'>;

export interface StoredVariant extends Variant {
  readonly raw: string;
}

interface StoredRow extends Row {
  account: string;
  nonce: number;
  chain_id: number;
  purpose: string;
  reference: string;
  recipient: string;
  data: string;
  gas_limit: number;
  state: TransactionState;
  begun_at: string;
  tx_hash: string | null;
  block_number: number | null;
  block_hash: string | null;
  block_time: string | null;
  succeeded: boolean | null;
  paid: string | null;
  recorded: boolean;
}

interface VariantRow extends Row {
  tx_hash: string;
  raw: string;
  max_fee: string;
  priority_fee: string;
}

const columns = `account, nonce, chain_id, purpose, reference, recipient, data, gas_limit, state, begun_at, tx_hash, block_number,
  block_hash, block_time, succeeded, paid, recorded`;

async function one(tx: Transaction, rest: string, values: readonly (string | number)[]) {
  const [row] = await tx.query<StoredRow>(`select ${columns} from ethereum_transactions ${rest} limit 1`, values);
  return row === undefined ? null : withVariants(tx, row);
}

async function withVariants(tx: Transaction, row: StoredRow): Promise<StoredTransaction> {
  const variants = await tx.query<VariantRow>(
    `select tx_hash, raw, max_fee, priority_fee from ethereum_variants where account = $1 and nonce = $2
      order by variant`,
    [row.account, row.nonce],
  );
  const { account, nonce, purpose, reference, recipient, data, state } = row;
  return {
    account,
    nonce,
    chainId: row.chain_id,
    purpose,
    reference,
    recipient,
    data,
    gasLimit: BigInt(row.gas_limit),
    state,
    begunAt: row.begun_at,
    isRecorded: row.recorded,
    inclusion: inclusionOf(row),
    variants: variants.map(({ tx_hash, raw, max_fee, priority_fee }) => ({
      txHash: tx_hash,
      raw,
      maxFee: BigInt(max_fee),
      priorityFee: BigInt(priority_fee),
    })),
  };
}

function inclusionOf({ tx_hash, block_number, block_hash, block_time, succeeded, paid }: StoredRow): Inclusion | null {
  if (tx_hash === null || block_number === null || block_hash === null || block_time === null || paid === null)
    return null;
  return {
    txHash: tx_hash,
    blockNumber: block_number,
    blockHash: block_hash,
    blockTime: block_time,
    succeeded: succeeded ?? false,
    paid: BigInt(paid),
  };
}

/** The transaction of which the ledger does not know everything; the oldest of them. */
export const unrecorded = (tx: Transaction, purpose: string) =>
  one(tx, 'where purpose = $1 and not recorded order by begun_at, nonce', [purpose]);

/** The transaction that is not in a final block yet, with the lowest nonce. */
export const inFlight = (tx: Transaction, purpose: string) =>
  one(tx, `where purpose = $1 and state in ('sent', 'mined') order by begun_at, nonce`, [purpose]);

export const transactionOf = (tx: Transaction, { account, nonce }: Key) =>
  one(tx, 'where account = $1 and nonce = $2', [account, nonce]);

/** The transaction that a block holds under this hash, as far as is known. */
export const transactionWith = (tx: Transaction, txHash: string) => one(tx, 'where tx_hash = $1', [txHash]);

/** The block of a transaction that was final when it was looked at last. */
export interface SettledBlock extends Key {
  readonly blockNumber: number;
  readonly blockHash: string;
}

/** The blocks since a time that hold transactions which have done their work, and that of the newest transaction; the oldest first. */
export async function settledBlocks(tx: Transaction, purpose: string, since: Date): Promise<SettledBlock[]> {
  const rows = await tx.query<Pick<StoredRow, 'account' | 'nonce'> & { block_number: number; block_hash: string }>(
    `select account, nonce, block_number, block_hash from ethereum_transactions
      where purpose = $1 and block_hash is not null and (state = 'done' and block_time >= $2
        or state in ('done', 'failed') and (account, nonce) = (select account, nonce from ethereum_transactions
          where purpose = $1 order by begun_at desc, nonce desc limit 1))
      order by block_number`,
    [purpose, since.toISOString()],
  );
  return rows.map(({ account, nonce, block_number, block_hash }) => ({
    account,
    nonce,
    blockNumber: block_number,
    blockHash: block_hash,
  }));
}

export const newest = (tx: Transaction, purpose: string) =>
  one(tx, 'where purpose = $1 order by begun_at desc, nonce desc', [purpose]);

/** The first transaction from this nonce on that was in a final block. */
export const settledFrom = (tx: Transaction, account: string, nonce: number) =>
  one(tx, `where account = $1 and nonce >= $2 and state in ('done', 'failed') order by nonce`, [account, nonce]);

export async function lastNonce(tx: Transaction, account: string): Promise<number | null> {
  const [row] = await tx.query<{ nonce: number | null }>(
    'select max(nonce)::bigint as nonce from ethereum_transactions where account = $1',
    [account],
  );
  return row?.nonce ?? null;
}

/** Whether another sender has used a nonce of this account. */
export async function isTaken(tx: Transaction, account: string): Promise<boolean> {
  const rows = await tx.query(`select 1 from ethereum_transactions where account = $1 and state = 'taken' limit 1`, [
    account,
  ]);
  return rows.length > 0;
}

/** The chains on which this store has sent transactions. */
export async function usedChains(tx: Transaction): Promise<number[]> {
  const rows = await tx.query<{ chain_id: number }>('select distinct chain_id from ethereum_transactions');
  return rows.map(({ chain_id }) => chain_id);
}

/**
 * The wei that a purpose has spent on the day (UTC) of a time: the costs in blocks of that day, and what the transaction in
 * flight may cost at most.
 */
export async function spentOn(
  tx: Transaction,
  purpose: string,
  now: Date,
): Promise<{ paid: bigint; reserved: bigint }> {
  const [row] = await tx.query<{ paid: string; reserved: string }>(
    `select coalesce(sum(t.paid) filter (where t.block_time >= $2::timestamptz), 0)::text as paid,
            coalesce(sum(t.gas_limit * (select max(v.max_fee) from ethereum_variants v
              where v.account = t.account and v.nonce = t.nonce)) filter (where t.state = 'sent'), 0)::text as reserved
       from ethereum_transactions t where t.purpose = $1 and (t.state = 'sent' or t.block_time >= $2::timestamptz)`,
    [purpose, `${now.toISOString().slice(0, 10)}T00:00:00Z`],
  );
  return { paid: BigInt(row?.paid ?? 0), reserved: BigInt(row?.reserved ?? 0) };
}

interface NewTransaction {
  readonly account: string;
  readonly nonce: number;
  readonly chainId: number;
  readonly purpose: string;
  readonly reference: string;
  readonly recipient: string;
  readonly data: string;
  readonly gasLimit: bigint;
  readonly begunAt: string;
}

export async function insertTransaction(tx: Transaction, made: NewTransaction, variant: StoredVariant): Promise<void> {
  const { account, nonce, chainId, purpose, reference, recipient, data, gasLimit, begunAt } = made;
  await tx.query(
    `insert into ethereum_transactions (account, nonce, chain_id, purpose, reference, recipient, data, gas_limit, state, begun_at, recorded)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'sent', $9, true)`,
    [account, nonce, chainId, purpose, reference, recipient, data, Number(gasLimit), begunAt],
  );
  await insertVariant(tx, made, 0, variant);
}

export async function insertVariant(tx: Transaction, { account, nonce }: Key, number: number, variant: StoredVariant) {
  const { txHash, raw, maxFee, priorityFee } = variant;
  await tx.query('insert into ethereum_variants values ($1, $2, $3, $4, $5, $6, $7)', [
    account,
    nonce,
    number,
    txHash,
    raw,
    `${maxFee}`,
    `${priorityFee}`,
  ]);
}

/** Moves a transaction. @returns false when it has moved since it was read */
export async function moveTransaction(
  tx: Transaction,
  read: StoredTransaction,
  state: TransactionState,
  inclusion: Inclusion | null,
): Promise<boolean> {
  const rows = await tx.query(
    `update ethereum_transactions set state = $5, tx_hash = $6, block_number = $7, block_hash = $8, block_time = $9, succeeded = $10,
       paid = $11, recorded = false
      where account = $1 and nonce = $2 and state = $3 and block_hash is not distinct from $4 returning 1`,
    [
      read.account,
      read.nonce,
      read.state,
      read.inclusion?.blockHash ?? null,
      state,
      inclusion?.txHash ?? null,
      inclusion?.blockNumber ?? null,
      inclusion?.blockHash ?? null,
      inclusion?.blockTime ?? null,
      inclusion?.succeeded ?? null,
      inclusion === null ? null : `${inclusion.paid}`,
    ],
  );
  return rows.length > 0;
}

export async function markRecorded(
  tx: Transaction,
  { account, nonce, state, inclusion }: StoredTransaction,
): Promise<void> {
  await tx.query(
    `update ethereum_transactions set recorded = true
      where account = $1 and nonce = $2 and state = $3 and block_hash is not distinct from $4`,
    [account, nonce, state, inclusion?.blockHash ?? null],
  );
}
