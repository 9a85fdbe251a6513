import { existsSync, readFileSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { type Config, readConfig, WrongSetting } from '../settings/config.js';

/** The settings from the environment and the file `.env` of the working directory. @throws WrongSetting */
export function readSettings(): Config {
  loadDotEnv();
  return readConfig(process.env);
}

/** Loads `.env`. Variables that the environment already has are not replaced. @throws WrongSetting */
export function loadDotEnv(): void {
  if (!existsSync('.env')) return;
  const fault = faultOfDotEnv(textOf('.env'));
  if (fault !== null) throw new WrongSetting(fault);
  loadEnvFile('.env');
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new WrongSetting(`The file ${path} cannot be read: ${reason}. Make it readable, or remove it.`);
  }
}

const setting = /^[ \t]*(?:export[ \t]+)?[A-Za-z_][A-Za-z0-9_]*[ \t]*=[ \t]*(.*)$/;

/**
 * Finds the first line that is not a setting and describes it in a sentence; null if there is none. Node's parser joins
 * such a line with the next one, which is then not set, and a start without `DATABASE_URL` would use another store. The
 * sentence does not repeat the line, because it may be a part of a secret.
 */
export function faultOfDotEnv(text: string): string | null {
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const value = setting.exec(line)?.[1];
    if (value === undefined) return `Line ${at + 1} of .env is wrong: it must be NAME=value, or begin with #.`;
    const quote = /^["'`]/.exec(value)?.[0];
    if (quote === undefined || value.indexOf(quote, 1) > 0) continue;
    // A value in quotes may have several lines.
    const end = lines.findIndex((later, i) => i > at && later.includes(quote));
    if (end > 0) at = end;
  }
  return null;
}
