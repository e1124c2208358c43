import { useQuery } from '@tanstack/react-query';
import type { Collaborator } from '@whence/sdk';
import { useState } from 'react';
import { usePermission } from '../session.ts';
import { start as texts } from './start-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { CopyLine } from '#web/ui/controls/copy.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { InviteField, sendInvitation } from '../collaborators/invite-field.tsx';
import { linkOf, portalSettingsQuery } from '../collaborators/portal-settings.ts';
import { Step } from './step.tsx';
import { codeOf } from './trial.ts';

const words = texts.collaborator;

type CollaboratorStepProps = { readonly collaborator: Collaborator | undefined; readonly onNext: () => void };

/** Adds a partner with a code for links, and shows the partner's link. */
export function CollaboratorStep({ collaborator, onNext }: CollaboratorStepProps) {
  const { data: shop } = useQuery(portalSettingsQuery(useApi()));
  const code = collaborator && codeOf(collaborator, 'tracking');
  const link = shop && code !== undefined ? linkOf(shop, code) : undefined;
  const may = usePermission('resources:write');
  return (
    <Step name="collaborator" isDone={collaborator !== undefined} onNext={onNext}>
      {collaborator !== undefined ? (
        <>
          <Text>
            {words.done(collaborator.name)} <Link href="/collaborators">{words.see}</Link>
          </Text>
          {link !== undefined && <CopyLine text={link} />}
        </>
      ) : may ? (
        <CollaboratorForm />
      ) : (
        <Text tone="muted">{texts.forbidden}</Text>
      )}
    </Step>
  );
}

function CollaboratorForm() {
  const api = useApi();
  const [{ name, email }, field] = useDraft({ name: '', email: '' });
  const [typed, setTyped] = useState<string>();
  const [invite, setInvite] = useState(false);
  const code = typed ?? suggestedCode(name);
  const create = useCall(
    (api) =>
      api.collaborators.create({
        name,
        ...(email === '' ? {} : { email }),
        aliases: [{ type: 'tracking', code }],
      }),
    {
      reloads: ['collaborators'],
      onDone: async (made) => {
        if (invite && made.email !== null) await sendInvitation(api, made);
      },
    },
  );
  return (
    <Form call={create}>
      <TextField label={words.name} {...field('name')} required maxLength={255} />
      <TextField label={words.email} {...field('email')} type="email" optional />
      <TextField
        label={words.code}
        name="aliases.0.code"
        description={words.codeHelp}
        mono
        required
        value={code}
        onChange={setTyped}
      />
      <InviteField email={email} checked={invite} onChange={setInvite} />
      <FormActions submitLabel={words.submit} disabled={name === '' || code === ''} />
    </Form>
  );
}

/**
 * Returns the first word of a name as a code: in lower case, with only the letters a to z, digits and dashes. The
 * result can be empty.
 */
function suggestedCode(name: string): string {
  const [first = ''] = name.trim().split(/\s+/);
  return first
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '');
}
