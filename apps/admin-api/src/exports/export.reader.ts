import { setImmediate } from 'node:timers/promises';
import { csvText } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { MemberRoles } from '#src/roles/member-roles.service.js';
import { EXPORT_LIMITS, seesWhole } from './export.policy.js';
import type { ExportJob } from './export.queue.js';
import type { Part } from './export.repository.js';
import { ExportSources } from './export.sources.js';

interface ReadPart extends Part {
  /** Text of each statement. A growing text would be copied, and would outlive its statement in the heap. */
  readonly pieces: readonly Buffer[];
}

/** Reads the next part of an export. Each statement uses the current roles of the creator. */
@Injectable()
export class ExportReader {
  constructor(
    private readonly sources: ExportSources,
    private readonly roles: MemberRoles,
  ) {}

  async read(job: ExportJob, signal: AbortSignal): Promise<ReadPart> {
    const forAdministrators = this.sources.isForAdministrators(job.collection);
    const pieces: Buffer[] = [];
    const part = { pieces, bytes: 0, rows: 0, whole: false, cursor: job.cursor };
    do {
      signal.throwIfAborted();
      const roles = await this.roles.of(job, job.created_by);
      part.whole = seesWhole(roles, { ...job, forAdministrators }, Date.now()) || part.whole;
      const caller = { site_id: job.site_id, member_id: job.created_by, roles };
      const { objects, next } = await this.sources.read(caller, job, part.cursor ?? undefined);
      const piece = Buffer.from(this.#textOf(job, objects, job.parts.length === 0 && pieces.length === 0));
      pieces.push(piece);
      part.bytes += piece.length;
      part.rows += objects.length;
      part.cursor = next;
      // Lets requests run between two statements.
      await setImmediate();
    } while (part.cursor !== null && part.rows < EXPORT_LIMITS.rowsOfPart && part.bytes < EXPORT_LIMITS.bytesOfPart);
    return part;
  }

  #textOf({ collection, format, columns }: ExportJob, objects: readonly object[], first: boolean): string {
    if (format === 'jsonl') return objects.map((object) => `${JSON.stringify(object)}\n`).join('');
    return csvText(columns ?? this.sources.columnsOf(collection), objects, first);
  }
}
