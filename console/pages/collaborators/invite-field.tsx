import { useQuery } from '@tanstack/react-query';
import type { Collaborator, Whence } from '@whence/sdk';
import { collaborators as texts } from '#console/texts/collaborators.ts';
import { Checkbox } from '#ui/checkbox.tsx';
import { Link } from '#ui/link.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { Text } from '#ui/text.tsx';
import { toast } from '#ui/toast.tsx';
import { portalSettingsQuery } from './portal-settings.ts';

const words = texts.form;

type InviteFieldProps = {
  readonly email: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
};

/** Whether somebody who is added is invited by mail; where there is no portal yet, the way to one. */
export function InviteField({ email, checked, onChange }: InviteFieldProps) {
  const { data: portal } = useQuery(portalSettingsQuery(useApi()));
  if (portal === undefined) return null;
  if (portal.slug === null) {
    return (
      <Text tone="muted">
        {words.invitePortal} <Link href="/settings/portal">{texts.aliases.toSettings}</Link>
      </Text>
    );
  }
  return (
    <Checkbox
      label={words.invite}
      description={words.inviteHelp}
      checked={checked && email !== ''}
      disabled={email === ''}
      onChange={onChange}
    />
  );
}

/** They are there, whatever becomes of the mail. */
export async function sendInvitation(api: Whence, { id, name, email }: Collaborator): Promise<void> {
  try {
    await api.collaborators.invite(id);
    toast.success(words.invited(name, email ?? ''));
  } catch (error) {
    toast.error(error);
  }
}
