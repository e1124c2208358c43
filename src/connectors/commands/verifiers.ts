import type { ConnectorKind, Verify } from '../domain/connector.ts';
import { verifyStripe } from './verify-stripe.ts';

/** How the messages of each kind of sender are verified. */
export const VERIFIERS: Readonly<Record<ConnectorKind, Verify>> = { stripe: verifyStripe };
