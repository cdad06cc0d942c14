import { existsSync } from 'node:fs';
import { join } from 'node:path';
import express, { type IRouter, type Request, type Response } from 'express';
import { refuseOtherMethods } from './mount.ts';
import { HttpProblem } from './problem.ts';
import { consoleHeaders } from './request-headers.ts';

/**
 * Serves the console: its page at `/console` and at every path below, since the page itself reads the rest of the
 * address, and its files, whose names change with their content.
 *
 * @param folder of the built files; what it lacks is answered with 404
 * @param origins to which the page may send requests besides this service
 */
export const mountConsole = (
  app: IRouter,
  folder: string,
  origins: () => Promise<readonly string[]>,
): void => {
  const page = join(folder, 'index.html');
  app.use(
    '/console/assets',
    express.static(join(folder, 'assets'), {
      index: false,
      redirect: false,
      setHeaders: (res: Response) => send(res, [], 'public, max-age=31536000, immutable'),
    }),
  );
  const sendPage = async (req: Request, res: Response): Promise<void> => {
    if (req.path.startsWith('/console/assets/'))
      throw new HttpProblem('not_found', 'this file is of another version of the console: reload its page');
    if (!existsSync(page)) throw new HttpProblem('not_found', NOT_BUILT);
    send(res, await origins(), 'no-cache');
    res.sendFile(page);
  };
  for (const path of ['/console', '/console/{*page}']) {
    app.get(path, (req, res) => sendPage(req, res));
    refuseOtherMethods(app, path, ['GET']);
  }
};

const NOT_BUILT =
  'the console is not built here: run `npm run console:build`, or look into the log of the start';

const send = (res: Response, origins: readonly string[], caching: string): void => {
  for (const [name, value] of consoleHeaders(origins)) res.setHeader(name, value);
  res.setHeader('cache-control', caching);
};
