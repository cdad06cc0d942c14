import type { Attributes } from './tags.ts';

/** Follows the controls by which a page shows one of its parts at a time: what they show is content, hidden now or not. */
interface Controls {
  /** Also within what is left out. */
  open(name: string, attributes: Attributes, depth: number): void;
  close(depth: number): void;
  text(data: string): void;
  /** This button or link shows what it names. */
  show(attributes: Attributes): void;
  /** Whether a control shows this element. */
  uncovers(attributes: Attributes): boolean;
  /** Whether it is the part of the content that a tab shows. */
  isPanel(attributes: Attributes): boolean;
  /** What the tab says that shows this panel; '' for what is none, or has a tab without text. */
  labelOf(attributes: Attributes): string;
}

/** Of tabs; more are no tabs, and a longer label is no label. */
const MOST = 1_000;
const LONGEST = 80;

interface Tab {
  readonly id: string | undefined;
  readonly panel: string | undefined;
  label: string;
}

export const createControls = (): Controls => {
  /** Of the tab lists since the last panel: panels follow their list. */
  let tabs: Tab[] = [];
  let tab: { readonly depth: number; readonly kept: Tab } | null = null;
  let panels = 0;
  const shown = new Set<string>();
  const isPanel = (attributes: Attributes): boolean =>
    roleOf(attributes) === 'tabpanel' ||
    (attributes.id !== undefined && tabs.some(({ panel }) => panel === attributes.id));

  return {
    open: (_name, attributes, depth) => {
      if (!isTab(attributes) || tabs.length >= MOST) return;
      if (panels > 0) [tabs, panels] = [[], 0];
      const kept: Tab = { id: attributes.id, panel: shownBy(attributes), label: '' };
      tabs.push(kept);
      tab = { depth, kept };
    },
    close: (depth) => {
      if (depth === tab?.depth) tab = null;
    },
    text: (data) => {
      if (tab !== null && tab.kept.label.length <= LONGEST) tab.kept.label += data;
    },
    show: (attributes) => {
      const id = shownBy(attributes);
      if (id !== undefined && shown.size < MOST) shown.add(id);
    },
    uncovers: (attributes) =>
      isPanel(attributes) || (attributes.id !== undefined && shown.has(attributes.id)),
    isPanel,
    labelOf: (attributes) => {
      if (!isPanel(attributes)) return '';
      const { id, 'aria-labelledby': labelledBy } = attributes;
      const named = tabs.find(
        (one) => (one.id ?? null) === labelledBy || (one.panel !== undefined && one.panel === id),
      );
      const label = (named ?? tabs[panels])?.label.replaceAll(/\s+/g, ' ').trim() ?? '';
      panels += 1;
      return label.length > LONGEST ? '' : label;
    },
  };
};

const roleOf = ({ role }: Attributes): string | undefined => role?.trim().toLowerCase();

/** What a control of Bootstrap does, by its attribute of version 5 or of those before. */
const toggleOf = (attributes: Attributes): string | undefined =>
  attributes['data-bs-toggle'] ?? attributes['data-toggle'];

const isTab = (attributes: Attributes): boolean =>
  roleOf(attributes) === 'tab' || /^(?:tab|pill|list)$/.test(toggleOf(attributes) ?? '');

/** The id of the part that a control shows. */
const shownBy = (attributes: Attributes): string | undefined =>
  attributes['aria-controls'] ??
  [attributes['data-bs-target'], attributes['data-target'], attributes.href]
    .find((target) => target?.startsWith('#') === true)
    ?.slice(1);

/** Whether a button or a link shows and hides a part of the content. */
export const foldsPart = (attributes: Attributes): boolean =>
  (attributes['aria-expanded'] !== undefined || toggleOf(attributes) === 'collapse') &&
  !/menu|nav|dialog|listbox/i.test(`${attributes['aria-haspopup'] ?? ''} ${attributes['class'] ?? ''}`);
