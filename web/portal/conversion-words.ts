import { formatMoney } from '#web/ui/formats/money.ts';
import { formatTime } from '#web/ui/formats/time.ts';

/** Quoted text, a date, or an amount with its currency. */
const PARTS = /“[^”]*”|\d{4}-\d{2}-\d{2}|\d+\.\d{2} [A-Z]{3}\b/g;

/**
 * Returns the service’s sentence about a conversion with dates and amounts in the reader’s format. Quoted text stays
 * unchanged.
 */
export function wordsOf(words: string): string {
  return words.replaceAll(PARTS, (found) => {
    if (found.startsWith('“')) return found;
    const [amount = '', currency] = found.split(' ');
    if (currency === undefined) return formatTime(`${found}T00:00:00Z`, 'day');
    return formatMoney(BigInt(amount.replace('.', '')), currency);
  });
}
