import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { createInstrumenter } from '@stryker-mutator/instrumenter';
import { createInjector } from 'typed-inject';

const quiet = () => undefined;
const logger = { trace: quiet, debug: quiet, info: quiet, warn: console.warn, error: console.error };

/**
 * All mutants of the files: where they are, counted from 0, and what stands there instead; and the files once more with all
 * mutants in them, each behind a switch, which count for each test which of them it reaches.
 */
export const mutantsOf = async (files) => {
  const instrumenter = createInjector()
    .provideValue('logger', { ...logger, isDebugEnabled: () => false })
    .injectFunction(createInstrumenter);
  const read = files.map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') }));
  const options = { plugins: null, excludedMutations: [], ignorers: [] };
  const { mutants, files: switched } = await instrumenter.instrument(read, options);
  const sources = new Map(read.map(({ name, content }) => [name, content]));
  return {
    mutants: mutants.map((mutant) => described(mutant, sources.get(mutant.fileName))),
    switched: Object.fromEntries(switched.map(({ name, content }) => [name, stripTypeScriptTypes(content)])),
  };
};

const described = ({ id, fileName, location, replacement, mutatorName }, source) => {
  const from = offsetOf(source, location.start);
  const to = offsetOf(source, location.end);
  const as = (text) => source.slice(0, from) + text + source.slice(to);
  return {
    id,
    file: fileName,
    line: location.start.line + 1,
    code: source.slice(from, to),
    by: replacement,
    // A block in parentheses would be an object.
    program: () => valid(mutatorName === 'BlockStatement' ? [] : [as(`(${replacement})`)], as(replacement)),
  };
};

const offsetOf = (source, { line, column }) =>
  source
    .split('\n')
    .slice(0, line)
    .reduce((sum, { length }) => sum + length + 1, column);

/** JavaScript of the first that can be read; nothing if none can. */
const valid = (...candidates) => {
  for (const candidate of candidates.flat()) {
    try {
      return stripTypeScriptTypes(candidate);
    } catch {
      // Not where an expression may stand.
    }
  }
  return undefined;
};
