import { useMutation } from '@tanstack/react-query';
import type { PortalSession } from '@whence/sdk';
import { useState } from 'react';
import { IS_EMBEDDED } from '../embedding.ts';
import { OpenPage } from '../frame/open-page.tsx';
import { mailed as texts } from '../mailed-texts.ts';
import { useAcceptedSession } from '../session.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { CodeField } from './code-field.tsx';
import { isExpired, tooOftenText, useEntryByCode } from './entry.ts';

export type CheckMailProps = {
  readonly address: string;
  readonly purpose: 'signIn' | 'signUp';
  /** Sends another email. */
  readonly resend: () => Promise<void>;
  readonly onEntered: (session: PortalSession) => void;
  readonly onOther: () => void;
};

/**
 * Asks for the code from an email that was requested. In a frame, the text does not mention the emailed link, because
 * the link would open outside of the frame.
 */
export function CheckMail({ address, purpose, resend, onEntered, onOther }: CheckMailProps) {
  const accept = useAcceptedSession();
  const enter = (session: PortalSession): void => {
    accept(session);
    onEntered(session);
  };
  return (
    <OpenPage title={texts.title} description={IS_EMBEDDED ? texts.embedded(address) : texts[purpose](address)}>
      <CodeForm
        address={address}
        submit={purpose === 'signUp' ? texts.confirm : texts.submit}
        resend={resend}
        onEntered={enter}
        onOther={onOther}
      />
    </OpenPage>
  );
}

type CodeFormProps = Pick<CheckMailProps, 'address' | 'resend' | 'onEntered'> & {
  readonly submit: string;
  /** Called to enter another address. Without it, the address can't be changed. */
  readonly onOther?: () => void;
};

/** Logs in with the code from an email. */
export function CodeForm({ address, submit, resend, onEntered, onOther }: CodeFormProps) {
  const [code, setCode] = useState('');
  const entry = useEntryByCode(onEntered);
  const again = useMutation({ mutationFn: resend });
  const expired = isExpired(entry.error);
  return (
    <>
      <Form onSubmit={() => entry.mutate({ email: address, code })} error={expired ? undefined : entry.error}>
        <CodeField autoFocus value={code} onChange={setCode} error={expired ? texts.wrongCode : undefined} />
        <Button type="submit" variant="primary" size="large" wide busy={entry.isPending} disabled={code === ''}>
          {submit}
        </Button>
      </Form>
      <Stack gap={2}>
        {texts.hint !== undefined && (
          <Text tone="muted" size="small" as="p">
            {texts.hint}
          </Text>
        )}
        <Row gap={1}>
          <Button size="small" busy={again.isPending} onClick={() => again.mutate()}>
            {texts.again}
          </Button>
          {onOther !== undefined && (
            <Button size="small" variant="ghost" onClick={onOther}>
              {texts.other}
            </Button>
          )}
        </Row>
        <div role="status">{again.isSuccess && <Notice tone="good">{texts.sentAgain}</Notice>}</div>
        <NotSent error={again.error} />
      </Stack>
    </>
  );
}

/** Shows the reason why an email was not sent. */
export function NotSent({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null;
  const often = tooOftenText(error);
  return often === undefined ? <ErrorPanel error={error} /> : <Notice tone="warn">{often}</Notice>;
}
