/** Why a text is not the address of a page that may be fetched; undefined: it is one. */
export const httpUrlProblem = (text: string): string | undefined => {
  if (!/^https?:\/\//i.test(text)) return 'must be an absolute http or https URL';
  const url = URL.parse(text);
  if (url === null || url.hostname === '') return 'is not a URL';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password';
  return undefined;
};
