/** A problem as a page shows it. */
export type ShownProblem = {
  /**
   * The API's stable code, or a code such as `connection-failed` if there was no response. Undefined for an error of
   * the page itself.
   */
  readonly code: string | undefined;
  readonly status: number | undefined;
  /** A short description of the problem, for a heading. */
  readonly title: string;
  /** A sentence about the exact problem. */
  readonly detail: string;
  /** All faults, each with the pointer to its field. */
  readonly errors: readonly ShownFault[];
};

export type ShownFault = { readonly pointer: string; readonly code: string; readonly detail: string };

/**
 * Returns the problem to show for any thrown value: an SDK error, an API problem as JSON, or anything else. SDK errors
 * are recognized by their fields, so that this folder doesn't import the SDK.
 */
export function problemOf(error: unknown, words: ProblemWords): ShownProblem {
  const fields = fieldsOf(error);
  const problem = fieldsOf(fields['problem']);
  const code = textOf(fields['code']);
  const detail = words.details?.[code ?? ''] ?? textOf(fields['detail']) ?? textOf(fields['message']) ?? String(error);
  return {
    code,
    status: typeof fields['status'] === 'number' ? fields['status'] : undefined,
    title: words.titles[code ?? ''] ?? textOf(problem['title']) ?? textOf(fields['title']) ?? words.unknown,
    detail,
    errors: Array.isArray(fields['errors']) ? fields['errors'].filter(isFault) : [],
  };
}

export type ProblemWords = {
  readonly titles: Readonly<Record<string, string>>;
  /** Texts by code that replace the detail of the problem. */
  readonly details?: Readonly<Record<string, string>>;
  readonly unknown: string;
};

/** Converts `reward.amount`, `items[0].name` and `/reward/amount` to the pointer format of the API's faults. */
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
