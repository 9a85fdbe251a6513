import { Transaction, Wallet } from 'ethers';

/** A transaction of type 2 (EIP-1559) that moves no ether. */
export interface UnsignedTransaction {
  readonly chainId: number;
  readonly nonce: number;
  /** Null creates a contract of which `data` is the code. */
  readonly to: string | null;
  readonly data: string;
  readonly gasLimit: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

export interface SignedTransaction {
  /** The bytes that are handed to a node, in hex. */
  readonly raw: string;
  readonly hash: string;
}

/** An account whose key this process holds. */
export interface EthereumSigner {
  /** `0x` and 40 lowercase hex digits. */
  readonly address: string;
  /** Signs without randomness: the same transaction has the same bytes and hash each time. */
  sign(transaction: UnsignedTransaction): SignedTransaction;
}

export function openSigner(privateKey: string): EthereumSigner {
  const wallet = new Wallet(privateKey);
  return {
    address: wallet.address.toLowerCase(),
    sign(unsigned) {
      const transaction = Transaction.from({ ...unsigned, type: 2, value: 0n });
      transaction.signature = wallet.signingKey.sign(transaction.unsignedHash);
      const { serialized, hash } = transaction;
      if (hash === null) throw new Error('a signed transaction has no hash');
      return { raw: serialized, hash };
    },
  };
}
