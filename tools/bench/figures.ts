/** The measured values of a benchmark. The figures are in the order of their first values. */
export class Figures {
  readonly #values = new Map<string, { readonly unit: string; readonly digits: number; readonly values: number[] }>();

  add(name: string, value: number, unit: string, digits = 0): void {
    const figure = this.#values.get(name);
    if (figure === undefined) this.#values.set(name, { unit, digits, values: [value] });
    else figure.values.push(value);
  }

  medians(): Map<string, number> {
    return new Map([...this.#values].map(([name, { values }]) => [name, median(values.toSorted((a, b) => a - b))]));
  }

  /** Returns the median, minimum and maximum of each figure as a Markdown table. */
  table(): string {
    const rows = [...this.#values].map(([name, { unit, digits, values }]) => {
      const sorted = values.toSorted((a, b) => a - b);
      const shown = (value: number | undefined): string => numeral(value ?? NaN, digits);
      return `| ${name} | ${shown(median(sorted))}${unit} | ${shown(sorted[0])} – ${shown(sorted.at(-1))} |`;
    });
    return ['| | median | min – max |', '|---|---|---|', ...rows, ''].join('\n');
  }
}

/** Formats a number with commas between thousands. */
export function numeral(value: number, digits = 0): string {
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Returns the quantile `share` of sorted values. Returns NaN without values. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

function median(sorted: readonly number[]): number {
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}
