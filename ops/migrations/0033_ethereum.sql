-- The transactions of this service on Ethereum, one for each nonce of an account. A row is written before anything is sent, and
-- says for what the transaction pays. Numbers of wei have up to 78 digits.
create table ethereum_transactions (
  account text collate "C" not null,
  nonce bigint not null,
  chain_id bigint not null,
  -- The part of the service that sends it, and the thing that it is for: the size of a checkpoint.
  purpose text collate "C" not null,
  reference text collate "C" not null,
  recipient text collate "C" not null,
  data text collate "C" not null,
  gas_limit bigint not null,
  state text collate "C" not null check (state in ('sent', 'mined', 'done', 'failed', 'taken')),
  begun_at timestamptz not null,
  -- The block that holds it; null while none does.
  tx_hash text collate "C",
  block_number bigint,
  block_hash text collate "C",
  block_time timestamptz,
  succeeded boolean,
  paid numeric(78),
  -- Whether the ledger knows of this state.
  recorded boolean not null,
  primary key (account, nonce)
);
-- Nothing is paid twice.
create unique index on ethereum_transactions (purpose, reference) where state in ('sent', 'mined', 'done');
create index on ethereum_transactions (purpose, begun_at);

-- The signed forms of the transaction of a nonce: the first one, and replacements with higher fees.
create table ethereum_variants (
  account text collate "C" not null,
  nonce bigint not null,
  variant int not null,
  tx_hash text collate "C" not null unique,
  -- Exactly these bytes are sent, again after each start.
  raw text collate "C" not null,
  max_fee numeric(78) not null,
  priority_fee numeric(78) not null,
  primary key (account, nonce, variant),
  foreign key (account, nonce) references ethereum_transactions
);
