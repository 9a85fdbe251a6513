import { readSecretFile, readSettingFile, UnusableFile } from './adapters/secret-file.js';
import { WrongSetting } from './wrong-setting.js';

/** A setting that has no effect without another one stops the start: the operator expects something that would not happen. */
export function needs<S extends object, K extends keyof S & string>(set: S, first: K, others: readonly K[]): void {
  if (set[first] !== undefined) return;
  const idle = others.find((one) => set[one] !== undefined);
  if (idle !== undefined) throw new WrongSetting(`${first} is missing: ${idle} is set without it.`);
}

export const secretIn = (setting: string, path: string | undefined) => readingFile(setting, path, readSecretFile);
export const fileIn = (setting: string, path: string | undefined) => readingFile(setting, path, readSettingFile);

function readingFile(setting: string, path: string | undefined, read: (path: string) => string): string | undefined {
  if (path === undefined) return undefined;
  try {
    return read(path);
  } catch (error) {
    throw error instanceof UnusableFile ? new WrongSetting(`${setting} is wrong: ${error.message}.`) : error;
  }
}
