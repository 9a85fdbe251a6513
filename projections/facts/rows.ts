/**
 * SQL of the agent that a receipt counts for; null for a receipt that is not public.
 * @param recordedAt SQL of the time of the receipt
 * @param hash SQL of its hash as bytes
 */
export const agentOfReceipt = (recordedAt: string, hash: string): string =>
  `(select f.agent from facts f where f.recorded_ms = (extract(epoch from ${recordedAt}) * 1000)::bigint
     and f.hash = encode(${hash}, 'hex'))`;
