import { askBroker } from './ask-broker.ts';

const SOURCES = new URL('../../composition/start.mjs', import.meta.url).pathname;

/** What to start: the bundle that all files of a run share. Elsewhere, as in benches, the sources. */
export const startedProgram = async (): Promise<string> => {
  if (process.env['VITEST'] === undefined) return SOURCES;
  const { inject } = await import('vitest');
  return askBroker<string>(new URL('/program', inject('serviceBroker')).href);
};
