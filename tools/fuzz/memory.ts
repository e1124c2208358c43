import type { Reply } from '#test/support/service.ts';

/** The maximum number of values kept for one name. Further values would be of the same kind. */
const KEPT_PER_NAME = 30;
const LONGEST_TEXT = 300;

type Value = string | number;

/** The values that responses have shown, by name. Generated requests use them, as a curious caller would. */
export class Memory {
  private readonly values = new Map<string, Value[]>();
  private added = 0;

  add(name: string, value: Value): void {
    const list = this.values.get(name) ?? [];
    this.values.set(name, list);
    if (list.includes(value)) return;
    // Once the list is full, replace older values, so that a campaign does not end with ids that were all deleted.
    if (list.length < KEPT_PER_NAME) list.push(value);
    else list[(this.added += 1) % KEPT_PER_NAME] = value;
  }

  /**
   * Returns a value of a name, or undefined if the name has no values. The position is `nth` modulo their number. If a
   * name with the prefix `from` or `to`, such as `fromCollaboratorId`, has no values, uses the values of the name without
   * the prefix.
   */
  at(name: string, nth: number): Value | undefined {
    const noun = name.replace(/^(?:from|to)([A-Z])/, (_, letter: string) => letter.toLowerCase());
    const list = this.values.get(name) ?? this.values.get(noun) ?? [];
    return list[nth % list.length];
  }

  /**
   * Keeps the values of a response, except long texts. Keeps only the first ten elements of each list. An `id` is kept
   * under the noun in the path, or under the name of the object that contains it.
   */
  keep(path: string, { body, headers }: Reply): void {
    const parts = path.replace(/\?.*/, '').split('/');
    const noun = parts.findLast((part) => /^[a-z-]+$/.test(part)) ?? '';
    this.walk(body, '', idNameOf(noun));
    const opportunity = Number(headers.get('x-service-oid') ?? NaN);
    if (Number.isNaN(opportunity)) return;
    this.add('opportunityId', opportunity);
    this.add('trackingId', opportunity);
  }

  private walk(value: unknown, name: string, idName: string): void {
    if (typeof value === 'number' || (typeof value === 'string' && value.length <= LONGEST_TEXT)) {
      this.add(name === 'id' ? idName : name, value);
      const token = typeof value === 'string' ? /#([\w-]{43})$/.exec(value)?.[1] : undefined;
      if (token !== undefined) this.add('token', token);
    } else if (Array.isArray(value)) {
      for (const element of value.slice(0, 10)) this.walk(element, singular(name), idName);
    } else if (typeof value === 'object' && value !== null) {
      for (const [member, inner] of Object.entries(value)) this.walk(inner, member, name === '' ? idName : `${name}Id`);
    }
  }
}

/**
 * Returns the name of an id: `program-groups` becomes `programGroupId`. Verbs at the end of a path give unused names,
 * which is harmless.
 */
export function idNameOf(noun: string): string {
  if (noun === 'people') return 'personId';
  return `${singular(noun).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Id`;
}

function singular(noun: string): string {
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  if (noun.endsWith('ases')) return noun.slice(0, -2);
  return noun.endsWith('s') ? noun.slice(0, -1) : noun;
}
