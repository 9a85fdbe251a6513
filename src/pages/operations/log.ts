import type { z } from 'zod';
import { logKeys } from '../../../contracts/log.js';
import { logAnchors } from '../../../contracts/log-anchors.js';
import { callAs } from '../../api/call.js';
import { anchorsOperation } from '../../api/public-log/anchors.js';
import { logKeysOperation } from '../../api/public-log/files.js';
import { read } from '../ask.js';
import { identity } from '../components/identity.js';
import { state } from '../components/state.js';
import { table } from '../components/table.js';
import { time } from '../components/time.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonRequest } from '../page.js';

type Checkpoint = z.output<typeof logAnchors>['data'][number];

const most = 10;

/** The newest checkpoints, and how far each is anchored elsewhere. */
export async function checkpoints({ client, now }: PersonRequest, parts: PageParts): Promise<Html> {
  const given = { client, query: { limit: String(most) } };
  const { data } = read(logAnchors, await callAs({ anybody: true }, anchorsOperation, given, parts));
  if (data.length === 0)
    return html`<p class="hint">There is none. One is signed within a minute after the first write.</p>`;
  return table({
    caption: `The newest checkpoints, at most ${most}`,
    columns: [
      { name: 'Leaves', look: 'number' },
      { name: 'Signed', look: 'number' },
      { name: 'Witnesses', look: 'number not-on-phones' },
      { name: 'Bitcoin', look: 'wide-cell' },
      { name: 'Ethereum', look: 'not-on-phones' },
    ],
    rows: data.map((one) => ({
      cells: [
        one.size.toLocaleString('en'),
        time(one.signed_at, now),
        one.witnesses.length,
        bitcoin(one, parts.services.service.anchoring.bitcoin),
        ethereum(one),
      ],
    })),
  });
}

function bitcoin({ opentimestamps }: Checkpoint, isOn: boolean): Html {
  if (opentimestamps.state === 'confirmed') return state('verified', `block ${opentimestamps.height ?? ''}`);
  return isOn ? state('waits', opentimestamps.state) : state('absent', 'off here');
}

function ethereum({ ethereum: found }: Checkpoint): Html {
  if (found === null) return state('absent', 'none of its own');
  return state(found.state === 'final' ? 'verified' : found.state === 'lost' ? 'failed' : 'waits', found.state);
}

/** The keys that sign the log, or have signed it. */
export async function logKeyRows({ client, now }: PersonRequest, parts: PageParts): Promise<Html> {
  const { data } = read(logKeys, await callAs({ anybody: true }, logKeysOperation, { client }, parts));
  if (data.length === 0) return html`<p class="hint">There is none: this log is not signed.</p>`;
  return table({
    caption: 'Keys of the log, the oldest first',
    columns: [
      { name: 'Log', look: 'wide-cell' },
      { name: 'Key', look: 'number not-on-phones' },
      { name: 'State' },
      { name: 'Since', look: 'number' },
    ],
    rows: data.map(({ name, id, not_before, state: of }) => ({
      cells: [name, identity(id), state(of === 'in use' ? 'verified' : 'absent', of), time(not_before, now)],
    })),
  });
}
