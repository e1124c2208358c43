import { useSession } from '../session.ts';
import { account as texts } from './account-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { VisuallyHidden } from '#web/ui/controls/text.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';

export function PasswordCard() {
  const { person } = useSession();
  const [{ current, password }, field, changeDraft] = useDraft({ current: '', password: '' });
  const save = useCall((api) => api.account.changePassword({ current, password }), {
    reloads: [['account', 'sessions']],
    onAnswer: () => {
      changeDraft({ current: '', password: '' });
      toast.success(texts.password.changed, texts.password.changedDetail);
    },
  });
  return (
    <Card title={texts.password.title} description={texts.password.description}>
      <Form call={save}>
        <VisuallyHidden>
          {/* A password manager identifies the account by the email address in this hidden field. */}
          <input type="email" autoComplete="username" readOnly tabIndex={-1} aria-hidden value={person.email} />
        </VisuallyHidden>
        <TextField
          label={texts.password.current}
          {...field('current')}
          type="password"
          autoComplete="current-password"
        />
        <TextField
          label={texts.password.next}
          {...field('password')}
          type="password"
          autoComplete="new-password"
          description={texts.password.nextHelp}
        />
        <FormActions submitLabel={texts.password.submit} disabled={current === '' || password === ''} />
      </Form>
    </Card>
  );
}
