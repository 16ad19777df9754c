import { asInstant, asList, asPlain, asText, asValues, asWord } from '@lyceum/rest';
import type { LineColumns } from '@lyceum/rest';

export const STUDENT_LINES: LineColumns = {
  from: `(select max(p.watched_at) as last_seen_at from progress p
    where p.site_id = $1 and p.student_id = students.id) seen`,
  columns: {
    id: asWord('id'),
    member_id: asWord('member_id'),
    email: asText('email'),
    name: asText('name'),
    phone_number: asText('phone_number'),
    avatar_url: asText('avatar_url'),
    locale: asText('locale'),
    state: asWord('state'),
    tags: asList('tags'),
    external_id: asText('external_id'),
    metadata: asValues('metadata'),
    enrollments_count: asPlain('enrollments_count'),
    last_seen_at: asInstant('last_seen_at'),
    created_at: asInstant('created_at'),
    updated_at: asInstant('updated_at'),
  },
};

export const PROGRESS_LINES: LineColumns = {
  columns: {
    id: asWord('id'),
    student_id: asWord('student_id'),
    enrollment_id: asWord('enrollment_id'),
    course_id: asWord('course_id'),
    lecture_id: asWord('lecture_id'),
    lecture_title: asText('lecture_title'),
    position_seconds: asPlain('position_seconds'),
    watched_at: asInstant('watched_at'),
    completed: asPlain('completed'),
    completed_at: asInstant('completed_at'),
    created_at: asInstant('created_at'),
    updated_at: asInstant('updated_at'),
  },
};
