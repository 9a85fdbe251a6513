import { capabilities, type Feeds, type Honest, ids, names } from './honest.js';

type Row = Readonly<Record<string, unknown>>;

interface List {
  readonly feed: string;
  readonly list: string;
  isTheirs(row: Row): boolean;
  /** Members that compare the row with rows of other workspaces, and so depend on these. */
  readonly relative?: readonly string[];
}

/** An agent as receipts name it. */
const agentOf = (row: Row): string => String(row.agent_id ?? `${row.handle}~${row.tag}`);

/** Rows that belong to the honest workspaces alone: no statement of another workspace may change one of them. */
const ownLists = ({ agents, tags, hashes, invoices }: Honest & { readonly invoices: readonly unknown[] }): List[] => {
  const has = (all: readonly unknown[], value: unknown) => all.includes(value);
  return [
    { feed: 'terminal', list: 'agents', isTheirs: (row) => has(agents, agentOf(row)) },
    { feed: 'terminal', list: 'indices', isTheirs: () => true, relative: ['value', 'change_pct', 'band'] },
    { feed: 'discovery', list: 'agents', isTheirs: (row) => has(agents, agentOf(row)) },
    { feed: 'discovery', list: 'tape', isTheirs: (row) => hashes.has(String(row.receipt_hash)) },
    {
      feed: 'standards/disputes',
      list: 'cases',
      isTheirs: ({ case_id }) => has([ids.case, ids.ownCase], case_id),
      // Anyone may cite a case.
      relative: ['cited_by'],
    },
    { feed: 'trading', list: 'rfqs', isTheirs: ({ rfq_id }) => rfq_id === ids.rfq },
    { feed: 'trading', list: 'fills', isTheirs: ({ receipt_hash }) => hashes.has(String(receipt_hash)) },
    { feed: 'trading', list: 'auctions', isTheirs: ({ auction_id }) => auction_id === ids.auction },
    { feed: 'trading', list: 'forwards', isTheirs: ({ forward_id }) => forward_id === ids.forward },
    { feed: 'trading', list: 'sla_instruments', isTheirs: ({ agent }) => has(agents, agent) },
    { feed: 'treasury', list: 'reconciliation', isTheirs: ({ invoice }) => has(invoices, invoice) },
    { feed: 'attribution', list: 'agents', isTheirs: ({ agent }) => has(agents, agent), relative: ['share_pct'] },
    { feed: 'attribution', list: 'workflows', isTheirs: ({ tag }) => has(tags, tag) },
  ];
};

/**
 * Rows that are sums over all workspaces: of a capability, a vendor, a buyer and a segment. An attack that names none of
 * these must not change them either; one that does may, as any workspace may work in a capability.
 */
const sharedLists = (): List[] => {
  const slugs: readonly unknown[] = Object.values(capabilities);
  const parties: readonly unknown[] = [...names.vendors, ...names.buyers];
  return [
    { feed: 'terminal', list: 'tickers', isTheirs: ({ capability }) => slugs.includes(capability) },
    {
      feed: 'terminal',
      list: 'counterparties',
      isTheirs: ({ name }) => parties.includes(name),
      relative: ['share_pct'],
    },
    { feed: 'discovery', list: 'vendors', isTheirs: ({ vendor }) => parties.includes(vendor), relative: ['share_pct'] },
    { feed: 'trading', list: 'routing', isTheirs: ({ capability }) => slugs.includes(capability) },
    { feed: 'attribution', list: 'segments', isTheirs: ({ segment }) => segment === names.segment },
    { feed: 'attribution', list: 'benchmark', isTheirs: ({ capability }) => slugs.includes(capability) },
  ];
};

/** The rows of all feeds that an attack must leave as they are. */
export interface Rows {
  readonly own: Readonly<Record<string, readonly Row[]>>;
  readonly shared: Readonly<Record<string, readonly Row[]>>;
}

/** @returns a function that finds the rows of the honest workspaces in feeds, which know their invoices from these first ones */
export function rowsOf(honest: Honest, first: Feeds): (feeds: Feeds) => Rows {
  const invoices = JSON.parse(first.treasury ?? '').reconciliation.map((row: Row) => row.invoice);
  const [own, shared] = [ownLists({ ...honest, invoices }), sharedLists()];
  return (feeds) => {
    const parsed = Object.fromEntries(Object.entries(feeds).map(([name, text]) => [name, JSON.parse(text)]));
    const found = (lists: readonly List[]) =>
      Object.fromEntries(
        lists.map(({ feed, list, isTheirs, relative = [] }) => {
          const rows: readonly Row[] = parsed[feed][list];
          const without = (row: Row) =>
            Object.fromEntries(Object.entries(row).filter(([key]) => !relative.includes(key)));
          return [`${feed} ${list}`, rows.filter((row) => isTheirs(row)).map(without)];
        }),
      );
    return { own: found(own), shared: found(shared) };
  };
}
