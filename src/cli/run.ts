import { packageVersion } from '../base/version.js';
import { program } from './program.js';
import { runProgram } from './run-program.js';

/** The program itself, which `main.ts` starts in a version of Node that can read it. */
process.exitCode = await runProgram(program.version(packageVersion(), '--version'));
