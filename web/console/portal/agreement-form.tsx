import type { PartnerAgreement } from '@whence/sdk';
import { useState } from 'react';
import { LeaveGuard } from '../leave-guard.tsx';
import { usePermission } from '../session.ts';
import { AGREEMENT_KEY } from './agreement-query.ts';
import { agreement as texts } from './agreement-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Prose } from '#web/ui/controls/prose.tsx';
import { Segmented } from '#web/ui/controls/segmented.tsx';
import { Row } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Form, useDraft } from '#web/ui/form/form.tsx';
import { TextArea } from '#web/ui/form/text-field.tsx';
import { ConfirmDialog } from '#web/ui/overlay/dialog.tsx';
import { Card } from '#web/ui/shell/card.tsx';

/** The maximum length of an agreement in the API. */
const MAX_LENGTH = 50_000;
const ROWS = 18;

const MODES = [
  { value: 'write', label: texts.write },
  { value: 'preview', label: texts.preview },
] as const;

type AgreementFormProps = {
  readonly agreement: PartnerAgreement;
  /** The ETag of the loaded agreement. If another user has published in the meantime, publishing fails. */
  readonly etag: string | undefined;
};

/** Edits the text of the agreement, and publishes it as a new version or withdraws it. */
export function AgreementForm({ agreement: { version, text: current }, etag }: AgreementFormProps) {
  const may = usePermission('resources:write');
  const [{ text: draft }, field] = useDraft({ text: current ?? '' });
  const [mode, setMode] = useState<'write' | 'preview'>('write');
  const [asking, setAsking] = useState<'publish' | 'withdraw'>();
  const next = (version ?? 0) + 1;
  const isChanged = draft !== (current ?? '');
  const { mutateAsync, error } = useCall(
    (api, text: string | null) => api.partnerAgreement.update({ text }, etag === undefined ? {} : { ifMatch: etag }),
    { reloads: [AGREEMENT_KEY], done: (_, text) => (text === null ? texts.withdrawn : texts.published(next)) },
  );
  return (
    <Card
      title={current === null || version === null ? texts.draft(next) : texts.current(version)}
      actions={<Segmented label={texts.mode} options={MODES} value={mode} onChange={setMode} />}
    >
      <Form onSubmit={() => setAsking('publish')} error={error}>
        {current === null && <Text tone="muted">{texts.none}</Text>}
        {mode === 'preview' ? (
          <Prose text={draft} />
        ) : (
          <TextArea
            label={texts.text}
            {...field('text')}
            description={texts.textHelp}
            rows={ROWS}
            maxLength={MAX_LENGTH}
            disabled={!may}
          />
        )}
        {may && (
          <Row>
            <Button type="submit" variant="primary" disabled={!isChanged || draft.trim() === ''}>
              {texts.publish(next)}
            </Button>
            {current !== null && (
              <Button variant="ghost" onClick={() => setAsking('withdraw')}>
                {texts.withdraw}
              </Button>
            )}
          </Row>
        )}
      </Form>
      <ConfirmDialog
        open={asking === 'publish'}
        onClose={() => setAsking(undefined)}
        title={texts.publishTitle(next)}
        confirmLabel={texts.publish(next)}
        onConfirm={() => mutateAsync(draft)}
      >
        {texts.publishHelp}
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'withdraw'}
        onClose={() => setAsking(undefined)}
        title={texts.withdrawTitle}
        confirmLabel={texts.withdrawConfirm}
        danger
        onConfirm={() => mutateAsync(null)}
      >
        {texts.withdrawHelp}
      </ConfirmDialog>
      <LeaveGuard unsaved={() => isChanged} />
    </Card>
  );
}
