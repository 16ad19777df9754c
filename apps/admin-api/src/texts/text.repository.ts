import type { textEvents } from '@lyceum/contracts';
import type { NewEvent } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

type TextData = NewEvent<typeof textEvents>['data'];

/** A text as its owner has it. */
export interface TextRow extends Pick<TextData, 'owner_id' | 'kind' | 'course_id' | 'site_id'> {
  readonly version: number;
  readonly html: string | null;
}

interface CourseKey {
  readonly site_id: string;
  readonly course_id: string;
}

/** Lectures whose content is read at a time. */
const BATCH = 32;

const CONTENTS = `
  select site_id, id as owner_id, 'lecture_content' as kind, course_id, version, content_html as html
  from lectures where content_html is not null`;
const DESCRIPTIONS = `
  select site_id, id as owner_id, 'course_description' as kind, id as course_id, version, description_html as html
  from courses where description_html is not null`;

@Injectable()
export class TextRepository {
  /** The contents of the lectures of a locked course, in batches. */
  async *contentsOf(tx: EntityManager, { site_id, course_id }: CourseKey): AsyncGenerator<TextRow[]> {
    const text = `${CONTENTS} and site_id = $1 and course_id = $2 and id > $3 order by id limit ${BATCH}`;
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const found = await tx.query<TextRow[]>(text, [site_id, course_id, after]);
      if (found.length > 0) yield found;
      const last = found.at(-1);
      if (last === undefined || found.length < BATCH) return;
      after = last.owner_id;
    }
  }

  /** The same lectures, without their contents. */
  withContent(tx: EntityManager, { site_id, course_id }: CourseKey): Promise<TextRow[]> {
    const text = `select * from (${CONTENTS.replace('content_html as html', 'null as html')}) as texts
      where site_id = $1 and course_id = $2 order by owner_id`;
    return tx.query(text, [site_id, course_id]);
  }

  /** Texts of all sites, whose owners are locked until the transaction ends. */
  async share(tx: EntityManager, [site_id, id]: readonly string[], limit: number): Promise<TextRow[]> {
    const values = [site_id, id, Math.min(limit, BATCH)];
    const range = 'and (site_id, id) > ($1, $2) order by site_id, id limit $3';
    const found: TextRow[] = [];
    for (const texts of [DESCRIPTIONS, CONTENTS]) {
      found.push(...(await tx.query<TextRow[]>(`${texts} ${range} for share`, values)));
    }
    return found.toSorted(byOwner).slice(0, Math.min(limit, BATCH));
  }
}

/** The order of the keys in the database: that of their bytes. */
function byOwner(one: TextRow, other: TextRow): number {
  const [a, b] = [one, other].map(({ site_id, owner_id }) => `${site_id} ${owner_id}`) as [string, string];
  return a < b ? -1 : Number(a > b);
}
