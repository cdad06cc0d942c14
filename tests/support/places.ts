import { sql } from 'kysely';
import type { StandInLog } from './eventstoredb/log.ts';
import { inDatabase, type Place } from './database.ts';

/** What `placesWith` calls the event store, whichever it is. A table `es.events` beside another store has its own name. */
export const EVENTS = 'the event store';

/**
 * Where one of these texts stands, in whatever column or byte: the event store, and every table of the database, as
 * `schema.name`, in alphabetical order. The texts are letters, digits and dashes; an id may also stand as its bytes.
 */
export const placesWith = async (place: Place, texts: readonly string[]): Promise<readonly string[]> => {
  const { standIn } = place.backing;
  const tables = await tablesWith(place, texts);
  if (standIn === undefined) return tables.map((name) => (name === 'es.events' ? EVENTS : name)).toSorted();
  return [...tables, ...(standsIn(standIn.log, texts) ? [EVENTS] : [])].toSorted();
};

const standsIn = ({ records }: StandInLog, texts: readonly string[]): boolean => {
  const pattern = new RegExp(texts.join('|'));
  return records.some(({ id, stream, type, data, metadata }) =>
    pattern.test([id, stream, type, Buffer.from(data), Buffer.from(metadata)].join(' ')),
  );
};

const tablesWith = (place: Place, texts: readonly string[]): Promise<readonly string[]> =>
  inDatabase(place, async ({ db }) => {
    const { rows: tables } = await sql<{ schema: string; name: string }>`
      select schemaname as schema, tablename as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`.execute(db);
    const found: string[] = [];
    const pattern = texts.flatMap(formsOf).join('|');
    for (const { schema, name } of tables) {
      const { rows } = await sql`
        select from ${sql.id(schema, name)} as t where t::text ~ ${pattern} limit 1`.execute(db);
      if (rows.length > 0) found.push(`${schema}.${name}`);
    }
    return found;
  });

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** As it is read in a text, and in bytes, which Postgres prints as hexadecimal digits. */
const formsOf = (text: string): readonly string[] => [
  text,
  Buffer.from(text).toString('hex'),
  ...(UUID.test(text) ? [text.replaceAll('-', '')] : []),
];
