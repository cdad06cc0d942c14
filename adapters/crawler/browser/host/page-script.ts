/**
 * What we run in a page: in a world of our own (Page.createIsolatedWorld), which sees its document and not its
 * scripts, so that a page cannot change what these do. They are text because they never run here.
 */
export const WORLD = 'knowledger';

/** Runs in each frame before its own scripts: what hides in closed shadow roots is text like any other. */
export const OPEN_SHADOW_ROOTS = `{
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (init) { return attach.call(this, { ...init, mode: 'open' }); };
}`;

/** Notes when the content last changed: elements and text, not attributes, which animations change for ever. */
export const WATCH_CHANGES = `{
  globalThis.lastChange = performance.now();
  new MutationObserver(() => { globalThis.lastChange = performance.now(); })
    .observe(document, { childList: true, characterData: true, subtree: true });
}`;

/** Milliseconds since then; 0 while the document is still loading. */
export const SETTLED_FOR =
  "document.readyState === 'complete' ? performance.now() - globalThis.lastChange : 0";

/**
 * The document as HTML: shadow trees in the place of their hosts, slots filled; relative links start where the page
 * that its server sent starts them, or where its scripts have moved it to. Null above \`most\` characters.
 */
export const serialise = (url: string, most: number): string => `((url, most) => {
  const copyOf = (node) => {
    const copy = node.cloneNode(false);
    const slotted = node.localName === 'slot' ? node.assignedNodes({ flatten: true }) : [];
    const children = slotted.length > 0 ? slotted : (node.shadowRoot ?? node).childNodes;
    for (const child of children) copy.appendChild(copyOf(child));
    return copy;
  };
  const root = document.documentElement;
  if (root === null) return '';
  const hasShadow = [...document.querySelectorAll('*')].some((element) => element.shadowRoot !== null);
  let html;
  try {
    html = hasShadow ? copyOf(root).outerHTML : root.outerHTML;
  } catch {
    html = root.outerHTML; // nested deeper than calls may be
  }
  if (html.length > most) return null;
  if (document.baseURI === url || document.querySelector('base[href]') !== null) return '<!doctype html>' + html;
  const base = document.createElement('base');
  base.setAttribute('href', document.baseURI);
  return '<!doctype html>' + html.replace(/<head[^>]*>|$/i, (head) => head + base.outerHTML);
})(${JSON.stringify(url)}, ${most})`;
