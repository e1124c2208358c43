/** The steps of the guided start, in order. */
export const STEPS = ['program', 'collaborator', 'keys', 'watch'] as const;

export type StepName = (typeof STEPS)[number];
