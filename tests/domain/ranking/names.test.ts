import { describe, expect, it } from 'vitest';
import { queryNames, textNames, titleNames } from '../../../domain/ranking/names.ts';

const PROSE = 'Sets how much of it there may be before something else is done.';

describe('titleNames', () => {
  it.each([
    ['CREATE TABLE', ['=create_table']],
    ['20.4. Resource Consumption', ['=20_4_resource_consumption', '=resource_consumption']],
    ['git-add(1)', ['=git_add_1', '=git_add']],
    [
      'subprocess — Subprocess management — Manual 3',
      ['=subprocess_subprocess_management_manual_3', '=subprocess', '=subprocess_subprocess_management'],
    ],
    ['', []],
    ['A title that goes on and on until it is a sentence', []],
  ])('of %j', (title, names) => expect(titleNames(title)).toEqual(expect.arrayContaining(names)));

  it('have what all pages of a site end in as one of their own', () => {
    const ends = ['Files — Manual 3.11', 'Sockets — Manual 3.11'].map(titleNames);
    for (const names of ends) expect(names).toContain('=manual_3_11');
  });
});

describe('textNames', () => {
  it.each([
    ['work_mem (integer)', ['=work_mem_integer', '=work_mem']],
    ['class subprocess.Popen(args, bufsize=-1)', ['=class_subprocess_popen', '=subprocess_popen']],
    ['## 2.1. Replication Slots', ['=replication_slots']],
    ['-n, --dry-run', ['=n_dry_run', '=n']],
  ])('begin at %j', (line, names) => {
    expect(textNames(`${line}\n\n${PROSE}`)).toEqual(expect.arrayContaining(names));
    expect(textNames(line)).toEqual([]);
  });

  it.each(['drop routine foo;', 'if (a) {', 'return a }'])('are none of code: %j', (line) =>
    expect(textNames(`${line}\n\n${PROSE}`)).not.toContain(`=${line.toLowerCase().match(/\w+/g)?.join('_')}`),
  );

  it('are none of a list of links', () => {
    const list = Array.from({ length: 20 }, (_, i) => `deadlock_timeout ${i}, Locks`).join('\n\n');
    expect(textNames(list)).toEqual([]);
  });

  it.each([' ', '1.', '(', '-', 'a ', '=', '#'])('take no longer for many of %j', (part) => {
    const line = part.repeat(200_000);
    expect(textNames(`${line}\n${PROSE}`).length).toBeLessThan(4);
    expect(titleNames(line.slice(0, 500)).length).toBeLessThan(4);
  });
});

describe('queryNames', () => {
  it('are the query, what it asks about, and runs of its words by how much of it they are', () => {
    const of = (query: string) => Object.fromEntries(queryNames(query));
    expect(of('port')).toEqual({ '=port': 3 });
    expect(of('What is a replication slot?')).toEqual({
      '=what_is_a_replication_slot': 3,
      '=replication_slot': 3,
    });
    expect(of('create the big table')).toEqual({ '=create_the_big_table': 3, '=big_table': 0.5 });
    expect(of('the of and')).toEqual({ '=the_of_and': 3 });
    expect(of('')).toEqual({});
  });
});
