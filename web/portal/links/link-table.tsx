import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Ban, QrCode as QrIcon } from 'lucide-react';
import { useState } from 'react';
import { figuresQuery } from '../period.ts';
import { links as texts } from './links-texts.ts';
import { IconButton } from '#web/ui/controls/button.tsx';
import { Badge } from '#web/ui/controls/badge.tsx';
import { CopyButton } from '#web/ui/controls/copy.tsx';
import { Count } from '#web/ui/controls/count.tsx';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import type { Period } from '#web/ui/formats/time.ts';
import type { ChangeList, ListQuery, ListState } from '#web/ui/table/list-query.ts';
import { MoneyList } from '#web/ui/controls/money.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { countedLinks, type CountedLink, csvOfLinks, filterLinks, restOf, sortLinks } from './counted-links.ts';
import styles from './links.module.css';
import { type Link, linksQuery, mainLink, sharedUrl } from './links-query.ts';
import { RetireDialog } from './retire-dialog.tsx';

type LinkTableProps = {
  readonly period: Period;
  readonly state: ListState;
  readonly onChange: ChangeList;
  readonly onOpen: (link: Link) => void;
};

export function LinkTable({ period, state, onChange, onOpen }: LinkTableProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [retiring, setRetiring] = useState<CountedLink>();
  const { data: links } = useQuery(linksQuery(api));
  const { data: figures } = useQuery(figuresQuery(api, 'link', period));
  const rest = links && figures && restOf(links, figures.rows);
  const mainId = links && mainLink(links)?.id;
  const read = async ({ q, sort }: ListQuery): Promise<readonly CountedLink[]> => {
    const [all, { rows }] = await Promise.all([
      queryClient.fetchQuery(linksQuery(api)),
      queryClient.fetchQuery(figuresQuery(api, 'link', period)),
    ]);
    return sortLinks(filterLinks(countedLinks(all, rows), q), sort);
  };
  return (
    <Stack gap={2}>
      <DataTable
        label={texts.list}
        queryKey={['portal', 'links', 'counted', period.from, period.until]}
        load={async (query) => {
          const rows = await read(query);
          return { rows, estimatedCount: rows.length };
        }}
        columns={[nameColumn(mainId), ...COLUMNS]}
        rowId={({ id }) => id}
        rowLabel={({ code }) => texts.row(code)}
        state={state}
        onChange={onChange}
        onOpen={(link) => link.url !== null && onOpen({ ...link, url: link.url })}
        search={{ name: 'q', label: texts.search }}
        csv={async (query) => csvOfLinks(await read(query))}
        csvName={texts.csvName}
        rowActions={(link) => <Actions link={link} onOpen={onOpen} onRetire={() => setRetiring(link)} />}
      />
      {rest !== undefined && rest.visits + rest.conversions > 0 && (
        <Text tone="muted" size="small" as="p">
          {texts.rest(rest.visits, rest.conversions)}
        </Text>
      )}
      {retiring && <RetireDialog link={retiring} onClose={() => setRetiring(undefined)} />}
    </Stack>
  );
}

function nameColumn(mainId: number | undefined): Column<CountedLink> {
  return {
    id: 'code',
    header: texts.code,
    sort: 'code',
    cell: (link) => <Name link={link} isMain={link.id === mainId} />,
  };
}

const COLUMNS: readonly Column<CountedLink>[] = [
  {
    id: 'address',
    header: texts.address,
    priority: 2,
    cell: ({ url, shortUrl, code }) => {
      const text = url === null ? code : sharedUrl({ url, shortUrl });
      return (
        <span className={styles.address}>
          <Text tone="muted" size="small" cut mono>
            {text}
          </Text>
          <CopyButton text={text} />
        </span>
      );
    },
  },
  {
    id: 'visits',
    header: texts.visits,
    sort: 'visits',
    align: 'end',
    cell: ({ type, visits }) => <Count value={type === 'coupon' && visits === 0 ? undefined : visits} />,
  },
  {
    id: 'conversions',
    header: texts.conversions,
    sort: 'conversions',
    align: 'end',
    cell: ({ conversions }) => <Count value={conversions} />,
  },
  {
    id: 'earned',
    header: texts.earned,
    sort: 'earned',
    align: 'end',
    cell: ({ earned }) => (
      <MoneyList below amounts={earned.map(({ amount: minor, currency }) => ({ minor, currency }))} />
    ),
  },
];

function Name({ link: { type, code, subId }, isMain }: { readonly link: CountedLink; readonly isMain: boolean }) {
  return (
    <span className={styles.name}>
      <span className={styles.code}>{subId ?? code}</span>
      {type === 'coupon' ? <Badge>{texts.coupon}</Badge> : isMain && <Badge tone="accent">{texts.first}</Badge>}
    </span>
  );
}

type ActionsProps = {
  readonly link: CountedLink;
  readonly onOpen: (link: Link) => void;
  readonly onRetire: () => void;
};

function Actions({ link, onOpen, onRetire }: ActionsProps) {
  const { url, code, subId } = link;
  if (url === null) return null;
  return (
    <Row gap={1} wrap={false}>
      <IconButton icon={QrIcon} label={texts.qrOf(code)} size="small" onClick={() => onOpen({ ...link, url })} />
      {subId !== null && <IconButton icon={Ban} label={texts.retireOf(code)} size="small" onClick={onRetire} />}
    </Row>
  );
}
