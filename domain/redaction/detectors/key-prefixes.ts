/**
 * Documented prefixes of providers' tokens, with the minimum that follows: AI, payment, code and packages, chat,
 * clouds, infrastructure, monitoring, mail, shops, this service (`kn_`), and JSON Web Tokens (RFC 7519: two objects in
 * base64url, hence `eyJ` twice).
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
/** Contains at least one of the signs `/` and `+`. */
const BASE64_40 = /^(?=.*[/+])[A-Za-z0-9/+]{40}$/;
const HEX = /^(?:[0-9a-f]+|[0-9A-F]+)$/;

/**
 * Whether a string looks random: many different characters (Shannon entropy), at least two digits among letters (one
 * in an AWS-style key of 40 base64 characters), and frequent changes between upper case, lower case and digits.
 * Identifiers, hyphenated words, paths and file names change seldom. A UUID is a name and grants no access; a hash of
 * 32 or more hexadecimal digits cannot be distinguished from a key, and counts as one.
 */
export const looksRandom = (token: string): boolean => {
  if (UUID.test(token)) return false;
  const figures = token.replaceAll(/\D/g, '').length;
  if (figures < (BASE64_40.test(token) ? 1 : 2) || !/[A-Za-z]/.test(token)) return false;
  if (HEX.test(token)) return token.length >= 32 && entropyOf(token) >= 3 && changesIn(token) >= 0.2;
  return entropyOf(token) >= 3.5 && changesIn(token) >= 0.3 && longestPart(token) >= 10;
};

/** Shannon entropy in bits per character. */
const entropyOf = (token: string): number => {
  const counts = new Map<string, number>();
  for (const char of token) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / token.length) * Math.log2(count / token.length);
  return bits;
};

/** Share of adjacent characters of different kinds; ignores signs. */
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

/** Length of the longest part between signs: a date, a version or a short id is no secret. */
const longestPart = (token: string): number =>
  Math.max(...token.split(/[^A-Za-z0-9]/).map((part) => part.length));
