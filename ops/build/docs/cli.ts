import type { Command } from 'commander';
import { program } from '../../../src/cli/program.js';
import { code, page, table } from './markdown.js';

/** The reference of the command line, from the program itself. */
export function cliReference(): string {
  const lead =
    '`counterfoil` is `node dist/src/cli/main.js`, in the directory and with the settings of the service. Results go to stdout,\n' +
    'progress to stderr. The exit code is 0, 1 when a fault was found, 2 when the command could not run, and 3 when `scrub` names places that may still hold deleted texts.\n' +
    'The option `--version` prints the version of the program.';
  return page(
    'Command line',
    lead,
    program.commands.flatMap((command) => sectionsOf(command, 'counterfoil')),
  );
}

function sectionsOf(command: Command, parent: string): string[] {
  const name = `${parent} ${command.name()}`;
  const [first = '', ...rest] = command.description();
  const described = `${first.toUpperCase()}${rest.join('')}.`;
  const own = [`## ${name}`, described, ...argumentsOf(command)];
  return [own.join('\n\n'), ...command.commands.flatMap((one) => sectionsOf(one, name))];
}

function argumentsOf(command: Command): string[] {
  const rows = [
    ...command.registeredArguments.map((one) => [
      code(one.required ? `<${one.name()}>` : `[${one.name()}${one.variadic ? '...' : ''}]`),
      meaningOf(one.description, one.defaultValue),
    ]),
    ...command.options.map((one) => [
      code(one.flags),
      `${meaningOf(one.description, one.defaultValue)}${one.argChoices ? `: ${one.argChoices.map(code).join(', ')}` : ''}`,
    ]),
  ];
  return rows.length === 0 ? [] : [table(['argument', 'meaning'], rows)];
}

function meaningOf(description: string, value: unknown): string {
  const values = Array.isArray(value) ? value : [value];
  const shown = values.filter((one) => typeof one === 'string' && one !== '');
  const meaning = shown.length === 0 ? description : `${description} (default: ${shown.join(', ')})`;
  // Markdown would make a link of an address, and an element of a name between angle brackets.
  return meaning.replace(/<[^<>]+>|https?:\/\/[^\s,)]+/g, code);
}
