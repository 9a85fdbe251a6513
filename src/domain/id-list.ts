/** Lists of UUIDs as text: base64 of 16 bytes each, a fifth shorter than in hexadecimal digits. */
const idBytes = 16;

export const bytesOfIds = (ids: readonly string[]): Buffer => Buffer.from(ids.join('').replaceAll('-', ''), 'hex');

export const idList = (parts: readonly Buffer[]): string => Buffer.concat(parts).toString('base64');

/** The ids of a list from one place up to, but without, another. */
export function idsAt(list: string, from: number, to: number): string[] {
  const hex = Buffer.from(list, 'base64')
    .subarray(idBytes * from, idBytes * to)
    .toString('hex');
  return (hex.match(/.{32}/g) ?? []).map((id) => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
}
