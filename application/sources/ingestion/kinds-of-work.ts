/** Names of what data sources owe, as leases are stored with them: frozen. */
export const INGESTION_JOB = 'ingestion_job';
/** An accepted deletion. */
export const INGESTION_PURGE = 'ingestion_purge';
/** A report of whoever feeds a push: what it writes at once. */
export const PUSH_WRITE = 'push_write';
/** Bytes of documents that were taken out by themselves. */
export const INGESTION_ERASURE = 'ingestion_erasure';
