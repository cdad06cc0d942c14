import { readFile } from 'node:fs/promises';
import type { Container } from 'inversify';
import { createProgressBar } from '../../adapters/cli/progress.ts';
import { verifierKey } from '../../application/audit/checkpoints.ts';
import { verifyLog, type VerifyRequest } from '../../application/audit/verify-log.ts';
import type { Difference } from '../../application/audit/verify-walk.ts';
import { parseCheckpoint, type TreeHead } from '../../domain/proof/checkpoint.ts';
import { parseNote, verifiedBy } from '../../domain/proof/note.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/environment.ts';
import { openContainer } from '../container.ts';
import { openDatabasesBeside } from '../databases.ts';
import { AUDIT } from '../modules/audit.ts';
import { CORE } from '../modules/core.ts';
import { HELP, parsedArguments } from './arguments.ts';
import { tenantNamed } from './tenant-named.ts';

const OPTIONS = {
  tenant: { type: 'string' },
  since: { type: 'string' },
  against: { type: 'string', multiple: true },
} as const;

/** Compares the event log with its tree and with every checkpoint. @throws Error when it differs, or ConfigError */
export const auditLog = async (config: Config, args: readonly string[]): Promise<void> => {
  const { values, positionals } = parsedArguments(args, OPTIONS);
  if (positionals.join(' ') !== 'verify') throw new ConfigError(HELP.audit);
  const databases = await openDatabasesBeside(config, (line) => console.error(line));
  const container = await openContainer(config, databases);
  try {
    const { tree } = container.get(AUDIT).proving;
    const request = await requestOf(container, values);
    const tenants = request.tenant === undefined ? await tree.tenants() : [request.tenant];
    const sizes = await Promise.all(tenants.map(tree.size));
    const total = sizes.reduce((sum, size) => sum + size, 0) - (request.since?.size ?? 0);
    const { events, differences, ...found } = await verified(container, request, total);
    for (const difference of differences) console.log(line(difference));
    if (differences.length > 0)
      throw new Error('the event log is not the one that its checkpoints and tree tell of');
    console.log(
      `no difference; events: ${events}, tenants: ${found.tenants}, checkpoints: ${found.checkpoints}`,
    );
  } finally {
    await container.unbindAllAsync();
  }
};

const verified = async (container: Container, request: Omit<VerifyRequest, 'onProgress'>, total: number) => {
  const output = { write: (text: string) => process.stderr.write(text), isTerminal: process.stderr.isTTY };
  const bar = createProgressBar(output, 'verify');
  const started = performance.now();
  let done = 0;
  const onProgress = (events: number): void => {
    done += events;
    const rate = Math.round(done / ((performance.now() - started) / 1_000));
    bar.show(done, total, `${done} events, ${rate}/s`);
  };
  // Bypasses the watch: a changed log may be the reason.
  const deps = { ...container.get(AUDIT).proving, feed: container.get(CORE).eventLog.feed };
  const found = await verifyLog(deps, { ...request, onProgress });
  bar.end();
  return found;
};

const line = ({ tenant, kind, index, at, told }: Difference): string => {
  const place = at === null ? '' : `, revision ${at.revision} of ${at.stream}, position ${at.position}`;
  return `tenant ${tenant}: ${kind} at index ${index}${place}: ${told}`;
};

type Given = ReturnType<typeof parsedArguments<typeof OPTIONS>>['values'];

const requestOf = async (
  container: Container,
  { tenant: named, since, against = [] }: Given,
): Promise<Omit<VerifyRequest, 'onProgress'>> => {
  const outside = new Map<string, TreeHead[]>();
  for (const path of against) {
    const { tenant, head } = await readCheckpoint(container, path);
    outside.set(tenant, [...(outside.get(tenant) ?? []), head]);
  }
  const begin = since === undefined ? undefined : await readCheckpoint(container, since);
  const given = named === undefined ? undefined : tenantNamed(container, named);
  const tenant = given ?? begin?.tenant;
  if (begin !== undefined && begin.tenant !== tenant)
    throw new ConfigError(`${since} is a checkpoint of tenant ${begin.tenant}`);
  return {
    outside,
    signal: new AbortController().signal,
    ...(tenant !== undefined && { tenant }),
    ...(begin !== undefined && { since: begin.head }),
  };
};

/** The tenant and the head of the log of the signed note in a file. */
const readCheckpoint = async (
  container: Container,
  path: string,
): Promise<{ readonly tenant: string; readonly head: TreeHead }> => {
  const note = parseNote(await readFile(path, 'utf8'));
  const head = note && parseCheckpoint(note.text);
  if (note === null || head === null)
    throw new ConfigError(`${path} is not a checkpoint, which is a signed note`);
  const { kept, sha256, verify } = container.get(AUDIT).proving;
  const isOurs = (await kept.keys()).some(
    ({ publicKey }) => verifiedBy(sha256, verify, verifierKey(head.origin, publicKey), note) !== null,
  );
  if (!isOurs) console.error(`${path}: no key of this service has signed it; it is compared all the same`);
  return { tenant: decodeURIComponent(head.origin.split('/').at(-1)!), head };
};
