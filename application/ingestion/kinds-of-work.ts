/** Names of what data sources owe, as leases are stored with them: frozen. */
export const INGESTION_JOB = 'ingestion_job';
/** An accepted deletion. */
export const INGESTION_PURGE = 'ingestion_purge';
/** Bytes of documents that were taken out by themselves. */
export const INGESTION_ERASURE = 'ingestion_erasure';
