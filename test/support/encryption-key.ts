/** The encryption key of services in tests, so that none writes a key into the developer's data folder. */
export const ENCRYPTION_KEY = '00'.repeat(31) + '01';
