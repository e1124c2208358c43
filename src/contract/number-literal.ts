/**
 * A JSON number exactly as it was written: `19.99`, `4.35e1`, `-0`. Nothing downstream ever sees a double for a client's
 * number, since a double has lost the digits before anyone could ask whether they matter.
 */
export class NumberLiteral {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
