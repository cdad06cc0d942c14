import type { IRouter } from 'express';
import { HttpProblem } from './problem.ts';

/**
 * Answers what is left for a path once its own methods are mounted: OPTIONS with the list of them, any other method
 * with 405 (RFC 9110, section 15.5.6: with `Allow`).
 */
export const refuseOtherMethods = (router: IRouter, path: string, methods: readonly string[]): void => {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  router.all(path, (req, res) => {
    if (req.method !== 'OPTIONS') {
      throw new HttpProblem('method_not_allowed', `${req.method} is not possible here: use ${allow}`, {
        allow,
      });
    }
    res.setHeader('allow', allow);
    res.statusCode = 204;
    res.end();
  });
};
