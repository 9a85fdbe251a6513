import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package-root.js';

export const contractName = 'CounterfoilAnchor';
export const sourcePath = `contracts/anchor/${contractName}.sol`;

/** The file that the service reads the contract from. */
export const artifactFile = join(packageRoot, `contracts/anchor/${contractName}.json`);

export const source = (): string => readFileSync(join(packageRoot, sourcePath), 'utf8');
export const sourceSha256 = (): string => createHash('sha256').update(source()).digest('hex');
