import { useQuery } from '@tanstack/react-query';
import type { PortalAccount } from '@whence/sdk';
import { useSession } from '../session.ts';
import { settings } from './settings-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { Facts } from '#web/ui/shell/page.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { accountQuery } from './account-query.ts';

const texts = settings.profile;

export function ProfileCard() {
  const { data, error, refetch } = useQuery(accountQuery(useApi()));
  return (
    <Card title={texts.title}>
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={190} />}
      {data !== undefined && <Profile account={data} />}
    </Card>
  );
}

function Profile({ account }: { readonly account: PortalAccount }) {
  const api = useApi();
  const { portal } = useSession();
  const [{ name }, field] = useDraft({ name: account.name });
  const save = useCall((api) => api.portal.changeAccount({ name }), {
    stores: accountQuery(api).queryKey,
    reloads: [['portal', 'session']],
    done: texts.saved,
  });
  return (
    <Form call={save}>
      <TextField label={texts.name} {...field('name')} description={texts.nameHelp(portal.name)} autoComplete="name" />
      <Facts items={[{ label: texts.email, value: account.email ?? texts.none }]} />
      {account.email !== null && (
        <Text tone="muted" size="small" as="p">
          {texts.emailHelp(portal.name)}
        </Text>
      )}
      <FormActions submitLabel={texts.save} disabled={name.trim() === '' || name === account.name} />
    </Form>
  );
}
