import type { Anchoring } from '../../api/services.js';
import type { StateKind } from '../components/state.js';
import type { Receipt } from './sentence.js';

/** How far the proof of a receipt has come, as a state and a word. */
export function anchorOf(
  { anchor_state, anchor_tx }: Receipt,
  { bitcoin, ethereum }: Anchoring,
): readonly [StateKind, string] {
  if (anchor_state === 'confirmed') return ['verified', 'In Bitcoin'];
  if (anchor_tx?.state === 'final') return ['verified', 'In Ethereum'];
  if (anchor_state === 'attested') return ['waits', 'In a block'];
  if (anchor_state === 'submitted') return ['waits', 'Submitted'];
  return bitcoin || ethereum ? ['waits', 'Waits'] : ['absent', 'Not anchored'];
}
