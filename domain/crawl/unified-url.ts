/** Parameters by which campaigns, networks and mailings follow a click: the page is the same without them. */
const TRACKING = new Set(
  (
    'gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid fbclid msclkid yclid ysclid twclid ttclid tblclid li_fat_id ' +
    'igsh igshid mc_cid mc_eid mkt_tok srsltid vero_id vero_conv oly_anon_id oly_enc_id rb_clickid s_kwcid ' +
    'wickedid _ga _gl _hsenc _hsmi __hssc __hstc __hsfp _openstat _branch_match_id hsctatracking epik sccid'
  ).split(' '),
);
const TRACKING_FAMILY =
  /^(?:(?:utm|hsa|mtm|piwik|matomo)_|pk_(?:campaign|kwd|keyword|source|medium|content|cid)$)/;

/** Parameters that only ever tell a session, and others that do where their value looks like an id. */
const SESSION =
  /^(?:jsessionid|phpsessid|aspsessionid\w*|asp\.net_sessionid|aspxautodetectcookiesupport|cfid|cftoken|oscsid|zenid|xtcsid|osadminid)$/;
const PERHAPS_SESSION = /^(?:sid|s|ses|sid_token|\w*sess(?:ion)?(?:[._-]?(?:id|key))?)$/;
/** Sixteen or more letters and digits, some of each, and perhaps the name of a server behind them. */
const RANDOM = /^(?=[a-z]*\d)(?=\d*[a-z])[\da-z]{16,}(?:[.!]|%21|$)/i;

/** `;jsessionid=…` behind a segment (RFC 3986 section 3.3), and `/(X(1)S(…))` of ASP.NET. */
const SESSION_IN_SEGMENT = /(?:;|%3b)(?:jsessionid|phpsessid|sessionid|session_id|sid)=.*?(?=[/;]|%3b|$)/gi;
const SESSION_SEGMENT = /\/\((?:x\(\d\))?(?:[asf]\([\da-z_-]{8,}\))+\)(?=\/|$)/gi;

/**
 * `url` without what tells visits apart instead of pages: ids of sessions, and parameters that follow a click. Percent-encoded
 * letters, digits, `-`, `.`, `_` and `~` are written plainly, and hexadecimal digits in upper case (RFC 3986 sections
 * 6.2.2.1 and 6.2.2.2). All other parameters stay as they are, in their order.
 */
export const unifiedUrl = (url: URL): URL => {
  const path = url.pathname.replaceAll(SESSION_IN_SEGMENT, '').replaceAll(SESSION_SEGMENT, '');
  const parameters = url.search.slice(1).split('&');
  const kept = parameters.filter((parameter) => !tellsVisitsApart(parameter));
  const search =
    kept.length === parameters.length
      ? url.search
      : kept.map((one, i) => (i === 0 ? '?' : '&') + one).join('');
  return new URL(url.origin + plainlyEncoded(path === '' ? '/' : path) + plainlyEncoded(search));
};

const tellsVisitsApart = (parameter: string): boolean => {
  const [written = '', value = ''] = parameter.split('=', 2);
  const name = plainlyEncoded(written).toLowerCase();
  if (TRACKING.has(name) || TRACKING_FAMILY.test(name) || SESSION.test(name)) return true;
  return PERHAPS_SESSION.test(name) && RANDOM.test(value);
};

const UNRESERVED = /[\w.~-]/;

const plainlyEncoded = (text: string): string =>
  text.replaceAll(/%[\da-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return UNRESERVED.test(character) ? character : encoded.toUpperCase();
  });

/**
 * Other spellings of `url` by which servers answer with the same page: with and without a slash at its end, and by the
 * name of the index file.
 */
export const otherSpellings = (url: URL): readonly string[] => {
  const bare = url.pathname.replace(INDEX_FILE, '/').replace(/\/+$/, '');
  const paths = ['', '/', ...INDEX_FILES.map((name) => `/${name}`)].map((end) => bare + end);
  return [
    ...new Set(paths.map((path) => new URL(url.origin + (path === '' ? '/' : path) + url.search).href)),
  ].filter((href) => href !== url.href);
};

const INDEX_FILES = [
  'index.html',
  'index.htm',
  'index.php',
  'index.xhtml',
  'default.html',
  'default.htm',
  'default.aspx',
];
const INDEX_FILE = new RegExp(`/(?:${INDEX_FILES.map((name) => name.replace('.', '\\.')).join('|')})$`);
