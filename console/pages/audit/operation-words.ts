import { operations } from '#console/texts/operations.ts';

/** What was done, in words. One without words of its own is named as the API does: `tryThis` → “Try this”. */
export function operationWords(operation: string): string {
  const known = operations[operation];
  if (known !== undefined) return known;
  const words = operation.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
