import { isAbsolute } from 'node:path';
import {
  type BrowserProgram,
  findInstalled,
  findPacked,
  isProgram,
  PACKAGE,
} from '../adapters/crawler/browser/program.ts';
import { ConfigError, type Environment, integer, oneOf } from './environment.ts';

export interface BrowserConfig {
  /** Null: there is none. */
  readonly program: BrowserProgram | null;
  /** Why there is none, and what to do about it. */
  readonly missing: string;
  /** Open at once. */
  readonly pages: number;
  /** For the processes of one page, each. */
  readonly memoryBytes: number;
  /** Whether the browser's own sandbox is used. */
  readonly sandbox: boolean;
}

const NAME = 'KNOWLEDGER_BROWSER';

/** Nothing is started here. @throws ConfigError where a path is named and no program is there */
export const readBrowser = (env: Environment): BrowserConfig => ({
  ...findBrowser(env),
  pages: integer(env, 'KNOWLEDGER_BROWSER_PAGES', 2, 1, 32),
  memoryBytes: integer(env, 'KNOWLEDGER_BROWSER_MEMORY_MB', 512, 128, 16_384) * 1_024 ** 2,
  sandbox: oneOf(env, 'KNOWLEDGER_BROWSER_SANDBOX', ['on', 'off'], 'on') === 'on',
});

const findBrowser = (env: Environment): Pick<BrowserConfig, 'program' | 'missing'> => {
  const named = env[NAME] || undefined;
  const or = 'and start the service again, or send false';
  if (named === 'off') {
    return { program: null, missing: `${NAME}=off switches it off here: unset it ${or}` };
  }
  if (named !== undefined) {
    if (!isAbsolute(named) || !isProgram(named)) {
      throw new ConfigError(`${NAME} takes the absolute path of Chromium or Chrome, or off`);
    }
    return { program: { kind: 'installed', path: named }, missing: '' };
  }
  const missing =
    'none was found on this machine: install chromium-headless-shell (Debian), Chromium or Chrome, or ' +
    `the npm package ${PACKAGE}, or name one in ${NAME}, ${or}`;
  return { program: findInstalled(env['PATH'] ?? '') ?? findPacked(), missing };
};
