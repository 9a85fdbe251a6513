import { dayMs } from '../market/state/windows.js';

/** A span of time, half-open. Receipts that were recorded in it are counted in one feedback. */
export interface Epoch {
  /** `2026-03-14` when epochs are whole days, otherwise its start as `2026-03-14T090000Z`. */
  readonly id: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The epoch of a moment. Epochs follow each other from the first moment of 1970 on. */
export function epochOf(ms: number, epochMs: number): Epoch {
  const fromMs = startOfEpoch(ms, epochMs);
  return { id: idOf(fromMs, epochMs), fromMs, toMs: fromMs + epochMs };
}

/** The first moment of an epoch; of the present one, it is the moment until which epochs have ended. */
export const startOfEpoch = (ms: number, epochMs: number): number => Math.floor(ms / epochMs) * epochMs;

function idOf(fromMs: number, epochMs: number): string {
  const [date = '', time = ''] = new Date(fromMs).toISOString().split('T');
  return epochMs % dayMs === 0 ? date : `${date}T${time.slice(0, 8).replaceAll(':', '')}Z`;
}

/** Whether a text has the form of the id of an epoch. */
export const isEpochId = (text: string): boolean => /^\d{4}-\d{2}-\d{2}(T\d{6}Z)?$/.test(text);
