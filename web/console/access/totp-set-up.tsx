import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { account as texts } from './account-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { CodeBlock, CopyLine } from '#web/ui/controls/copy.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { QrCode } from '#web/ui/controls/qr-code.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';

const words = texts.totp;

/** Shows a secret for the authenticator app, asks for a first code, and shows the recovery codes once. */
export function TotpSetUp({ onClose }: { readonly onClose: () => void }) {
  const api = useApi();
  const [codes, setCodes] = useState<readonly string[]>();
  const { data: secret, error } = useQuery({
    queryKey: ['account', 'totp'],
    queryFn: ({ signal }) => api.account.startTotp({ signal }),
    // Never refetch. Each request creates a new secret, but the authenticator app may already have the first secret.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnMount: false,
  });
  if (codes !== undefined) return <RecoveryCodes codes={codes} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title={words.setUp} description={words.scan} size="small">
      {error !== null && <ErrorPanel error={error} />}
      {secret === undefined ? (
        <Skeleton height={320} />
      ) : (
        <Stack gap={4}>
          <Row justify="center">
            <QrCode text={secret.uri} />
          </Row>
          <CopyLine text={secret.secret} wrap />
          <Confirming onConfirmed={setCodes} onCancel={onClose} />
        </Stack>
      )}
    </Dialog>
  );
}

function Confirming({
  onConfirmed,
  onCancel,
}: {
  readonly onConfirmed: (codes: readonly string[]) => void;
  readonly onCancel: () => void;
}) {
  const [{ code }, field] = useDraft({ code: '' });
  const confirm = useCall((api) => api.account.confirmTotp({ code: code.trim() }), {
    done: words.turnedOn,
    onDone: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
  });
  return (
    <Form call={confirm}>
      <TextField
        label={words.code}
        {...field('code')}
        description={words.codeHelp}
        mono
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
      />
      <FormActions submitLabel={words.confirm} onCancel={onCancel} />
    </Form>
  );
}

/** Shows the recovery codes. Only the button closes the dialog, because the codes can't be shown again. */
function RecoveryCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const text = codes.join('\n');
  const download = (): void => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }));
    link.download = words.fileName;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const actions = (
    <>
      <Button icon={Download} onClick={download}>
        {words.download}
      </Button>
      <Button variant="primary" onClick={onClose}>
        {words.kept}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={() => {}} title={words.codes} description={words.codesDetail} size="small" actions={actions}>
      <CodeBlock title={words.codes} code={text} />
    </Dialog>
  );
}
