// Stands in for the test framework. Tests that use more of it than is known here fail while they load, which leaves their
// file out.
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  chai,
} from '@vitest/expect';
import { fn, spyOn } from '@vitest/spy';

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);
export const expect = Object.assign((value, message) => chai.expect(value, message), chai.expect);
Object.assign(expect, globalThis[ASYMMETRIC_MATCHERS_OBJECT]);
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

const bodyOf = (name, rest) => {
  const body = rest.find((one) => typeof one === 'function');
  if (body === undefined) throw new Error(`${name}: only a name and a function are known here`);
  return body;
};
const each =
  (define) =>
  (cases) =>
  (name, ...rest) => {
    const body = bodyOf(name, rest);
    for (const [index, one] of cases.entries()) {
      define(`${name} (${index})`, () => (Array.isArray(one) ? body(...one) : body(one)));
    }
  };
const around = (inner) => (inner === undefined ? [] : [...around(inner.outer), inner]);

export const it = (name, ...rest) => {
  const fullName = [...around(suite).map((outer) => outer.name), name].filter(Boolean).join(' > ');
  tests.push({ name: fullName, body: bodyOf(name, rest), suite });
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
const endings = [];
export const onTestFinished = (end) => void endings.unshift(end);

/** Runs the tests in turn until `after`, which gets the name and the error if any, returns true. */
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
    for (const outer of around(inner).toReversed()) for (const end of outer.afterEach) await end();
    for (const end of endings.splice(0)) await end();
    if (after(name, error)) break;
  }
  for (const outer of [...begun].toReversed()) for (const end of outer.afterAll) await end();
};

/** The tests that are defined while `load` runs. */
export const collected = async (load) => {
  suite = newSuite('', undefined);
  tests = [];
  await load();
  return tests;
};
