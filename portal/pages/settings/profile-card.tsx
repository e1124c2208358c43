import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PortalAccount } from '@whence/sdk';
import { useState } from 'react';
import { useSession } from '#portal/session.ts';
import { settings } from '#portal/texts/settings.ts';
import { Card } from '#ui/card.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Form, FormActions } from '#ui/form.tsx';
import { Facts } from '#ui/page.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Text } from '#ui/text.tsx';
import { TextField } from '#ui/text-field.tsx';
import { toast } from '#ui/toast.tsx';
import { accountQuery } from './account-query.ts';

const texts = settings.profile;

/** Name and address. */
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
