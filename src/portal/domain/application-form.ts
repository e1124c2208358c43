/** The types of the fields that a merchant can add to an application form. */
export const FIELD_TYPES = ['short-text', 'long-text', 'choice', 'checkbox', 'url'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export type FormField = {
  readonly label: string;
  readonly type: FieldType;
  readonly required: boolean;
  /** The choices of a field of the type `choice`. Empty for all other types. */
  readonly choices: readonly string[];
};

/** An answer with the label of its field, as the applicant saw it. */
export type FormAnswer = { readonly label: string; readonly value: string };

/** The answer of a checked checkbox. */
export const CHECKED = 'yes';

export const MAX_FORM_FIELDS = 20;
export const MAX_CHOICES = 20;
export const MAX_LABEL = 500;
export const MAX_SHORT_ANSWER = 255;
export const MAX_ANSWER = 2_000;

export type FormFault = { readonly code: string; readonly detail: string };

/**
 * The maximum number of characters of all labels and choices of a form together. It is small, because anyone can load
 * the form.
 */
export const MAX_FORM_CHARACTERS = 4_000;

/** Returns the faults of a form by the index of the field, with the faulty property. */
export function formFaults(
  fields: readonly FormField[],
): Map<number, FormFault & { readonly at: 'label' | 'choices' }> {
  const faults: ReturnType<typeof formFaults> = new Map();
  const labels = new Set<string>();
  let characters = 0;
  for (const [at, { label, type, choices }] of fields.entries()) {
    if (labels.has(label)) faults.set(at, DUPLICATE);
    else if ((type === 'choice') !== choices.length > 0) faults.set(at, type === 'choice' ? NO_CHOICES : NOT_CHOICE);
    else if (new Set(choices).size < choices.length) faults.set(at, DUPLICATE_CHOICE);
    labels.add(label);
    characters += choices.reduce((sum, choice) => sum + choice.length, label.length);
    if (characters > MAX_FORM_CHARACTERS) {
      faults.set(at, FORM_TOO_LONG);
      break;
    }
  }
  return faults;
}

const DUPLICATE = {
  at: 'label',
  code: 'duplicate',
  detail: 'Another field has this label. Change one of the labels.',
} as const;
const FORM_TOO_LONG = {
  at: 'label',
  code: 'too-long',
  detail: `All labels and choices of a form together can have at most ${MAX_FORM_CHARACTERS} characters. Shorten some of them.`,
} as const;
const NO_CHOICES = { at: 'choices', code: 'required', detail: 'Add at least one choice.' } as const;
const NOT_CHOICE = {
  at: 'choices',
  code: 'not-applicable',
  detail: 'Only fields of the type choice have choices. Remove the choices.',
} as const;
const DUPLICATE_CHOICE = {
  at: 'choices',
  code: 'duplicate',
  detail: 'A choice is repeated. Remove the duplicate.',
} as const;

export type AnswersCheck =
  /** The answers in the order of the form, without empty answers. */
  | { readonly kind: 'valid'; readonly answers: readonly FormAnswer[] }
  /** The faults by the index of the answer. A missing answer has the next free index. */
  | { readonly kind: 'faulty'; readonly faults: ReadonlyMap<number, FormFault> };

/** Checks the answers of an applicant against the current form. An empty answer counts as missing. */
export function checkAnswers(fields: readonly FormField[], given: readonly FormAnswer[]): AnswersCheck {
  const faults = new Map<number, FormFault>();
  const answers: FormAnswer[] = [];
  for (const [at, { label }] of given.entries())
    if (fields.every((field) => field.label !== label)) faults.set(at, CHANGED);
  let missing = given.length;
  for (const field of fields) {
    const at = given.findIndex(({ label }) => label === field.label);
    const value = given[at]?.value.trim() ?? '';
    const fault = value === '' ? (field.required ? REQUIRED : undefined) : faultOf(field, value);
    if (fault !== undefined) faults.set(at === -1 ? missing++ : at, fault);
    else if (value !== '') answers.push({ label: field.label, value: field.type === 'url' ? wholeUrl(value) : value });
  }
  return faults.size > 0 ? { kind: 'faulty', faults } : { kind: 'valid', answers };
}

const CHANGED = { code: 'unknown-value', detail: 'The form has changed. Reload the page.' };
const REQUIRED = { code: 'required', detail: 'An answer is required.' };

function faultOf({ type, choices }: FormField, value: string): FormFault | undefined {
  if (type === 'short-text' && value.length > MAX_SHORT_ANSWER) return TOO_LONG;
  if (type === 'choice' && !choices.includes(value)) return NO_SUCH_CHOICE;
  if (type === 'checkbox' && value !== CHECKED) return NOT_CHECKED;
  if (type === 'url' && !isWebAddress(wholeUrl(value))) return NO_URL;
  return undefined;
}

const TOO_LONG = { code: 'too-long', detail: `This must have at most ${MAX_SHORT_ANSWER} characters.` };
const NO_SUCH_CHOICE = { code: 'unknown-value', detail: 'Select one of the listed choices.' };
const NOT_CHECKED = { code: 'unknown-value', detail: `The answer must be ${CHECKED} or empty.` };
const NO_URL = { code: 'invalid-format', detail: 'Enter the address of a page, such as https://example.com.' };

/** Returns a web address with a scheme. If the scheme is missing, adds `https`. */
function wholeUrl(value: string): string {
  return value.includes('://') ? value : `https://${value}`;
}

function isWebAddress(value: string): boolean {
  return URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol);
}
