/** Returns a number with its noun: `1 month`, `2 months`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
