/** The mode of an organization and of the events of other systems: real orders, or orders of a system's test mode. */
export const MODES = ['live', 'test'] as const;
export type Mode = (typeof MODES)[number];
