import { erasedEmail } from '@lyceum/contracts';
import { preparedQuery } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ErasedPerson } from '#src/members/erased-person.js';

/** A search of the stored responses of a site for a removed member. */
export interface WebhookErasure {
  readonly site_id: string;
  readonly id: string;
  readonly ids: readonly string[];
  readonly texts: readonly string[];
  /** Last delivery that was searched. */
  readonly after_id: string;
}

/** Responses that one statement reads, of 16 KiB each. */
export const ERASURE_PIECE = 500;

/** Where the data of an event can name the student that it is about. */
export const STUDENT_PATHS: readonly (readonly string[])[] = [['student_id'], ['redemption', 'student_id']];

/** SQL of the student of a delivery `d`. */
const STUDENT = `coalesce(${STUDENT_PATHS.map((path) => `d.data #>> '{${path.join()}}'`).join(', ')})`;

/** Condition on a delivery `d`: its event is about a removed member, or the student of one. */
export const ABOUT_ERASED = `(
  exists (select from members m where m.site_id = d.site_id and m.id = d.object_id::uuid and m.email is null)
  or exists (
    select from students s where s.site_id = d.site_id and s.id = ${STUDENT}::uuid
      and s.email like '%${erasedEmail('')}'))`;

/**
 * Takes the rows without waiting, because a turn and a redelivery lock them in other orders. The search repeats a piece
 * with a row that another transaction has.
 */
const SEARCH = {
  name: 'webhook_erasures_search',
  text: `with stored as materialized (
      select d.id, d.object_id, ${STUDENT} as student_id, d.response_body
      from webhook_deliveries d
      where d.site_id = $1 and d.id > $2 and d.response_body is not null
      order by d.id limit ${ERASURE_PIECE}),
    found as materialized (
      select stored.id from stored cross join lateral (select lower(stored.response_body) as text offset 0) body
      where stored.object_id = any($3::text[]) or stored.student_id = any($3::text[])
        or exists (select from unnest($4::text[]) known (text) where strpos(body.text, known.text) > 0)),
    free as materialized (
      select d.id from webhook_deliveries d
      where d.site_id = $1 and d.id in (select id from found) for no key update skip locked),
    erased as (
      update webhook_deliveries d set response_body = null, version = d.version + 1, updated_at = now()
      from free where d.site_id = $1 and d.id = free.id returning 1)
    select (select count(*) from stored) = ${ERASURE_PIECE} as more,
      (select count(*) from found) = (select count(*) from erased) as whole,
      (select id from stored order by id desc limit 1) as last`,
};

/** Erases responses of receivers from the log of deliveries. They are texts of strangers, and can name people. */
@Injectable()
export class WebhookErasureRepository {
  /**
   * Requests the search for a removed member. Deliveries that are under way store no response: each of them writes its
   * queue, which the removal locks.
   */
  async request(tx: EntityManager, { site_id, ids, texts }: ErasedPerson): Promise<void> {
    await tx.query(
      `with queue as (
         select endpoint_id from webhook_queues where site_id = $1 order by endpoint_id for no key update)
       update webhook_queues q set erased_at = clock_timestamp() from queue
       where q.site_id = $1 and q.endpoint_id = queue.endpoint_id`,
      [site_id],
    );
    await tx.query(
      `insert into webhook_erasures (site_id, ids, texts) select $1, $2, $3
       where exists (select from webhook_deliveries where site_id = $1 and response_body is not null)`,
      [site_id, ids, texts.flatMap(spellingsOf)],
    );
  }

  /**
   * Erases the responses of the next piece that are about the person, or have one of the texts. Returns false after the
   * last piece.
   */
  async searchNext(tx: EntityManager, { site_id, id, ids, texts, after_id }: WebhookErasure): Promise<boolean> {
    const [piece] = await preparedQuery<{ more: boolean; whole: boolean; last: string | null }>(tx, SEARCH, [
      site_id,
      after_id,
      ids,
      texts,
    ]);
    if (piece === undefined) throw new Error('The search returns a row');
    if (!piece.whole) return true;
    if (!piece.more) return false;
    await tx.query('update webhook_erasures set after_id = $3 where site_id = $1 and id = $2', [
      site_id,
      id,
      piece.last,
    ]);
    return true;
  }

  /** Deletes a search that has ended, with the texts of the person. */
  async forget(tx: EntityManager, { site_id, id }: Pick<WebhookErasure, 'site_id' | 'id'>): Promise<void> {
    await tx.query('delete from webhook_erasures where site_id = $1 and id = $2', [site_id, id]);
  }
}

/** A text as bodies have it, in lower case: as it is, and with the characters that JSON can escape. */
function spellingsOf(text: string): string[] {
  const escaped = JSON.stringify(text).slice(1, -1);
  const ascii = escaped.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [...new Set([text, escaped, ascii].map((one) => one.toLowerCase()))];
}
