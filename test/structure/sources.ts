import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';

export interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

/** Every source file with what it imports: own files by their path from the root, packages by their name. */
export function sources(directories: readonly string[]): Source[] {
  return directories.flatMap((directory) =>
    readdirSync(join(packageRoot, directory), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => {
        const path = `${directory}/${name}`;
        const text = readFileSync(join(packageRoot, path), 'utf8');
        const imports = [...text.matchAll(/from '([^']+)'/g)].map(([, from = '']) =>
          from.startsWith('.')
            ? relative(packageRoot, resolve(packageRoot, dirname(path), from)).replace(/\.js$/, '.ts')
            : from,
        );
        return { path, text, imports };
      }),
  );
}
