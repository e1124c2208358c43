/**
 * A JSON number exactly as it was written: `19.99`, `4.35e1`, `-0`. Clients' numbers are never read as doubles, because
 * a double may already have lost digits.
 */
export class NumberLiteral {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
