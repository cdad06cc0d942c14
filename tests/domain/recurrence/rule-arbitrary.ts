import fc from 'fast-check';

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export const FREQUENCIES = ['HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
export type ArbitraryFrequency = (typeof FREQUENCIES)[number];

const list = (item: fc.Arbitrary<string>, maxLength = 3): fc.Arbitrary<string> =>
  fc.array(item, { minLength: 1, maxLength }).map((items) => items.join(','));
const number = (min: number, max: number): fc.Arbitrary<string> => fc.integer({ min, max }).map(String);
const signed = (max: number): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom('', '-', '+'), number(1, max)).map(([sign, value]) => sign + value);

function byDay(ordinalMax: number): fc.Arbitrary<string> {
  const plain = fc.constantFrom(...WEEKDAYS);
  if (ordinalMax === 0) return list(plain, 4);
  const numbered = fc.tuple(signed(ordinalMax), plain).map(([ordinal, day]) => ordinal + day);
  return list(fc.oneof(plain, numbered), 4);
}

type Parts = Record<string, fc.Arbitrary<string>>;

/** The BY parts that go with a frequency; two families for YEARLY, which forbids some together. */
function dayParts(freq: ArbitraryFrequency): Parts[] {
  const BYMONTH = list(number(1, 12), 5);
  const BYMONTHDAY = list(signed(31), 8);
  switch (freq) {
    case 'HOURLY':
      return [{ BYMONTH, BYMONTHDAY, BYDAY: byDay(0), BYYEARDAY: list(signed(366), 40) }];
    case 'DAILY':
      return [{ BYMONTH, BYMONTHDAY, BYDAY: byDay(0) }];
    case 'WEEKLY':
      return [{ BYMONTH, BYDAY: byDay(0) }];
    case 'MONTHLY':
      return [{ BYMONTH, BYMONTHDAY, BYDAY: byDay(5) }];
    case 'YEARLY':
      return [
        { BYMONTH, BYMONTHDAY, BYDAY: byDay(5) },
        { BYMONTHDAY, BYYEARDAY: list(signed(366), 20), BYDAY: byDay(53) },
        {
          BYMONTH,
          BYWEEKNO: list(fc.oneof(signed(53), fc.constantFrom('1', '-1', '52', '53', '-53'))),
          BYDAY: byDay(0),
        },
      ];
  }
}

const timeParts: Parts = {
  BYHOUR: list(number(0, 23)),
  BYMINUTE: list(number(0, 59)),
  BYSECOND: list(number(0, 60), 2),
};

/** Texts of rules that are well formed, each part present or not; without COUNT, UNTIL and BYSETPOS. */
export function ruleText(freq: ArbitraryFrequency): fc.Arbitrary<string> {
  return fc.oneof(...dayParts(freq).map((parts) => assemble(freq, parts)));
}

/** At most two of the day parts at once: three hardly ever meet, and rules that never fire show little. */
function assemble(freq: ArbitraryFrequency, days: Parts): fc.Arbitrary<string> {
  const rest = { ...timeParts, INTERVAL: number(1, 5), WKST: fc.constantFrom(...WEEKDAYS) };
  return fc
    .tuple(
      fc.subarray(Object.keys(days), { maxLength: 2 }),
      fc.record(days),
      fc.record(rest, { requiredKeys: [] }),
    )
    .map(([names, values, others]) => {
      const chosen = names.map((name) => [name, values[name]] as const);
      const parts = [...chosen, ...Object.entries(others)].map(([name, value]) => `${name}=${value}`);
      return [`FREQ=${freq}`, ...parts].join(';');
    });
}

/** Adds BYSETPOS where the rule has something for it to pick from. */
export function withSetPos(rules: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(rules, list(signed(5)))
    .map(([rule, positions]) => (/;BY/.test(rule) ? `${rule};BYSETPOS=${positions}` : rule));
}

export const anyRuleText: fc.Arbitrary<string> = fc.oneof(
  ...FREQUENCIES.flatMap((freq) => [ruleText(freq), withSetPos(ruleText(freq))]),
);
