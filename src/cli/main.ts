#!/usr/bin/env node
import { pathToFileURL } from 'node:url';
import { faultOfNode } from './node-version.js';

// Older versions fail while they load the modules, with an error that says nothing to a user. So this comes before them.
const fault = faultOfNode(process.versions.node);
if (fault !== null) {
  console.error(`counterfoil: ${fault}`);
  process.exit(2);
}
const { builtFile } = await import('../base/built-file.js');
await import(pathToFileURL(builtFile('cli/run.js')).href);
