import { describe, expect, it } from 'vitest';
import { readToolServers } from '../../composition/tool-servers-config.ts';

const CRM = { name: 'crm', url: 'https://crm.example/mcp', tools: ['look_up'] };
const read = (servers: unknown, env: Record<string, string> = {}) =>
  readToolServers({ KNOWLEDGER_MCP_SERVERS: JSON.stringify(servers), ...env });

describe('the configuration of tool servers', () => {
  it('is none by default', () => {
    expect(readToolServers({})).toEqual([]);
  });

  it('takes secrets of headers from other variables', () => {
    const headers = { Authorization: 'Bearer ${CRM_TOKEN}' };
    const given = { ...CRM, headers, timeout_seconds: 5, session: true };
    expect(read([given, { ...CRM, name: 'b' }], { CRM_TOKEN: 's3cret' })).toEqual([
      { ...CRM, headers: { authorization: 'Bearer s3cret' }, timeoutMs: 5_000, takesSession: true },
      { ...CRM, name: 'b', headers: {}, timeoutMs: 30_000, takesSession: false },
    ]);
  });

  it.each([
    ['no list', {}, 'takes a list of servers'],
    ['two of one name', [CRM, CRM], 'two servers alike'],
    ['a name for no tool', [{ ...CRM, name: 'a b' }], 'name of server 1'],
    ['an address with credentials', [{ ...CRM, url: 'https://u:s3cret@x.example' }], 'url of crm'],
    ['no tools', [{ ...CRM, tools: [] }], 'tools of crm'],
    ['a variable that is not set', [{ ...CRM, headers: { a: '${NOPE}' } }], 'the variable NOPE'],
    ['a line break in a header', [{ ...CRM, headers: { a: 'x\ns3cret' } }], 'the header a of crm'],
    ['no time', [{ ...CRM, timeout_seconds: 0 }], 'timeout_seconds of crm'],
    ['a misspelt field', [{ ...CRM, tool: [] }], 'does not know "tool"'],
  ])('refuses %s, without repeating a value', (_name, servers, words) => {
    expect(() => read(servers)).toThrow(words);
    expect(() => read(servers)).not.toThrow('s3cret');
    expect(() => readToolServers({ KNOWLEDGER_MCP_SERVERS: '[{' })).toThrow('takes JSON');
  });
});
