import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { dashboard } from '../../ops/build/docs/dashboard.js';
import { packageRoot } from '../../src/base/package-root.js';
import { sources } from './sources.js';

const text = (path: string) => readFileSync(join(packageRoot, path), 'utf8');
const rules = text('ops/monitoring/alerts.yml');
const alerts = z
  .object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({
            alert: z.string(),
            expr: z.string(),
            labels: z.object({ severity: z.enum(['page', 'ticket']) }),
            annotations: z.object({ summary: z.string().endsWith('.'), runbook: z.string() }),
          }),
        ),
      }),
    ),
  })
  .parse(parse(rules))
  .groups.flatMap((group) => group.rules);

/** Names of metrics in a text, without what Prometheus adds to those of histograms. */
const named = (queries: string) =>
  [...queries.matchAll(/\bcounterfoil_[a-z_]+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, ''));

const metrics = new Set(
  sources(['src']).flatMap(({ text: source }) =>
    [...source.matchAll(/'(counterfoil_[a-z_]+)'/g)].map(([, name]) => name),
  ),
);

describe('the files for monitoring', () => {
  it('name metrics that the service has', () => {
    const queries = [dashboard(), ...alerts.map(({ expr }) => expr)];
    expect(queries.flatMap(named).filter((name) => !metrics.has(name))).toEqual([]);
    expect(metrics.size).toBeGreaterThan(10);
  });

  it('have a panel for every metric', () => {
    const shown = new Set([...named(dashboard()), ...named(rules)]);
    expect([...metrics].filter((name) => name !== undefined && !shown.has(name))).toEqual([]);
  });

  it('have a section for each alert, which is tested', () => {
    const tested = text('ops/monitoring/alerts.test.yml');
    const runbooks = text('docs/operating/alerts.md');
    for (const { alert, annotations } of alerts) {
      expect(annotations.runbook).toBe(`docs/operating/alerts.md#${alert.toLowerCase()}`);
      expect(tested).toContain(`alertname: ${alert}`);
    }
    const sections = [...runbooks.matchAll(/^### (Counterfoil\w+)\n\n(?=[^#\n])/gm)].map(([, name]) => name);
    expect(sections.sort()).toEqual(alerts.map(({ alert }) => alert).sort());
  });

  it('have a sentence for each metric in the reference', () => {
    const page = text('docs/reference/metrics.md');
    expect(
      [...metrics].filter((name) => !new RegExp(`^\\| \`${name}\` \\| \\w+ \\| .+\\. \\|$`, 'm').test(page)),
    ).toEqual([]);
  });
});
