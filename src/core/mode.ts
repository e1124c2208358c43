/**
 * The modes of an organization: `live` for real orders, and `test` for test orders. Events of other systems have the
 * same modes.
 */
export const MODES = ['live', 'test'] as const;
export type Mode = (typeof MODES)[number];
