import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { RunningService } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { counted } from './crowd.js';

/** Work of a service in a transaction. Returns its outcome. */
export type WorkOf<Service> = (service: Service, tx: EntityManager) => Promise<string>;

/** Two replicas on one database, each with its own connections. */
export class Replicas {
  private constructor(
    readonly api: TestApi,
    private readonly all: readonly RunningService[],
  ) {}

  static async open(): Promise<Replicas> {
    const api = await startAdminApi();
    return new Replicas(api, [api.service, await api.replica()]);
  }

  /**
   * Runs work in transactions at the same time, in turns at the replicas, and counts the outcomes: the code of an error
   * is one. The API would limit writes per client.
   */
  async atOnce<Service>(
    type: abstract new (...parameters: never[]) => Service,
    works: readonly WorkOf<Service>[],
  ): Promise<Readonly<Record<string, number>>> {
    const runners = this.all.map(({ app }) => {
      const service = app.get<Service, Service>(type, { strict: false });
      return (work: WorkOf<Service>) => app.get(Outbox, { strict: false }).transaction((tx) => work(service, tx));
    });
    const attempt = async (work: WorkOf<Service>, index: number): Promise<string> => {
      try {
        return await runners[index % runners.length]!(work);
      } catch (error) {
        if (error instanceof ApiError) return error.code;
        // A busy machine has no free connection in time.
        if (!String(error).includes('timeout exceeded when trying to connect')) throw error;
        return attempt(work, index);
      }
    };
    return counted(await Promise.all(works.map((work, index) => attempt(work, index))));
  }
}
