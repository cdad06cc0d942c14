import { readXml } from '../../xml/read-xml.ts';

/** Properties by which text is left out, each as far as it is stated. */
export type LeavingOut = Partial<Record<'vanish' | 'strike' | 'dstrike', boolean>>;

/** Whether a property without a value, or with this one, is on (ECMA-376-1, 17.17.4). */
export const isOn = (value: string | undefined): boolean =>
  value === undefined || !/^(?:0|false|off|none)$/.test(value);

/** The meaning of a paragraph style; of a style of characters, only what it leaves out. */
export interface ParagraphStyle {
  readonly leavingOut: LeavingOut;
  /** 1–9 for headings, else 0. */
  readonly level: number;
  readonly isTitle: boolean;
  /** The list of its paragraphs, which are items. */
  readonly numId: string | null;
  /** Level in that list; null when the list determines it by the style. */
  readonly listLevel: number | null;
  /** The style that says so: this one, or one of its base styles. */
  readonly listStyle: string | null;
}

interface Definition {
  readonly leavingOut: LeavingOut;
  name: string;
  basedOn: string | null;
  outline: number | null;
  numId: string | null;
  listLevel: number | null;
}

/**
 * Styles by id; heading levels come from the outline level or the name, including inherited ones (ECMA-376-1, 17.7).
 */
export const readStyles = (xml: string | null): ((id: string) => ParagraphStyle) => {
  const definitions = xml === null ? new Map<string, Definition>() : readDefinitions(xml);
  const known = new Map<string, ParagraphStyle>();
  return (id) => {
    const found = known.get(id) ?? styleOf(definitions, id);
    known.set(id, found);
    return found;
  };
};

const readDefinitions = (xml: string): Map<string, Definition> => {
  const definitions = new Map<string, Definition>();
  let current: Definition | null = null;
  readXml(xml, {
    open: (name, { val, styleId, type }) => {
      if (name === 'style') {
        current = { name: '', basedOn: null, outline: null, numId: null, listLevel: null, leavingOut: {} };
        if (styleId !== undefined && READ.has(type ?? 'paragraph')) definitions.set(styleId, current);
      } else if (current === null) return;
      else if (name === 'name') current.name = val ?? '';
      else if (name === 'basedOn') current.basedOn = val ?? null;
      else if (name === 'outlineLvl') current.outline = Number(val);
      else if (name === 'numId') current.numId = val ?? null;
      else if (name === 'ilvl') current.listLevel = Number(val) || 0;
      else if (name === 'vanish' || name === 'strike' || name === 'dstrike')
        current.leavingOut[name] = isOn(val);
    },
    close: (name) => {
      if (name === 'style') current = null;
    },
  });
  return definitions;
};

const READ = new Set(['paragraph', 'character']);
const MAX_ANCESTORS = 20;
const NO_LIST = { numId: null, listLevel: null, listStyle: null } as const;

const styleOf = (definitions: ReadonlyMap<string, Definition>, id: string): ParagraphStyle => {
  let level: number | null = null;
  let list: Pick<ParagraphStyle, 'numId' | 'listLevel' | 'listStyle'> = NO_LIST;
  let ownLevel: number | null = null;
  let isTitle = false;
  let leavingOut: LeavingOut = {};
  let next: string | null = id;
  for (let step = 0; next !== null && step < MAX_ANCESTORS; step += 1) {
    const definition = definitions.get(next);
    // Some producers write no definitions: then the id itself is the name.
    const name = definition?.name ?? next;
    level ??=
      definition?.outline === undefined || definition.outline === null
        ? headingLevel(name)
        : definition.outline + 1;
    ownLevel ??= definition?.listLevel ?? null;
    if (list === NO_LIST && definition !== undefined && definition.numId !== null)
      list = { numId: definition.numId, listLevel: ownLevel, listStyle: next };
    leavingOut = { ...definition?.leavingOut, ...leavingOut };
    isTitle ||= step === 0 && /^title$/i.test(name);
    next = definition?.basedOn ?? null;
  }
  return { level: level !== null && level >= 1 && level <= 9 ? level : 0, isTitle, leavingOut, ...list };
};

const headingLevel = (name: string): number | null => {
  const digit = /^heading\s?([1-9])$/i.exec(name)?.[1];
  return digit === undefined ? null : Number(digit);
};
