import { useQuery } from '@tanstack/react-query';
import type { Program, ProgramSignUp } from '@whence/sdk';
import { Globe } from 'lucide-react';
import { useState } from 'react';
import { usePermission } from '../session.ts';
import { ApplicationForm, type FieldDraft, fieldDraft, fieldOf } from './application-form.tsx';
import { InvitationLinks } from '../portal/invitation-links.tsx';
import { signUpQuery } from './sign-up-query.ts';
import { programTabs } from './program-tabs-texts.ts';
import { useCall, useRead } from '#web/ui/shell/call.ts';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { CopyLine } from '#web/ui/controls/copy.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { NumberField } from '#web/ui/form/number-field.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { TextArea, TextField } from '#web/ui/form/text-field.tsx';
import { optionsOf } from './editor/basics.tsx';

const words = programTabs.signUp;

/** Shows the sign-up settings of the program and the sign-up link for partners. */
export function SignUpTab({ program }: { readonly program: Program }) {
  const { data, error, refetch } = useQuery(signUpQuery(useApi(), program.id));
  if (data === undefined) {
    return error === null ? <Skeleton lines={6} /> : <ErrorPanel error={error} onRetry={() => void refetch()} />;
  }
  return <SignUpForm key={data.etag} program={program} {...data} />;
}

type SignUpFormProps = {
  readonly program: Program;
  readonly signUp: ProgramSignUp;
  readonly etag: string | undefined;
};

function SignUpForm({ program, signUp, etag }: SignUpFormProps) {
  const canChange = usePermission('resources:write') && program.status !== 'deleted';
  const [{ mode, headline, acceptedDomains: domains, signUpsFromNetwork }, field] = useDraft({
    mode: signUp.mode,
    headline: signUp.headline ?? '',
    acceptedDomains: signUp.acceptedDomains.join('\n'),
    signUpsFromNetwork: signUp.signUpsFromNetwork,
  });
  const [fields, setFields] = useState<readonly FieldDraft[]>(() => signUp.fields.map(fieldDraft));
  const acceptedDomains = domains.split(/[\s,]+/).filter((domain) => domain !== '');
  const save = useCall(
    (api) =>
      api.programs.changeSignUp(
        program.id,
        {
          mode,
          headline: headline === '' ? null : headline,
          fields: fields.map(fieldOf),
          acceptedDomains,
          signUpsFromNetwork,
        },
        etag === undefined ? {} : { ifMatch: etag },
      ),
    { reloads: [['programs', program.id, 'sign-up']], done: words.saved },
  );
  const isSame =
    mode === signUp.mode &&
    headline === (signUp.headline ?? '') &&
    acceptedDomains.join() === signUp.acceptedDomains.join() &&
    signUpsFromNetwork === signUp.signUpsFromNetwork &&
    JSON.stringify(fields.map(fieldOf)) === JSON.stringify(signUp.fields.map(fieldDraft).map(fieldOf));
  return (
    <Stack gap={4}>
      <Card title={words.title} description={words.help}>
        <Form call={save}>
          <RadioCards label={words.mode} {...field('mode')} disabled={!canChange} options={optionsOf(words.modes)} />
          {mode === 'approval' && (
            <TextArea
              label={words.domains}
              {...field('acceptedDomains')}
              description={words.domainsHelp}
              rows={2}
              mono
              optional
              disabled={!canChange}
            />
          )}
          <NumberField
            label={words.signUpsFromNetwork}
            {...field('signUpsFromNetwork')}
            suffix={words.withinDays}
            min={2}
            max={100}
            optional
            disabled={!canChange}
            description={words.signUpsFromNetworkHelp}
          />
          {mode !== 'closed' && (
            <>
              <TextField
                label={words.headline}
                {...field('headline')}
                optional
                disabled={!canChange}
                description={words.headlineHelp}
              />
              <ApplicationForm fields={fields} onChange={setFields} disabled={!canChange} />
            </>
          )}
          {canChange && <FormActions submitLabel={words.save} disabled={isSame} />}
        </Form>
      </Card>
      {signUp.mode !== 'closed' && <Where program={program} />}
      <InvitationLinks program={program} />
    </Stack>
  );
}

/** Shows the sign-up link of a program. If the portal has no address, links to the portal settings instead. */
function Where({ program }: { readonly program: Program }) {
  const { data } = useRead(['portalSettings'], (api, options) => api.portalSettings.get(options));
  if (data === undefined) return null;
  return (
    <Card title={words.portal}>
      <Stack gap={3}>
        {data.url === null ? (
          <Row gap={3}>
            <Text tone="muted">{words.noPortal}</Text>
            <LinkButton size="small" icon={Globe} href="/settings/portal">
              {words.toPortal}
            </LinkButton>
          </Row>
        ) : (
          <CopyLine text={new URL(`sign-up/${program.id}`, data.url).href} />
        )}
        {program.status !== 'active' && <Text tone="muted">{words.notActive}</Text>}
      </Stack>
    </Card>
  );
}
