import { storable } from './value.ts';

/** A domain as hosts of URLs are written: lower case, in ASCII (RFC 5891), without a dot at either end. */
export const hostName = (domain: string): string => {
  const bare = domain.trim().replace(/^\.+|\.+$/g, '');
  return URL.parse(`http://${bare}`)?.hostname ?? storable(bare.toLowerCase());
};
