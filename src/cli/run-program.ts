import { type Command, CommanderError } from 'commander';
import { output } from './terminal.js';

/** A command that could not be executed ends with this; 1 is for a fault that a command has found. */
const notExecuted = 2;

/** A wrong command line, or a help text that was shown, ends the program by an error, so that the output is finished first. */
export function finishesOutput(program: Command): void {
  program.exitOverride();
  program.configureOutput({
    writeOut: (text) => void output.stdout.write(text),
    writeErr: (text) => void output.stderr.write(text),
  });
}

/** Runs the command of the command line. @returns the exit code, which is never 0 when a part of the output is missing */
export async function runProgram(program: Command): Promise<number> {
  const code = await codeOf(program);
  const lost = await output.finish();
  if (lost === null) return code;
  output.stderr.write(`counterfoil: ${lost}\n`);
  return code === 0 ? notExecuted : code;
}

async function codeOf(program: Command): Promise<number> {
  try {
    await program.parseAsync();
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : notExecuted;
    throw error;
  }
}
