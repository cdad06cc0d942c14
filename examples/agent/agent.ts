// An agent that researches a question with the tools that Knowledger offers by MCP, and any model with OpenAI's interface.
//   KNOWLEDGER_API_KEY=kn_… LLM_URL=http://127.0.0.1:11434/v1 LLM_MODEL=llama3.1 node examples/agent/agent.ts "How …?"
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const { KNOWLEDGER_URL: url = 'http://127.0.0.1:3000', KNOWLEDGER_API_KEY: key = '' } = process.env;
const { LLM_URL: modelUrl, LLM_MODEL: model, LLM_API_KEY: modelKey = '' } = process.env;
const MAX_STEPS = 10;
const INSTRUCTIONS = `Answer from the knowledge base alone, and say so where it has no answer.
Search first, and again in other words where little is found. Name the address of each page that you rely on.`;

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

const agent = new Client({ name: 'example-agent', version: '1.0.0' });
const requestInit = { headers: { authorization: `Bearer ${key}` } };
await agent.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
const tools = (await agent.listTools()).tools.map(({ name, description, inputSchema: parameters }) => ({
  type: 'function',
  function: { name, description, parameters },
}));

const next = async (messages: readonly Message[]): Promise<Message> => {
  const response = await fetch(`${modelUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${modelKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages, tools }),
  });
  if (!response.ok) throw new Error(`the model answered ${response.status}: ${await response.text()}`);
  const { choices } = (await response.json()) as { readonly choices: [{ readonly message: Message }] };
  return choices[0].message;
};

/** What a tool says, or why it was not called: the model may do better with its next call. */
const called = async (name: string, given: string): Promise<string> => {
  console.error(name, given);
  try {
    const { content } = await agent.callTool({ name, arguments: JSON.parse(given) });
    return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  } catch (error) {
    return String(error);
  }
};

const messages: Message[] = [
  { role: 'system', content: INSTRUCTIONS },
  { role: 'user', content: process.argv.slice(2).join(' ') },
];
for (let step = 1; ; step += 1) {
  if (step > MAX_STEPS) throw new Error(`no answer after ${MAX_STEPS} steps`);
  const message = await next(messages);
  const { content, tool_calls: calls = [] } = message;
  messages.push(message);
  if (calls.length === 0) {
    console.log(content);
    break;
  }
  for (const { id, function: asked } of calls)
    messages.push({ role: 'tool', tool_call_id: id, content: await called(asked.name, asked.arguments) });
}
await agent.close();
