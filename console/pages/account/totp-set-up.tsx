import { useMutation, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { account as texts } from '#console/texts/account.ts';
import { Button } from '#ui/button.tsx';
import { CodeBlock, CopyLine } from '#ui/copy.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Form, FormActions } from '#ui/form.tsx';
import { QrCode } from '#ui/qr-code.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Row, Stack } from '#ui/stack.tsx';
import { TextField } from '#ui/text-field.tsx';
import { toast } from '#ui/toast.tsx';

const words = texts.totp;

/** A secret for the app, a first code from it, and the recovery codes, which are shown this once. */
export function TotpSetUp({ onClose }: { readonly onClose: () => void }) {
  const api = useApi();
  const [codes, setCodes] = useState<readonly string[]>();
  const { data: secret, error } = useQuery({
    queryKey: ['account', 'totp'],
    queryFn: ({ signal }) => api.account.startTotp({ signal }),
    // Each asking makes another secret, and this one is in the app already.
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
  const api = useApi();
  const [code, setCode] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.account.confirmTotp({ code: code.trim() }),
    onSuccess: ({ recoveryCodes }) => {
      toast.success(words.turnedOn);
      onConfirmed(recoveryCodes);
    },
  });
  return (
    <Form onSubmit={() => mutate()} error={error}>
      <TextField
        label={words.code}
        name="code"
        description={words.codeHelp}
        mono
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        value={code}
        onChange={setCode}
      />
      <FormActions submitLabel={words.confirm} busy={isPending} onCancel={onCancel} />
    </Form>
  );
}

/** No press beside it loses them: they close by their own button. */
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
