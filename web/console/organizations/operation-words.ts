import { operations } from './operations-texts.ts';

/**
 * Returns the label of an operation. For an operation without a label, returns its API name as words: “Try this” for
 * `tryThis`.
 */
export function operationWords(operation: string): string {
  const known = operations[operation];
  if (known !== undefined) return known;
  const words = operation.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
