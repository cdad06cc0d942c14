import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { programHere } from './program-here.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const PROMETHEUS = join(ROOT, 'deploy/prometheus');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const promtool = programHere('promtool');

const ENDINGS: { readonly [kind: string]: readonly string[] } = {
  gauge: [''],
  createCounter: ['_total'],
  createHistogram: ['_bucket', '_count', '_sum'],
};
/** The metrics that the code makes, under the names that Prometheus knows each by. */
const metrics = globSync('{adapters,composition}/**/*.ts', { cwd: ROOT }).flatMap((path) =>
  [
    ...read(path).matchAll(
      /\b(gauge|createCounter|createHistogram)\(\s*'([\w.]+)',(\s*'s'|[^)]*unit: 's')?/g,
    ),
  ].map(([, kind, name, seconds]) => {
    const plain = name!.replaceAll('.', '_');
    const withUnit = seconds === undefined || plain.endsWith('_seconds') ? plain : `${plain}_seconds`;
    return ENDINGS[kind!]!.map((ending) => withUnit + ending);
  }),
);
const namesIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/\b(?:knowledger|http_server)_\w+/g)].map(([name]) => name)),
];

describe('dashboard and alerts', () => {
  it.each(['deploy/grafana/dashboard.json', 'deploy/prometheus/alerts.yaml'])(
    'ask for metrics that there are: %s',
    (path) => {
      expect(metrics.length).toBeGreaterThan(10);
      const named = namesIn(read(path));
      expect(named.length).toBeGreaterThan(7);
      expect(named.filter((name) => !metrics.flat().includes(name))).toEqual([]);
    },
  );

  it('show every metric of the program', () => {
    const shown = namesIn(read('deploy/grafana/dashboard.json'));
    expect(metrics.filter((names) => !names.some((name) => shown.includes(name)))).toEqual([]);
  });

  it('sound every alarm in a test of the rules', () => {
    const alerts = [...read('deploy/prometheus/alerts.yaml').matchAll(/- alert: (\w+)/g)].map(
      ([, name]) => name!,
    );
    const tested = read('deploy/prometheus/alerts.test.yaml');
    expect(alerts.filter((name) => !tested.includes(name))).toEqual([]);
    expect(alerts.length).toBeGreaterThan(8);
  });

  it.skipIf(promtool === null)('pass the tests of promtool', () => {
    const run = (...args: readonly string[]): string =>
      execFileSync(promtool!, args, { cwd: PROMETHEUS, encoding: 'utf8' });
    expect(run('check', 'rules', 'alerts.yaml')).toContain('SUCCESS');
    expect(run('test', 'rules', 'alerts.test.yaml')).toContain('SUCCESS');
  });

  it.skipIf(promtool === null)('ask in the language of Prometheus on the dashboard', async () => {
    const { panels } = JSON.parse(read('deploy/grafana/dashboard.json')) as {
      panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
    };
    const filled = (expr: string) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$namespace', '.*');
    const asked = panels.flatMap(({ targets }) => targets.map(({ expr }) => filled(expr)));
    const rules = asked.map((expr, nth) => ({ record: `panel:${nth}`, expr }));
    const folder = await mkdtemp(join(tmpdir(), 'knowledger-rules-'));
    await writeFile(join(folder, 'rules.yaml'), JSON.stringify({ groups: [{ name: 'x', rules }] }));
    const told = execFileSync(promtool!, ['check', 'rules', 'rules.yaml'], { cwd: folder, encoding: 'utf8' });
    await rm(folder, { recursive: true });
    expect(told).toContain(`SUCCESS: ${rules.length} rules found`);
  });
});
