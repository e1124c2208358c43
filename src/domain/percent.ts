/** `12.5%`, as English writes it, to the four decimals that a percentage may have. */
export function formatPercent(percent: number): string {
  return ENGLISH.format(percent / 100);
}

const ENGLISH = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 4 });
