import { useQueryClient } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { rates as texts } from './rates-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { formatPercent } from '#web/ui/formats/numbers.ts';
import { readText } from '#web/ui/form/read-file.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { partsOf } from './file-parts.ts';

const ECB =
  'https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html';

/** Imports the history of rates of the European Central Bank, in parts because the file is large. */
export function ImportRates() {
  const queries = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [done, setDone] = useState(0);
  const { mutate, isPending, error } = useCall(
    async (api, file: File) => {
      let changed = 0;
      const parts = partsOf(await readText(file));
      for (const [at, part] of parts.entries()) {
        setDone(at / parts.length);
        changed += (await api.exchangeRates.import({ file: part })).changed;
      }
      return changed;
    },
    {
      done: (changed) => (changed === 0 ? texts.nothingNew : texts.imported(changed)),
      // Reload the data even after an error, because the rates of the earlier parts are saved.
      onSettled: () => queries.invalidateQueries(),
    },
  );
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    // Browsers report no change when the user chooses the same file again, so clear the input.
    target.value = '';
    if (file !== undefined) mutate(file);
  };
  return (
    <Card title={texts.import} description={texts.importHelp}>
      <Stack gap={3}>
        <Link href={ECB}>{texts.ecb}</Link>
        <input ref={input} type="file" accept=".csv,text/csv" hidden onChange={choose} />
        {error !== null && <ErrorPanel error={error} />}
        <Row>
          <Button icon={Upload} busy={isPending} onClick={() => input.current?.click()}>
            {texts.choose}
          </Button>
          {isPending && <Text tone="muted">{texts.progress(formatPercent(done))}</Text>}
        </Row>
      </Stack>
    </Card>
  );
}
