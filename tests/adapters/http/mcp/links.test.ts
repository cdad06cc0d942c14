import { describe, expect, it } from 'vitest';
import { mcpClient, textOf } from '../../../support/mcp.ts';
import { knowledgeOver } from '../fake-knowledge.ts';
import { content, ID, KEY } from '../fake-records.ts';
import { runApp, stopServersAfterAll } from '../running-app.ts';

stopServersAfterAll();
const RAW = '/api/v1/sources/1/raw';

/** A client of a service whose contents and documents have this address, and the addresses that it was asked for. */
const clientOf = async (stored: string, publicUrl?: string) => {
  const asked: unknown[] = [];
  const app = await runApp((fakes) => ({
    ...knowledgeOver({
      ...fakes,
      sources: {
        ...fakes.sources,
        content: async () => ({ ...content, url: stored }),
        list: async (caller, filter, page, onBehalfOf) => {
          asked.push(filter.url);
          const found = await fakes.sources.list(caller, filter, page, onBehalfOf);
          return { ...found, rows: found.rows.map((row) => ({ ...row, url: stored })) };
        },
      },
    }),
    publicUrl,
  }));
  return { client: await mcpClient(`${app.url}/mcp`, KEY), url: app.url, asked };
};

describe('addresses in results over MCP', () => {
  it('lead from anywhere to what is stored here: where the client has asked', async () => {
    const { client, url } = await clientOf(RAW);
    const found = await client.callTool({ name: 'get_content', arguments: { id: ID } });
    expect(found.structuredContent).toMatchObject({ content: { url: `${url}${RAW}` } });
    expect(textOf(found)).toContain(`(${url}${RAW})`);
  });

  it('lead to where the operator says that clients reach the service, in tools and in resources', async () => {
    const { client } = await clientOf(RAW, 'https://kb.example.com/k');
    const told = `https://kb.example.com/k${RAW}`;
    const { structuredContent } = await client.callTool({ name: 'get_content', arguments: { id: ID } });
    expect(structuredContent).toMatchObject({ content: { url: told } });
    const { uri } = (structuredContent as { content: { uri: string } }).content;
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([{ _meta: { 'knowledger/document': { url: told } } }]);
  });

  it('find their document when they are sent back', async () => {
    const { client, url, asked } = await clientOf(RAW);
    const { structuredContent } = await client.callTool({
      name: 'list_sources',
      arguments: { url: `${url}${RAW}` },
    });
    expect(structuredContent).toMatchObject({ sources: [{ url: `${url}${RAW}` }] });
    expect(asked).toEqual([RAW]);
  });

  it.each(['https://docs.example.com/a', '//elsewhere.example/a'])('stay as they are: %s', async (stored) => {
    const { client } = await clientOf(stored);
    const { structuredContent } = await client.callTool({ name: 'get_content', arguments: { id: ID } });
    expect(structuredContent).toMatchObject({ content: { url: stored } });
  });
});
