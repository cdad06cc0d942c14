/** A header that makes a request safe to repeat. `crypto.randomUUID` is missing where the console comes without TLS. */
export const once = (): { readonly 'idempotency-key': string } => ({
  'idempotency-key': Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join(''),
});
