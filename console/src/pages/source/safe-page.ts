/** Elements that run, load or send something, or change what addresses mean. */
const LEFT_OUT =
  'script, style, link, meta, base, iframe, frame, frameset, object, embed, applet, form, portal, audio, video, source, track, template, noscript';
/** Addresses that make a browser load or run something. */
const LOADED = new Set([
  'src',
  'srcset',
  'background',
  'poster',
  'data',
  'href',
  'xlink:href',
  'action',
  'formaction',
  'ping',
]);

/**
 * A stored page for a frame with an empty `sandbox`: its own policy forbids scripts and requests as well, and what would
 * ask for either is left out, so that nothing is refused aloud.
 */
export const safePage = (html: string): string => {
  const page = new DOMParser().parseFromString(quiet(html), 'text/html');
  for (const element of page.querySelectorAll(LEFT_OUT)) element.remove();
  for (const element of page.querySelectorAll('*'))
    for (const name of element.getAttributeNames())
      if (
        /^on|^style$/i.test(name) ||
        (LOADED.has(name.toLowerCase()) && !isHarmless(element.getAttribute(name)!))
      )
        element.removeAttribute(name);
  const policy = `<meta http-equiv="content-security-policy" content="default-src 'none'; img-src data:">`;
  return `<!doctype html>${policy}<body>${page.body.innerHTML}</body>`;
};

const isHarmless = (address: string): boolean => /^(#|data:image\/(png|jpeg|gif|webp)[;,])/i.test(address);

/**
 * Without most of the styles and handlers that the parser would report to the console of the browser, under the policy of
 * the page that parses. What this misses is left out of the parsed page.
 */
const quiet = (html: string): string =>
  html
    .replaceAll(/<style\b[^<>]*>[^<]*<\/style\s*>/gi, '')
    .replaceAll(/<[a-z][^<>]*>/gi, (tag) =>
      tag.replaceAll(/\s(?:style|on\w+)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)/gi, ''),
    );
