/** English, the fallback for languages without a catalog. ICU MessageFormat; parameters are text. */
export const en = {
  'course_enrolled.title': 'You are enrolled in {course}',
  'course_enrolled.body': 'The course is open for you. You can start right away.',
  'membership_changed.title':
    'Your membership {plan} {change, select, active {is active} past_due {needs attention} canceled {is canceled} expired {has ended} other {has changed}}',
  'membership_changed.body':
    '{change, select, active {You have access to everything in it.} past_due {It could not be renewed yet.} canceled {It will not be renewed.} expired {You no longer have access to its content.} other {}}',
  'post_published.title': '{title}',
  'post_published.body': '{excerpt}',
  'announcement_sent.title': '{title}',
  'announcement_sent.body': '{body}',
  'course_post_published.title': '{title}',
  'course_post_published.body': '{excerpt}',
  'lecture_published.title': 'New lecture: {lecture}',
  'comment_replied.title': '{author} replied to your comment',
  'comment_replied.body': '{excerpt}',
  'event_starting.title': '{event} starts {minutes, plural, =1440 {tomorrow} =60 {within the hour} other {soon}}',
  'consulting_starting.title':
    'Your session starts {minutes, plural, =1440 {tomorrow} =60 {within the hour} other {soon}}',
  'offer_sent.title': '{title}',
  'offer_sent.body': '{body}',
  'topic.access': 'Courses and products that you have access to.',
  'topic.membership': 'The state of your membership.',
  'topic.announcement': 'News and announcements of the site.',
  'topic.course_update': 'News of your courses.',
  'topic.new_lecture': 'New lectures in your courses.',
  'topic.comment_reply': 'Replies to your comments.',
  'topic.event_reminder': 'Reminders of events that you are registered for.',
  'topic.consulting_reminder': 'Reminders of sessions that you have booked.',
  'topic.marketing': 'Offers and recommendations.',
  'mail.reason': 'You receive this email from {site}: {topic}',
  'mail.unsubscribe': 'Unsubscribe: {url}',
} as const;
