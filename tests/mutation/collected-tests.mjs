// Stands for the test framework where mutants are tried: it keeps the tests of one file, to be run one by one.
// What it does not know is an error when the file is loaded, which leaves the file out.
import { fn, spyOn } from '@vitest/spy';
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  chai,
} from '@vitest/expect';

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);
/** The framework's own. */
export const expect = Object.assign((value, message) => chai.expect(value, message), chai.expect);
Object.assign(expect, globalThis[ASYMMETRIC_MATCHERS_OBJECT]);
/** Asks until the answer is as expected, or for a second. */
expect.poll = (ask) =>
  new Proxy(
    {},
    {
      get:
        (_, matcher) =>
        async (...wanted) => {
          for (
            const until = performance.now() + 1_000;
            ;
            await new Promise((later) => setTimeout(later, 5))
          ) {
            try {
              return expect(await ask())[matcher](...wanted);
            } catch (error) {
              if (performance.now() > until) throw error;
            }
          }
        },
    },
  );
export const vi = { fn, spyOn };

const newSuite = (name, outer) => ({
  name,
  outer,
  beforeAll: [],
  beforeEach: [],
  afterEach: [],
  afterAll: [],
});
let suite = newSuite('', undefined);
let tests = [];

const each =
  (define) =>
  (cases) =>
  (name, ...rest) => {
    const body = bodyOf(name, rest);
    for (const [index, one] of cases.entries()) {
      define(`${name} (${index})`, () => (Array.isArray(one) ? body(...one) : body(one)));
    }
  };

/** Time limits are of the trial. */
const bodyOf = (name, rest) => {
  const body = rest.find((one) => typeof one === 'function');
  if (body === undefined) throw new Error(`${name}: only a name and a function are known here`);
  return body;
};

export const it = (name, ...rest) => {
  const body = bodyOf(name, rest);
  tests.push({ name: `${nameOf(suite)}${name}`, body, suite });
};
it.each = each(it);
export const test = it;

export const describe = (name, ...rest) => {
  const outer = suite;
  suite = newSuite(name, outer);
  bodyOf(name, rest)();
  suite = outer;
};
describe.each = each(describe);

const hook = (kind) => (body) => void suite[kind].push(body);
export const beforeAll = hook('beforeAll');
export const beforeEach = hook('beforeEach');
export const afterEach = hook('afterEach');
export const afterAll = hook('afterAll');

/** What the test that runs has asked for at its end, the last first. */
const endings = [];
export const onTestFinished = (end) => void endings.unshift(end);

const nameOf = ({ name, outer }) => (outer === undefined ? '' : `${nameOf(outer)}${name} > `);
const around = (inner) => (inner === undefined ? [] : [...around(inner.outer), inner]);

/** What `load` defines. */
export const collect = async (load) => {
  suite = newSuite('', undefined);
  tests = [];
  await load();
  return tests;
};

/** Runs the tests in turn; `each` is told the name before, and the error if any after; it stops where `after` says so. */
export const run = async (chosen, { before, after }) => {
  const begun = new Set();
  for (const { name, body, suite: inner } of chosen) {
    before(name);
    let error;
    try {
      for (const outer of around(inner).filter((one) => !begun.has(one))) {
        begun.add(outer);
        for (const prepare of outer.beforeAll) await prepare();
      }
      for (const outer of around(inner)) for (const prepare of outer.beforeEach) await prepare();
      await body({ expect });
    } catch (thrown) {
      error = thrown ?? new Error('nothing was thrown');
    }
    for (const outer of around(inner).toReversed()) {
      for (const end of outer.afterEach) await end();
    }
    for (const end of endings.splice(0)) await end();
    if (after(name, error)) break;
  }
  for (const outer of [...begun].toReversed()) for (const end of outer.afterAll) await end();
};
