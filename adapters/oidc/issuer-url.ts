const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether nobody on the way can read or change what is asked there: https, or http on this machine. */
export const isSafeUrl = (text: string): boolean => {
  const url = URL.parse(text);
  if (url === null || `${url.username}${url.password}${url.hash}` !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
};
