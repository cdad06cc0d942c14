import { camelKeys } from '../../../domain/shared/key-case.ts';
import { wikiPageId } from '../../../domain/ingestion-setting/index.ts';

import { InvalidResponse } from '../../http-client/provider-response.ts';

/** Unvalidated fields from the provider. */
export type Fields = Readonly<Record<string, unknown>>;
export const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
export const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The parent of an object: a page, a block, a database, a data source, or the workspace. */
export interface WikiParent {
  readonly type: string;
  readonly id: string;
}

export interface WikiProperty {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly value: unknown;
}

export interface WikiPage {
  readonly id: string;
  /** Rich text. */
  readonly title: readonly unknown[];
  /** URL for users; may be empty. */
  readonly url: string;
  /** ISO 8601, rounded down to the minute. */
  readonly lastEdited: string;
  /** ISO 8601, rounded down to the minute. */
  readonly created: string;
  readonly inTrash: boolean;
  readonly parent: WikiParent;
  /** Without its title. */
  readonly properties: readonly WikiProperty[];
}

export interface WikiBlock {
  readonly id: string;
  readonly type: string;
  readonly lastEdited: string;
  readonly hasChildren: boolean;
  readonly inTrash: boolean;
  readonly parent: WikiParent;
  /** Fields that depend on the type; names in camelCase. */
  readonly content: Fields;
}

export interface WikiDatabase {
  readonly id: string;
  readonly inTrash: boolean;
  readonly parent: WikiParent;
  readonly dataSources: readonly string[];
}

/** @throws InvalidResponse */
export const pageIn = (json: unknown): WikiPage => {
  // Property names belong to users: they stay unchanged.
  const { properties: named, ...rest } = fields(json);
  const page = known(camelKeys(rest), 'page');
  const properties = Object.entries(fields(named)).map(([name, sent]) => propertyIn(name, fields(sent)));
  return {
    ...common(page),
    title: items(properties.find(({ type }) => type === 'title')?.value),
    url: text(page['url']),
    created: text(page['createdTime']),
    properties: properties.filter(({ type }) => type !== 'title'),
  };
};

const propertyIn = (name: string, sent: Fields): WikiProperty => {
  const type = text(sent['type']);
  return { id: text(sent['id']), name, type, value: camelKeys(sent[type]) };
};

/** @throws InvalidResponse */
export const blockIn = (json: unknown): WikiBlock => {
  const sent = fields(json);
  const type = text(sent['type']);
  const block = known(camelKeys(json), 'block');
  return {
    ...common(block),
    type,
    hasChildren: block['hasChildren'] === true,
    content: fields(camelKeys(sent[type])),
  };
};

/** @throws InvalidResponse */
export const databaseIn = (json: unknown): WikiDatabase => {
  const database = known(camelKeys(json), 'database');
  const dataSources = items(database['dataSources']).map((one) => idIn(fields(one)['id']));
  return { ...common(database), dataSources };
};

const known = (json: unknown, object: string): Fields => {
  const found = fields(json);
  if (found['object'] !== object) throw new InvalidResponse(`sent something else than a ${object}`);
  return found;
};

const common = (of: Fields) => ({
  id: idIn(of['id']),
  lastEdited: text(of['lastEditedTime']),
  inTrash: of['inTrash'] === true || of['archived'] === true,
  parent: parentIn(fields(of['parent'])),
});

/** A row names both its data source and its database; only the database leads further up. */
const parentIn = ({ type, pageId, blockId, databaseId, dataSourceId }: Fields): WikiParent => ({
  type: text(databaseId) === '' ? text(type) : 'database_id',
  id: idIn(databaseId ?? pageId ?? blockId ?? dataSourceId),
});

/** The canonical form of an id; other text stays unchanged. */
export const idIn = (value: unknown): string => wikiPageId(text(value)) ?? text(value);
