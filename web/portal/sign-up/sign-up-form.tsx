import { usePortal } from '../brand.ts';
import { NotSent } from '../enter/check-mail.tsx';
import { tooOften } from '../enter/entry.ts';
import { signUp as texts } from './sign-up-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { TextArea, TextField } from '#web/ui/form/text-field.tsx';
import type { OfferedProgram } from './program-list.tsx';

export type Application = {
  readonly name: string;
  readonly email: string;
  readonly answer: string;
  readonly code: string;
};

export const NO_APPLICATION: Application = { name: '', email: '', answer: '', code: '' };

export type SignUpFormProps = {
  readonly program: OfferedProgram;
  readonly value: Application;
  readonly onChange: (application: Application) => void;
  readonly onSubmit: () => void;
  readonly busy: boolean;
  readonly error: unknown;
};

export function SignUpForm({ program, value, onChange, onSubmit, busy, error }: SignUpFormProps) {
  const { name: portal, termsUrl } = usePortal();
  const set = (part: Partial<Application>) => onChange({ ...value, ...part });
  const often = tooOften(error) !== undefined;
  return (
    <Form onSubmit={onSubmit} error={often ? undefined : error}>
      <TextField
        label={texts.name}
        name="name"
        description={texts.nameHelp}
        autoComplete="name"
        value={value.name}
        onChange={(name) => set({ name })}
      />
      <TextField
        label={texts.email}
        name="email"
        type="email"
        description={texts.emailHelp}
        autoComplete="email"
        value={value.email}
        onChange={(email) => set({ email })}
      />
      {program.question !== null && (
        <TextArea
          label={program.question}
          name="answer"
          rows={3}
          value={value.answer}
          onChange={(answer) => set({ answer })}
        />
      )}
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
