/**
 * A JSON value with its exact text: numbers keep their digits, and objects keep the order of their members and may
 * contain duplicates.
 */
export type Written = null | boolean | string | Digits | readonly Written[] | Members;

/** A number, or any other text that is written unchanged. */
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

export function jsonText(value: Written): string {
  if (value instanceof Digits) return value.text;
  if (value instanceof Members)
    return `{${value.list.map(([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`).join(',')}}`;
  if (isList(value)) return `[${value.map(jsonText).join(',')}]`;
  return JSON.stringify(value);
}

/** Converts a plain value, such as an example or a constant of the document. */
export function written(value: unknown): Written {
  if (typeof value === 'number') return new Digits(String(value));
  if (Array.isArray(value)) return value.map(written);
  if (typeof value === 'object' && value !== null)
    return new Members(Object.entries(value).map(([name, member]) => [name, written(member)]));
  return value as null | boolean | string;
}

/** Returns the value with one of its nested values changed: the one at `place`, counted from the outside. */
export function changedAt(value: Written, place: number, change: (old: Written) => Written): Written {
  let left = place;
  const visit = (here: Written): Written => {
    left -= 1;
    if (left === -1) return change(here);
    if (here instanceof Members) return new Members(here.list.map(([name, member]) => [name, visit(member)]));
    if (isList(here)) return here.map(visit);
    return here;
  };
  return visit(value);
}

/** Returns the number of places at which a value can be changed. */
export function placesIn(value: Written): number {
  if (value instanceof Members) return value.list.reduce((sum, [, member]) => sum + placesIn(member), 1);
  return isList(value) ? value.reduce<number>((sum, member) => sum + placesIn(member), 1) : 1;
}

/** Yields the value without one member or element, once for each of them. */
export function* without(value: Written): Generator<Written> {
  if (value instanceof Members) {
    for (const [index, [name, member]] of value.list.entries()) {
      yield new Members(value.list.toSpliced(index, 1));
      for (const less of without(member)) yield new Members(value.list.with(index, [name, less]));
    }
  } else if (isList(value)) {
    for (const [index, member] of value.entries()) {
      yield value.toSpliced(index, 1);
      for (const less of without(member)) yield value.with(index, less);
    }
  }
}

function isList(value: Written): value is readonly Written[] {
  return Array.isArray(value);
}
