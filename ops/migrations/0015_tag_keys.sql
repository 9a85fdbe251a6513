-- Tag keys are made by the service when it begins a chain, and not by a table: see begin in src/ledger/ledger.ts.
alter table chains alter column tag_key drop default;
