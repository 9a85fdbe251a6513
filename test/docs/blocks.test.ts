import { describe, expect, it } from 'vitest';
import { blocksOf, filesOf, pagePaths, readPage, runElsewhere, stepsOf } from './documents.js';

/** Blocks of the language `sh` are shown and not run. Each has a reason here, under its page and its first line. */
const notRun: Readonly<Record<string, string>> = {
  'README.md: npm ci && npm start   # builds, serves http://127.0.0.1:8080, stores data in ./data, prints a password and an API key':
    'CI runs npm ci and npm test in a clean clone; the service that npm start starts is started by commands.test.ts',
  'docs/start.md: npm ci': 'CI runs npm ci in a clean clone; commands.test.ts starts the service',
  'docs/operating/install.md: npm ci': 'CI runs npm ci and npm run build in a clean clone',
  'docs/operating/install.md: echo "POSTGRES_PASSWORD=$(openssl rand -hex 24)" >> .env': 'needs a container engine',
  'docs/operating/install.md: echo "EVENTSTORE_URL=esdb://eventstore:2113?tls=false" >> .env      # before the first start, or after migrate-ledger':
    'needs a container engine',
  'docs/operating/proxy.md: install -d /etc/ssl/memory.example.org && cd /etc/ssl/memory.example.org':
    'changes the machine; test/engines/deploy has a certificate made in this way',
  'docs/operating/proxy.md: apt-get install --no-install-recommends nginx':
    'the host is made up; test/engines/deploy starts nginx with the file',
  'docs/operating/proxy.md: caddy validate --config /etc/caddy/Caddyfile && systemctl reload caddy':
    'the host is made up; test/engines/deploy starts Caddy with the file',
  'docs/operating/systemd.md: apt-get install --no-install-recommends git ca-certificates curl cron':
    'makes a user of the machine and needs systemd; test/engines/deploy has the unit checked',
  'docs/operating/systemd.md: install -d -m 0700 -o counterfoil -g counterfoil /var/backups/counterfoil':
    'needs that user; test/slow/cli/deploy-scripts.test.ts runs the script and restores what it has made',
  'docs/operating/systemd.md: install -d -m 0700 -o counterfoil -g counterfoil /var/lib/counterfoil-audit':
    'needs that user; test/slow/cli/deploy-scripts.test.ts runs the script',
  'docs/operating/systemd.md: counterfoil() { (cd /opt/counterfoil && set -a && . /etc/counterfoil/env && exec runuser -u counterfoil -- \\':
    'needs that user',
  'docs/operating/systemd.md: systemctl stop counterfoil':
    'needs systemd; test/slow/cli/deploy-scripts.test.ts restores a backup',
  'docs/operating/systemd.md: runuser -u counterfoil -- env DATA_DIR=/var/lib/counterfoil /opt/counterfoil/ops/deploy/backup.sh /var/backups/counterfoil 14':
    'needs that user and systemd',
  'docs/operating/systemd.md: (cd /opt/counterfoil.new && set -a && . /etc/counterfoil/env && runuser -u counterfoil -- \\':
    'needs that user; test/server/prepare.test.ts runs the command beside a service',
  'docs/operating/systemd.md: cp ops/deploy/cron /etc/cron.d/counterfoil': 'changes the machine',
  'docs/operating/maintenance.md: counterfoil prepare':
    'needs PostgreSQL and a store of an older version; test/server/prepare.test.ts runs it beside a service',
  'docs/operating/eventstore.md: counterfoil delete-lost               # shows them, and deletes them after a question; --yes for scripts':
    'asks a person; test/slow/every-store/maintenance/delete-lost.test.ts deletes some',
  'docs/operating/backup.md: createdb --owner=counterfoil --template=template0 --encoding=UTF8 --locale=C.UTF-8 restored':
    'is for an administrator of the server; test/slow/faults/backup.test.ts runs it in the name of one',
  'docs/operating/backup.md: umask 077': 'needs a container engine',
  'docs/operating/kafka.md: counterfoil relay reset --topic counterfoil.entries.v2':
    'needs a broker; test/relay runs it against a real one',
  'docs/operating/ethereum.md: counterfoil ethereum deploy':
    'needs a chain; test/slow/ethereum/deploy.test.ts runs it against one',
  'docs/operating/postgresql.md: DATABASE_URL=postgres://user:password@host:5432/database BASE_URL=https://memory.example.org npm start':
    'the name of the server is made up; the tests of the project server use a real one',
  'docs/operating/elasticsearch.md: counterfoil scrub --search':
    'needs Elasticsearch; the tests of the project engines run it against a real one',
  'docs/operating/elasticsearch.md: counterfoil replay elasticsearch':
    'needs Elasticsearch; the tests of the project engines run it against a real one',
  'docs/guides/embeddings.md: python3 -m venv ../minilm                      # outside of the repository':
    'installs several GB from a registry; test/docs/minilm.test.ts runs the server with a model that is made up',
  'docs/guides/embeddings.md: EMBEDDINGS_URL=http://127.0.0.1:8190/v1 EMBEDDINGS_MODEL=all-minilm-l6-v2 npm start':
    'needs a server with a model; test/http/floor.test.ts starts the service with one that is made up',
  'docs/guides/clients.md: URL=http://127.0.0.1:8080 KEY=ak_… ops/clients.sh':
    'needs generators from three registries and takes half a minute; its figures are in the page',
  'docs/guides/identities.md: printf \'counterfoil/agent-proof/v1\\0%s\\0%s\' "$ID" "$CHALLENGE" > message':
    'OpenSSL need not be installed; the program of the page makes the same signature',
  'docs/guides/erc8004.md: npm install ethers@6':
    'needs a chain with registries; test/slow/ethereum/erc8004-linking.test.ts makes the same requests against one',
  'docs/guides/public-feeds.md: counterfoil recompute --public https://memory.example.org':
    'the service is made up; the tests of recompute run it against a real one',
  'docs/guides/kafka-receipts.md: printf \'%s\' \'{"receipt_id": "run-4711-step-2", "agent_handle": "@archive", "platform": "sdk", "started_at": "2026-01-15T09:27:00Z", "ended_at": "2026-01-15T09:27:05Z", "status": "error"}\' > receipt.json':
    'kcat need not be installed; the program of the page makes the same signature',
  'docs/methodology.md: counterfoil recompute terminal --at 2027-03-04T12:00:00Z     # from all entries of the ledger, byte for byte what the feed gave then':
    'the moment lies in the future; the tests of recompute compare feeds of real moments',
  'docs/guides/proving.md: export COUNTERFOIL_API_KEY=$KEY':
    'the key does not reach the namespaces that other pages make; test/cli/export-receipts.test.ts has one that does',
  'docs/operating/signing-keys.md: counterfoil log resume':
    'needs the objection of a witness; test/slow/every-store/anchoring/witnesses.test.ts has one',
  'docs/operating/signing-keys.md: install -d -m 700 NEW_DATA_DIR/keys':
    'makes the directory of a second process; test/server/signers.test.ts starts some',
  'docs/operating/signing-keys.md: counterfoil log take-over':
    'needs a store whose signer is gone; test/server/signers.test.ts has one',
  'docs/guides/proving.md: counterfoil audit "$URL/v1/ledger" --state audit.json --accept-succession':
    'needs a log that has lost signed leaves; test/slow/every-store/http/succession.test.ts has one',
  'docs/operating/postgresql.md: createdb --template=template0 --encoding=UTF8 --locale=C.UTF-8 counterfoil':
    'needs a PostgreSQL server; test/server/settings.test.ts makes databases of other kinds on one',
  'docs/operating/troubleshooting.md: counterfoil accept-clock                               # of a service that runs':
    'needs a clock that was set; test/slow/distributed/http/clock.test.ts has one',
};

describe('the fenced blocks of the documentation', () => {
  const all = pagePaths.flatMap((path) => blocksOf(readPage(path)).map((block) => ({ ...block, path })));

  it('are of a language that says whether they are run', () => {
    const languages = [...new Set(all.map(({ language }) => language))];
    expect(languages.filter((language) => !['bash', 'sh', 'json', 'text', 'js', 'ts'].includes(language))).toEqual([]);
  });

  it('are run, or have a reason why not', () => {
    const shown = all
      .filter(({ language }) => language === 'sh')
      .map(({ path, body }) => `${path}: ${body.slice(0, body.indexOf('\n'))}`);
    expect(shown.sort()).toEqual(Object.keys(notRun).sort());
  });

  it('are run by another test where they need more than one service', () => {
    for (const [path, test] of Object.entries(runElsewhere)) expect(readPage(test)).toContain(path);
  });

  it('are programs only as files that the commands of the page use', () => {
    for (const path of pagePaths) {
      const text = readPage(path);
      const commands = stepsOf(text).map((step) => step.commands);
      const programs = blocksOf(text).filter(({ language }) => language === 'js');
      expect(filesOf(text).length, path).toBe(programs.length);
      for (const { name } of filesOf(text)) expect(commands.some((one) => one.includes(name))).toBe(true);
    }
  });

  it('show in the README how to write, search, delete and prove, in at most 200 lines', () => {
    const readme = readPage('README.md');
    const commands = stepsOf(readme)
      .map((step) => step.commands)
      .join('\n');
    const parts = ['v1/memories"', 'v1/memories/search"', '-X DELETE', 'v1/receipts', '/proof"', 'verify', 'fsck'];
    for (const part of parts) expect(commands).toContain(part);
    expect(stepsOf(readme).filter(({ answer }) => answer !== null).length).toBeGreaterThanOrEqual(6);
    expect(readme.split('\n').length).toBeLessThanOrEqual(200);
  });
});
