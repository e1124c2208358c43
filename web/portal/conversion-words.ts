import { formatTime } from '#web/ui/formats/time.ts';

/** Returns the service’s sentence about a conversion with dates in the reader’s format. Quoted text stays unchanged. */
export function wordsOf(words: string): string {
  return words.replaceAll(/“[^”]*”|\d{4}-\d{2}-\d{2}/g, (found) =>
    found.startsWith('“') ? found : formatTime(`${found}T00:00:00Z`, 'day'),
  );
}
