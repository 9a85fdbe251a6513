import { Gauge, type Registry } from 'prom-client';

/** An account on Ethereum, and the transactions that it pays for. Prices are in wei. */
export interface AccountHealth {
  /** The work that it pays for. */
  readonly purpose: string;
  /** Null while the node does not answer. */
  readonly balance: bigint | null;
  /** Paid today (UTC), together with what the transaction in flight may cost. */
  readonly spentToday: bigint;
  /** The transaction that is not in a final block yet: its age, and the highest price of a unit of gas that it offers. */
  readonly inFlight: { readonly seconds: number; readonly maxFee: bigint } | null;
  /** The number of things that it has paid for, by their state. */
  readonly states: ReadonlyMap<string, number>;
}

export function accountGauges(registry: Registry): (engines: readonly { readonly account?: AccountHealth }[]) => void {
  const gauge = (name: string, help: string, labels: readonly string[] = ['purpose']) =>
    new Gauge({ name, help, labelNames: [...labels], registers: [registry] });
  const balance = gauge('counterfoil_ethereum_balance_ether', 'Ether of the account that pays for transactions.');
  const spent = gauge(
    'counterfoil_ethereum_spent_today_ether',
    'Ether that was paid today (UTC), with what the transaction in flight may cost.',
  );
  const age = gauge(
    'counterfoil_ethereum_in_flight_seconds',
    'Age of the transaction that is not in a final block yet; 0 without one.',
  );
  const fee = gauge(
    'counterfoil_ethereum_fee_gwei',
    'The highest price of a unit of gas that this transaction offers; 0 without one.',
  );
  const states = gauge('counterfoil_ethereum_anchors', 'Anchors on Ethereum, by their state.', ['state']);
  return (engines) => {
    for (const { account } of engines) {
      if (!account) continue;
      const { purpose } = account;
      // A balance of an earlier moment would hide that the account is empty by now.
      if (account.balance === null) balance.remove({ purpose });
      else balance.set({ purpose }, Number(account.balance) / weiOfEther);
      spent.set({ purpose }, Number(account.spentToday) / weiOfEther);
      age.set({ purpose }, account.inFlight?.seconds ?? 0);
      fee.set({ purpose }, Number(account.inFlight?.maxFee ?? 0n) / weiOfGwei);
      for (const [state, count] of account.states) states.set({ state }, count);
    }
  };
}

const weiOfEther = 1e18;
const weiOfGwei = 1e9;
