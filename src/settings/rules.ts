import type { z } from 'zod';
import { inWords } from '../../contracts/in-words.js';
import { readSecretFile, readSettingFile, UnusableFile } from './secret-file.js';
import { WrongSetting } from './wrong-setting.js';

/**
 * Reads the settings of a schema from the environment.
 * @throws WrongSetting with one sentence for the first setting that is wrong
 */
export function readGiven<T>(schema: z.ZodType<T>, env: Readonly<Record<string, string | undefined>>): T {
  // An empty variable means that a field of a form was left blank. It is not a value.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const read = schema.safeParse(given, { error: inWords });
  if (read.success) {
    requireText(Object.keys(Object(read.data)), given);
    return read.data;
  }
  const [issue] = read.error.issues;
  throw new WrongSetting(`${String(issue?.path[0])} is wrong: ${issue?.message ?? 'not accepted'}.`);
}

/** White space would be read as the number 0, or as the name of a directory. */
function requireText(names: readonly string[], given: Readonly<Record<string, string | undefined>>): void {
  const blank = names.find((name) => given[name]?.trim() === '');
  if (blank !== undefined) throw new WrongSetting(`${blank} is wrong: it has only white space.`);
}

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
