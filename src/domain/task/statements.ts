import type { Market } from '../../../contracts/market.js';
import { isObject } from '../json-text.js';

/** The objects of the market that have a state, and the member that is their id. */
const idMembers = {
  settlement: 'invoice_id',
  rfq: 'rfq_id',
  auction: 'auction_id',
  forward: 'forward_id',
  dispute: 'case_id',
} as const;

export type StatedType = keyof typeof idMembers;

/** An object of the market, by its type and its id. */
export interface StatedObject {
  readonly type: StatedType;
  readonly id: string;
}

export const keyOfStated = ({ type, id }: StatedObject): string => `${type} ${id}`;

/** The state of such an object as a task receipt states it. */
export interface Statement extends StatedObject {
  readonly status: string;
  /** Only of a dispute. */
  readonly tier: string | null;
}

const types = Object.keys(idMembers).filter((name): name is StatedType => Object.hasOwn(idMembers, name));

/** The statements of a task receipt that change the state of an object, at most one of each type. */
export function statementsOf(market: Market | undefined): readonly Statement[] {
  return market === undefined ? [] : types.flatMap((type) => statementOf(type, market[type]));
}

function statementOf(type: StatedType, stated: unknown): readonly Statement[] {
  if (!isObject(stated)) return [];
  const { [idMembers[type]]: id, status, tier } = stated;
  if (typeof id !== 'string' || typeof status !== 'string') return [];
  return [{ type, id, status, tier: typeof tier === 'string' ? tier : null }];
}
