/** The way from nothing to a first reward, in its order. */
export const STEPS = ['program', 'collaborator', 'keys', 'watch'] as const;

export type StepName = (typeof STEPS)[number];
