import type { Examples } from '../example.ts';

export const watching: Examples = {
  async listWebhooks({ whence }) {
    for await (const { url, status } of whence.webhooks.list()) console.log(url, status);
  },

  async createWebhook({ whence }) {
    const { id, signingSecret } = await whence.webhooks.create({
      url: 'https://shop.example/whence',
      events: ['conversion.approved', 'payout.paid'],
    });
    // The secret is shown only once. Your endpoint verifies deliveries with it.
    console.log(id, signingSecret);
  },

  async getWebhook({ whence, webhookId }) {
    const { status, events } = await whence.webhooks.get(webhookId);
    console.log(status, events.join()); // active *
  },

  async changeWebhook({ whence, webhookId }) {
    const { status } = await whence.webhooks.update(webhookId, { status: 'paused' });
    console.log(status); // paused
  },

  async deleteWebhook({ whence, webhookId }) {
    const { status } = await whence.webhooks.delete(webhookId);
    console.log(status); // deleted
  },

  async rotateWebhookSecret({ whence, webhookId }) {
    // For an hour, each delivery has two signatures.
    const { signingSecret } = await whence.webhooks.rotateSecret(webhookId, { overlapSeconds: 3_600 });
    console.log(signingSecret.slice(0, 6)); // whsec_
  },

  async testWebhook({ whence, webhookId }) {
    const { type } = await whence.webhooks.test(webhookId);
    console.log(type); // webhook.test
  },

  async listWebhookDeliveries({ whence, webhookId }) {
    for await (const delivery of whence.webhooks.listDeliveries(webhookId, { status: 'failed' })) {
      console.log(delivery.type, delivery.attempts, delivery.lastError);
    }
  },

  async getWebhookDelivery({ whence, webhookId, deliveryId }) {
    const { payload, log } = await whence.webhooks.getDelivery(webhookId, deliveryId);
    console.log(payload.type); // webhook.test
    for (const attempt of log) console.log(attempt.startedAt, attempt.statusCode, attempt.error);
  },

  async redeliver({ whence, webhookId, deliveryId }) {
    const [{ outcome } = {}] = await whence.webhooks.redeliver(webhookId, { deliveryIds: [deliveryId] });
    console.log(outcome); // queued
  },

  async listAuditEntries({ whence, programId }) {
    await whence.programs.update(programId, { name: 'Partners' });
    for await (const entry of whence.auditEntries.list({ path: `/v1/programs/${programId}` })) {
      console.log(entry.operation); // changeProgram
    }
  },

  async getAuditEntry({ whence, auditEntryId }) {
    const { at, author, operation, after } = await whence.auditEntries.get(auditEntryId);
    console.log(operation); // createProgram
    console.log(at, author, after);
  },
};
