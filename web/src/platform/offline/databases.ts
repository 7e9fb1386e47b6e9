/** The database with what was last read. */
export const QUERIES_DATABASE = 'hourshare-state';

/** The database with starts and ends that were pressed offline, and what became of them. */
export const QUEUE_DATABASE = 'hourshare-presses';
