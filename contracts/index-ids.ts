/** The indices, in the order in which they are listed. */
export const indexIds = [
  'CFX',
  'CFX.BUILD',
  'CFX.KNOW',
  'CFX.SERVE',
  'CFX.TRANSACT',
  'CFX.COST',
  'CFX.REL',
  'CFX.LAT',
  'CFX.HHI',
] as const;
export type IndexId = (typeof indexIds)[number];
