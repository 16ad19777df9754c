import { setImmediate } from 'node:timers/promises';
import { csvText } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { MemberRoles } from '#src/roles/member-roles.service.js';
import { EXPORT_LIMITS, rowsAfter, seesWhole } from './export.policy.js';
import type { ExportJob } from './export.queue.js';
import { PartTexts } from './part-texts.js';
import type { PartText } from './part-texts.js';
import type { ExportedRows } from './export.source.js';
import { ExportSources } from './export.sources.js';

/** A part of the file. */
export interface ReadPart {
  readonly text: PartText;
  readonly rows: number;
  /** Whether roles of its creator showed the whole collection. */
  readonly whole: boolean;
  /** Position after the part. Null: the part has the last row. */
  readonly cursor: string | null;
}

/** The rows of one statement. */
interface ReadPage extends ExportedRows {
  readonly whole: boolean;
}

/** Reads the next parts of an export. Each statement uses the current roles of the creator. */
@Injectable()
export class ExportReader {
  constructor(
    private readonly sources: ExportSources,
    private readonly roles: MemberRoles,
    private readonly texts: PartTexts,
  ) {}

  /** Yields the parts of a run: at least one, and the last ends with the statement after which its time is over. */
  async *parts(job: ExportJob, signal: AbortSignal): AsyncGenerator<ReadPart, void> {
    const end = performance.now() + EXPORT_LIMITS.msOfRun;
    let reading: Promise<ReadPage> | undefined = this.#page(job, job.cursor, EXPORT_LIMITS.rowsOfStatement);
    let part: Omit<ReadPart, 'cursor'> | undefined;
    let begins = job.parts_count === 0;
    while (reading !== undefined) {
      signal.throwIfAborted();
      const page: ReadPage = await reading;
      const cursor = page.next;
      const isLast: boolean = cursor === null || performance.now() >= end;
      // PostgreSQL reads the next rows while these become text and are stored.
      reading = isLast ? undefined : this.#ahead(job, cursor, rowsAfter(page.lines));
      const { text, rows, whole } = part ?? { text: this.texts.take(), rows: 0, whole: false };
      await this.#write(job, page, text, begins);
      begins = false;
      part = { text, rows: rows + page.rows.length, whole: whole || page.whole };
      if (isLast || isFull(part)) {
        yield { ...part, cursor };
        part = undefined;
      }
    }
  }

  /** Gives the buffer of a stored text to a later part. A text that is not released costs a new buffer. */
  release(text: PartText): void {
    this.texts.giveBack(text);
  }

  async #page(job: ExportJob, cursor: string | null, limit: number): Promise<ReadPage> {
    const roles = await this.roles.of(job, job.created_by);
    const forAdministrators = this.sources.isForAdministrators(job.collection);
    const whole = seesWhole(roles, { ...job, forAdministrators }, Date.now());
    const caller = { site_id: job.site_id, member_id: job.created_by, roles };
    return { ...(await this.sources.read(caller, job, cursor ?? undefined, limit)), whole };
  }

  /** Starts a statement. Its error is that of the later wait for it. */
  #ahead(job: ExportJob, cursor: string | null, limit: number): Promise<ReadPage> {
    const page = this.#page(job, cursor, limit);
    page.catch(() => undefined);
    return page;
  }

  /** Writes some rows in each turn of the event loop: requests, and the next statement, run between them. */
  async #write(job: ExportJob, { rows, show, lines }: ReadPage, text: PartText, begins: boolean): Promise<void> {
    const { collection, format, columns } = job;
    const names = columns ?? this.sources.columnsOf(collection);
    if (format === 'csv' && begins) text.add(csvText(names, [], true));
    for (let from = 0; from < rows.length; from += EXPORT_LIMITS.rowsOfTurn) {
      const to = from + EXPORT_LIMITS.rowsOfTurn;
      if (lines !== undefined) text.add(lines.slice(from, to).join(''));
      else if (format === 'jsonl') for (const row of rows.slice(from, to)) text.add(`${JSON.stringify(show(row))}\n`);
      else text.add(csvText(names, rows.slice(from, to).map(show), false));
      await setImmediate();
    }
  }
}

function isFull({ text, rows }: Pick<ReadPart, 'text' | 'rows'>): boolean {
  return rows >= EXPORT_LIMITS.rowsOfPart || text.bytes >= EXPORT_LIMITS.bytesOfPart;
}
