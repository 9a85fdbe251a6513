import type { z } from 'zod';
import type { proofReport } from '../../../contracts/receipt.js';
import type { Anchoring } from '../../api/services.js';
import type { StateKind } from '../components/state.js';
import type { Step } from '../components/strip.js';
import { time } from '../components/time.js';
import type { Html } from '../html.js';
import type { Receipt } from './sentence.js';

export type Claim = z.output<typeof proofReport>['claims'][number];
type ClaimName = Claim['name'];

/** The steps from the chain of the workspace to the public chains, by the claims about them. */
export function stepsOf(
  claims: readonly Claim[],
  { seq, recorded_at }: Receipt,
  { now, anchoring }: { readonly now: number; readonly anchoring: Anchoring },
): readonly Step[] {
  const claim = (name: ClaimName) => claims.find((one) => one.name === name);
  const detail = (name: ClaimName, key: string) => claim(name)?.details[key];
  const date = (name: ClaimName): Html | string | null => {
    const at = detail(name, 'block_time');
    return typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? time(at, now) : null;
  };
  const step = (name: string, of: ClaimName, words: string | undefined, at: Step['date']): Step => {
    const kind = kindOf(claim(of));
    return { name, kind, words: kind === 'waits' || words === undefined ? waiting(kind) : words, date: at };
  };
  const [bitcoin, ethereum] = [detail('opentimestamps', 'block_height'), detail('ethereum', 'block_number')];
  return [
    step('Chain', 'entry', `entry ${seq}`, time(recorded_at, now)),
    step('Tree', 'inclusion', `of ${detail('inclusion', 'workspace_size')}`, null),
    step('Checkpoint', 'checkpoint', `size ${detail('checkpoint', 'size')}`, null),
    witnesses(claim('checkpoint')),
    orOff(
      anchoring.bitcoin,
      step('Bitcoin', 'opentimestamps', bitcoin === undefined ? undefined : `block ${bitcoin}`, date('opentimestamps')),
    ),
    orOff(
      anchoring.ethereum,
      step('Ethereum', 'ethereum', ethereum === undefined ? undefined : `block ${ethereum}`, date('ethereum')),
    ),
  ];
}

/** A step that nothing will ever make does not wait. One that was made before its chain was switched off stays. */
function orOff(isOn: boolean, step: Step): Step {
  return isOn || step.kind !== 'waits' ? step : { ...step, kind: 'absent', words: 'off here' };
}

function kindOf(claim: Claim | undefined): StateKind {
  if (claim === undefined || claim.state === 'absent') return 'waits';
  return claim.state === 'not checked' ? 'not-checked' : claim.state;
}

function waiting(kind: StateKind): string {
  return kind === 'waits' ? 'waits' : kind === 'not-checked' ? 'not checked' : kind;
}

/** Signatures besides that of the log. The service has no list of witnesses that the reader trusts, so it checks none of them. */
function witnesses(checkpoint: Claim | undefined): Step {
  const all = checkpoint?.details.signatures;
  const others = typeof all === 'number' ? all - 1 : 0;
  const step = { name: 'Witnesses', date: null };
  if (others < 1) return { ...step, kind: 'absent', words: 'none' };
  return { ...step, kind: 'not-checked', words: `${others} more signature${others === 1 ? '' : 's'}` };
}
