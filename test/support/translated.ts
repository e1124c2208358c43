import type {
  ConnectorEvent,
  ConnectorKind,
  FindLink,
  JsonObject,
  Link,
  Translation,
} from '#connectors/domain/connector.ts';
import type { Report, SaleReport } from '#connectors/domain/report.ts';
import { TRANSLATORS } from '#connectors/domain/translators.ts';
import assert from 'node:assert/strict';

/** A webhook event as it is sent. Without a `payload`, the event itself is the payload. */
export type SentEvent = {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly payload?: Readonly<Record<string, unknown>>;
};

/**
 * Translates events without a service. Links are stored in memory, and waiting events are retried when links are
 * added.
 */
export type InMemoryTranslator = {
  /** Translates an event and, if it adds links, all waiting events. Returns the translation of the given event. */
  readonly take: (event: SentEvent, waitedHours?: number) => Translation;
  readonly reports: readonly Report[];
  readonly waiting: readonly SentEvent[];
  readonly link: (kind: string, externalId: string) => JsonObject | undefined;
};

export function openTranslator(settings: JsonObject = {}, kind: ConnectorKind = 'stripe'): InMemoryTranslator {
  const links = new Map<string, JsonObject>();
  const reports: Report[] = [];
  let waiting: SentEvent[] = [];
  const find: FindLink = (kind, externalId) => links.get(`${kind}:${externalId}`);

  function translate(sent: SentEvent, waitedHours: number): Translation {
    const { linkKeys, translate: translateEvent } = TRANSLATORS[kind];
    const event: ConnectorEvent = {
      id: sent.id,
      type: sent.type,
      occurredAt: new Date(sent.created * 1_000),
      payload: JSON.parse(JSON.stringify(sent.payload ?? sent)) as JsonObject,
    };
    const asked = new Set(linkKeys(event).map(({ kind, externalId }) => `${kind}:${externalId}`));
    const findAsked: FindLink = (kind, externalId) => {
      const name = `${kind}:${externalId}`;
      if (!asked.has(name)) throw new Error(`${event.type} reads the link ${name}, but linkKeys does not return it`);
      return links.get(name);
    };
    return translateEvent(event, findAsked, settings, { source: kind, waitedHours });
  }

  function keep(made: readonly Link[]): void {
    for (const { kind, externalId, value } of made) links.set(`${kind}:${externalId}`, value);
  }

  function take(sent: SentEvent, waitedHours = 0): Translation {
    const translation = translate(sent, waitedHours);
    if (translation.kind === 'waiting') {
      waiting.push(sent);
      return translation;
    }
    if (translation.kind === 'translated') reports.push(...translation.reports);
    if (translation.kind === 'failed') return translation;
    const left = translation.links ?? [];
    keep(left);
    if (left.length > 0) {
      const again = waiting;
      waiting = [];
      for (const each of again) take(each);
    }
    return translation;
  }

  return {
    take,
    reports,
    get waiting() {
      return waiting;
    },
    link: find,
  };
}

/** Returns the only report of an event that needs no link. Fails if the event makes no report or several. */
export function reportOf(event: SentEvent, settings: JsonObject = {}): Report {
  const { take, reports } = openTranslator(settings);
  const translation = take(event);
  assert.equal(translation.kind, 'translated', 'reason' in translation ? translation.reason : '');
  assert.equal(reports.length, 1);
  return reports[0] as Report;
}

export function saleOf(event: SentEvent, settings: JsonObject = {}): SaleReport {
  const report = reportOf(event, settings);
  assert.equal(report.verb, 'sale');
  return report;
}

/** Returns the kind of the translation, and its reason if it has one. */
export function reasonOf(event: SentEvent, settings: JsonObject = {}): string {
  const translation = openTranslator(settings).take(event);
  return 'reason' in translation ? `${translation.kind}: ${translation.reason}` : translation.kind;
}

/** Returns the type and total of each line of a report, or an empty list if the report has no lines. */
export function partsOf(report: Report): readonly (readonly [type: string, total: number])[] {
  return 'lines' in report ? report.lines.map(({ type, total }) => [type, Number(total)] as const) : [];
}
