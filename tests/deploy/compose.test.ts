import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { KNOWN_VARIABLES } from '../../composition/config/config.ts';
import { ROLES } from '../../composition/config/variables.ts';

const TEXT = readFileSync(new URL('../../compose.yaml', import.meta.url), 'utf8');
/** A section at the left margin. */
const section = (name: string): string => new RegExp(`^${name}:.*\n((?: .*\n|\n)*)`, 'm').exec(TEXT)![1]!;

describe('compose.yaml', () => {
  it('sets variables of the program only', () => {
    const names = [...section('x-environment').matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name!);
    expect(names).toEqual(expect.arrayContaining(['DATABASE_URL', 'EVENTSTORE_URL', 'OPENSEARCH_URL']));
    expect(names.filter((name) => !KNOWN_VARIABLES.includes(name))).toEqual([]);
  });

  it('starts each service by a profile, and every role once', () => {
    const services = section('services')
      .split(/^(?= {2}\w+:$)/m)
      .slice(1);
    expect(services.length).toBeGreaterThan(7);
    expect(services.filter((each) => !/^ {4}profiles: \[/m.test(each))).toEqual([]);
    const roles = services.flatMap((each) => {
      const [, names] = /KNOWLEDGER_ROLES: '?([\w,]+)/.exec(each) ?? [];
      return names?.split(',') ?? [];
    });
    expect(roles.toSorted()).toEqual(ROLES.toSorted());
  });
});
