import type { Container } from 'inversify';
import { LOG_FILTER, logFilterOf } from '../../adapters/cli/log-filter.ts';
import { createProgressBar } from '../../adapters/cli/progress.ts';
import { loadDuckDb, openDuckDb } from '../../adapters/exports/duckdb.ts';
import { openExport } from '../../adapters/exports/open-export.ts';
import { exportLog, type ExportPage } from '../../application/audit/export-log.ts';
import type { LogFilter } from '../../application/audit/operations.ts';
import { parseWhere } from '../../application/audit/where.ts';
import { BEGINNING } from '../../application/ports/event-store.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/environment.ts';
import { openContainer } from '../container.ts';
import { openDatabasesBeside } from '../databases.ts';
import { AUDIT } from '../modules/audit.ts';
import { CORE } from '../modules/core.ts';
import { REDACTION } from '../modules/redaction.ts';
import { HELP, parsedArguments } from './arguments.ts';
import { tenantNamed } from './tenant-named.ts';

const OPTIONS = {
  tenant: { type: 'string' },
  category: { type: 'string', multiple: true },
  type: { type: 'string', multiple: true },
  ...LOG_FILTER,
  after: { type: 'string' },
  'with-hashes': { type: 'boolean' },
} as const;

/** Exports the event log to a file, from where the last call ended. @throws Error, or ConfigError */
export const exportEvents = async (config: Config, args: readonly string[]): Promise<void> => {
  const { values, positionals } = parsedArguments(args, OPTIONS);
  const [verb, path, ...more] = positionals;
  const isExport = verb === 'export';
  if ((!isExport && verb !== 'into') || path === undefined || more.length > 0)
    throw new ConfigError(HELP.events);
  if (!isExport) await loadDuckDb();
  const databases = await openDatabasesBeside(config, (line) => console.error(line));
  const container = await openContainer(config, databases);
  try {
    const { feed } = container.get(CORE);
    const filter = await filterOf(container, values);
    const hashes = values['with-hashes'] === true;
    if (hashes && !isExport) throw new ConfigError('--with-hashes is only for export');
    if (hashes && filter.tenant === undefined) throw new ConfigError('--with-hashes needs --tenant');
    const request = { filter, after: values.after ?? BEGINNING, ...(hashes && { hashes }) };
    const file = await (isExport ? openExport : openDuckDb)(path, request);
    const { position: from, events: before } = file.written;
    if (from !== BEGINNING && !(await feed.holds(from)))
      throw new Error(`the event log ends before position ${from}`);
    const progress = await progressOf(container, filter.tenant);
    let isBehind = false;
    const deps = {
      ...container.get(AUDIT).proving,
      feed,
      redactTextFor: container.get(REDACTION).redactTextFor,
    };
    for await (const page of exportLog(deps, filter, from, hashes)) {
      await file.write(page);
      progress.show(page);
      ({ isBehind } = page);
    }
    const { events, position } = await file.close();
    progress.end();
    console.log(`exported events: ${events - before}, in the file: ${events}, position: ${position}`);
    if (isBehind) console.log('later events are not in the tree of the log yet: a projector adds them');
  } finally {
    await container.unbindAllAsync();
  }
};

type Given = ReturnType<typeof parsedArguments<typeof OPTIONS>>['values'];

const filterOf = async (
  container: Container,
  { tenant: named, category, type, ...more }: Given,
): Promise<LogFilter> => {
  const tenant = named === undefined ? undefined : tenantNamed(container, named);
  const { tree } = container.get(AUDIT).proving;
  if (tenant !== undefined && (await tree.size(tenant)) === 0)
    throw new ConfigError(`there are no events of a tenant ${named}`);
  const { where, ...others } = logFilterOf(more);
  return {
    ...(tenant !== undefined && { tenant }),
    ...(category !== undefined && { categories: category }),
    ...(type !== undefined && { types: type }),
    ...others,
    ...(where !== undefined && { where: parseWhere(where) }),
  };
};

/** Progress is by the leaves of the trees, as a filter does not tell how many events it matches. */
const progressOf = async (container: Container, only: string | undefined) => {
  const { tree } = container.get(AUDIT).proving;
  const tenants = only === undefined ? await tree.tenants() : [only];
  const sizes = await Promise.all(tenants.map(tree.size));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const output = { write: (text: string) => process.stderr.write(text), isTerminal: process.stderr.isTTY };
  const bar = createProgressBar(output, 'export');
  const started = performance.now();
  const reached = new Map<string, { readonly first: number; readonly next: number }>();
  let events = 0;
  return {
    show: (page: ExportPage): void => {
      events += page.events.length;
      for (const { tenant, line } of page.events)
        reached.set(tenant, { first: reached.get(tenant)?.first ?? line.index, next: line.index + 1 });
      const seconds = (performance.now() - started) / 1_000;
      let [done, passed] = [0, 0];
      for (const { first, next } of reached.values()) [done, passed] = [done + next, passed + next - first];
      const left = passed === 0 ? '' : `, ${Math.ceil((seconds * (total - done)) / passed)} s left`;
      bar.show(done, total, `${events} events, ${Math.round(events / seconds)}/s${left}`);
    },
    end: bar.end,
  };
};
