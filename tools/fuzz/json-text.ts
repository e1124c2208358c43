/**
 * A JSON value with its exact text: numbers keep their digits, and objects keep the order of their members and may
 * contain duplicates.
 */
export type Written = null | boolean | string | Digits | readonly Written[] | Members | Known;

/** A number, or any other JSON text that is written unchanged. */
export class Digits {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export class Members {
  readonly list: readonly (readonly [name: string, value: Written])[];
  constructor(list: readonly (readonly [string, Written])[]) {
    this.list = list;
  }
}

/** The nth value that responses have shown under a name, or a substitute if there is none. */
export class Known {
  readonly name: string;
  readonly kind: 'number' | 'text';
  readonly nth: number;
  readonly isForeign: boolean;
  readonly otherwise: Written;
  constructor(name: string, kind: Known['kind'], nth: number, isForeign: boolean, otherwise: Written) {
    this.name = name;
    this.kind = kind;
    this.nth = nth;
    this.isForeign = isForeign;
    this.otherwise = otherwise;
  }
}

export function jsonText(value: Written): string {
  if (value instanceof Digits) return value.text;
  if (value instanceof Known) return jsonText(value.otherwise);
  if (value instanceof Members)
    return `{${value.list.map(([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`).join(',')}}`;
  if (isList(value)) return `[${value.map(jsonText).join(',')}]`;
  return JSON.stringify(value);
}

/** Converts a plain value, such as an example or a constant of the document, to a value with exact text. */
export function toWritten(value: unknown): Written {
  if (typeof value === 'number') return new Digits(String(value));
  if (Array.isArray(value)) return value.map(toWritten);
  if (typeof value === 'object' && value !== null)
    return new Members(Object.entries(value).map(([name, member]) => [name, toWritten(member)]));
  return value as null | boolean | string;
}

/**
 * Returns the value with each known value replaced by the result of `find`, or by its substitute if `find` returns
 * undefined.
 */
export function resolveKnown(value: Written, find: (known: Known) => string | number | undefined): Written {
  if (value instanceof Known) {
    const found = find(value);
    if (found === undefined) return value.otherwise;
    return value.kind === 'number' ? new Digits(String(found)) : String(found);
  }
  if (value instanceof Members)
    return new Members(value.list.map(([name, member]) => [name, resolveKnown(member, find)]));
  return isList(value) ? value.map((element) => resolveKnown(element, find)) : value;
}

function isList(value: Written): value is readonly Written[] {
  return Array.isArray(value);
}
