import type { ConnectorKind, Translator } from './connector.ts';
import { stripe } from './stripe/translator.ts';

/** The translation of each kind of connector. Each reads its own settings from what is stored. */
export const TRANSLATORS: Readonly<Record<ConnectorKind, Translator>> = { stripe };
