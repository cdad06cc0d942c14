import { HOST } from '../../adapters/embedded-postgres/postmaster.ts';

/** Where an embedded server listens on TCP as well, for what cannot go by its socket. */
export const tcpHost = (host: string): string => (host.startsWith('/') ? HOST : host);
