#!/usr/bin/env node
import { Command } from 'commander';
import { serve } from './serve.js';

const program = new Command('counterfoil').description(
  'Memory and receipts that can be checked without trusting who runs the service.',
);

program.command('serve').description('start the service').action(serve);

await program.parseAsync();
