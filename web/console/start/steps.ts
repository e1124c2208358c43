export const STEPS = ['program', 'collaborator', 'keys', 'watch'] as const;

export type StepName = (typeof STEPS)[number];
