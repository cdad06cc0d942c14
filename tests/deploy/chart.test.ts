import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { KNOWN_VARIABLES } from '../../composition/config/config.ts';
import { ROLES } from '../../composition/config/variables.ts';
import { programHere } from './program-here.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const CHART = join(ROOT, 'deploy/helm/knowledger');
const read = (path: string): string => readFileSync(join(CHART, path), 'utf8');
const VALUES = globSync('ci/*.yaml', { cwd: CHART });

const helm = programHere('helm');
const kubeconform = programHere('kubeconform');
/** A folder of JSON schemas such as `deployment-apps-v1.json`; else kubeconform fetches them. */
const { KUBERNETES_SCHEMAS: schemas } = process.env;

describe('the Helm chart', () => {
  it('sets variables of the program only', () => {
    const files = globSync('**/*.{yaml,tpl,txt,json}', { cwd: CHART });
    const names = files.flatMap((path) =>
      [...read(path).matchAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g)].map(([name]) => name),
    );
    expect(names.length).toBeGreaterThan(15);
    const ofLibraries = /^(?:AWS|OTEL)_/;
    expect(names.filter((name) => !KNOWN_VARIABLES.includes(name) && !ofLibraries.test(name))).toEqual([]);
  });

  it('takes no secret as a value', () => {
    const validate = new Ajv({ strict: false }).compile(JSON.parse(read('values.schema.json')) as object);
    const taken = (name: string) => validate({ secretName: 'x', env: { [name]: 'x' } });
    const secret = (name: string) => /_KEY$|_KEY_PREVIOUS$|_HEADERS$|^DATABASE_URL$/.test(name);
    const given = KNOWN_VARIABLES.filter(taken);
    expect(given.filter(secret)).toEqual([]);
    expect(given).toEqual(expect.arrayContaining(['LLM_URL', 'KNOWLEDGER_AUTHZ', 'EMBEDDINGS_MODEL']));
    expect(KNOWN_VARIABLES.filter(secret).length).toBeGreaterThan(8);
  });

  it('has the version of the program', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const [, chart] = /^version: (.*)$/m.exec(read('Chart.yaml'))!;
    const [, app] = /^appVersion: (.*)$/m.exec(read('Chart.yaml'))!;
    expect([chart, app]).toEqual([version, version]);
  });

  describe.skipIf(helm === null)('rendered by helm', () => {
    const rendered = (values: string): string =>
      run('template', 'kb', CHART, '--kube-version', '1.34.0', '--values', join(CHART, values));
    const run = (...args: readonly string[]): string => execFileSync(helm!, args, { encoding: 'utf8' });

    it.each(VALUES)('passes its lint with %s', (values) => {
      const args = ['--strict', '--kube-version', '1.34.0', '--values', join(CHART, values)];
      expect(run('lint', CHART, ...args)).toContain('0 chart(s) failed');
    });

    it.each(VALUES)('runs every role once with %s', (values) => {
      const roles = [...rendered(values).matchAll(/name: KNOWLEDGER_ROLES, value: "(.*)"/g)];
      expect(roles.flatMap(([, names]) => names!.split(',')).toSorted()).toEqual(ROLES.toSorted());
    });

    it('sends the Ingress to the port of the API, and Prometheus to the port of the metrics of each pod', () => {
      const large = rendered('ci/large-values.yaml');
      expect(large).toMatch(/service: { name: kb-knowledger, port: { name: http } }/);
      expect(large).toMatch(/^kind: Service$.*?^ +- { name: http,/ms);
      expect(large).toMatch(/podMetricsEndpoints:\n +- port: metrics\n +interval: 30s/);
      expect(large.match(/- { name: metrics, containerPort: 9464 }/g)).toHaveLength(3);
      expect(rendered('ci/volume-values.yaml')).not.toMatch(/kind: (Ingress|PodMonitor)/);
    });

    it('asks for the host of an Ingress', () => {
      const args = ['--set', 'secretName=x', '--set', 'ingress.enabled=true'];
      expect(() => run('template', 'kb', CHART, ...args)).toThrow('ingress');
    });

    it('gives the bootstrap key to the API alone', () => {
      expect(rendered('ci/volume-values.yaml').match(/- name: KNOWLEDGER_BOOTSTRAP_KEY/g)).toHaveLength(1);
    });

    it.skipIf(kubeconform === null).each(VALUES)('is what Kubernetes takes, with %s', (values) => {
      const from = schemas === undefined ? 'default' : join(schemas, '{{.ResourceKind}}{{.KindSuffix}}.json');
      // The operator of Prometheus brings its own kinds.
      const args = [
        '-strict',
        '-summary',
        '-output',
        'json',
        '-skip',
        'PodMonitor',
        '-schema-location',
        from,
      ];
      const input = rendered(values);
      const told = execFileSync(kubeconform!, args, { input, encoding: 'utf8' });
      const { summary } = JSON.parse(told) as { summary: { readonly [what: string]: number } };
      expect(summary).toMatchObject({
        invalid: 0,
        errors: 0,
        skipped: /^kind: PodMonitor$/m.test(input) ? 1 : 0,
      });
      expect(summary['valid']).toBeGreaterThan(8);
    });
  });
});
