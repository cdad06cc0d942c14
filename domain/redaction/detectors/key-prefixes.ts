/**
 * How tokens begin that providers give out, as they document it, with the least that follows: AI, payment, code and
 * packages, chat, clouds, infrastructure, observation, mail, shops, this service (`kn_`), and JSON Web Tokens (RFC 7519:
 * two objects in base64url, hence `eyJ` twice).
 */
const PREFIXES = [
  'sk-(?:ant-|proj-|svcacct-|or-v1-)?[A-Za-z0-9_-]{16,}',
  '(?:hf_|gsk_|r8_|xai-|pplx-)[A-Za-z0-9]{20,}',
  '(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{10,}',
  'whsec_[A-Za-z0-9+/=]{16,}',
  'sq0(?:atp|csp)-[A-Za-z0-9_-]{16,}',
  'gh[pousr]_[A-Za-z0-9]{20,}',
  'github_pat_[A-Za-z0-9_]{20,}',
  'gl(?:pat|rt|dt|ptt|soat|ft|imt|agent|oas|cbt)-[A-Za-z0-9_-]{16,}',
  'npm_[A-Za-z0-9]{20,}',
  'pypi-[A-Za-z0-9_-]{20,}',
  'rubygems_[a-f0-9]{32,}',
  'dckr_(?:pat|oat)_[A-Za-z0-9_-]{16,}',
  'xox[abeoprs]-[A-Za-z0-9-]{10,}',
  'xapp-[A-Za-z0-9-]{10,}',
  '(?:AKIA|ASIA|AIDA|AROA)[A-Z0-9]{16}(?![A-Za-z0-9])',
  'AIza[A-Za-z0-9_-]{30,}',
  'ya29\\.[A-Za-z0-9_-]{20,}',
  'GOCSPX-[A-Za-z0-9_-]{16,}',
  'do[opr]_v1_[a-f0-9]{32,}',
  'dapi[a-f0-9]{32}',
  'hv[sbr]\\.[A-Za-z0-9_-]{20,}',
  'tskey-[A-Za-z0-9-]{10,}',
  'dp\\.(?:pt|st|ct|sa)\\.[A-Za-z0-9._-]{16,}',
  'glsa_[A-Za-z0-9_]{20,}',
  'NRAK-[A-Z0-9]{16,}',
  'PMAK-[A-Za-z0-9-]{16,}',
  'ATATT3[A-Za-z0-9_=-]{20,}',
  'lin_api_[A-Za-z0-9]{20,}',
  'ntn_[A-Za-z0-9]{20,}',
  'figd_[A-Za-z0-9_-]{20,}',
  'sbp_[a-f0-9]{32,}',
  'AGE-SECRET-KEY-1[A-Z0-9]{16,}',
  'SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}',
  'key-[a-f0-9]{32}',
  'shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{20,}',
  'kn_[A-Za-z0-9_-]{20,}',
  'eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.',
];
export const PREFIXED = new RegExp(`^(?:${PREFIXES.join('|')})`);

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** With a sign or more. */
const BASE64_40 = /^(?=.*[/+])[A-Za-z0-9/+]{40}$/;
const HEX = /^(?:[0-9a-f]+|[0-9A-F]+)$/;

/**
 * Whether a string looks drawn by lot rather than written: many different characters (Shannon entropy), at least two
 * figures among letters (one in a key of 40 characters of base64, as AWS makes them), and the kind of character (upper case, lower case, figure) changing often. Identifiers, words
 * with hyphens, paths and file names change it seldom. A UUID names something and gives no access; a hash of 32 and
 * more hexadecimal figures cannot be told from a key, and counts as one.
 */
export const looksRandom = (token: string): boolean => {
  if (UUID.test(token)) return false;
  const figures = token.replaceAll(/\D/g, '').length;
  if (figures < (BASE64_40.test(token) ? 1 : 2) || !/[A-Za-z]/.test(token)) return false;
  if (HEX.test(token)) return token.length >= 32 && entropyOf(token) >= 3 && changesIn(token) >= 0.2;
  return entropyOf(token) >= 3.5 && changesIn(token) >= 0.3 && longestPart(token) >= 10;
};

/** Bits per character. */
const entropyOf = (token: string): number => {
  const counts = new Map<string, number>();
  for (const char of token) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / token.length) * Math.log2(count / token.length);
  return bits;
};

/** Share of the neighbours that are of different kinds, signs left out. */
const changesIn = (token: string): number => {
  const kinds = token
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .replaceAll(/[a-z]/g, 'a')
    .replaceAll(/[A-Z]/g, 'A')
    .replaceAll(/\d/g, '0');
  let changes = 0;
  for (let i = 1; i < kinds.length; i += 1) if (kinds.charAt(i) !== kinds.charAt(i - 1)) changes += 1;
  return kinds.length < 2 ? 0 : changes / (kinds.length - 1);
};

/** A date, a version or a short id between signs is not much of a secret. */
const longestPart = (token: string): number =>
  Math.max(...token.split(/[^A-Za-z0-9]/).map((part) => part.length));
