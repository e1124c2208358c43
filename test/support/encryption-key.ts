/**
 * The encryption key of services in tests. With a fixed key, no service writes one into the developer's data folder.
 */
export const ENCRYPTION_KEY = '00'.repeat(31) + '01';
