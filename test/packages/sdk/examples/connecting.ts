import type { Examples } from '../example.ts';

export const connecting: Examples = {
  async listConnectors({ whence }) {
    for await (const { name, lastEventAt } of whence.connectors.list()) console.log(name, lastEventAt);
  },

  async createConnector({ whence }) {
    const secret = 'whsec_9eKQIMV2b5sSYspob7oDrscChlQ';
    const { webhookUrl, source } = await whence.connectors.create({ kind: 'stripe', name: 'Stripe', secret });
    console.log(source); // stripe
    // Set this URL as the endpoint in Stripe.
    console.log(webhookUrl);
  },

  async getConnector({ whence, connectorId }) {
    const { mode, waitingEvents } = await whence.connectors.get(connectorId);
    console.log(mode, waitingEvents); // live 0
  },

  async changeConnector({ whence, connectorId }) {
    const { settings } = await whence.connectors.update(connectorId, { settings: { reverseDisputes: 'lost' } });
    console.log(JSON.stringify(settings)); // {"reverseDisputes":"lost"}
  },

  async deleteConnector({ whence, connectorId }) {
    const { status } = await whence.connectors.delete(connectorId);
    console.log(status); // deleted
  },

  async rotateConnectorSecret({ whence, connectorId }) {
    const { updatedAt } = await whence.connectors.rotateSecret(connectorId, { secret: 'whsec_rolledAtTheSender' });
    console.log(updatedAt);
  },

  async listConnectorEvents({ whence, connectorId }) {
    for await (const event of whence.connectors.listEvents(connectorId, { state: 'dead-lettered' })) {
      console.log(event.type, event.externalId, event.reason);
    }
  },

  async getConnectorEvent({ whence, connectorId, connectorEventId }) {
    const { state, reason, payload } = await whence.connectors.getEvent(connectorId, connectorEventId);
    console.log(state); // waiting
    console.log(reason); // The order of this event has not arrived.
    console.log(payload);
  },

  async retryConnectorEvent({ whence, connectorId, connectorEventId }) {
    const { attempts } = await whence.connectors.retryEvent(connectorId, connectorEventId);
    console.log(attempts); // 0
  },

  async dismissConnectorEvent({ whence, connectorId, connectorEventId }) {
    const note = 'A payment from before the connector existed.';
    const { state } = await whence.connectors.dismissEvent(connectorId, connectorEventId, { note });
    console.log(state); // dismissed
  },

  async reconcileConnector({ whence, connectorId, paymentsList }) {
    const { orders } = await whence.connectors.reconcile(connectorId, { csv: paymentsList });
    for (const { externalId, outcome } of orders) console.log(externalId, outcome); // pi_1 missing-here
  },

  async recordListedOrders({ whence, connectorId, paymentsList }) {
    const body = { csv: paymentsList, externalIds: ['pi_1'] };
    const [first] = await whence.connectors.recordListedOrders(connectorId, body);
    console.log(first?.outcome); // refused
    console.log(first?.reason); // This list lacks the data to record orders. Send the events again from the connected system.
  },
};
