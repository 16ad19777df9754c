import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Comments of students on courses and lectures (ADR 97). */
export class Comments1764000252000 implements MigrationInterface {
  name = 'Comments1764000252000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table comments (
        site_id uuid not null,
        id uuid not null default uuidv7(),
        commentable_type text not null check (commentable_type in ('course', 'lecture')),
        commentable_id uuid not null,
        -- The course itself, or that of the lecture
        course_id uuid not null,
        -- null: no reply
        parent_id uuid,
        student_id uuid not null,
        body text not null,
        state text not null check (state in ('pending', 'visible', 'hidden')),
        -- Counted in the transactions that add and delete replies
        replies_count int not null default 0 check (replies_count >= 0),
        posted_at timestamptz(3) not null,
        version int not null default 1,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        primary key (site_id, id),
        check (parent_id is null or replies_count = 0),
        foreign key (site_id, course_id) references courses (site_id, id),
        foreign key (site_id, student_id) references students (site_id, id),
        foreign key (site_id, parent_id) references comments (site_id, id)
      );
      -- sort=created_at and created_at[…]
      create index comments_created on comments (site_id, created_at, id);
      -- sort=updated_at and updated_at[…]
      create index comments_updated on comments (site_id, updated_at, id);
      -- state=…
      create index comments_state on comments (site_id, state, created_at, id);
      -- commentable_id=…, and the deletion of a lecture
      create index comments_commentable on comments (site_id, commentable_id, created_at, id);
      -- course_id=…, and the deletion of a course
      create index comments_course on comments (site_id, course_id, created_at, id);
      -- student_id=…, and the link and the erasure of a student
      create index comments_student on comments (site_id, student_id, created_at, id);
      -- GET /comments/{comment_id}/replies, and the deletion of a comment
      create index comments_replies on comments (site_id, parent_id, created_at, id) where parent_id is not null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table comments');
  }
}
