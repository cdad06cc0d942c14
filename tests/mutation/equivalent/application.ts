import type { Equivalents } from '../equivalent.ts';

export const APPLICATION: readonly Equivalents[] = [
  {
    file: 'application/jobs/loaded.ts',
    why: 'one of both is there, which the compiler is to be told',
    mutants: [["''", '"Stryker was here!"']],
  },
  {
    file: 'application/jobs/watch.ts',
    why: 'a signal aborts once',
    mutants: [
      ['{ once: true }', '{}'],
      ['true', 'false'],
    ],
  },
  {
    file: 'application/event-sourcing/company.ts',
    why: 'nothing is returned either way',
    mutants: [['{\n    return undefined;\n  }', '{}']],
  },
  {
    file: 'application/event-sourcing/lines.ts',
    why: 'a listener that is left behind does nothing any more',
    mutants: [["'abort'", '""']],
  },
  {
    file: 'application/event-sourcing/event-codec.ts',
    why: 'nothing is stored under a name that is none',
    mutants: [['[]', '["Stryker was here"]']],
  },
  {
    file: 'application/event-sourcing/idempotent.ts',
    why: 'no two members of an object have one name',
    mutants: [['a < b', 'a <= b']],
  },
  {
    file: 'application/event-sourcing/idempotent.ts',
    why: 'saves reading the stream of no key, which nobody writes; what is neither a claim nor a use is a release',
    mutants: [
      ['request.key === undefined', 'false'],
      ["''", '"Stryker was here!"'],
      ["'release'", '""'],
    ],
  },
  {
    file: 'application/event-sourcing/idempotent.ts',
    why: 'a key that was claimed is there, which the compiler is to be told',
    mutants: [
      ['{ claim: made, holders: 1, used: false }', '{}'],
      ['false', 'true'],
      ['found !== null && found.state !== null', 'true'],
      ['found !== null && found.state !== null', 'found !== null || found.state !== null'],
      ['found !== null', 'true'],
      ['found.state !== null', 'true'],
    ],
  },
  {
    file: 'domain/shared/key-case.ts',
    why: 'names that are not remembered are spelt again, and the same; so are values that need not be looked into',
    mutants: [
      ['spelt === undefined', 'true'],
      ['known.size < MOST_KNOWN', 'true'],
      ['known.size < MOST_KNOWN', 'false'],
      ['known.size < MOST_KNOWN', 'known.size <= MOST_KNOWN'],
      ['known.size < MOST_KNOWN', 'known.size >= MOST_KNOWN'],
      ['known.set(name, spelt);', ';'],
      ["typeof value !== 'object'", 'false'],
      ["typeof value === 'object' && value !== null", 'true'],
      ["typeof value === 'object' && value !== null", "typeof value === 'object' || value !== null"],
      ["typeof value === 'object'", 'true'],
      ['value !== null', 'true'],
    ],
  },
  {
    file: 'application/ports/text-decoding.ts',
    why: 'nothing is no label that anybody knows',
    mutants: [
      ['label === null', 'false'],
      ['detected === null', 'false'],
      ['declared === undefined', 'false'],
    ],
  },
  {
    file: 'application/ports/text-decoding.ts',
    why: 'the slower way to the same text',
    mutants: [
      ["encoding === 'utf-8' && utf8 !== null", 'false'],
      ["'utf-8'", '""'],
    ],
  },
  {
    file: 'application/ports/text-decoding.ts',
    why: 'no encoding of the WHATWG table has one of these names in its middle',
    mutants: [
      [
        '/^(?:windows-|iso-8859|macintosh|ibm866|koi8|x-mac)/',
        '/(?:windows-|iso-8859|macintosh|ibm866|koi8|x-mac)/',
      ],
    ],
  },
  {
    file: 'application/ports/text-decoding.ts',
    why: 'saves a look for what is not there',
    mutants: [["'\\0'", '""']],
  },
  {
    file: 'application/ports/text-decoding.ts',
    why: 'this is no control character either',
    mutants: [["''", '"Stryker was here!"']],
  },
  {
    file: 'application/ports/text-decoding.ts',
    why: 'parts of another length make the same text, slower',
    mutants: [
      ['units.length < 4_096', 'false'],
      ['units.length < 4_096', 'units.length <= 4_096'],
      ['units.length < 4_096', 'units.length >= 4_096'],
    ],
  },
  {
    file: 'application/event-sourcing/kept-states.ts',
    why: 'without a clock nothing is noted of the time; numbers are only told apart',
    mutants: [
      ['clock === undefined', 'false'],
      ['last += 1', 'last -= 1'],
    ],
  },
  {
    file: 'application/event-sourcing/load.ts',
    why: 'saves reading what is known already, or asking for what was written down',
    mutants: [
      ['from === undefined && page.more', 'from === undefined || page.more'],
      ['from === undefined', 'true'],
      ['kept !== undefined && kept.revision >= revision', 'false'],
      ['kept.revision >= revision', 'true'],
      ['kept.revision >= revision', 'kept.revision > revision'],
      ['kept.revision >= revision', 'kept.revision < revision'],
    ],
  },
  {
    file: 'application/event-sourcing/patience.ts',
    why: 'it is waited for nothing, too, and no pause has a length there',
    mutants: [
      ['() => Promise.resolve()', '() => undefined'],
      ['() => 0', '() => undefined'],
    ],
  },
  {
    file: 'application/event-sourcing/settled.ts',
    why: 'a function that ends without a value answers nothing, too',
    mutants: [
      [
        `{
    return undefined;
  }`,
        '{}',
      ],
    ],
  },
  {
    file: 'application/event-sourcing/settled.ts',
    why: 'saves deciding in vain on what was seen where there was no stream',
    mutants: [
      ["lastSeen.revision === 'none'", 'false'],
      ["'none'", '""'],
    ],
  },
  {
    file: 'application/event-sourcing/shown.ts',
    why: 'no revision is no larger than any',
    mutants: [
      ["found.revision !== 'none'", 'true'],
      ["'none'", '""'],
    ],
  },
];
