import type { Backing } from '../tests/support/backing.ts';
import { type Service, startService } from '../tests/support/service.ts';
import type { Found } from './faults.ts';

/** One process of the service: killed and started again, it stays the same member. */
export interface Member {
  readonly name: string;
  readonly roles: string;
  /** Null while it is down, or not listening yet. */
  service: Service | null;
  /** Stopped by a signal; it will go on. */
  frozen: boolean;
}

export interface MemberOptions {
  readonly backing: Backing;
  readonly dataDir: string;
  readonly tell: (line: string) => void;
  readonly found: Found;
}

export const LEASE_SECONDS = 5;

const ENV = {
  KNOWLEDGER_ALLOW_ADDRESSES: '127.0.0.1/32',
  KNOWLEDGER_LEASE_SECONDS: String(LEASE_SECONDS),
  KNOWLEDGER_DATABASE_CONNECTIONS: '8',
  KNOWLEDGER_EXTRACTORS: '1',
  KNOWLEDGER_LOG_LEVEL: 'warn',
  KNOWLEDGER_LOG_FORMAT: 'json',
};
const STARTS = 3;

/** A member that is not running is left as it is. */
export const endMember = async (member: Member, found: Found): Promise<void> => {
  const { service } = member;
  if (service === null) return;
  member.service = null;
  const [code, signal] = await service.end('SIGTERM');
  if (code !== 0) found.unexpected.push(`${member.name} ended with ${code ?? signal} on SIGTERM`);
};

/** A process that does not start, or ends although nobody killed it, is a fault; the first is tried again. */
export const startMember = async (
  member: Member,
  { backing, dataDir, found, tell }: MemberOptions,
): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    const began = performance.now();
    try {
      const service = await startService({ ...ENV, KNOWLEDGER_ROLES: member.roles }, { backing, dataDir });
      service.child.once('exit', (code, signal) => {
        if (member.service !== service) return;
        member.service = null;
        found.unexpected.push(`${member.name} ended by itself with ${code ?? signal}: ${service.output()}`);
      });
      member.service = service;
      tell(`${member.name} runs, started in ${Math.round(performance.now() - began)} ms`);
      return;
    } catch (error) {
      const message = `${member.name} did not start: ${(error as Error).message}`;
      found.unexpected.push(message);
      tell(message);
      if (tries === STARTS) throw error;
    }
  }
};
