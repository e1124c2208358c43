import assert from 'node:assert/strict';
import type { Reply, TestService } from '#test/support/service.ts';

/**
 * A switch that pauses the pipeline of some organizations. Their reports wait until `release` is called, so that other
 * facts can occur between a report and its decision. Reports of other organizations are decided immediately.
 */
export type Lateness = {
  readonly hold: (organizationId: number) => Promise<void>;
  /** Releases the waiting reports of an organization. */
  readonly release: (organizationId: number) => Promise<void>;
};

export async function prepareLateness(service: TestService): Promise<Lateness> {
  const { database } = service;
  await database.query(`
    create table held_up (organization_id bigint primary key);
    create function hold_up() returns trigger language plpgsql as $$
    begin
      if exists (select from held_up where organization_id = new.organization_id) then
        new.run_at := 'infinity';
      end if;
      return new;
    end $$;
    create trigger jobs_hold_up before insert on jobs for each row execute function hold_up()`);
  const wake = await alarm(service);
  return {
    hold: async (organizationId) => {
      await database.query('insert into held_up values ($1)', [organizationId]);
    },
    release: async (organizationId) => {
      const { rowCount } = await database.query(
        "update jobs set run_at = now() where organization_id = $1 and run_at = 'infinity'",
        [organizationId],
      );
      if ((rowCount ?? 0) > 0) await wake();
    },
  };
}

/**
 * Returns a function that wakes the worker by reporting a sale of the first organization. Otherwise the worker would
 * poll only once a second.
 */
async function alarm({ request, secretKey: key }: TestService): Promise<() => Promise<void>> {
  const post = async (path: string, body: unknown): Promise<Reply> => {
    const reply = await request('POST', path, { key, body });
    assert.ok(reply.status < 300, reply.text);
    return reply;
  };
  const { id: collaboratorId } = (await post('/v1/collaborators', { name: 'waker' })).body as { id: number };
  const visit = await post('/v1/event/site-visited', { collaboratorId });
  const trackingId = visit.headers.get('X-Service-OID');
  let sales = 0;
  return async () => {
    sales += 1;
    await post('/v1/event/sale', { source: 'alarm', externalId: sales, total: 1, trackingId });
  };
}
