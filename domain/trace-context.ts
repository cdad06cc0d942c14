/** W3C Trace Context, levels 1 and 2: the contents of the headers `traceparent` and `tracestate`. */
export interface TraceContext {
  /** 32 lower-case hexadecimal digits, not all zero */
  readonly traceId: string;
  /** span id of the caller: 16 lower-case hexadecimal digits, not all zero */
  readonly parentId: string;
  readonly sampled: boolean;
  /** level 2: the trace id was generated randomly */
  readonly random: boolean;
  /** entries of other vendors, ready to be forwarded */
  readonly tracestate?: string;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ALL_ZERO = /^0+$/;
const SAMPLED = 1;
const RANDOM = 2;

/** Optional white space of HTTP (RFC 9110, 5.6.3): spaces and tabs alone. */
function trimOptionalSpace(text: string): string {
  return text.replaceAll(/^[ \t]+|[ \t]+$/g, '');
}

/**
 * Parses a `traceparent` header; undefined when it is absent or invalid: then the caller starts its own trace. Version
 * 00 is read strictly; of a later version only the part that version 00 defines, ignoring what follows after a dash;
 * version ff is invalid.
 */
export function parseTraceparent(header: string | undefined): TraceContext | undefined {
  const match = TRACEPARENT.exec(trimOptionalSpace(header ?? ''));
  if (match === null) return undefined;
  const [, version = '', traceId = '', parentId = '', flags = '', rest] = match;
  if (version === 'ff' || ALL_ZERO.test(traceId) || ALL_ZERO.test(parentId)) return undefined;
  if (version === '00' && rest !== undefined) return undefined;
  const bits = Number.parseInt(flags, 16);
  return { traceId, parentId, sampled: (bits & SAMPLED) !== 0, random: (bits & RANDOM) !== 0 };
}

/** Writes a `traceparent` header of version 00. */
export function formatTraceparent({ traceId, parentId, sampled, random }: TraceContext): string {
  const flags = (sampled ? SAMPLED : 0) | (random ? RANDOM : 0);
  return `00-${traceId}-${parentId}-0${flags}`;
}

/** The trace id of a stored `traceparent`; null when it is absent or invalid. */
export function traceIdOf(traceparent: string | null | undefined): string | null {
  return parseTraceparent(traceparent ?? undefined)?.traceId ?? null;
}

const MAX_MEMBERS = 32;
const KEY = /^[a-z0-9][a-z0-9_\-*/@]{0,255}$/;
const VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/**
 * Normalises a `tracestate` list for forwarding: drops empty members, and keeps the first of several members with the
 * same key. Undefined when no member is left, a member is malformed, or there are more than 32: then the whole list is
 * dropped, while `traceparent` stays valid. Several headers form one list, joined by commas.
 */
export function normaliseTracestate(header: string | undefined): string | undefined {
  const members = new Map<string, string>();
  for (const raw of (header ?? '').split(',')) {
    const member = trimOptionalSpace(raw);
    if (member === '') continue;
    const [, key = '', value = ''] = /^([^=]*)=(.*)$/s.exec(member) ?? [];
    if (!KEY.test(key) || !VALUE.test(value)) return undefined;
    if (!members.has(key)) members.set(key, member);
  }
  return members.size === 0 || members.size > MAX_MEMBERS ? undefined : [...members.values()].join(',');
}
