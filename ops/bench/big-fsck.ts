import { measureCommand } from './command.js';

/** `counterfoil fsck` as a process of its own: how many entries a second, and the most memory that it held. */
export async function measureFsck(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<(string | number)[][]> {
  const { text, seconds, mostMb } = await measureCommand(['fsck'], { DATA_DIR: dataDir, ...settings });
  const entries = Number(/in (\d+) entries/.exec(text)?.[1]);
  return [
    ['fsck of entries', 's', 'per second', 'at most MiB'],
    [entries, seconds.toFixed(1), (entries / seconds).toFixed(0), mostMb],
  ];
}
