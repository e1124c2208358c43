import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePortal } from '../brand.ts';
import { OpenPage } from '../frame/open-page.tsx';
import { CheckMail } from '../enter/check-mail.tsx';
import { AT_ONCE } from '../enter/entry.ts';
import { ProgramWords } from '../program-words.tsx';
import { sessionQuery, useSlug } from '../session.ts';
import { signUp as texts } from './sign-up-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { useLinks } from '#web/ui/controls/links.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import type { OfferedProgram } from './program-list.tsx';
import { NO_APPLICATION, SignUpForm } from './sign-up-form.tsx';
import styles from './sign-up.module.css';

type ProgramSignUpProps = {
  readonly program: OfferedProgram;
  /** The token of an invitation link, if the applicant has one. */
  readonly invitation?: string | undefined;
};

/** Shows one program with its rewards and the form. After the application, asks for the code from the email. */
export function ProgramSignUp({ program, invitation }: ProgramSignUpProps) {
  const api = useApi();
  const slug = useSlug();
  const portal = usePortal();
  const { navigate } = useLinks();
  const known = useQueryClient().getQueryData(sessionQuery(api).queryKey)?.collaborator;
  const [application, setApplication] = useState({
    ...NO_APPLICATION,
    name: known?.name ?? '',
    email: known?.email ?? '',
  });
  const [sentTo, setSentTo] = useState<string>();
  const apply = useCall(
    (api) => {
      const { name, email, answers, code, agreementVersion } = application;
      const body = {
        programId: program.id,
        name,
        email,
        // Also send empty answers, so that a fault's index is the index of its field.
        answers: program.fields.map(({ label }, at) => ({ label, value: answers[at] ?? '' })),
        ...(code === '' ? {} : { code }),
        ...(invitation === undefined ? {} : { invitation }),
        ...(agreementVersion === undefined ? {} : { agreementVersion }),
      };
      return api.portals.signUp(slug, body, AT_ONCE);
    },
    { onDone: () => setSentTo(application.email) },
  );
  if (sentTo !== undefined) {
    return (
      <CheckMail
        address={sentTo}
        purpose="signUp"
        resend={() => apply.mutateAsync()}
        onEntered={() => navigate('/', { replace: true })}
        onOther={() => setSentTo(undefined)}
      />
    );
  }
  const others = invitation === undefined ? portal.programs.length - 1 : 0;
  return (
    <OpenPage title={program.headline ?? program.name} tabTitle={texts.title} width="wide">
      {invitation !== undefined && (
        <Notice tone="good" title={texts.invitation.title(portal.name)}>
          {texts.invitation.detail}
        </Notice>
      )}
      <div className={styles.sides}>
        <section>
          <h2 className={styles.heading}>{texts.earn}</h2>
          <ProgramWords words={program.words} more={texts.rules} />
        </section>
        <section aria-label={texts.form} className={styles.form}>
          <SignUpForm
            program={program}
            value={application}
            onChange={setApplication}
            onSubmit={() => apply.mutate()}
            busy={apply.isPending}
            error={apply.error}
          />
        </section>
        <WhatNext mode={program.mode} portal={portal.name} />
      </div>
      <Text tone="muted" as="p" className={styles.foot}>
        {known === undefined ? (
          <span>
            {texts.already} <Link href="/sign-in">{texts.signIn}</Link>
          </span>
        ) : (
          <Link href="/">{texts.back}</Link>
        )}
        {others > 0 && <Link href="/sign-up">{texts.otherPrograms(others)}</Link>}
      </Text>
    </OpenPage>
  );
}

function WhatNext({ mode, portal }: { readonly mode: OfferedProgram['mode']; readonly portal: string }) {
  const steps = [texts.steps.mail, ...(mode === 'approval' ? [texts.steps.approval(portal)] : []), texts.steps.earn];
  return (
    <section>
      <h2 className={styles.heading}>{texts.next}</h2>
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </section>
  );
}
