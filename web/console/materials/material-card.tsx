import type { Material } from '@whence/sdk';
import { useState } from 'react';
import { ProgramName } from '../names.tsx';
import { materials as texts } from './materials-texts.ts';
import styles from './materials.module.css';
import { useCall } from '#web/ui/shell/call.ts';
import { Badge } from '#web/ui/controls/badge.tsx';
import { Button, LinkButton } from '#web/ui/controls/button.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { fileFacts, MaterialPreview } from '#web/ui/materials/material-file.tsx';
import { ConfirmDialog } from '#web/ui/overlay/dialog.tsx';
import { Card } from '#web/ui/shell/card.tsx';

type MaterialCardProps = {
  readonly material: Material;
  /** Absent if the user can't change materials. */
  readonly onEdit: (() => void) | undefined;
};

/** Shows a material with its actions. */
export function MaterialCard({ material, onEdit }: MaterialCardProps) {
  const { kind, title, programId, licenseNote, text, pageUrl, file, status, createdAt } = material;
  return (
    <Card title={title}>
      <Stack gap={3}>
        {file !== null && <MaterialPreview file={file} title={title} isServed={status === 'active'} />}
        {text !== null && <p className={styles.text}>{text}</p>}
        {pageUrl !== null && (
          <Text size="small" className={styles.page}>
            {pageUrl}
          </Text>
        )}
        {licenseNote !== null && <Text size="small">{licenseNote}</Text>}
        <Row gap={2} align="center">
          <Badge>{texts.kinds[kind]}</Badge>
          {programId === null ? <Badge>{texts.allPartners}</Badge> : <ProgramName id={programId} />}
        </Row>
        <Text tone="muted" size="small">
          {file !== null && `${fileFacts(file)}, `}
          <Time at={createdAt} />
        </Text>
        <Row gap={1}>
          {file !== null && status === 'active' && (
            <LinkButton size="small" href={file.url}>
              {texts.download}
            </LinkButton>
          )}
          {onEdit !== undefined && <Actions material={material} onEdit={onEdit} />}
        </Row>
      </Stack>
    </Card>
  );
}

function Actions({ material, onEdit }: { readonly material: Material; readonly onEdit: () => void }) {
  const { id, title, status } = material;
  const [isDeleting, setDeleting] = useState(false);
  const isActive = status === 'active';
  const { mutate, isPending, error } = useCall(
    (api) => api.materials.update(id, { status: isActive ? 'archived' : 'active' }),
    { reloads: ['materials'], done: isActive ? texts.archived : texts.restored },
  );
  const remove = useCall((api) => api.materials.delete(id), { reloads: ['materials'], done: texts.deleted });
  return (
    <>
      <Button size="small" onClick={onEdit}>
        {texts.edit}
      </Button>
      <Button size="small" busy={isPending} onClick={() => mutate()}>
        {isActive ? texts.archive : texts.restore}
      </Button>
      <Button size="small" variant="ghost" onClick={() => setDeleting(true)}>
        {texts.delete}
      </Button>
      {error !== null && <ErrorPanel error={error} />}
      <ConfirmDialog
        open={isDeleting}
        onClose={() => setDeleting(false)}
        title={texts.deleteTitle(title)}
        confirmLabel={texts.deleteConfirm}
        danger
        onConfirm={remove.mutateAsync}
      >
        {texts.deleteHelp}
      </ConfirmDialog>
    </>
  );
}
