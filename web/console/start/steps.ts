export const STEPS = ['shop', 'program', 'collaborator', 'keys', 'test'] as const;

export type StepName = (typeof STEPS)[number];

/** Whether each step is done. A value is undefined until it is loaded. */
export type Progress = Readonly<Record<StepName, boolean | undefined>>;

/** Returns the first step that is not done, or the last step. Returns undefined until all values are loaded. */
export function nextStep(progress: Progress): StepName | undefined {
  if (STEPS.some((name) => progress[name] === undefined)) return undefined;
  return STEPS.find((name) => progress[name] === false) ?? STEPS.at(-1);
}
