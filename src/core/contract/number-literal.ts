/**
 * A JSON number exactly as it was written: `19.99`, `4.35e1`, `-0`. Code that reads a client's number never gets a
 * double, because a double may already have lost digits that matter.
 */
export class NumberLiteral {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
