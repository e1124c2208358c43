import { ViewNote } from '../reporting/currency-view.tsx';
import { FigureStats } from '../reporting/figure-stats.tsx';
import { USUAL_PERIOD, usePeriodView } from '../reporting/period-view.ts';
import { collaborators as texts } from './collaborators-texts.ts';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';

/** Shows a partner's figures of the last 30 days, compared with the 30 days before. */
export function Results({ collaboratorId }: { readonly collaboratorId: number }) {
  const scope = { collaboratorId };
  const shown = usePeriodView(USUAL_PERIOD, scope);
  return (
    <Stack gap={2}>
      <Text as="p" size="small" tone="muted">
        {texts.results}
      </Text>
      <FigureStats shown={shown} scope={scope} />
      <ViewNote view={shown.known} row={shown.now} />
    </Stack>
  );
}
