import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Alias, Collaborator } from '@whence/sdk';
import { Link2Off, Plus, QrCode as QrIcon } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '#console/session.ts';
import { collaborators as texts } from '#console/texts/collaborators.ts';
import { Badge } from '#ui/badge.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { classNames } from '#ui/class-names.ts';
import { CopyButton, CopyLine } from '#ui/copy.tsx';
import { ConfirmDialog, Dialog } from '#ui/dialog.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Form } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { QrCode } from '#ui/qr-code.tsx';
import { Select } from '#ui/select.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Stack } from '#ui/stack.tsx';
import { Text } from '#ui/text.tsx';
import { TextField } from '#ui/text-field.tsx';
import { toast } from '#ui/toast.tsx';
import styles from './collaborators.module.css';
import { linkOf, portalSettingsQuery } from './portal-settings.ts';

const words = texts.aliases;

export type AliasCardProps = {
  readonly collaborator: Collaborator;
  /** Codes of links, or all others. */
  readonly kind: 'links' | 'codes';
};

/** The API’s name for what links carry. */
const TRACKING = 'tracking';
/** As many as one page of a list has. */
const MOST = 100;

/** The links of somebody, or their coupons and other codes. */
export function AliasCard({ collaborator, kind }: AliasCardProps) {
  const api = useApi();
  const { id } = collaborator;
  const canChange = useMay('resources:write') && collaborator.status !== 'deleted';
  const { data, error, refetch } = useQuery({
    queryKey: ['collaborators', id, 'aliases', 'current'],
    queryFn: async ({ signal }) =>
      (await api.collaborators.listAliases(id, { perPage: MOST, sort: 'id' }, { signal }).page()).data,
  });
  const { data: portal } = useQuery(portalSettingsQuery(api));
  const aliases = data?.filter(({ type }) => (type === TRACKING) === (kind === 'links'));
  const isLinks = kind === 'links';
  return (
    <Card title={isLinks ? words.links : words.codes} description={isLinks ? words.linksHelp : words.codesHelp}>
      <Stack gap={4}>
        {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {aliases === undefined ? (
          error === null && <Skeleton lines={2} />
        ) : aliases.length === 0 ? (
          <Text tone="muted">{isLinks ? words.noLinks : words.noCodes}</Text>
        ) : (
          <ul className={styles.list}>
            {aliases.map((alias) => (
              <AliasItem
                key={alias.id}
                alias={alias}
                href={isLinks && portal !== undefined ? linkOf(portal, alias.code) : undefined}
                canChange={canChange}
              />
            ))}
          </ul>
        )}
        {isLinks && portal?.landingUrl === null && (
          <Text size="small" tone="muted">
            {words.noLanding} <Link href="/settings/portal">{words.toSettings}</Link>
          </Text>
        )}
        {canChange && <AddAlias collaboratorId={id} kind={kind} />}
      </Stack>
    </Card>
  );
}

type AliasItemProps = { readonly alias: Alias; readonly href: string | undefined; readonly canChange: boolean };

function AliasItem({ alias, href, canChange }: AliasItemProps) {
  const [shown, setShown] = useState<'qr' | 'retire'>();
  const { type, code } = alias;
  return (
    <li className={styles.item}>
      {href === undefined ? (
        <span className={styles.code}>
          <code>{code}</code>
          {type !== TRACKING && <Badge>{words.types[type] ?? type}</Badge>}
        </span>
      ) : (
        <CopyLine text={href} />
      )}
      <span className={styles.actions}>
        {href === undefined ? (
          <CopyButton text={code} />
        ) : (
          <IconButton icon={QrIcon} size="small" label={words.qrOf(code)} onClick={() => setShown('qr')} />
        )}
        {canChange && (
          <IconButton icon={Link2Off} size="small" label={words.retireOf(code)} onClick={() => setShown('retire')} />
        )}
      </span>
      {href !== undefined && (
        <Dialog open={shown === 'qr'} onClose={() => setShown(undefined)} title={words.qrTitle(code)} size="small">
          <Stack gap={3} align="center">
            <QrCode text={href} size={224} fileName={`${code}-qr`} />
            <CopyLine text={href} wrap />
          </Stack>
        </Dialog>
      )}
      <RetireDialog alias={alias} open={shown === 'retire'} onClose={() => setShown(undefined)} />
    </li>
  );
}

type RetireDialogProps = { readonly alias: Alias; readonly open: boolean; readonly onClose: () => void };

function RetireDialog({ alias: { id, collaboratorId, code }, open, onClose }: RetireDialogProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const run = async () => {
    await api.collaborators.retireAlias(collaboratorId, id);
    await queryClient.invalidateQueries({ queryKey: ['collaborators'] });
    toast.success(words.retired(code));
  };
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={words.retireTitle(code)}
      confirmLabel={words.retire}
      danger
      onConfirm={run}
    >
      {words.retireHelp}
    </ConfirmDialog>
  );
}

const COUPON = 'coupon';
const OTHER = 'other';

function AddAlias({ collaboratorId, kind }: { readonly collaboratorId: number; readonly kind: 'links' | 'codes' }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [code, setCode] = useState('');
  const [chosen, setChosen] = useState(COUPON);
  const [other, setOther] = useState('');
  const type = kind === 'links' ? TRACKING : chosen === OTHER ? other.trim() : COUPON;
  const add = useMutation({
    mutationFn: () => api.collaborators.createAlias(collaboratorId, { type, code: code.trim() }),
    onSuccess: async (alias) => {
      setCode('');
      await queryClient.invalidateQueries({ queryKey: ['collaborators'] });
      toast.success(words.added(alias.code));
    },
  });
  return (
    <Form onSubmit={() => add.mutate()} error={add.error ?? undefined}>
      {kind === 'codes' && chosen === OTHER && (
        <TextField label={words.otherTypeName} name="type" value={other} onChange={setOther} mono autoComplete="off" />
      )}
      <div className={classNames(styles.add, kind === 'codes' && styles.withKind)}>
        {kind === 'codes' && (
          <Select
            label={words.type}
            options={[
              { value: COUPON, label: words.types[COUPON] ?? COUPON },
              { value: OTHER, label: words.otherType },
            ]}
            value={chosen}
            onChange={setChosen}
          />
        )}
        <TextField
          label={kind === 'links' ? words.addLink : words.addCode}
          name="code"
          value={code}
          onChange={setCode}
          mono
          autoComplete="off"
        />
        <Button type="submit" icon={Plus} busy={add.isPending} disabled={code.trim() === ''}>
          {words.add}
        </Button>
      </div>
    </Form>
  );
}
