import { setImmediate } from 'node:timers/promises';
import { csvText } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { MemberRoles } from '#src/roles/member-roles.service.js';
import { EXPORT_LIMITS, seesWhole } from './export.policy.js';
import type { ExportJob } from './export.queue.js';
import type { Part } from './export.repository.js';
import { PartTexts } from './part-texts.js';
import type { PartText } from './part-texts.js';
import type { ExportedRows } from './export.source.js';
import { ExportSources } from './export.sources.js';

interface ReadPart extends Part {
  readonly text: PartText;
}

/** The rows of one statement. */
interface ReadPage extends ExportedRows {
  readonly whole: boolean;
}

/** Reads the next part of an export. Each statement uses the current roles of the creator. */
@Injectable()
export class ExportReader {
  constructor(
    private readonly sources: ExportSources,
    private readonly roles: MemberRoles,
    private readonly texts: PartTexts,
  ) {}

  async read(job: ExportJob, signal: AbortSignal): Promise<ReadPart> {
    const text = this.texts.take();
    const part = { text, bytes: 0, rows: 0, whole: false, cursor: job.cursor };
    let reading: Promise<ReadPage> | undefined;
    do {
      signal.throwIfAborted();
      const page = await (reading ?? this.#page(job, part.cursor));
      part.whole ||= page.whole;
      part.rows += page.rows.length;
      part.cursor = page.next;
      // PostgreSQL reads the next rows while these become text.
      reading = followsIn(part, page.rows.length) ? this.#ahead(job, page.next) : undefined;
      this.#write(job, page, text);
      part.bytes = text.bytes;
      // Lets requests run between two statements.
      await setImmediate();
      // Rows that were read in vain are read again by the next part.
    } while (hasRoom(part));
    return part;
  }

  /** Gives the buffer of a stored text to the next part. A text that is not released costs a new buffer. */
  release(text: PartText): void {
    this.texts.giveBack(text);
  }

  async #page(job: ExportJob, cursor: string | null): Promise<ReadPage> {
    const roles = await this.roles.of(job, job.created_by);
    const forAdministrators = this.sources.isForAdministrators(job.collection);
    const whole = seesWhole(roles, { ...job, forAdministrators }, Date.now());
    const caller = { site_id: job.site_id, member_id: job.created_by, roles };
    return { ...(await this.sources.read(caller, job, cursor ?? undefined)), whole };
  }

  /** Starts a statement. Its error is that of the later wait for it. */
  #ahead(job: ExportJob, cursor: string | null): Promise<ReadPage> {
    const page = this.#page(job, cursor);
    page.catch(() => undefined);
    return page;
  }

  #write(job: ExportJob, { rows, show, lines }: ReadPage, text: PartText): void {
    const { collection, format, columns, parts_count } = job;
    const begins = parts_count === 0 && text.bytes === 0;
    const names = columns ?? this.sources.columnsOf(collection);
    if (lines !== undefined) {
      if (format === 'csv' && begins) text.add(csvText(names, [], true));
      for (const line of lines) text.add(line);
    } else if (format === 'jsonl') {
      for (const row of rows) text.add(`${JSON.stringify(show(row))}\n`);
    } else text.add(csvText(names, rows.map(show), begins));
  }
}

type Progress = Pick<Part, 'bytes' | 'rows' | 'cursor'>;

function hasRoom({ cursor, rows, bytes }: Progress): boolean {
  return cursor !== null && rows < EXPORT_LIMITS.rowsOfPart && bytes < EXPORT_LIMITS.bytesOfPart;
}

/** Whether the part has room after the text of its last rows, which is about as long as that of the rows before. */
function followsIn({ bytes, rows, cursor }: Progress, last: number): boolean {
  const before = rows - last;
  const expected = before <= 0 ? bytes : (bytes / before) * rows;
  return hasRoom({ rows, cursor, bytes: expected * 1.1 });
}
