-- Directories of signing keys that may not sign the public log and are ready to be given its turn, by SHA-256 of a nonce that each of
-- them keeps to itself. Nothing here gives a right: the log's chain does.
create table signing_heirs (
  turn text collate "C" primary key,
  seen_at timestamptz not null
);
-- Processes that wait for a signature. The signer removes a row when everything written before it is signed.
create table signing_requests (
  id uuid primary key,
  asked_at timestamptz not null
);
