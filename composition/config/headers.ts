import { validateHeaderName, validateHeaderValue } from 'node:http';
import { ConfigError, list, type Variable } from './environment.ts';

/** HTTP headers as OpenTelemetry takes them: `name=value`, separated by commas, values percent-encoded. Never shown. */
export const headers: Variable<Readonly<Record<string, string>>> = (given, name) => {
  try {
    return Object.fromEntries(
      list(given, name).map((item) => {
        const [header = '', ...value] = item.split('=').map((part) => decodeURIComponent(part.trim()));
        validateHeaderName(header);
        validateHeaderValue(header, value.join('='));
        if (value.length === 0) throw new TypeError('no value');
        return [header.toLowerCase(), value.join('=')];
      }),
    );
  } catch {
    throw new ConfigError(
      `${name} takes headers as name=value, separated by commas, with special characters of values written with %, such as authorization=Bearer%20…`,
    );
  }
};
