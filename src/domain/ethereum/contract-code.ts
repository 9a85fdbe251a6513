/** How the code at an address compares with the contract of this version. */
export type CodeAt = 'the contract' | 'another contract' | 'nothing';

/** Compares code as `eth_getCode` answers it. */
export function compareCode(code: string, expected: string): CodeAt {
  if (code === '0x') return 'nothing';
  return code === expected ? 'the contract' : 'another contract';
}
