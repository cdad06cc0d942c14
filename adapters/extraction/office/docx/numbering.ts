import { handlers, readXml, type XmlAttributes } from '../../xml/read-xml.ts';
import {
  DEEPEST_LEVEL,
  type ListDefinition,
  type ListLevel,
  PADDED,
  createListMarks,
} from '../list-marks.ts';

/** The lists of a document, by the numbering ids of its paragraphs. */
export interface Lists {
  /**
   * The mark of the next item of a list, with its indentation; null when the paragraph is not an item.
   *
   * @param level null for the level of a style
   */
  next(numId: string, level: number | null, style: string | null): string | null;
}

interface Level extends ListLevel {
  /** Paragraphs of this style are items of this level. */
  readonly style: string | null;
}

type Levels = Map<number, Level>;

interface Definition extends ListDefinition {
  readonly levels: readonly (Level | undefined)[];
}

interface Found {
  readonly abstract: ReadonlyMap<string, Levels>;
  readonly numbers: ReadonlyMap<string, NumberedList>;
}

interface NumberedList {
  abstract: string;
  readonly over: Levels;
  /** By level, the first number of its items in this list. */
  readonly starts: Map<number, number>;
}

/** Parses the list definitions of a document (ECMA-376-1, 17.9). */
export const readLists = (xml: string | null): Lists => {
  const found: Found = xml === null ? { abstract: new Map(), numbers: new Map() } : readNumbering(xml);
  const known = new Map<string | number, Definition>();
  const definitionOf = (numId: string | number): Definition | undefined => {
    const number = found.numbers.get(String(numId));
    if (number === undefined) return undefined;
    const definition = known.get(numId) ?? defined(number, found.abstract);
    known.set(numId, definition);
    return definition;
  };
  const marks = createListMarks(definitionOf);
  return {
    next: (numId, level, style) => {
      if (numId === '0') return null;
      const linked = (): number =>
        style === null ? -1 : (definitionOf(numId)?.levels.findIndex((one) => one?.style === style) ?? -1);
      return marks.next(numId, level ?? Math.max(0, linked()));
    },
  };
};

const defined = ({ abstract, over, starts }: NumberedList, all: Found['abstract']): Definition => {
  const levels = all.get(abstract);
  return {
    key: abstract,
    startsOver: [...starts.keys(), ...over.keys()],
    levels: Array.from({ length: DEEPEST_LEVEL + 1 }, (_, at): Level | undefined => {
      const level = over.get(at) ?? levels?.get(at);
      const start = starts.get(at);
      return level === undefined || start === undefined ? level : { ...level, start };
    }),
  };
};

type Open = { -readonly [Key in keyof Level]: Level[Key] };

const readNumbering = (xml: string): Found => {
  const abstract = new Map<string, Levels>();
  const numbers = new Map<string, NumberedList>();
  /** Lists of a style: the one that defines it, and those that reference it. */
  const byStyle = new Map<string, Levels>();
  const named = new Map<string, string>();
  let list = '';
  let levels: Levels = new Map();
  let number: NumberedList | null = null;
  let over = 0;
  let level: Open | null = null;
  let older = false;
  const inLevel = (change: (level: Open, val: string) => void) => (attributes: XmlAttributes) => {
    if (level !== null && !older) change(level, attributes['val'] ?? '');
  };
  const openers = handlers<(attributes: XmlAttributes) => void>({
    abstractNum: ({ abstractNumId = '' }) => {
      [list, levels, number] = [abstractNumId, new Map(), null];
      abstract.set(list, levels);
    },
    styleLink: ({ val = '' }) => byStyle.set(val, levels),
    numStyleLink: ({ val = '' }) => named.set(list, val),
    num: ({ numId = '' }) => {
      number = { abstract: '', over: new Map(), starts: new Map() };
      numbers.set(numId, number);
    },
    abstractNumId: ({ val = '' }) => Object.assign(number ?? {}, { abstract: val }),
    lvlOverride: ({ ilvl }) => (over = Number(ilvl) || 0),
    startOverride: ({ val }) => number?.starts.set(over, startOf(val)),
    lvl: ({ ilvl }) => {
      const at = Math.min(Math.max(Number(ilvl) || 0, 0), DEEPEST_LEVEL);
      level = {
        format: 'decimal',
        text: `%${at + 1}.`,
        start: 1,
        legal: false,
        restartsAfter: at,
        style: null,
      };
      (number?.over ?? levels).set(at, level);
    },
    start: inLevel((one, val) => (one.start = startOf(val))),
    numFmt: (attributes) => inLevel((one) => (one.format = formatOf(attributes)))(attributes),
    lvlText: inLevel((one, val) => (one.text = val)),
    pStyle: inLevel((one, val) => (one.style = val)),
    isLgl: ({ val = '1' }) => inLevel((one) => (one.legal = val !== '0' && val !== 'false'))({}),
    lvlRestart: inLevel((one, val) => (one.restartsAfter = Math.min(Number(val) || 0, one.restartsAfter))),
    // A number format that older programs do not know has a fallback.
    Fallback: () => (older = true),
  });
  readXml(xml, {
    open: (name, attributes) => openers.get(name)?.(attributes),
    close: (name) => {
      if (name === 'lvl') level = null;
      if (name === 'Fallback') older = false;
    },
  });
  for (const [id, style] of named) abstract.set(id, byStyle.get(style) ?? new Map());
  return { abstract, numbers };
};

const startOf = (val: string | undefined): number => Math.trunc(Number(val)) || 0;

/** `custom` gives its first numbers: `001, 002, 003, ...`. */
const formatOf = ({ val = 'decimal', format = '' }: XmlAttributes): string =>
  val === 'custom' ? `${PADDED}${/^0*1/.exec(format)?.[0].length ?? 1}` : val;
