import type { ToolServerSettings } from '../../adapters/models/tool-server/tool-server.ts';
import { ConfigError, type Environment } from './environment.ts';

const NAME = 'KNOWLEDGER_MCP_SERVERS';
const EXAMPLE =
  '[{"name": "crm", "url": "https://crm.example/mcp", "headers": {"authorization": "Bearer ${CRM_TOKEN}"}, "tools": ["look_up"]}]';
const TIMEOUT_SECONDS = { usual: 30, most: 600 } as const;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Servers whose tools agent runs may call. In header values `${VARIABLE}` is replaced by the environment variable, so
 * that the list contains no secret.
 *
 * @throws ConfigError, which repeats no value
 */
export const readToolServers = (
  given: string | undefined,
  env: Environment,
): readonly ToolServerSettings[] => {
  if (given === undefined) return [];
  const list = parsed(given);
  if (!Array.isArray(list) || !list.every(isFields))
    throw refused(`takes a list of servers, such as ${EXAMPLE}`);
  const servers = list.map((fields, place) => serverOf(fields, `server ${place + 1}`, env));
  if (new Set(servers.map(({ name }) => name)).size < servers.length)
    throw refused('names two servers alike');
  return servers;
};

const serverOf = (fields: Fields, where: string, env: Environment): ToolServerSettings => {
  const { name, url, headers = {}, tools, session = false, timeout_seconds: seconds, ...others } = fields;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw refused(`does not know ${JSON.stringify(unknown.slice(0, 50))} of ${where}`);
  if (typeof name !== 'string' || !/^[A-Za-z0-9-]{1,20}$/.test(name))
    throw refused(`takes as name of ${where} 1 to 20 letters, digits and "-"`);
  if (typeof session !== 'boolean') throw refused(`takes true or false as session of ${name}`);
  const { usual, most } = TIMEOUT_SECONDS;
  const timeout = seconds ?? usual;
  if (typeof timeout !== 'number' || timeout < 1 || timeout > most)
    throw refused(`takes 1 to ${most} as timeout_seconds of ${name}`);
  const areNames = Array.isArray(tools) && tools.every((one): one is string => typeof one === 'string');
  if (!areNames || tools.length === 0)
    throw refused(`takes as tools of ${name} the names of those that runs may call, or ["*"]`);
  return {
    name,
    url: addressOf(url, name),
    headers: headersOf(headers, name, env),
    tools,
    timeoutMs: timeout * 1_000,
    takesSession: session,
  };
};

const addressOf = (value: unknown, name: string): string => {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  const isHttp = url !== null && ['http:', 'https:'].includes(url.protocol);
  if (isHttp && url.username === '' && url.password === '') return url.href;
  throw refused(`takes as url of ${name} one with http or https, without credentials: these go into headers`);
};

const headersOf = (value: unknown, name: string, env: Environment): Readonly<Record<string, string>> => {
  if (!isFields(value)) throw refused(`takes an object as headers of ${name}`);
  return Object.fromEntries(
    Object.entries(value).map(([header, text]) => {
      if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(header) || typeof text !== 'string')
        throw refused(`takes names and texts as headers of ${name}`);
      const filled = text.replaceAll(/\$\{(\w+)\}/g, (_, variable: string) => {
        const found = env[variable];
        if (!found) throw refused(`names the variable ${variable} in headers of ${name}, which is not set`);
        return found;
      });
      if (!/^[\x20-\x7e]{1,4000}$/.test(filled))
        throw refused(`takes visible ASCII characters as the header ${header} of ${name}`);
      return [header.toLowerCase(), filled];
    }),
  );
};

const refused = (what: string): ConfigError => new ConfigError(`${NAME} ${what}`);

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw refused(`takes JSON: ${EXAMPLE}`);
  }
};
