import type { Examples } from '../example.ts';

export const backtests: Examples = {
  async backtestProgram({ whence, programId }) {
    const { status, drafts } = await whence.programs.backtest(programId, {
      from: '2026-01-01',
      until: '2026-07-01',
      drafts: [
        { name: 'Twelve percent', terms: { reward: { type: 'percent', percent: 12 } } },
        { name: 'First touch', terms: { attribution: 'first-touch' } },
      ],
    });
    console.log(status, drafts.length); // queued 2
  },

  async createBacktest({ whence }) {
    const terms = { name: 'Friends', reward: { type: 'percent' as const, percent: 5 } };
    const { drafts } = await whence.backtests.create({ from: '2026-01-01', until: '2026-07-01', drafts: [{ terms }] });
    console.log(drafts[0]?.name); // Draft 1
  },

  async listBacktests({ whence, backtestId }) {
    for await (const { id, draftNames } of whence.backtests.list({ status: 'succeeded' })) {
      console.log(id === backtestId, draftNames.join()); // true Twelve percent
    }
  },

  async getBacktest({ whence, backtestId }) {
    const { drafts } = await whence.backtests.get(backtestId);
    for (const { name, result } of drafts) {
      for (const { recorded, drafted, currency } of result?.totals ?? [])
        console.log(name, recorded, drafted, currency);
    }
    // Twelve percent 500 600 USD
  },

  async exportBacktest({ whence, backtestId }) {
    const csv = await whence.backtests.export(backtestId);
    const [columns = ''] = csv.split('\r\n');
    console.log(columns.includes('draft,table,id,name')); // true
  },

  async cancelBacktest({ whence, queuedBacktestId }) {
    const { status } = await whence.backtests.cancel(queuedBacktestId);
    console.log(status); // canceled
  },
};
