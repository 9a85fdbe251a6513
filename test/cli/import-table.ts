/** The table at the end of an import: what was written, what was there already, and what was refused, with the codes. */
export function table(
  written: number,
  there: number,
  refused: number,
  codes = '',
  more: Record<string, string> = {},
): string {
  const rows = {
    Written: String(written),
    'Already there': String(there),
    Redacted: '0',
    'Deleted there': '0',
    Refused: codes === '' ? String(refused) : `${refused}  ${codes}`,
    Incomplete: '0',
    Assumed: '0',
    ...more,
  };
  const line = ([name, value]: readonly [string, string]) => {
    const [number = '', details] = value.split('  ');
    return `${name.padEnd(14)}${number.padStart(7)}${details === undefined ? '' : `  ${details}`}`;
  };
  return Object.entries(rows).map(line).join('\n');
}
