import { z } from 'zod';
import { secretIn } from './rules.js';
import { WrongSetting } from './wrong-setting.js';

/** Settings that may be in a file, which the setting of the same name with _FILE names: an environment is seen by more people. */
const inFiles = ['DATABASE_URL', 'OWNER_PASSWORD', 'OIDC_CLIENT_SECRET', 'SMTP_URL'] as const;

const path = z.string().min(1).optional();

export const fileSettings = {
  DATABASE_URL_FILE: path,
  OWNER_PASSWORD_FILE: path,
  OIDC_CLIENT_SECRET_FILE: path,
  SMTP_URL_FILE: path,
} satisfies Readonly<Record<`${(typeof inFiles)[number]}_FILE`, typeof path>>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads settings whose secrets may be in files.
 * @throws WrongSetting with a sentence that names the setting of the file, where the text in it is wrong
 */
export function withSecretFiles<T>(env: Environment, read: (env: Environment) => T): T {
  const fromFiles = inFiles.flatMap((name) => {
    const setting = `${name}_FILE`;
    const file = env[setting] || undefined;
    if (file === undefined) return [];
    if (env[name]) throw new WrongSetting(`${name} and ${setting} are both set: unset one of them.`);
    return [[name, secretIn(setting, file)] as const];
  });
  try {
    return read({ ...env, ...Object.fromEntries(fromFiles) });
  } catch (error) {
    const name = fromFiles.find(
      ([one]) => error instanceof WrongSetting && error.message.startsWith(`${one} is wrong: `),
    );
    if (!(error instanceof WrongSetting) || name === undefined) throw error;
    throw new WrongSetting(error.message.replace(' is wrong: ', '_FILE is wrong: the text in the file '));
  }
}
