import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PortalAccount } from '@whence/sdk';
import { useState } from 'react';
import { useSession } from '../session.ts';
import { settings } from './settings-texts.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { Facts } from '#web/ui/shell/page.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
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
  const queryClient = useQueryClient();
  const [name, setName] = useState(account.name);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.portal.changeAccount({ name }),
    onSuccess: (changed) => {
      queryClient.setQueryData(accountQuery(api).queryKey, changed);
      toast.success(texts.saved);
      return queryClient.invalidateQueries({ queryKey: ['portal', 'session'] });
    },
  });
  return (
    <Form onSubmit={() => mutate()} error={error}>
      <TextField
        label={texts.name}
        name="name"
        description={texts.nameHelp(portal.name)}
        autoComplete="name"
        value={name}
        onChange={setName}
      />
      <Facts items={[{ label: texts.email, value: account.email ?? texts.none }]} />
      {account.email !== null && (
        <Text tone="muted" size="small" as="p">
          {texts.emailHelp(portal.name)}
        </Text>
      )}
      <FormActions submitLabel={texts.save} busy={isPending} disabled={name.trim() === '' || name === account.name} />
    </Form>
  );
}
