import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Parameters of a stored English sentence by its kind; NULL for a sentence that no version of the kind has written. */
const PARAMETERS = `
  case kind
    when 'course_enrolled' then
      case when title like 'You are enrolled in %' then jsonb_build_object('course', substr(title, 21)) end
    when 'lecture_published' then
      case when title like 'New lecture: %' then jsonb_build_object('lecture', substr(title, 14)) end
    when 'comment_replied' then
      case when title like '% replied to your comment' then
        jsonb_build_object('author', left(title, -length(' replied to your comment')), 'excerpt', body) end
    when 'event_starting' then
      case when title like '% starts tomorrow' then
             jsonb_build_object('event', left(title, -length(' starts tomorrow')), 'minutes', 1440)
           when title like '% starts within the hour' then
             jsonb_build_object('event', left(title, -length(' starts within the hour')), 'minutes', 60) end
    when 'consulting_starting' then
      case title when 'Your session starts tomorrow' then jsonb_build_object('minutes', 1440)
                 when 'Your session starts within the hour' then jsonb_build_object('minutes', 60) end
    when 'membership_changed' then
      (select jsonb_build_object('plan', found[1], 'change', case found[2]
                when 'is active' then 'active' when 'needs attention' then 'past_due'
                when 'is cancelled' then 'canceled' else 'expired' end)
       from regexp_match(title, '^Your membership (.*) (is active|needs attention|is cancelled|has ended)$') found
       where found is not null)
    when 'post_published' then jsonb_build_object('title', title, 'excerpt', body)
    when 'course_post_published' then jsonb_build_object('title', title, 'excerpt', body)
    when 'announcement_sent' then jsonb_build_object('title', title, 'body', body)
    when 'offer_sent' then jsonb_build_object('title', title, 'body', body)
  end`;

/**
 * Notifications are stored as a kind and its parameters; the words are made when they are read. Sentences become their
 * parameters. A sentence of another form has none and its row goes, because its words cannot be made again.
 */
export class Messages1764000040003 implements MigrationInterface {
  name = 'Messages1764000040003';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['notification', 'fan_out']) {
      await runner.query(`alter table ${table} add column parameters jsonb`);
      await runner.query(`update ${table} set parameters = ${PARAMETERS}`);
    }
    await runner.query(`
      with gone as (delete from notification where parameters is null returning site_id, person_id, read_at),
      unread as (select site_id, person_id, count(*)::int as unread from gone where read_at is null
                 group by site_id, person_id)
      update inbox_count i set unread = i.unread - u.unread from unread u
      where i.site_id = u.site_id and i.person_id = u.person_id`);
    await runner.query('delete from fan_out where parameters is null');
    // A mail has no kind yet. An announcement says its title and body as they are.
    await runner.query('alter table outbound_mail add column kind text, add column parameters jsonb');
    await runner.query(
      `update outbound_mail set kind = 'announcement_sent', parameters = jsonb_build_object('title', title, 'body', body)`,
    );
    await runner.query('alter table outbound_mail alter column kind set not null');
    for (const table of ['notification', 'fan_out', 'outbound_mail']) {
      await runner.query(
        `alter table ${table} alter column parameters set not null, drop column title, drop column body`,
      );
    }
  }

  /** The words of the catalog are not in the database: title becomes the kind where the parameters have none. */
  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['notification', 'fan_out', 'outbound_mail']) {
      await runner.query(`alter table ${table} add column title text, add column body text`);
      await runner.query(
        `update ${table} set title = coalesce(parameters ->> 'title', kind),
                             body = coalesce(parameters ->> 'body', parameters ->> 'excerpt')`,
      );
      await runner.query(`alter table ${table} alter column title set not null, drop column parameters`);
    }
    await runner.query('alter table outbound_mail drop column kind');
  }
}
