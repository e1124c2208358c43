import { z } from 'zod';
import { type Fault, MAX_FAULTS } from './problem.ts';

export type Parsed<Value> =
  { readonly kind: 'value'; readonly value: Value } | { readonly kind: 'faults'; readonly faults: Fault[] };

/** Returns the value that `schema` reads from `input`, or at most MAX_FAULTS faults. Pointers begin with `within`. */
export function parse<Value>(schema: z.ZodType<Value>, input: unknown, within = ''): Parsed<Value> {
  const result = schema.safeParse(input, { reportInput: true });
  return result.success
    ? { kind: 'value', value: result.data }
    : { kind: 'faults', faults: firstFaults(result.error.issues, within) };
}

function firstFaults(issues: readonly z.core.$ZodIssue[], within: string): Fault[] {
  return issues
    .slice(0, MAX_FAULTS)
    .flatMap((issue) => faultsOf(issue, within))
    .slice(0, MAX_FAULTS);
}

export function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function faultsOf(issue: z.core.$ZodIssue, within: string): Fault[] {
  const at = within + pointer(issue.path);
  if (issue.code === 'custom') return [{ pointer: at, code: customCode(issue), detail: issue.message }];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MAX_FAULTS).map((key) => ({
      pointer: at + pointer([key]),
      code: 'unknown-parameter',
      detail: issue.message,
    }));
  }
  if (issue.code === 'too_big') {
    return [{ pointer: at, code: 'too-many', detail: `This must have at most ${issue.maximum} entries.` }];
  }
  if (issue.code === 'too_small') {
    const entries = issue.minimum === 1 ? 'entry' : 'entries';
    return [{ pointer: at, code: 'too-few', detail: `This must have at least ${issue.minimum} ${entries}.` }];
  }
  if (issue.code === 'invalid_type') return [typeFault(at, issue.expected, issue.input)];
  if (issue.code === 'invalid_union') return [unionFault(at, issue)];
  return [{ pointer: at, code: 'invalid-value', detail: issue.message }];
}

function customCode({ params }: z.core.$ZodIssueCustom): string {
  const code: unknown = params?.['code'];
  return typeof code === 'string' ? code : 'invalid-value';
}

function typeFault(at: string, expected: string, input: unknown): Fault {
  return input === undefined || input === null
    ? { pointer: at, code: 'required', detail: 'This field is required.' }
    : { pointer: at, code: 'wrong-type', detail: `This must be an ${expected === 'record' ? 'object' : expected}.` };
}

function unionFault(at: string, issue: z.core.$ZodIssueInvalidUnion): Fault {
  const input: unknown = issue.input;
  const given =
    typeof input === 'object' && input !== null && issue.discriminator !== undefined
      ? (input as Record<string, unknown>)[issue.discriminator]
      : input;
  if (given === undefined || given === null)
    return { pointer: at, code: 'required', detail: 'This field is required.' };
  const options = 'options' in issue && Array.isArray(issue.options) ? issue.options.join(', ') : 'these';
  return { pointer: at, code: 'unknown-value', detail: `This must be one of ${options}.` };
}

/** Adds a fault at `path` to the value that `context` checks. */
export function addFault(context: z.RefinementCtx, path: PropertyKey[], code: string, detail: string): void {
  context.addIssue({ code: 'custom', path, message: detail, params: { code } });
}
