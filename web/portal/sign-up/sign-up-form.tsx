import { usePortal } from '../brand.ts';
import { NotSent } from '../enter/check-mail.tsx';
import { tooOftenText } from '../enter/entry.ts';
import { AgreementField } from './agreement-field.tsx';
import { signUp as texts } from './sign-up-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Form, fieldsOf } from '#web/ui/form/form.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import type { FormField } from '@whence/sdk';
import { CheckboxGroup } from '#web/ui/form/checkbox.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { TextArea, TextField } from '#web/ui/form/text-field.tsx';
import type { OfferedProgram } from './program-list.tsx';

export type Application = {
  readonly name: string;
  readonly email: string;
  /** The answers in the order of the form's fields. */
  readonly answers: readonly string[];
  readonly code: string;
  /** The version of the partner agreement that the applicant accepts. */
  readonly agreementVersion: number | undefined;
};

export const NO_APPLICATION: Application = { name: '', email: '', answers: [], code: '', agreementVersion: undefined };

export type SignUpFormProps = {
  readonly program: OfferedProgram;
  readonly value: Application;
  readonly onChange: (application: Application) => void;
  readonly onSubmit: () => void;
  readonly busy: boolean;
  readonly error: unknown;
};

export function SignUpForm({ program, value, onChange, onSubmit, busy, error }: SignUpFormProps) {
  const { name: portal, termsUrl, agreementVersion } = usePortal();
  const set = (part: Partial<Application>) => onChange({ ...value, ...part });
  const field = fieldsOf(value, set);
  const often = tooOftenText(error) !== undefined;
  return (
    <Form onSubmit={onSubmit} error={often ? undefined : error}>
      <TextField label={texts.name} {...field('name')} description={texts.nameHelp} autoComplete="name" />
      <TextField
        label={texts.email}
        {...field('email')}
        type="email"
        description={texts.emailHelp}
        autoComplete="email"
      />
      {program.fields.map((field, at) => (
        <AnswerField
          key={field.label}
          field={field}
          name={`answers.${at}.value`}
          value={value.answers[at] ?? ''}
          onChange={(answer) =>
            set({ answers: program.fields.map((_, other) => (other === at ? answer : (value.answers[other] ?? ''))) })
          }
        />
      ))}
      <TextField
        label={texts.code}
        name="code"
        description={texts.codeHelp}
        optional
        mono
        autoComplete="off"
        spellCheck={false}
        value={value.code}
        onChange={(code) => set({ code: code.trim() })}
      />
      {agreementVersion !== null && (
        <AgreementField value={value.agreementVersion} onChange={(accepted) => set({ agreementVersion: accepted })} />
      )}
      {often && <NotSent error={error} />}
      <Button type="submit" variant="primary" size="large" wide busy={busy}>
        {program.mode === 'approval' ? texts.apply : texts.join}
      </Button>
      {termsUrl !== null && (
        <Text tone="muted" size="small" as="p">
          {texts.terms}{' '}
          <Link href={termsUrl} target="_blank">
            {texts.termsLink(portal)}
          </Link>
        </Text>
      )}
    </Form>
  );
}

type AnswerFieldProps = {
  readonly field: FormField;
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

function AnswerField({ field: { type, label, required, choices }, ...control }: AnswerFieldProps) {
  const { name, value, onChange } = control;
  const optional = !required;
  switch (type) {
    case 'short-text':
      return <TextField label={label} optional={optional} {...control} />;
    case 'url':
      return <TextField label={label} optional={optional} type="url" placeholder={texts.urlExample} {...control} />;
    case 'long-text':
      return <TextArea label={label} optional={optional} rows={3} {...control} />;
    case 'choice':
      return (
        <Select
          label={label}
          optional={optional}
          name={name}
          options={[
            ...(optional ? [{ value: '', label: texts.noAnswer }] : []),
            ...choices.map((choice) => ({ value: choice, label: choice })),
          ]}
          value={required && value === '' ? null : value}
          onChange={onChange}
        />
      );
    case 'checkbox':
      return (
        <CheckboxGroup
          label={label}
          hideLabel
          name={name}
          options={[{ value: CHECKED, label: optional ? texts.optional(label) : label }]}
          value={value === CHECKED ? [CHECKED] : []}
          onChange={(checked) => onChange(checked[0] ?? '')}
        />
      );
    default:
      return type satisfies never;
  }
}

/** The answer that the API expects for a checked checkbox. */
const CHECKED = 'yes';
