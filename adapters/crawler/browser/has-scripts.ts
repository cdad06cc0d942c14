/** Elements, handlers and addresses that run something; without any of them a browser shows what was sent. */
const SCRIPTS = /<(?:[\w-]+:)?script\b|\son[a-z]+\s*=|javascript:|<iframe\b[^>]*\ssrcdoc/i;

/** Whether a page may look different once its scripts have run. Wide encodings always may. */
export const hasScripts = (body: Uint8Array): boolean =>
  body.subarray(0, 1_024).includes(0) || SCRIPTS.test(new TextDecoder('latin1').decode(body));
