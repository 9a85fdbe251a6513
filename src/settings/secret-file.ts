import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { codeOf } from '../database/private-directory.js';

/** The longest file of a secret that is read, in bytes. */
const secretBytes = 64 * 1024;
/** That of another file. A bundle of all authorities of a system has about 250 kB. */
const settingBytes = 1024 * 1024;

/** Thrown when a file of a setting cannot be used. The message is the end of a sentence that begins with the name of the setting. */
export class UnusableFile extends Error {
  override name = 'UnusableFile';
}

/** The text of a file that is not secret, such as a certificate of an authority. @throws UnusableFile */
export const readSettingFile = (path: string): string => readFile(path, settingBytes);

function readFile(path: string, maxBytes: number): string {
  try {
    const { size } = statSync(path);
    if (size > maxBytes) throw new UnusableFile(`${path} has ${size} bytes, and at most ${maxBytes} are read`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof UnusableFile) throw error;
    throw new UnusableFile(`${path} cannot be read (${codeOf(error)})`);
  }
}

/**
 * The secret in a file, without white space around it. Other users of the machine must not be able to read the file, unless
 * it is in a mount of secrets: there the orchestrator sets the mode, and the service cannot change it.
 * @throws UnusableFile
 */
export function readSecretFile(path: string): string {
  const secret = readFile(path, secretBytes).trim();
  if ((statSync(path).mode & 0o077) !== 0 && !isMountOfSecrets(path)) {
    throw new UnusableFile(`${path} can be read by other users of this machine: run chmod 600 ${path}`);
  }
  if (secret === '') throw new UnusableFile(`${path} is empty`);
  return secret;
}

/** `/run/secrets` of containers, and any file system that is mounted read-only. */
function isMountOfSecrets(path: string): boolean {
  if (path.startsWith('/run/secrets/')) return true;
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (error) {
    return codeOf(error) === 'EROFS';
  }
}
