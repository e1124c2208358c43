export const STEPS = ['shop', 'program', 'collaborator', 'keys', 'test'] as const;

export type StepName = (typeof STEPS)[number];

/** Which steps are done. Undefined means that the answer isn't loaded yet. */
export type Progress = Readonly<Record<StepName, boolean | undefined>>;

/** Returns the first step that is not done, or the last step. Returns undefined until all answers are loaded. */
export function nextStep(progress: Progress): StepName | undefined {
  if (STEPS.some((name) => progress[name] === undefined)) return undefined;
  return STEPS.find((name) => progress[name] === false) ?? STEPS.at(-1);
}
