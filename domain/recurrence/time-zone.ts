/**
 * The name of a time zone of the IANA database as this service writes it, or undefined where it is unknown.
 * Names are compared without case; aliases are kept as they are written, since which name of a zone is the
 * principal one changes between releases of the database.
 */
export function knownTimeZone(name: string): string | undefined {
  // offsets such as +05:30 are accepted by Intl, yet they are no time zones
  if (!/[A-Za-z]/.test(name)) return undefined;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions();
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
  } catch {
    return undefined;
  }
}
