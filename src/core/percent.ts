/** Formats a percentage in English style, such as `12.5%`, with at most four decimals. */
export function formatPercent(percent: number): string {
  return ENGLISH.format(percent / 100);
}

const ENGLISH = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 4 });
