import { formatBasicDateTime, parseBasicDateTime } from '../shared/civil-time.ts';
import { type RecurrenceStart, type RefusedRecurrence, quoted, refused } from './recurrence-rule.ts';
import { knownTimeZone } from './time-zone.ts';

const FIX = 'write DTSTART:20260101T090000Z or DTSTART;TZID=America/New_York:20260101T090000.';
const FIRST_YEAR = '1970';
const LAST_YEAR = '2999';

/** Reads what follows `DTSTART` on its line: `:…Z` or `;TZID=zone:…` (RFC 5545, 3.8.2.4). */
export function parseStart(rest: string): RecurrenceStart | RefusedRecurrence {
  const form = /^((?:;[^;:=]+=(?:"[^"=]*"|[^;:"=]*))*):(\d{8}T\d{6})(Z)?$/i.exec(rest);
  if (form === null) return malformed(rest);
  const seconds = parseBasicDateTime(form[2]!.toUpperCase());
  if (seconds === undefined) return malformed(rest);
  const local = formatBasicDateTime(seconds);
  const year = local.slice(0, 4);
  if (year < FIRST_YEAR || year > LAST_YEAR) {
    return refused('dtstart_out_of_range', `DTSTART is in ${year}: use ${FIRST_YEAR} to ${LAST_YEAR}.`);
  }
  const zone = parseZone(form[1]!, form[3] !== undefined);
  return typeof zone === 'string' ? { local, zone } : zone;
}

const malformed = (rest: string): RefusedRecurrence =>
  refused('dtstart_malformed', `DTSTART${rest.slice(0, 60)} is no date and time: ${FIX}`);

function parseZone(parameters: string, utc: boolean): string | RefusedRecurrence {
  let tzid: string | undefined;
  for (const parameter of parameters.split(';').slice(1)) {
    const [name, value] = parameter.split('=') as [string, string];
    const isDateTime = name.toUpperCase() === 'VALUE' && value.toUpperCase() === 'DATE-TIME';
    if (name.toUpperCase() === 'TZID' && tzid === undefined) tzid = value.replaceAll('"', '');
    else if (!isDateTime) return refused('dtstart_malformed', `DTSTART has ${quoted(parameter)}: ${FIX}`);
  }
  if (tzid === undefined) {
    if (utc) return 'UTC';
    return refused('dtstart_without_zone', `DTSTART names no time zone: ${FIX}`);
  }
  // RFC 5545, 3.2.19: TZID MUST NOT be applied to a value in UTC
  if (utc) return refused('dtstart_malformed', `DTSTART has both TZID and Z: ${FIX}`);
  return (
    knownTimeZone(tzid) ??
    refused(
      'time_zone_unknown',
      `The time zone ${quoted(tzid)} is unknown: use a name such as Europe/Berlin or UTC.`,
    )
  );
}
