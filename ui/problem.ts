/** What went wrong, as a page shows it. */
export type ShownProblem = {
  /** The API's stable code; `connection-failed` and the like where no answer came; undefined for a fault of the page itself. */
  readonly code: string | undefined;
  readonly status: number | undefined;
  /** What happened, in a few words. */
  readonly title: string;
  /** What is wrong here, in words. */
  readonly detail: string;
  /** Every fault, each with the pointer to its field. */
  readonly errors: readonly ShownFault[];
};

export type ShownFault = { readonly pointer: string; readonly code: string; readonly detail: string };

/**
 * Reads any thrown value: an error of the SDK (told by its fields, so that this room needs no import of it), a problem of the API as JSON,
 * or anything else.
 */
export function problemOf(error: unknown, words: ProblemWords): ShownProblem {
  const fields = fieldsOf(error);
  const problem = fieldsOf(fields['problem']);
  const code = textOf(fields['code']);
  const detail = textOf(fields['detail']) ?? textOf(fields['message']) ?? String(error);
  return {
    code,
    status: typeof fields['status'] === 'number' ? fields['status'] : undefined,
    title: words.titles[code ?? ''] ?? textOf(problem['title']) ?? textOf(fields['title']) ?? words.unknown,
    detail,
    errors: Array.isArray(fields['errors']) ? fields['errors'].filter(isFault) : [],
  };
}

export type ProblemWords = { readonly titles: Readonly<Record<string, string>>; readonly unknown: string };

/** `reward.amount`, `items[0].name` and `/reward/amount` are one: the pointer that the API's faults have. */
export function pointerOf(name: string): string {
  if (name.startsWith('/')) return name;
  return `/${name.replaceAll(/\[(\d+)\]/g, '/$1').replaceAll('.', '/')}`;
}

function isFault(value: unknown): value is ShownFault {
  const fault = fieldsOf(value);
  return typeof fault['pointer'] === 'string' && typeof fault['detail'] === 'string';
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
