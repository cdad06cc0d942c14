import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { createInstrumenter } from '@stryker-mutator/instrumenter';
import { createInjector } from 'typed-inject';

const quiet = () => undefined;
const logger = { trace: quiet, debug: quiet, info: quiet, warn: console.warn, error: console.error };

/**
 * All mutants of the files; and the files with all mutants in them, each behind a switch, which record for each test
 * the mutants that it reaches.
 */
export const mutantsOf = async (files) => {
  const instrumenter = createInjector()
    .provideValue('logger', { ...logger, isDebugEnabled: () => false })
    .injectFunction(createInstrumenter);
  const sources = new Map(files.map((name) => [name, readFileSync(name, 'utf8')]));
  const { mutants, files: switched } = await instrumenter.instrument(
    [...sources].map(([name, content]) => ({ name, mutate: true, content })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  );
  return {
    mutants: mutants.map((mutant) => described(mutant, sources.get(mutant.fileName))),
    switched: Object.fromEntries(switched.map(({ name, content }) => [name, stripTypeScriptTypes(content)])),
  };
};

const described = ({ id, fileName, location, replacement, mutatorName }, source) => {
  const from = offsetOf(source, location.start);
  const to = offsetOf(source, location.end);
  const as = (text) => source.slice(0, from) + text + source.slice(to);
  // A block in parentheses would be an object.
  const candidates = [...(mutatorName === 'BlockStatement' ? [] : [as(`(${replacement})`)]), as(replacement)];
  return {
    id,
    file: fileName,
    line: location.start.line + 1,
    code: source.slice(from, to),
    by: replacement,
    program: candidates.map(javaScriptOf).find((program) => program !== undefined),
  };
};

const offsetOf = (source, { line, column }) =>
  source
    .split('\n')
    .slice(0, line)
    .reduce((sum, { length }) => sum + length + 1, column);

/** Nothing where the replacement cannot stand there. */
const javaScriptOf = (program) => {
  try {
    return stripTypeScriptTypes(program);
  } catch {
    return undefined;
  }
};
