import { useState } from 'react';
import { OpenPage } from '../frame/open-page.tsx';
import { useAcceptedSession, useSlug } from '../session.ts';
import { enter as texts } from './enter-texts.ts';
import { mailed } from '../mailed-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Form, useProblem, useDraft } from '#web/ui/form/form.tsx';
import { useLinks } from '#web/ui/controls/links.ts';
import { Row } from '#web/ui/controls/stack.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { CheckMail, NotSent } from './check-mail.tsx';
import { CodeField } from './code-field.tsx';
import { AT_ONCE, isExpired, useEntryByCode } from './entry.ts';

/** Offers to send another email, or to enter the code from an email. */
export function ByCode({ title, description }: { readonly title: string; readonly description: string }) {
  const slug = useSlug();
  const { navigate } = useLinks();
  const [{ email }, field] = useDraft({ email: '' });
  const [code, setCode] = useState('');
  const [sentTo, setSentTo] = useState<string>();
  const goOn = () => navigate('/', { replace: true });
  const accept = useAcceptedSession();
  const entry = useEntryByCode((session) => {
    accept(session);
    goOn();
  });
  const ask = useCall((api) => api.portals.requestLink(slug, { email }, AT_ONCE), { onDone: () => setSentTo(email) });
  const { shown } = useProblem(ask.error);
  const hasFaults = (shown?.errors.length ?? 0) > 0;
  if (sentTo !== undefined) {
    return (
      <CheckMail
        address={sentTo}
        purpose="signIn"
        resend={() => ask.mutateAsync()}
        onEntered={goOn}
        onOther={() => setSentTo(undefined)}
      />
    );
  }
  const expired = isExpired(entry.error);
  const hasCode = code !== '';
  return (
    <OpenPage title={title} description={description}>
      <Form
        onSubmit={() => (hasCode ? entry.mutate({ email, code }) : ask.mutate())}
        error={hasFaults && !hasCode ? ask.error : expired ? undefined : entry.error}
      >
        <TextField label={texts.email} {...field('email')} type="email" autoComplete="username" autoFocus />
        <CodeField value={code} onChange={setCode} error={expired ? mailed.wrongCode : undefined} />
        {!hasFaults && <NotSent error={ask.error} />}
        <Row justify="end">
          <Button
            type={hasCode ? 'button' : 'submit'}
            busy={ask.isPending}
            onClick={hasCode ? () => ask.mutate() : undefined}
          >
            {texts.send}
          </Button>
          <Button type={hasCode ? 'submit' : 'button'} variant="primary" busy={entry.isPending} disabled={!hasCode}>
            {mailed.submit}
          </Button>
        </Row>
      </Form>
    </OpenPage>
  );
}
