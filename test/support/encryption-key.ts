/** What services in tests seal with, so that none writes a key into the data folder of whoever runs them. */
export const ENCRYPTION_KEY = '00'.repeat(31) + '01';
