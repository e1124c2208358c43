import { formatTime } from '#ui/formats/time.ts';

/** The service’s sentence on a conversion, its days as the reader writes them. What somebody is quoted with stays as it is. */
export function wordsOf(words: string): string {
  return words.replaceAll(/“[^”]*”|\d{4}-\d{2}-\d{2}/g, (found) =>
    found.startsWith('“') ? found : formatTime(`${found}T00:00:00Z`, 'day'),
  );
}
