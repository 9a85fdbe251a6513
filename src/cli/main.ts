#!/usr/bin/env node
import { faultOfNode } from './node-version.js';

// Older versions fail while they load the modules, with an error that says nothing to a user. So this comes before them.
const fault = faultOfNode(process.versions.node);
if (fault !== null) {
  console.error(`counterfoil: ${fault}`);
  process.exit(2);
}
const { program } = await import('./program.js');
const { runProgram } = await import('./run-program.js');
const { packageVersion } = await import('../base/version.js');
process.exitCode = await runProgram(program.version(packageVersion(), '--version'));
