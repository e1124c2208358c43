/** An operation's name as words: `approveConversion` → “Approve conversion”. */
export function operationWords(operation: string): string {
  const words = operation.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();
  const capital = words.charAt(0).toUpperCase() + words.slice(1);
  return capital.replaceAll(/\b(api|totp|csv)\b/gi, (short) => short.toUpperCase());
}
