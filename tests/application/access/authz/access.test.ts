import { describe, expect, it } from 'vitest';
import { unlimitedAccess } from '../../../../application/access/authz/access.ts';
import { EVERYTHING } from '../../../../domain/filter/filter.ts';
import { callerOf } from '../../../support/conversations.ts';
import { FIRST_PAGE, OPEN, openAuthz, RULES } from './authz-in-memory.ts';

const caller = callerOf('acme', ['g1']);
const admin = callerOf('acme');
const SCOPE = { tenant: 'acme', only: ['g1'] };
const partsOf = (filter: { readonly parts: readonly unknown[] } | undefined) => JSON.stringify(filter?.parts);

/** Two policies; sales is the department of jo by the first of them alone. */
const setUp = async (types: Parameters<typeof openAuthz>[0] = { department: ['string'] }) => {
  const open = openAuthz(types);
  for (const name of ['staff', 'others']) await open.policies.create(admin, name, RULES, undefined);
  await open.subjects.set(admin, 'jo', 'staff', { department: ['sales'] });
  open.asked.length = 0;
  return open;
};

describe('what may be read', () => {
  it('is all that the key reaches where authorization is off', async () => {
    expect(await unlimitedAccess(caller, { authzPolicy: 'none' })).toEqual({ ...SCOPE, access: null });
  });

  it('is nothing by a policy that there is not, the default one too', async () => {
    const { accessTo, policies, asked } = await setUp();
    const code = 'authz_policy_not_found';
    await expect(accessTo(caller, { authzPolicy: 'no"ne' })).rejects.toMatchObject({
      code,
      message: String.raw`there is no authz policy "no\"ne"`,
    });
    await expect(accessTo(caller, {})).rejects.toMatchObject({
      code,
      message: 'no policy "default" is defined, so that nothing may be read: define it, or name another',
    });
    await expect(accessTo(callerOf('other'), { authzPolicy: 'staff' })).rejects.toMatchObject({ code });
    await policies.replace(admin, 'default', OPEN);
    expect(await accessTo(caller, {})).toEqual({
      ...SCOPE,
      access: { sources: EVERYTHING, chunks: EVERYTHING },
    });
    expect(asked).toEqual([]);
  });

  it('is by the attributes that the policy knows of the principal', async () => {
    const { accessTo, asked } = await setUp();
    const scope = await accessTo(caller, { authzPolicy: 'staff', principalId: 'jo' });
    expect(scope).toMatchObject(SCOPE);
    expect(partsOf(scope.access?.sources)).toContain('sales');
    expect(partsOf(scope.access?.chunks)).toContain('page_number');
    expect(partsOf(scope.access?.chunks)).not.toContain('department');
    const all = { tenant: 'acme', only: null, access: null };
    expect(asked).toEqual([
      [all, 'source', ['department']],
      [all, 'chunk', ['page_number']],
    ]);
  });

  it.each([
    ['by another policy', { authzPolicy: 'others', principalId: 'jo' }],
    ['to another principal', { authzPolicy: 'staff', principalId: 'al' }],
    ['to nobody', { authzPolicy: 'staff', principalId: null }],
    ['to a principal without a name', { authzPolicy: 'staff', principalId: '' }],
    ['where none is named', { authzPolicy: 'staff' }],
  ])('is not what attributes allow %s', async (_, behalf) => {
    const { accessTo } = await setUp();
    const sources = (await accessTo(caller, behalf)).access?.sources;
    expect(partsOf(sources)).not.toContain('sales');
    expect(sources).not.toEqual(EVERYTHING);
  });

  it('asks nothing of a principal without a name', async () => {
    const { accessTo, execute } = await setUp();
    const load = execute.load.bind(execute);
    const read: string[] = [];
    const noted: typeof load = (of, stream, ...rest) => {
      read.push(stream.split('-')[0]!);
      return load(of, stream, ...rest);
    };
    Object.assign(execute, { load: noted });
    await accessTo(caller, { authzPolicy: 'staff', principalId: '' });
    await accessTo(caller, { authzPolicy: 'staff', principalId: null });
    expect(read).toEqual(['authzPolicy', 'authzPolicy']);
  });

  it('compares by the type that the values of a key have in common', async () => {
    const compare = async (...types: readonly ('integer' | 'string')[]) => {
      const open = openAuthz({ page_number: types });
      await open.policies.create(admin, 'pages', { ...OPEN, chunkMetadata: FIRST_PAGE }, undefined);
      return partsOf((await open.accessTo(caller, { authzPolicy: 'pages' })).access?.chunks);
    };
    expect(await compare('integer')).not.toBe(await compare('integer', 'string'));
  });
});
