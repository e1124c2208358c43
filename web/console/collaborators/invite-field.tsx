import { useQuery } from '@tanstack/react-query';
import type { Collaborator, Whence } from '@whence/sdk';
import { collaborators as texts } from './collaborators-texts.ts';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { placeOf } from '#web/ui/shell/place.ts';
import { portalSettingsQuery } from './portal-settings.ts';

const words = texts.form;

type InviteFieldProps = {
  readonly email: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
};

/** Offers to invite a new partner by email. Without a portal, shows a link to the portal settings instead. */
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

/**
 * Invites a new partner by email and shows the result as a toast. The partner already exists, so a failed invitation
 * doesn't throw.
 */
export async function sendInvitation(api: Whence, { id, name, email }: Collaborator): Promise<void> {
  try {
    await api.collaborators.invite(id);
    toast.success(placeOf(document).sendsMail ? words.invited(name, email ?? '') : words.invitedUnsent(name));
  } catch (error) {
    toast.error(error);
  }
}
