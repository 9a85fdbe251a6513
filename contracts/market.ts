import { z } from 'zod';

/** The extension `market` of a task receipt, from which public figures are computed. */
export const market = z.looseObject({ schema: z.literal('counterfoil-market/1') }).readonly();
export type Market = z.output<typeof market>;
