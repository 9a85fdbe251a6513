import type { Bundle } from '../bundle.js';
import type { Claim } from '../report.js';

/** Names anchors on Ethereum and anchors of unknown types. This version cannot check them. */
export function ethereumClaim({ anchors }: Bundle): Claim {
  const claim = { name: 'ethereum' } as const;
  const types = anchors.flatMap((anchor) => (anchor.type === 'other' ? [anchor.name] : []));
  if (types.length === 0) return { ...claim, state: 'absent', text: 'The bundle has no other anchor.', details: {} };
  const named = [...new Set(types)].join(', ');
  const text = `The bundle has an anchor that this version cannot check: ${named}.`;
  return { ...claim, state: 'not checked', text, details: { types: named, anchors: types.length } };
}
